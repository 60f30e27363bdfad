import type { RequestInit, Response } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { goesThrough, type HttpsProxy } from "./proxy.ts";
import { openTunnel } from "./tunnel.ts";

const CONNECT_MS = 10_000;

/** The function that libraries call instead of `fetch`. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for libraries that accept one, through the proxy of the environment: with the same route, limits and messages as requests to the
 * organization.
 */
export function proxiedFetch(proxy: HttpsProxy): Fetch {
  const direct = buildConnector({ timeout: CONNECT_MS });
  // Callers say how long they wait for an answer; an unused connection ends by itself.
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
    // The `fetch` of the same package is used, since Node's own may expect another version of dispatchers.
    const { default: undici } = await import("undici");
    return undici.fetch(url, { ...init, dispatcher });
  };
}
