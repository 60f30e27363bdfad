import { promisify } from "node:util";
import { gunzip } from "node:zlib";
// Its index also loads fetch, websockets, caches and mocks: 40 ms of every command that talks to a server (bench/README.md).
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import errors from "undici/lib/core/errors.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { type Transport, TransportError } from "./transport.ts";

export interface NetworkOptions {
  /** PEM text of certificates to trust instead of the system's. */
  readonly certBundle?: string;
  /** PEM texts of the client's own certificate and key. */
  readonly clientCert?: string;
  readonly clientCertKey?: string;
  /** Accept any certificate. */
  readonly insecure?: boolean;
  /** Address of the proxy for https (`http://proxy.example.org:3128`), and the hosts that are reached without it, as NO_PROXY has them. */
  readonly proxy?: { readonly url: string; readonly except: string };
  readonly connectTimeoutMs?: number;
  /** Until the first byte of the answer: a large realm's state takes the server several seconds. */
  readonly headersTimeoutMs?: number;
  /** Between two pieces of the body. */
  readonly bodyTimeoutMs?: number;
  readonly maxResponseBytes?: number;
}

export interface Network {
  readonly send: Transport;
  /** Closes idle connections, so that the process can end at once. */
  close(): Promise<void>;
}

const MEBIBYTE = 2 ** 20;
const unzip = promisify(gunzip);

/** The network, with connections kept open between requests. */
export function openNetwork(options: NetworkOptions = {}): Network {
  const {
    connectTimeoutMs = 10_000,
    headersTimeoutMs = 60_000,
    bodyTimeoutMs = 60_000,
    maxResponseBytes = 256 * MEBIBYTE,
  } = options;
  const connect = {
    timeout: connectTimeoutMs,
    rejectUnauthorized: options.insecure !== true,
    ...(options.certBundle === undefined ? {} : { ca: options.certBundle }),
    ...(options.clientCert === undefined ? {} : { cert: options.clientCert }),
    ...(options.clientCertKey === undefined ? {} : { key: options.clientCertKey }),
  };
  const common = {
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxResponseSize: maxResponseBytes,
    connect,
  };
  const direct = new Agent(common);
  let proxied: Promise<Dispatcher> | undefined;

  /** Plain http goes to this machine only: a proxy would read the key, and could not reach it. */
  function dispatcherFor(protocol: string): Dispatcher | Promise<Dispatcher> {
    const { proxy } = options;
    if (proxy === undefined || protocol !== "https:") return direct;
    // The whole of undici after all: the agent for proxies does not work without its index.
    proxied ??= import("undici").then(
      ({ EnvHttpProxyAgent }) =>
        new EnvHttpProxyAgent({
          ...common,
          // The server's certificate is checked inside the tunnel as it is without one.
          requestTls: connect,
          proxyTls: { timeout: connectTimeoutMs },
          httpProxy: "",
          httpsProxy: proxy.url,
          noProxy: proxy.except,
        }),
    );
    return proxied;
  }
  return {
    async send({ method, url, headers, body, signal, headersTimeoutMs: ownTimeoutMs }) {
      try {
        const { origin, pathname, protocol, search } = new URL(url);
        const response = await request.call(await dispatcherFor(protocol), {
          origin,
          path: `${pathname}${search}`,
          method: httpMethod(method),
          headers: { ...headers, "accept-encoding": "gzip" },
          body: body ?? null,
          signal: signal ?? null,
          ...(ownTimeoutMs === undefined ? {} : { headersTimeout: ownTimeoutMs }),
        });
        const received = Buffer.from(await response.body.arrayBuffer());
        const flat = flatten(response.headers);
        const plain =
          flat["content-encoding"] === "gzip" ? await unzip(received, { maxOutputLength: maxResponseBytes }) : received;
        return { status: response.statusCode, headers: flat, body: plain.toString("utf8") };
      } catch (error) {
        throw asTransportError(error, signal);
      }
    },
    async close() {
      await Promise.all([direct.close(), proxied?.then((agent) => agent.close())]);
    },
  };
}

function httpMethod(method: string): "GET" | "POST" | "PATCH" | "DELETE" {
  if (method === "GET" || method === "POST" || method === "PATCH" || method === "DELETE") return method;
  throw new RangeError(`no method of this API: ${method}`);
}

function flatten(headers: { readonly [name: string]: string | readonly string[] | undefined }): {
  readonly [name: string]: string;
} {
  const flat: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  return flat;
}

/** Errors that can only come from building the connection: nothing was sent over it. */
const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
]);
const NAME_CODES = new Set(["ENOTFOUND", "EAI_NODATA", "EAI_NONAME"]);
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;

function asTransportError(error: unknown, signal: AbortSignal | undefined): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  if (signal?.aborted) return new TransportError("aborted", "stopped", false);
  if (error instanceof errors.ConnectTimeoutError) return new TransportError("timeout", message, true);
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return new TransportError("timeout", message, false);
  // The proxy answered, and not with a way through: no byte of the request left this machine for the server.
  if (error instanceof errors.RequestAbortedError && message.startsWith("Proxy response"))
    return new TransportError("unreachable", `the proxy does not let it through: ${message}`, true);
  if (error instanceof errors.ResponseExceededMaxSizeError || code === "ERR_BUFFER_TOO_LARGE")
    return new TransportError("too-large", "the answer is too large", false);
  if (CONNECT_CODES.has(code)) return new TransportError("unreachable", message, true);
  if (NAME_CODES.has(code)) return new TransportError("unknown-host", message, true);
  // A certificate is looked at before the first byte of a request goes out.
  if (TLS_CODE.test(code)) return new TransportError("tls", tlsReason(message), true);
  return new TransportError("broken-off", message, false);
}

/** `80BC…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/…:350:` is OpenSSL's; the reason is its fifth part. */
function tlsReason(message: string): string {
  const reason = /(?:^|:)error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1];
  if (reason === "wrong version number" || reason === "packet length too long")
    return "what answers there does not speak https";
  return reason ?? message;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return "";
}

function messageOf(error: unknown): string {
  // Several addresses were tried (IPv6, IPv4): the first one's words, the aggregate has none.
  if (error instanceof AggregateError && error.message === "") return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
