import type { ProxyFailure } from "../model/diagnostics/no-answer.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type HttpsProxy, proxyName } from "./proxy.ts";
import { TransportError } from "./transport.ts";

/** The time limits of a connection through a proxy. */
export interface TunnelLimits {
  /** From the first byte to the proxy to the end of its answer. */
  readonly timeoutMs: number;
  /** Fires when nobody waits for the connection any more. */
  readonly signal: AbortSignal;
}

const NO_SUCH_HOST: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_NODATA", "EAI_NONAME"]);

/** The maximum length of a message. */
const LONGEST_WORDS = 300;

/** An error on the way to a proxy, or in its answer. Reports distinguish it from errors of the server. */
export function asProxyError(proxy: HttpsProxy, error: Error, isConnected: boolean): TransportError {
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
export function tooLate(proxy: HttpsProxy, timeoutMs: number, isConnected: boolean): TransportError {
  return proxyError(proxy, { is: isConnected ? "silent" : "no-connection", limit_seconds: timeoutMs / 1000 });
}

/** An error of a proxy. Nothing was sent to the server, since a tunnel is opened before the first byte of a request. */
export function proxyError(
  proxy: HttpsProxy,
  failure: ProxyFailure,
  detail: "proxy-unreachable" | "proxy-credentials" | "proxy-refuses" = "proxy-unreachable",
): TransportError {
  return new TransportError("proxy", { is: "proxy", proxy: proxyName(proxy), trouble: failure }, true, detail);
}
