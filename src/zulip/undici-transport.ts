import { promisify } from "node:util";
import { gunzip } from "node:zlib";
// Its index also loads fetch, websockets, caches and mocks: 40 ms of every command that talks to a server (bench/README.md).
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { defined } from "../model/defined.ts";
import { asTransportError } from "./network-errors.ts";
import { goesThrough, type HttpsProxy, proxyName, proxyToken } from "./proxy.ts";
import type { Transport } from "./transport.ts";

export interface NetworkOptions {
  /** PEM text of certificates to trust instead of the system's. */
  readonly certBundle?: string;
  /** PEM texts of the client's own certificate and key. */
  readonly clientCert?: string;
  readonly clientCertKey?: string;
  /** Accept any certificate. */
  readonly insecure?: boolean;
  /** For https alone. */
  readonly proxy?: HttpsProxy;
  /** The longest that the first byte, or the next one, is waited for; whoever sends decides how long a whole answer may take. */
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Until the first byte of the answer: a large realm's state takes the server several seconds. */
  readonly headersTimeoutMs?: number;
  /** Between two pieces of the body. */
  readonly bodyTimeoutMs?: number;
  /** Of the answer as it comes, and of what it unpacks to. */
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
  const { timeoutMs = 60_000 } = options;
  const {
    connectTimeoutMs = Math.min(10_000, timeoutMs),
    headersTimeoutMs = timeoutMs,
    bodyTimeoutMs = timeoutMs,
    maxResponseBytes = 64 * MEBIBYTE,
  } = options;
  const connect = {
    timeout: connectTimeoutMs,
    rejectUnauthorized: options.insecure !== true,
    ...defined({ ca: options.certBundle, cert: options.clientCert, key: options.clientCertKey }),
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
  function proxyFor(url: URL): HttpsProxy | undefined {
    const { proxy } = options;
    return proxy !== undefined && url.protocol === "https:" && goesThrough(proxy, url) ? proxy : undefined;
  }

  async function openProxied(proxy: HttpsProxy): Promise<Dispatcher> {
    // The whole of undici after all: the agent for proxies does not work without its index. By its default export: that of a
    // CommonJS package is all that Node and every bundle of it agree on.
    const { default: undici } = await import("undici");
    const token = proxyToken(proxy.url);
    return new undici.ProxyAgent({
      ...common,
      uri: proxy.url,
      ...defined({ token }),
      // The server's certificate is checked inside the tunnel as it is without one.
      requestTls: connect,
      proxyTls: { timeout: connectTimeoutMs },
    });
  }
  return {
    async send({ method, url, headers, body, signal, headersTimeoutMs: ownTimeoutMs }) {
      const address = new URL(url);
      const proxy = proxyFor(address);
      try {
        if (proxy !== undefined) proxied ??= openProxied(proxy);
        const dispatcher = proxy === undefined ? direct : await proxied;
        const response = await request.call(dispatcher ?? direct, {
          origin: address.origin,
          path: `${address.pathname}${address.search}`,
          method: httpMethod(method),
          headers: { ...headers, "accept-encoding": "gzip" },
          body: body ?? null,
          signal: signal ?? null,
          ...defined({ headersTimeout: ownTimeoutMs }),
        });
        const received = Buffer.from(await response.body.arrayBuffer());
        const flat = flatten(response.headers);
        const plain =
          flat["content-encoding"] === "gzip" ? await unzip(received, { maxOutputLength: maxResponseBytes }) : received;
        return { status: response.statusCode, headers: flat, body: plain.toString("utf8"), bytes: plain };
      } catch (error) {
        throw asTransportError(error, {
          signal,
          host: address.host,
          connectTimeoutMs,
          maxResponseBytes,
          ...(proxy === undefined ? {} : { proxy: proxyName(proxy) }),
        });
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
