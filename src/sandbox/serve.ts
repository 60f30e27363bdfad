import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ConnectionDropped, type Sandbox } from "./sandbox.ts";

export interface Served {
  /** `http://127.0.0.1:9911` */
  readonly url: string;
  close(): Promise<void>;
}

/** Puts a sandbox behind HTTP. Port 0: any free one. */
export function serve(
  sandbox: Sandbox,
  options: { readonly port: number; readonly hostname?: string },
): Promise<Served> {
  const hostname = options.hostname ?? "127.0.0.1";
  const http = createServer((incoming, outgoing) => {
    const listener = getRequestListener((request) =>
      sandbox.fetch(request).catch((error: unknown) => {
        if (!(error instanceof ConnectionDropped)) throw error;
        outgoing.destroy();
        return new Response();
      }),
    );
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
