import { defined, whenDefined } from "../model/defined.ts";
import type { BrokenOff, NoAnswer } from "../model/diagnostics/calls.ts";
import { type Quoted, quote, quoteAll } from "../model/diagnostics/values.ts";
import { TransportError } from "./transport.ts";

/** The parts of the failed request that a message may show. */
interface Attempt {
  readonly signal: AbortSignal | undefined;
  /** Host and port of the server. */
  readonly host: string;
  /** Host and port of the proxy that the request goes through. Errors before the tunnel is open are handled in tunnel.ts. */
  readonly proxy?: string;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** The codes of errors that occur only before anything was sent over the connection. */
const CONNECT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EAI_FAIL",
]);
const NAME_CODES: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_NODATA", "EAI_NONAME"]);
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;
const UNKNOWN_ISSUER =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED|INVALID_CA|CERT_SIGNATURE_FAILURE)$/;

/** The maximum length of a library's message: a certificate may name a thousand hosts. */
const LONGEST_WORDS = 300;

export function tooLarge(maxResponseBytes: number): TransportError {
  const most_mebibytes = Math.floor(maxResponseBytes / 2 ** 20);
  return new TransportError("too-large", { is: "too-large", most_mebibytes }, false);
}

/** An error of the libraries as a TransportError, which says whether the request was sent, and whether waiting may help. */
export function asTransportError(error: unknown, attempt: Attempt): TransportError {
  const { signal, host, proxy, connectTimeoutMs, maxResponseBytes } = attempt;
  const code = codeOf(error);
  if (error instanceof TransportError) return error;
  if (code === "ERR_BUFFER_TOO_LARGE") return tooLarge(maxResponseBytes);
  const message = messageOf(error);
  const said = quote(message);
  if (signal?.aborted) return new TransportError("aborted", { is: "stopped" }, false);
  const wasConnecting = syscallOf(error) === "connect";
  if (wasConnecting && code === "ETIMEDOUT")
    return new TransportError("timeout", { is: "no-connection", host, limit_seconds: connectTimeoutMs / 1000 }, true);
  if (code === "ECONNREFUSED") return new TransportError("unreachable", said, true, "refused");
  if (CONNECT_CODES.has(code)) return new TransportError("unreachable", said, true, connectDetail(code));
  if (NAME_CODES.has(code)) return new TransportError("unknown-host", said, true);
  // A certificate is checked before the first byte of a request is sent.
  if (TLS_CODE.test(code)) return tlsError(code, message, host, proxy);
  const detail = code.startsWith("HPE_") ? "not-http" : code === "EACCES" || code === "EPERM" ? "blocked" : undefined;
  const how = brokenOff(code, syscallOf(error), message);
  return new TransportError("broken-off", { is: "broken-off", how, ...defined({ proxy }) }, wasConnecting, detail);
}

/** Node's message for an answer that ended early. */
function brokenOff(code: string, syscall: string, message: string): BrokenOff {
  if (code === "HPE_HEADER_OVERFLOW") return { is: "headers-too-large" };
  if (code.startsWith("HPE_")) {
    // `Parse Error: Invalid status code`
    const reason = /^Parse Error: ([A-Za-z/ ,-]+)$/.exec(message)?.[1];
    return { is: "not-http", ...defined({ reason: whenDefined(reason, (words) => quote(words)) }) };
  }
  if (code === "Z_BUF_ERROR") return { is: "ends-too-early" };
  if (code.startsWith("Z_")) return { is: "not-gzip" };
  // If there is no system call, the error is Node's own, for a connection that was closed normally.
  if (code === "ECONNRESET" && syscall === "") return { is: "closed" };
  if (code === "ECONNRESET" || code === "EPIPE") return { is: "cut", code };
  return quote(message);
}

function connectDetail(code: string): "lookup" | "no-route" {
  return code.startsWith("EAI_") ? "lookup" : "no-route";
}

function tlsError(code: string, message: string, host: string, proxy: string | undefined): TransportError {
  const fail = (reason: NoAnswer, detail: TransportError["detail"]) => new TransportError("tls", reason, true, detail);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return fail(namesOf(message, host), "other-name");
  if (code === "CERT_HAS_EXPIRED") return fail({ is: "certificate-expired" }, "expired");
  if (code === "CERT_NOT_YET_VALID") return fail({ is: "certificate-not-yet-valid" }, "expired");
  if (UNKNOWN_ISSUER.test(code)) return fail(quote(message), "unknown-issuer");
  // `80BC…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/…:350:` is OpenSSL's; the reason is its fifth part.
  const reason = /(?:^|:)error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
  const isOther = /wrong version number|packet length too long|record layer failure/.test(reason);
  if (isOther && proxy !== undefined)
    return new TransportError(
      "proxy",
      { is: "proxy", proxy, trouble: { is: "answers-itself" } },
      true,
      "proxy-refuses",
    );
  if (isOther) return fail({ is: "not-https", host }, "not-https");
  if (/certificate required|handshake failure|bad certificate|unknown ca|certificate unknown/.test(reason))
    return fail(quote(reason), "client-certificate");
  return fail(quote(reason), undefined);
}

/** `Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b, DNS:c` */
function namesOf(message: string, host: string): NoAnswer {
  const [, listed = ""] = /altnames: ((?:DNS|IP|URI|email)[^\s].*)$/i.exec(message) ?? [];
  const names = [...listed.matchAll(/(?:DNS|IP Address|IP):\s*"?([^",\s]+)"?/g)].flatMap(([, name]) => name ?? []);
  const shown: readonly Quoted[] = quoteAll(names.slice(0, 3));
  return { is: "other-name", host: host.replace(/:\d+$/, ""), names: shown, more: names.length > 3 };
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return textOf(error, "code");
}

function syscallOf(error: unknown): string {
  if (error instanceof AggregateError) return syscallOf(error.errors[0]);
  return textOf(error, "syscall");
}

function textOf(error: unknown, key: "code" | "syscall"): string {
  if (typeof error !== "object" || error === null) return "";
  const value: unknown = Reflect.get(error, key);
  return typeof value === "string" ? value : "";
}

function messageOf(error: unknown): string {
  // Several addresses were tried (IPv6, IPv4): the first one's message is used, since the aggregate has none.
  if (error instanceof AggregateError && error.message === "") return messageOf(error.errors[0]);
  const words = error instanceof Error ? error.message : String(error);
  return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words;
}
