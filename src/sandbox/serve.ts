import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import * as z from "zod";
import type { Json } from "../model/json.ts";
import { isLoopback } from "../model/loopback.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Clock } from "./clock.ts";
import { FaultPlan, type Faults, NO_FAULTS } from "./faults.ts";
import { ConnectionDropped, CutResponse } from "./http.ts";
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

/** The path of the control API, next to /api/v1, through which a tester controls the sandbox itself. */
const CONTROL_ROOT = "/sandbox";

/** Answers requests below {@link CONTROL_ROOT}; returns undefined for all others. */
export type Control = (request: Request) => Promise<Response | undefined>;

interface Controlled {
  readonly sandbox: Sandbox;
  readonly faults: Faults;
  readonly clock: Clock & { advance?(ms: number): void };
  /** Reads the organization as its owner sees it. */
  readonly snapshotOf: (sandbox: Sandbox, nowMs: number) => Promise<Snapshot>;
  /** Runs after the realm was reset. */
  readonly onReset?: () => Promise<void>;
}

const Advance = z.strictObject({
  seconds: z
    .number()
    .min(0)
    .max(10 * 365 * 86_400),
});

/** The sandbox's own operations. No Zulip server has them, and they answer only callers on this machine. */
export function controlOf({ sandbox, faults, clock, snapshotOf, onReset }: Controlled): Control {
  const routes: { readonly [route: string]: (body: unknown) => Promise<Response> | Response } = {
    "GET /": () =>
      answer(200, { operations: Object.keys(routes).map((route) => route.replace(" ", ` ${CONTROL_ROOT}`)) }),
    "GET /state": () => answer(200, sandbox.state()),
    "GET /snapshot": async () => answer(200, await snapshotOf(sandbox, clock.now())),
    "GET /log": () => answer(200, { requests: sandbox.log, faults: faults.strikes }),
    "GET /faults": () => answer(200, { ...faults.plan, struck: faults.strikes }),
    "PUT /faults": (body) => {
      faults.replace(FaultPlan.parse(body));
      return answer(200, faults.plan);
    },
    "DELETE /faults": () => {
      faults.replace(NO_FAULTS);
      return answer(200, faults.plan);
    },
    "POST /reset": async () => {
      sandbox.reset();
      faults.restart();
      await onReset?.();
      return answer(200, {});
    },
    "GET /clock": () => answer(200, { now: clock.now() / 1000 }),
    "POST /clock": (body) => {
      const { seconds } = Advance.parse(body);
      if (clock.advance === undefined) return answer(409, { error: "this sandbox follows the machine's clock" });
      clock.advance(seconds * 1000);
      return answer(200, { now: clock.now() / 1000 });
    },
  };
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname !== CONTROL_ROOT && !url.pathname.startsWith(`${CONTROL_ROOT}/`)) return undefined;
    // A web page that is open in a browser must not reach the control API, whatever host name it uses for this machine.
    if (request.headers.has("origin") || !isLoopback(url.hostname))
      return answer(403, { error: "the control API answers programs of this machine only" });
    const path = url.pathname.slice(CONTROL_ROOT.length).replace(/\/$/, "") || "/";
    const handler = routes[`${request.method} ${path}`];
    if (handler === undefined)
      return answer(404, { error: `no ${request.method} ${url.pathname}; GET ${CONTROL_ROOT} lists what there is` });
    try {
      return await handler(await bodyOf(request));
    } catch (error) {
      if (error instanceof SyntaxError) return answer(400, { error: `the body is not JSON: ${error.message}` });
      if (!(error instanceof z.ZodError)) throw error;
      const problems = error.issues.map(({ path: at, message }) => `${at.join(".") || "the body"}: ${message}`);
      return answer(400, { error: "the body is not as it should be", problems });
    }
  };
}

/** @throws SyntaxError */
async function bodyOf(request: Request): Promise<unknown> {
  if (request.method === "GET") return undefined;
  const text = await request.text();
  const json: Json = text.trim() === "" ? {} : JSON.parse(text);
  return json;
}

function answer(status: number, body: object): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: { "content-type": "application/json" } });
}
