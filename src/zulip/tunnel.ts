import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent, type AgentOptions, type RequestOptions, request as tlsRequest } from "node:https";
import { connect, isIP, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { defined } from "../model/defined.ts";
import type { ProxyFailure } from "../model/diagnostics/calls.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type HttpsProxy, isSocks, proxyName, proxyToken, socksAccount } from "./proxy.ts";
import { TransportError } from "./transport.ts";

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

const USUAL_PORT = 1080;

/**
 * A tunnel through a SOCKS5 proxy. undici encodes the protocol; its own agent for such proxies gives every server five seconds, whatever timeout is
 * set, and warns on stderr. The proxy resolves the server's name.
 * @throws TransportError
 */
async function openSocksTunnel(
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
      reject(signal.aborted ? error : socksErrorOf(proxy, error, isConnected));
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

const CREDENTIALS: ReadonlySet<string> = new Set(["UND_ERR_SOCKS5_AUTH_REJECTED", "UND_ERR_SOCKS5_AUTH_FAILED"]);

function socksErrorOf(proxy: HttpsProxy, error: Error, isConnected: boolean): TransportError {
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

/** The time limits of a connection through a proxy. */
interface TunnelLimits {
  /** From the first byte to the proxy to the end of its answer. */
  readonly timeoutMs: number;
  /** Fires when nobody waits for the connection any more. */
  readonly signal: AbortSignal;
}

const NO_SUCH_HOST: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_NODATA", "EAI_NONAME"]);

/** The maximum length of a message. */
const LONGEST_WORDS = 300;

/** An error on the way to a proxy, or in its answer. Reports distinguish it from errors of the server. */
function asProxyError(proxy: HttpsProxy, error: Error, isConnected: boolean): TransportError {
  if (error instanceof TransportError) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return proxyError(proxy, { is: "other-name" });
  if (code.startsWith("HPE_")) return proxyError(proxy, { is: "not-http" });
  if (isConnected && (code === "ECONNRESET" || code === "EPIPE")) return proxyError(proxy, { is: "closed" });
  // Of several addresses (IPv6, IPv4), the message of the first one: the aggregate has none.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const words = error.message === "" && first instanceof Error ? first.message : error.message;
  if (NO_SUCH_HOST.has(code)) return proxyError(proxy, { is: "unknown-host" });
  return proxyError(proxy, { is: "unreachable", reason: quote(words.slice(0, LONGEST_WORDS)) });
}

/** The error if there is no connection within the time limit. */
function tooLate(proxy: HttpsProxy, timeoutMs: number, isConnected: boolean): TransportError {
  return proxyError(proxy, { is: isConnected ? "silent" : "no-connection", limit_seconds: timeoutMs / 1000 });
}

/** An error of a proxy. Nothing was sent to the server, since a tunnel is opened before the first byte of a request. */
function proxyError(
  proxy: HttpsProxy,
  failure: ProxyFailure,
  detail: "proxy-unreachable" | "proxy-credentials" | "proxy-refuses" = "proxy-unreachable",
): TransportError {
  return new TransportError("proxy", { is: "proxy", proxy: proxyName(proxy), trouble: failure }, true, detail);
}

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
        callback(null, connectTls({ ...this.tls, socket, servername, host: name, ALPNProtocols: ["http/1.1"] }));
      },
      // If there is an error, the connection is not used.
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), new Socket()),
    );
    return undefined;
  }
}
