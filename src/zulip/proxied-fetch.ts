import type { RequestInit, Response } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { goesThrough, type HttpsProxy } from "./proxy.ts";
import { openTunnel } from "./tunnel.ts";

const CONNECT_MS = 10_000;

/** What libraries call in place of `fetch`. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for libraries that take one of their own, through the proxy of the environment: the same way, bounds and words as requests to
 * the organization have.
 */
export function proxiedFetch(proxy: HttpsProxy): Fetch {
  const direct = buildConnector({ timeout: CONNECT_MS });
  // Callers say how long they wait for an answer; a connection that nobody waits for ends by itself.
  const limits = { timeoutMs: CONNECT_MS, signal: new AbortController().signal };
  const tunnel: buildConnector.connector = (options, callback) => {
    const port = options.port === "" ? 443 : Number(options.port);
    openTunnel(proxy, { hostname: options.hostname, port }, limits).then(
      (httpSocket) => direct({ ...options, httpSocket }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
  const dispatcher = new Agent({
    connect: (options, callback) => {
      const isProxied = options.protocol === "https:" && goesThrough(proxy, options);
      (isProxied ? tunnel : direct)(options, callback);
    },
  });
  return async (url, init) => {
    // The fetch of the same package: that of Node may know another form of dispatchers.
    const { default: undici } = await import("undici");
    return undici.fetch(url, { ...init, dispatcher });
  };
}
