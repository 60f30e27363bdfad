import { connect, type Socket } from "node:net";
import { type HttpsProxy, socksAccount } from "./proxy.ts";
import { asProxyError, proxyError, type TunnelLimits, tooLate } from "./proxy-errors.ts";
import type { TransportError } from "./transport.ts";

const USUAL_PORT = 1080;

/**
 * A tunnel through a SOCKS5 proxy. undici encodes the protocol; its own agent for such proxies gives every server five seconds, whatever timeout is
 * set, and warns on stderr. The proxy resolves the server's name.
 * @throws TransportError
 */
export async function openSocksTunnel(
  proxy: HttpsProxy,
  target: { readonly hostname: string; readonly port: number },
  { timeoutMs, signal }: TunnelLimits,
): Promise<Socket> {
  const { default: socks } = await import("undici/lib/core/socks5-client.js");
  const { hostname, port } = new URL(proxy.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: bare(hostname), port: port === "" ? USUAL_PORT : Number(port), signal });
    let isConnected = false;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(signal.aborted ? error : refusalOf(proxy, error, isConnected));
    };
    const timer = setTimeout(() => fail(tooLate(proxy, timeoutMs, isConnected)), timeoutMs);
    // Its own listeners are added later: a connection that is refused has none yet. Errors after the tunnel is open are handled by its user.
    socket.on("error", fail);
    socket.on("close", () => fail(proxyError(proxy, { is: "closed" })));
    socket.once("connect", () => {
      isConnected = true;
      const client = new socks.Socks5Client(socket, socksAccount(proxy.url) ?? {});
      client.on("error", fail);
      client.once("authenticated", () => {
        try {
          client.connect(bare(target.hostname), target.port);
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      });
      client.once("connected", () => {
        clearTimeout(timer);
        resolve(socket);
      });
      client.handshake();
    });
  });
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

const CREDENTIALS: ReadonlySet<string> = new Set(["UND_ERR_SOCKS5_AUTH_REJECTED", "UND_ERR_SOCKS5_AUTH_FAILED"]);

function refusalOf(proxy: HttpsProxy, error: Error, isConnected: boolean): TransportError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isNameWanted = code === "UND_ERR_INVALID_ARG" && /username/i.test(error.message);
  if (CREDENTIALS.has(code) || isNameWanted)
    return proxyError(proxy, { is: "credentials", protocol: "SOCKS5" }, "proxy-credentials");
  const reply = /^UND_ERR_SOCKS5_REPLY_(\d+)$/.exec(code)?.[1];
  if (reply !== undefined) return proxyError(proxy, { is: "socks-reply", reply: Number(reply) }, "proxy-refuses");
  if (code.startsWith("UND_ERR_SOCKS5") || code === "UND_ERR_INVALID_ARG")
    return proxyError(proxy, { is: "not-socks" });
  return asProxyError(proxy, error, isConnected);
}
