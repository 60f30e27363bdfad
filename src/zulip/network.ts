import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { gunzip, type ZlibOptions } from "node:zlib";
import { defined } from "../model/defined.ts";
import type { NoAnswer } from "../model/diagnostics/calls.ts";
import { asTransportError, tooLarge } from "./network-errors.ts";
import { goesThrough, type HttpsProxy, proxyName } from "./proxy.ts";
import { type HttpRequest, type Transport, TransportError } from "./transport.ts";

export interface NetworkOptions {
  /** PEM text of certificates to trust instead of the system's. */
  readonly certBundle?: string;
  /** PEM texts of the client's own certificate and key. */
  readonly clientCert?: string;
  readonly clientCertKey?: string;
  /** Whether any certificate is accepted. */
  readonly insecure?: boolean;
  /** The proxy, for https only. */
  readonly proxy?: HttpsProxy;
  /** The longest wait for the first byte, or for the next one. The caller limits the time of the whole answer. */
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Until the first byte of the answer: a server takes several seconds for the state of a large realm. */
  readonly headersTimeoutMs?: number;
  /** Between two pieces of the body. */
  readonly bodyTimeoutMs?: number;
  /** The limit of the answer as it arrives, and unpacked. */
  readonly maxResponseBytes?: number;
}

export interface Network {
  readonly send: Transport;
  /** Closes idle connections, so that the process can end at once. */
  close(): Promise<void>;
}

interface Limits {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly maxResponseBytes: number;
}

const MEBIBYTE = 2 ** 20;
/** Not by `promisify`: no other file needs `node:util`, which loads more of Node. */
const unzip = (packed: Uint8Array, options: ZlibOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    gunzip(packed, options, (error, plain) => (error === null ? resolve(plain) : reject(error)));
  });

/**
 * The network, with connections kept open between requests. It uses Node's own http: undici has a parser in WebAssembly that every process compiles
 * first, with 30 ms of processor time and 7 MB (docs/internals/decisions/0033-load-less-compute-once.md).
 */
export function openNetwork(options: NetworkOptions = {}): Network {
  const { proxy, timeoutMs = 60_000 } = options;
  const limits: Limits = {
    // At most half of the time for the whole answer, so that "cannot be reached" is found before "does not answer".
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(10_000, timeoutMs / 2),
    headersTimeoutMs: options.headersTimeoutMs ?? timeoutMs,
    bodyTimeoutMs: options.bodyTimeoutMs ?? timeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? 64 * MEBIBYTE,
  };
  const { connectTimeoutMs, maxResponseBytes } = limits;
  const ways = waysOf({
    connectTimeoutMs,
    proxy,
    tls: {
      rejectUnauthorized: options.insecure !== true,
      ...defined({ ca: options.certBundle, cert: options.clientCert, key: options.clientCertKey }),
    },
  });
  return {
    async send(asked) {
      const url = new URL(asked.url);
      // Plain http goes only to this machine: a proxy would read the key, and could not reach the machine.
      const through = proxy !== undefined && url.protocol === "https:" && goesThrough(proxy, url) ? proxy : undefined;
      try {
        const way = await ways.wayTo(url, through !== undefined);
        const { response, received } = await exchange(asked, url, way, limits);
        const headers = flatten(response.headersDistinct);
        const isPacked = headers["content-encoding"] === "gzip";
        const came = received.whole.subarray(0, received.bytes);
        received.whole = NOTHING;
        const plain = isPacked ? await unzip(came, { maxOutputLength: maxResponseBytes }) : came;
        return {
          status: response.statusCode ?? 0,
          headers,
          body: plain.toString("utf8"),
          ...defined({ bytes: asked.asBytes ? plain : undefined }),
        };
      } catch (error) {
        throw asTransportError(error, {
          signal: asked.signal,
          host: url.host,
          connectTimeoutMs,
          maxResponseBytes,
          ...defined({ proxy: through && proxyName(through) }),
        });
      }
    },
    async close() {
      // Running requests were given up. Closing would otherwise wait for connections that are still being made.
      ways.destroy();
    },
  };
}

