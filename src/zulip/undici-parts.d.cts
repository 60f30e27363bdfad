// The files of undici that proxied-fetch.ts and socks-tunnel.ts take. The package has types for its index only.

declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}

declare module "undici/lib/core/connect.js" {
  export { buildConnector as default } from "undici";
}

declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  /** Speaks SOCKS5 over a socket that is connected to the proxy: `authenticated`, then `connected`, or `error`. */
  class Socks5Client extends EventEmitter {
    constructor(socket: Socket, options: { readonly username?: string; readonly password?: string });
    handshake(): void;
    connect(address: string, port: number): void;
  }
  const parts: { readonly Socks5Client: typeof Socks5Client };
  export default parts;
}
