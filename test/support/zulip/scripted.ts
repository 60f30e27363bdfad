import type { JsonObject } from "../../../src/model/json.ts";
import type { TraceEvent } from "../../../src/model/trace.ts";
import type { Clock } from "../../../src/zulip/clock.ts";
import { Connection } from "../../../src/zulip/connection.ts";
import type { RateRule } from "../../../src/zulip/pace.ts";
import {
  type HttpRequest,
  type HttpResponse,
  TransportError,
  type TransportFailure,
} from "../../../src/zulip/transport.ts";
import { Secret } from "../../../src/zulip/zuliprc.ts";

/** One turn of a scripted server: an answer, a connection that fails, or an action. */
export type Turn = HttpResponse | TransportError | ((request: HttpRequest) => HttpResponse | Promise<HttpResponse>);

export const SITE = "https://chat.example.org";
export const TEST_KEY = "canaryKEYcanaryKEYcanaryKEY01234";

export function json(status: number, body: JsonObject, headers: HttpResponse["headers"] = {}): HttpResponse {
  return { status, headers, body: JSON.stringify(body) };
}
export const success = (body: JsonObject = {}): HttpResponse => json(200, { result: "success", msg: "", ...body });
export const error = (status: number, code: string, msg: string, more: JsonObject = {}): HttpResponse =>
  json(status, { result: "error", msg, code, ...more });
export const html = (status: number): HttpResponse => ({ status, headers: {}, body: "<html>nothing here</html>" });
export const noAnswer = (kind: TransportFailure, neverSent: boolean): TransportError =>
  new TransportError(kind, { quoted: `scripted: ${kind}` }, neverSent);

/** For tests: a connection to a server that answers as scripted. A request beyond the script is an error of the test. */
export function scripted(turns: readonly Turn[], options: { readonly rateRules?: readonly RateRule[] } = {}) {
  const clock = fakeClock();
  const requests: HttpRequest[] = [];
  const traces: TraceEvent[] = [];
  const connection = new Connection({
    site: SITE,
    email: "kim@example.org",
    key: new Secret(TEST_KEY),
    origin: { email: "ZULIP_EMAIL", key: "~/.zuliprc line 3" },
    transport: async (request) => {
      const turn = turns[requests.length];
      requests.push(request);
      if (turn === undefined) throw new Error(`no answer scripted for request ${requests.length}`);
      if (turn instanceof TransportError) throw turn;
      return typeof turn === "function" ? turn(request) : turn;
    },
    clock,
    version: "1.2.3",
    rateRules: options.rateRules ?? [],
    trace: (event) => traces.push(event),
  });
  return { connection, clock, requests, traces };
}

/**
 * For tests: time passes only by sleeping, random numbers are always `random`.
 * @param start milliseconds since 1970
 */
export function fakeClock(
  random = 0,
  start = Date.UTC(2026, 0, 1),
): Clock & { slept(): number; pauses: number[]; advance(ms: number): void; alarms(): number } {
  let now = start;
  const pauses: number[] = [];
  const alarms = new Set<{ readonly at: number; readonly onTime: () => void }>();
  const pass = (ms: number): void => {
    now += ms;
    for (const alarm of [...alarms].sort((a, b) => a.at - b.at))
      if (alarm.at <= now && alarms.delete(alarm)) alarm.onTime();
  };
  return {
    now: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      pauses.push(ms);
      pass(ms);
    },
    alarm(ms, onTime) {
      const alarm = { at: now + ms, onTime };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    /** How many timers are set and have not fired. */
    alarms: () => alarms.size,
    random: () => random,
    advance: pass,
    slept: () => pauses.reduce((sum, ms) => sum + ms, 0),
    pauses,
  };
}
