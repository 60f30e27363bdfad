import { Agent, type AgentOptions, type RequestOptions } from "node:https";
import { isIP, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect } from "node:tls";
import type { HttpsProxy } from "./proxy.ts";
import type { TunnelLimits } from "./proxy-errors.ts";
import { openTunnel } from "./tunnel.ts";

/** https through a proxy: each connection is a tunnel, with the server's own TLS inside. Its certificate is checked as without a proxy. */
export class TunnelAgent extends Agent {
  private readonly proxy: HttpsProxy;
  private readonly limits: TunnelLimits;
  private readonly tls: AgentOptions;

  constructor(options: AgentOptions, proxy: HttpsProxy, limits: TunnelLimits) {
    super(options);
    this.tls = options;
    this.proxy = proxy;
    this.limits = limits;
  }

  override createConnection(
    { hostname, host, port }: RequestOptions,
    callback: (error: Error | null, stream: Duplex) => void = () => {},
  ): undefined {
    const name = hostname ?? host ?? "";
    openTunnel(this.proxy, { hostname: name, port: Number(port ?? 443) }, this.limits).then(
      (socket) => {
        const servername = isIP(name) === 0 ? name : "";
        callback(null, connect({ ...this.tls, socket, servername, host: name, ALPNProtocols: ["http/1.1"] }));
      },
      // If there is an error, the connection is not used.
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), new Socket()),
    );
    return undefined;
  }
}