interface Exchanged {
  readonly response: IncomingMessage;
  readonly received: Received;
}

/** One request and its whole answer, within its times and size. */
function exchange(asked: HttpRequest, url: URL, way: Way, limits: Limits): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const request = way.open(optionsOf(asked, url));
    const patience = patienceWith(request);
    const fail = (error: unknown): void => {
      patience.end();
      reject(error);
      request.destroy();
    };
    request.on("error", fail);
    request.once("socket", (socket) => {
      const { headersTimeoutMs = limits.headersTimeoutMs } = asked;
      const isSent = (): void => patience.begin(headersTimeoutMs, notWhole(headersTimeoutMs), false);
      if (request.reusedSocket) return isSent();
      const { connectTimeoutMs } = limits;
      const none: NoAnswer = { is: "no-connection", host: url.host, limit_seconds: connectTimeoutMs / 1000 };
      patience.begin(connectTimeoutMs, none, true);
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", isSent);
    });
    const refuse = (): void => fail(new TransportError("broken-off", MORE_TO_FOLLOW, false));
    request.once("continue", refuse);
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      refuse();
    });
    request.once("response", (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 100) return fail(new TransportError("broken-off", NO_STATUS, false, "not-http"));
      // HTTP 101 without the headers that it needs; Node does not return the other 1xx answers either.
      if (statusCode < 200) return refuse();
      patience.begin(limits.bodyTimeoutMs, notWhole(limits.bodyTimeoutMs), false);
      collect(response, limits.maxResponseBytes, patience.goesOn).then((received) => {
        patience.end();
        resolve({ response, received });
      }, fail);
    });
    request.end(asked.body);
  });
}

const MORE_TO_FOLLOW: NoAnswer = { is: "broken-off", how: { is: "unasked-protocol" } };
const NO_STATUS: NoAnswer = { is: "broken-off", how: { is: "not-http" } };

function optionsOf({ method, headers, body, signal }: HttpRequest, url: URL): RequestOptions {
  return {
    method,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      "accept-encoding": "gzip",
      // Node adds it by itself only for methods that usually have a body.
      ...defined({ "content-length": body === undefined ? undefined : Buffer.byteLength(body) }),
    },
    ...defined({ port: url.port === "" ? undefined : url.port, signal }),
  };
}

const notWhole = (limitMs: number): NoAnswer => ({ is: "not-whole", limit_seconds: limitMs / 1000 });

/** The current wait, and its limit. */
interface Patience {
  begin(limitMs: number, otherwise: NoAnswer, neverSent: boolean): void;
  /** Restarts the time limit, because something arrived. */
  readonly goesOn: () => void;
  end(): void;
}

function patienceWith(request: ClientRequest): Patience {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin(limitMs, otherwise, neverSent) {
      clearTimeout(timer);
      timer = setTimeout(() => request.destroy(new TransportError("timeout", otherwise, neverSent)), limitMs);
    },
    goesOn: () => timer?.refresh(),
    end: () => clearTimeout(timer),
  };
}

/**
 * The bytes received so far. They are released after they are read: a connection that is kept open holds its last request, and with it everything
 * that the request refers to.
 */
interface Received {
  whole: Buffer<ArrayBuffer>;
  bytes: number;
  /**
   * This has no effect on the result. Node reads 64 kB at a time into memory outside of V8's heap, and V8 frees used pieces only when its own young
   * generation is full. Copying the pieces fills it as they arrive: 13 MB less at the peak of a plan of 10,000 channels.
   */
  filler?: readonly number[];
}

const FILLER_VALUES = 8_192;
const NOTHING = Buffer.alloc(0);

