import errors from "undici/lib/core/errors.js";
import { TransportError } from "./transport.ts";

/** The request that failed, as far as a message may speak of it. */
export interface Attempt {
  readonly signal: AbortSignal | undefined;
  /** Host and port of the server. */
  readonly host: string;
  /** Host and port of the proxy that the request goes through. What goes wrong before it opens the way is told by tunnel.ts. */
  readonly proxy?: string;
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** Errors that can only come from building the connection: nothing was sent over it. */
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

/** Longer words of others are cut: a certificate may name a thousand hosts. */
const LONGEST_WORDS = 300;

/** What the libraries below say, as what it means for the request: was it sent, and may time help? */
export function asTransportError(error: unknown, attempt: Attempt): TransportError {
  if (error instanceof TransportError) return error;
  const { signal, host, proxy, connectTimeoutMs, maxResponseBytes } = attempt;
  const code = codeOf(error);
  const message = messageOf(error);
  if (signal?.aborted) return new TransportError("aborted", "stopped", false);
  const wasConnecting = error instanceof errors.ConnectTimeoutError || syscallOf(error) === "connect";
  if (error instanceof errors.ConnectTimeoutError || (wasConnecting && code === "ETIMEDOUT"))
    return new TransportError("timeout", `no connection to ${host} within ${connectTimeoutMs / 1000} s`, true);
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return new TransportError("timeout", message, false);
  if (error instanceof errors.ResponseExceededMaxSizeError || code === "ERR_BUFFER_TOO_LARGE")
    return new TransportError("too-large", `it is larger than ${Math.floor(maxResponseBytes / 2 ** 20)} MiB`, false);
  if (code === "ECONNREFUSED") return new TransportError("unreachable", message, true, "refused");
  if (CONNECT_CODES.has(code)) return new TransportError("unreachable", message, true, connectDetail(code));
  if (NAME_CODES.has(code)) return new TransportError("unknown-host", message, true);
  // A certificate is looked at before the first byte of a request goes out.
  if (TLS_CODE.test(code)) return tlsError(code, message, host, proxy);
  const isParser = error instanceof errors.HTTPParserError;
  const detail =
    isParser || BROKEN_CODE.test(code) ? "not-http" : code === "EACCES" || code === "EPERM" ? "blocked" : undefined;
  const words = wordsOf(isParser ? "HPE_" : code, message);
  const way = proxy === undefined ? "" : `, through the proxy ${proxy}`;
  return new TransportError("broken-off", `${words}${way}`, wasConnecting, detail);
}

/** Codes that say that what came is no answer by the rules of HTTP: the parser's own, and where undici did not foresee it. */
const BROKEN_CODE = /^(HPE_|ERR_ASSERTION$|UND_ERR_HEADERS_OVERFLOW$)/;

/** What libraries say of an answer that broke off, in words for the person who waits for it. */
function wordsOf(code: string, message: string): string {
  if (BROKEN_CODE.test(code)) {
    if (code === "UND_ERR_HEADERS_OVERFLOW") return "the headers of its answer are too large";
    // `Response does not match the HTTP/1.1 protocol (Invalid status code)`
    const reason = code.startsWith("HPE_") ? /\(([^()]+)\)$/.exec(message)?.[1] : undefined;
    return `its answer breaks the rules of HTTP${reason === undefined ? "" : ` (${reason})`}`;
  }
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "its answer is not as long as it says";
  if (code === "Z_BUF_ERROR") return "its answer ends too early";
  if (code.startsWith("Z_")) return "its answer is not the gzip that it says it is";
  if (code === "ECONNRESET" || code === "EPIPE") return `it cut the connection (${code})`;
  if (code !== "UND_ERR_SOCKET") return message;
  if (message === "other side closed") return "it closed the connection before its answer was whole";
  // An answer of HTTP 100 or 101, to a request that asks for neither.
  return message === "bad response" || message === "bad upgrade"
    ? "it answers as if more were to follow, or in another protocol, which nobody asked for"
    : message;
}

function connectDetail(code: string): "lookup" | "no-route" {
  return code.startsWith("EAI_") ? "lookup" : "no-route";
}

function tlsError(code: string, message: string, host: string, proxy: string | undefined): TransportError {
  const fail = (words: string, detail: TransportError["detail"]) => new TransportError("tls", words, true, detail);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return fail(namesOf(message, host), "other-name");
  if (code === "CERT_HAS_EXPIRED") return fail("its certificate has expired", "expired");
  if (code === "CERT_NOT_YET_VALID") return fail("its certificate is not valid yet", "expired");
  if (UNKNOWN_ISSUER.test(code)) return fail(message, "unknown-issuer");
  // `80BC…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/…:350:` is OpenSSL's; the reason is its fifth part.
  const reason = /(?:^|:)error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
  const isOther = /wrong version number|packet length too long|record layer failure/.test(reason);
  if (isOther && proxy !== undefined)
    return new TransportError(
      "proxy",
      `the proxy ${proxy} answers itself in place of the server`,
      true,
      "proxy-refuses",
    );
  if (isOther) return fail(`what answers at ${host} does not speak https`, "not-https");
  if (/certificate required|handshake failure|bad certificate|unknown ca|certificate unknown/.test(reason))
    return fail(reason, "client-certificate");
  return fail(reason, undefined);
}

/** `Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b, DNS:c` */
function namesOf(message: string, host: string): string {
  const [, listed = ""] = /altnames: ((?:DNS|IP|URI|email)[^\s].*)$/i.exec(message) ?? [];
  const names = [...listed.matchAll(/(?:DNS|IP Address|IP):\s*"?([^",\s]+)"?/g)].flatMap(([, name]) => name ?? []);
  const hostname = host.replace(/:\d+$/, "");
  const shown = names.slice(0, 3).join(", ");
  if (shown === "") return `its certificate is not for ${hostname}`;
  return `its certificate is for ${shown}${names.length > 3 ? " and others" : ""}, not for ${hostname}`;
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
  // Several addresses were tried (IPv6, IPv4): the first one's words, the aggregate has none.
  if (error instanceof AggregateError && error.message === "") return messageOf(error.errors[0]);
  const words = error instanceof Error ? error.message : String(error);
  return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words;
}
