import type { Agent, ClientRequest, RequestOptions } from "node:http";
import type { HttpsProxy } from "./proxy.ts";

/** One way to reach servers: a protocol, directly or through the proxy, with the connections that it keeps open. */
export interface Way {
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
export function waysOf(options: WayOptions): Ways {
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
    const { TunnelAgent } = await import("./tunnel-agent.ts");
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
