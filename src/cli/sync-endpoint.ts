import { createServer } from "node:http";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isLoopbackUrl } from "../model/loopback.ts";
import { isHealthy, type SyncHealth } from "../model/sync.ts";
import { unreadable } from "../model/unreadable.ts";
import { syncMetrics, syncStatusJson } from "../report/sync.ts";

interface Endpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** An address of this machine alone: `127.0.0.1:9750`. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** @returns undefined for another text, and for an address that other machines reach */
export function listenAddress(written: string): Listen | undefined {
  const [, host = "", digits = ""] = /^(\[::1\]|[^:[\]]+):(\d{1,5})$/.exec(written.trim()) ?? [];
  const port = Number(digits);
  return digits !== "" && port <= 65_535 && isLoopbackUrl(`http://${host}`) ? { host, port } : undefined;
}

/**
 * `/healthz` (200, or 503 if something is wrong) and `/metrics`, for readers on this machine.
 * @throws Failure if the port is in use
 */
export async function syncEndpoint(
  { host, port }: Listen,
  now: () => number,
  health: () => SyncHealth,
): Promise<Endpoint> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string): void => {
      response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(text);
    };
    // A page in a browser of this machine could otherwise read it, under a name of its own that leads here.
    if (!isLoopbackUrl(`http://${request.headers.host ?? ""}`)) return answer(403, "text/plain", "");
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "text/plain", "");
    const at = now();
    if (request.url === "/healthz")
      return answer(isHealthy(health(), at) ? 200 : 503, "application/json", syncStatusJson(health(), at));
    if (request.url === "/metrics") return answer(200, "text/plain; version=0.0.4", syncMetrics(health(), at));
    return answer(404, "text/plain", "");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (thrown) => {
      const { code } = unreadable(thrown);
      const fact = { port, reason: quote(thrown.message), sync: true as const, ...defined({ code }) };
      reject(new Failure(EXIT.errors, error("sandbox/port", fact)));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host}:${own}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
