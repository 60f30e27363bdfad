import type { Clock } from "../clock.ts";
import { ConnectionDropped, CutResponse, type Interception } from "../interceptor.ts";
import type { Fault } from "./rules.ts";

const JSON_TYPE = { "content-type": "application/json" };
const DEFAULT_SECONDS: { readonly [fault in Fault]?: number } = { "rate-limit": 1, slow: 2, delay: 1 };
/** Longer than any caller waits; if the caller disconnects, the wait ends earlier. */
const FOREVER_SECONDS = 86_400;
const PIECES = 8;

/**
 * The answer that the caller gets instead of the real one.
 * @param response the real answer if the request was executed; undefined if it never will be
 * @returns undefined: continue as if there were no fault
 * @throws ConnectionDropped
 */
export async function answerOf(
  fault: Fault,
  seconds: number | undefined,
  response: Response | undefined,
  clock: Clock,
  { signal }: Interception,
): Promise<Response | undefined> {
  const wait = seconds ?? DEFAULT_SECONDS[fault] ?? FOREVER_SECONDS;
  switch (fault) {
    case "drop":
      throw new ConnectionDropped();
    case "hang":
      await clock.sleep(wait * 1000, signal());
      throw new ConnectionDropped();
    case "delay":
      await clock.sleep(wait * 1000, signal());
      return undefined;
    case "error":
      return new Response(JSON.stringify({ result: "error", msg: "Internal server error" }), {
        status: 500,
        headers: JSON_TYPE,
      });
    case "bad-gateway":
      return new Response(BAD_GATEWAY_PAGE, { status: 502, headers: { "content-type": "text/html" } });
    case "rate-limit":
      return rateLimited(wait, clock);
    case "truncate": {
      const text = response === undefined ? '{"result":"success","msg":""}' : await response.text();
      return new Response(text.slice(0, Math.floor(text.length / 2)), {
        status: response?.status ?? 200,
        headers: JSON_TYPE,
      });
    }
    case "cut":
    case "slow":
      // The schema refuses both for requests that are not executed.
      return response === undefined ? undefined : inPieces(response, fault, wait, clock, signal());
  }
}

const BAD_GATEWAY_PAGE =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";

function rateLimited(seconds: number, clock: Clock): Response {
  const body = {
    result: "error",
    msg: "API usage exceeded rate limit",
    code: "RATE_LIMIT_HIT",
    "retry-after": seconds,
  };
  const headers = {
    ...JSON_TYPE,
    "retry-after": String(seconds),
    "x-ratelimit-limit": "200",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.ceil(clock.now() / 1000 + seconds)),
  };
  return new Response(JSON.stringify(body), { status: 429, headers });
}

/** A body that arrives in small parts (slow), or of which half arrives before the connection ends, although more was announced (cut). */
async function inPieces(
  response: Response,
  fault: "slow" | "cut",
  seconds: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Math.ceil(bytes.length / PIECES);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (fault === "cut" && sent * 2 >= bytes.length) return controller.error(new ConnectionDropped());
      if (sent >= bytes.length) return controller.close();
      if (fault === "slow") await clock.sleep((seconds * 1000) / PIECES, signal);
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.length));
  const init = { status: response.status, headers };
  return fault === "cut" ? new CutResponse(body, init) : new Response(body, init);
}