/** The whole body. @throws TransportError if it is too large */
function collect(response: IncomingMessage, maxBytes: number, onPiece: () => void): Promise<Received> {
  return new Promise((resolve, reject) => {
    const declared = Number(response.headers["content-length"] ?? 0);
    if (declared > maxBytes) return reject(tooLarge(maxBytes));
    // Each piece is copied to its final position at once: if they were kept until the end, the answer of a large organization would be in memory
    // twice.
    const received: Received = { whole: Buffer.allocUnsafeSlow(Math.max(declared, SMALLEST_ANSWER)), bytes: 0 };
    response.on("data", (piece: Buffer) => {
      onPiece();
      const { bytes } = received;
      if (bytes + piece.length > maxBytes) return reject(tooLarge(maxBytes));
      if (bytes + piece.length > received.whole.length)
        received.whole = grown(received.whole, bytes, bytes + piece.length);
      received.bytes += piece.copy(received.whole, bytes);
      received.filler = new Array(FILLER_VALUES).fill(0);
    });
    response.once("error", reject);
    response.once("end", () => resolve(received));
  });
}

const SMALLEST_ANSWER = 16 * 1024;

/** Doubles the buffer, so that an answer without a length is copied only a few times. */
function grown(whole: Buffer<ArrayBuffer>, used: number, wanted: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * whole.length));
  whole.copy(larger, 0, 0, used);
  return larger;
}

function flatten(headers: NodeJS.Dict<string[]>): { readonly [name: string]: string } {
  const flat: { [name: string]: string } = {};
  for (const [name, values] of Object.entries(headers)) if (values !== undefined) flat[name] = values.join(", ");
  return flat;
}

/** One way to reach servers: a protocol, directly or through the proxy, with the connections that it keeps open. */
interface Way {
  /** Begins a request. */
  readonly open: (options: RequestOptions) => ClientRequest;
  destroy(): void;
}

interface WayOptions {
  readonly connectTimeoutMs: number;
  readonly proxy: HttpsProxy | undefined;
  readonly tls: {
    readonly rejectUnauthorized: boolean;
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  };
}

interface Ways {
  wayTo(url: URL, isProxied: boolean): Promise<Way>;
  destroy(): void;
}

/** The maximum idle time of a connection: after a longer time, a server may close it just when it is used again. */
const IDLE_MS = 4_000;
const KEPT = { keepAlive: true, timeout: IDLE_MS };

/** Only the modules in use are loaded, once: https is twice the code of http. */
function waysOf(options: WayOptions): Ways {
  const opened = new Map<string, Promise<Way>>();
  const closing = new AbortController();
  const open = async (name: string): Promise<Way> => {
    const { proxy, tls, connectTimeoutMs } = options;
    if (name === "http:") {
      // An import would read every export, and `WebSocket` among them loads all of undici on Node 22 and later.
      const { Agent, request } = process.getBuiltinModule("node:http");
      return wayOf(new Agent(KEPT), request);
    }
    const { Agent, request } = await import("node:https");
    if (name === "https:" || proxy === undefined) return wayOf(new Agent({ ...KEPT, ...tls }), request);
    const { TunnelAgent } = await import("./tunnel.ts");
    const limits = { timeoutMs: connectTimeoutMs, signal: closing.signal };
    return wayOf(new TunnelAgent({ ...KEPT, ...tls }, proxy, limits), request);
  };
  return {
    wayTo({ protocol }, isProxied) {
      const name = isProxied ? "proxy" : protocol;
      const way = opened.get(name) ?? open(name);
      opened.set(name, way);
      return way;
    },
    destroy() {
      closing.abort();
      for (const way of opened.values()) way.then(({ destroy }) => destroy()).catch(() => {});
    },
  };
}

function wayOf(agent: Agent, request: (options: RequestOptions) => ClientRequest): Way {
  return { open: (options) => request({ ...options, agent }), destroy: () => agent.destroy() };
}
