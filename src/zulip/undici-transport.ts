import { promisify } from "node:util";
import { gunzip } from "node:zlib";
// Its index also loads fetch, websockets, caches and mocks: 40 ms of every command that talks to a server (bench/README.md).
import request from "undici/lib/api/api-request.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { defined } from "../model/defined.ts";
import { asTransportError } from "./network-errors.ts";
import { goesThrough, type HttpsProxy, proxyName } from "./proxy.ts";
import type { Transport } from "./transport.ts";
import { connectThrough } from "./tunnel.ts";

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
    // Half of what the whole answer may take, at most: who cannot be reached is told from who does not answer.
    connectTimeoutMs = Math.min(10_000, timeoutMs / 2),
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
  const closing = new AbortController();
  let proxied: Agent | undefined;

  /** Plain http goes to this machine only: a proxy would read the key, and could not reach it. */
  function proxyFor(url: URL): HttpsProxy | undefined {
    const { proxy } = options;
    return proxy !== undefined && url.protocol === "https:" && goesThrough(proxy, url) ? proxy : undefined;
  }

  function throughProxy(proxy: HttpsProxy): Agent {
    const limits = { timeoutMs: connectTimeoutMs, signal: closing.signal };
    // The server's certificate is checked inside the tunnel as it is without one.
    proxied ??= new Agent({ ...common, connect: connectThrough(proxy, buildConnector(connect), limits) });
    return proxied;
  }

  return {
    async send({ method, url, headers, body, signal, asBytes, headersTimeoutMs: ownTimeoutMs }) {
      const address = new URL(url);
      const proxy = proxyFor(address);
      try {
        const response = await request.call(proxy === undefined ? direct : throughProxy(proxy), {
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
        const text = plain.toString("utf8");
        return {
          status: response.statusCode,
          headers: flat,
          body: text,
          ...defined({ bytes: asBytes ? plain : undefined }),
        };
      } catch (error) {
        throw asTransportError(error, {
          signal,
          host: address.host,
          connectTimeoutMs,
          maxResponseBytes,
          ...defined({ proxy: proxy && proxyName(proxy) }),
        });
      }
    },
    async close() {
      closing.abort();
      // What is still under way was given up, and a connection that is still being made would be waited for.
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

function httpMethod(method: string): "GET" | "POST" | "PATCH" | "PUT" | "DELETE" {
  if (method === "GET" || method === "POST" || method === "PATCH" || method === "PUT" || method === "DELETE")
    return method;
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
