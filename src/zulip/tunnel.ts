import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { Socket } from "node:net";
import { defined } from "../model/defined.ts";
import { type HttpsProxy, isSocks, proxyToken } from "./proxy.ts";
import { asProxyError, proxyError, type TunnelLimits, tooLate } from "./proxy-errors.ts";
import { openSocksTunnel } from "./socks-tunnel.ts";
import type { TransportError } from "./transport.ts";

/** The server at the end of a tunnel. */
interface TunnelTarget {
  readonly hostname: string;
  readonly port: number;
}

/**
 * A tunnel through a proxy (CONNECT, or SOCKS5), for the server's own TLS inside. A proxy is asked once, has as long as a connection may take, and
 * every error says that it was the proxy. undici's agent for proxies waits for five minutes, or forever, for a proxy that does not answer. If a
 * proxy closes the connection, the agent tries again and again without a pause, each time with the password.
 * @throws TransportError
 */
export function openTunnel(proxy: HttpsProxy, target: TunnelTarget, limits: TunnelLimits): Promise<Socket> {
  const { hostname, port } = target;
  if (isSocks(proxy)) return openSocksTunnel(proxy, target, limits);
  return openHttpTunnel(proxy, `${hostname.includes(":") ? `[${bare(hostname)}]` : hostname}:${port}`, limits);
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** @throws TransportError */
function openHttpTunnel(proxy: HttpsProxy, target: string, { timeoutMs, signal }: TunnelLimits): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const ask = askFor(proxy, target, signal);
    let isConnected = false;
    const timer = setTimeout(() => ask.destroy(tooLate(proxy, timeoutMs, isConnected)), timeoutMs);
    ask.once("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
      }),
    );
    ask.once("connect", (answer, socket: Socket, head) => {
      // From here on it is the connection to the server, and its user handles its errors; until now nobody else does.
      socket.on("error", () => {});
      const refusal = refusalOf(proxy, answer, head);
      if (refusal === undefined) return resolve(socket);
      socket.destroy();
      reject(refusal);
    });
    ask.once("error", (error) => reject(signal.aborted ? error : asProxyError(proxy, error, isConnected)));
    ask.once("close", () => clearTimeout(timer));
    ask.end();
  });
}

function askFor(proxy: HttpsProxy, target: string, signal: AbortSignal): ClientRequest {
  const { protocol, hostname, port } = new URL(proxy.url);
  const isSecure = protocol === "https:";
  return (isSecure ? tlsRequest : plainRequest)({
    method: "CONNECT",
    host: bare(hostname),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    path: target,
    headers: {
      host: target,
      "proxy-connection": "keep-alive",
      ...defined({ "proxy-authorization": proxyToken(proxy.url) }),
    },
    agent: false,
    signal,
  });
}

/** The error in the proxy's answer; undefined if the tunnel is open. */
function refusalOf(proxy: HttpsProxy, { statusCode = 0 }: IncomingMessage, head: Buffer): TransportError | undefined {
  if (statusCode === 407) return proxyError(proxy, { is: "credentials", protocol: "HTTP" }, "proxy-credentials");
  if (statusCode < 200 || statusCode > 299)
    return proxyError(proxy, { is: "refuses", status: statusCode }, "proxy-refuses");
  // The server never speaks first: this is a page of the proxy itself.
  if (head.length > 0) return proxyError(proxy, { is: "answers-itself" }, "proxy-refuses");
  return undefined;
}
