import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { isLoopback } from "../model/loopback.ts";
import type { Control } from "./control.ts";
import { ConnectionDropped, CutResponse } from "./interceptor.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Served {
  /** The URL of the sandbox: `http://127.0.0.1:9911`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a sandbox over HTTP, with its control API if one is given. Port 0: any free port. A request with a host name that is not this machine's gets
 * 400, as from the server: otherwise a web page whose host name resolves to 127.0.0.1 could read the sandbox as its own origin.
 */
export function serve(
  sandbox: Sandbox,
  options: { readonly port: number; readonly hostname?: string; readonly control?: Control },
): Promise<Served> {
  const hostname = options.hostname ?? "127.0.0.1";
  const { control } = options;
  const http = createServer((incoming, outgoing) => {
    if (!isOwnName(incoming.headers.host, hostname)) {
      outgoing.writeHead(400, { "content-type": "text/plain", connection: "close" });
      outgoing.end("The sandbox is reached as localhost or by its address.\n");
      return;
    }
    const listener = getRequestListener(async (request) => {
      try {
        const response = (await control?.(request)) ?? (await sandbox.fetch(request));
        return response instanceof CutResponse ? cutOff(response, outgoing) : response;
      } catch (error) {
        if (!(error instanceof ConnectionDropped)) throw error;
        outgoing.destroy();
        return new Response();
      }
    });
    void listener(incoming, outgoing);
  });
  return new Promise((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port, hostname, () => {
      const address = http.address();
      const port = typeof address === "object" && address !== null ? address.port : options.port;
      const url = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
      sandbox.setUrl(url);
      resolve({
        url,
        close: () =>
          new Promise((done) => {
            http.close(() => done());
            http.closeAllConnections();
          }),
      });
    });
  });
}

/** A name that no DNS server can assign: `localhost`, a loopback address, or the address at which the sandbox was told to listen. */
function isOwnName(host: string | undefined, listensOn: string): boolean {
  const [, name = ""] = /^(\[[\da-f:]+\]|[^:]+)(?::\d+)?$/i.exec(host ?? "") ?? [];
  return isLoopback(name) || name.replace(/^\[|\]$/g, "").toLowerCase() === listensOn.toLowerCase();
}

/** The same answer, except that the connection ends where the error would be thrown. */
function cutOff(response: Response, outgoing: ServerResponse): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = await reader?.read();
        if (piece?.value !== undefined) return controller.enqueue(piece.value);
      } catch (error) {
        if (!(error instanceof ConnectionDropped)) throw error;
        outgoing.destroy();
      }
      controller.close();
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
