import type { Clock } from "./clock.ts";
import type { HttpResponse } from "./transport.ts";

/** At most `limit` requests within any `windowMs`. */
export interface RateRule {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * The default limits of a server for an account (zulip-api.md §13.5). The minute rule has to be known beforehand: the headers of a success show only
 * the longest rule.
 */
export const SERVER_RULES: readonly RateRule[] = [
  { limit: 200, windowMs: 60_000 },
  { limit: 2_000, windowMs: 3_600_000 },
];

/** Windows are extended by this time: the server counts a request when it arrives, and the delay varies. */
const TRAVEL_MS = 250;

/** Keeps requests under the server's rate rules, so that a long run is slowed down instead of refused. */
export interface Pace {
  /** Waits until one more request may be sent, and counts it. Ends early when the signal fires; the caller checks the signal. */
  enter(signal?: AbortSignal): Promise<void>;
  /** Waits as {@link Pace.enter} does and counts nothing: for callers that want to read once more before writing. */
  room(signal?: AbortSignal): Promise<void>;
  /**
   * Learns stricter rules from an answer's headers. How much of them other programs of the same account have used up is not stored: it is unknown
   * when their requests leave the window, while a refusal says exactly how long to wait.
   */
  learn(response: HttpResponse): void;
}

/**
 * @param rules an empty list: no pace at all (a server in the same process)
 * @param onWait called before a wait begins, with milliseconds
 */
export function pace(rules: readonly RateRule[], clock: Pick<Clock, "now" | "sleep">): Pace {
  const windows = rules.map((rule) => ({ ...rule, sent: [] as number[] }));
  type Window = (typeof windows)[number];

  function forget(window: Window, now: number): void {
    // The clock was set back: a request that seems to be in the future was already sent. No wait is longer than one window.
    for (let index = window.sent.length - 1; (window.sent[index] ?? now) > now; index -= 1) window.sent[index] = now;
    const oldest = now - window.windowMs - TRAVEL_MS;
    const kept = window.sent.findIndex((at) => at > oldest);
    window.sent.splice(0, kept === -1 ? window.sent.length : kept);
  }

  /** The wait until one more request fits into the window. */
  function waitMs(window: Window, now: number): number {
    forget(window, now);
    const blocking = window.sent[window.sent.length - window.limit];
    return blocking === undefined ? 0 : Math.max(0, blocking + window.windowMs + TRAVEL_MS - now);
  }

  async function room(signal?: AbortSignal): Promise<void> {
    // Timers may end a little early; a clock that stands still must not block anybody forever.
    for (let attempt = 0; attempt < 10; attempt++) {
      const now = clock.now();
      const ms = Math.max(0, ...windows.map((window) => waitMs(window, now)));
      if (ms === 0 || signal?.aborted) break;
      await clock.sleep(ms, signal);
    }
  }

  return {
    room,
    async enter(signal) {
      await room(signal);
      const now = clock.now();
      for (const window of windows) window.sent.push(now);
    },

    learn({ status, headers }) {
      const limit = headerNumber(headers, "x-ratelimit-limit");
      const reset = headerNumber(headers, "x-ratelimit-reset");
      if (limit === undefined || limit < 1 || reset === undefined) return;
      if (status === 429) {
        // The server does not say which rule was exceeded: the shortest one that the limit may belong to.
        const struck = windows.find((window) => window.limit >= limit);
        if (struck) struck.limit = limit;
        return;
      }
      // After a success, the reset is a whole window away, by the server's clock.
      const lengthMs = reset * 1000 - (serverTime(headers) ?? clock.now());
      const shown = windows.find((window) => Math.abs(window.windowMs - lengthMs) <= window.windowMs / 10);
      if (shown === undefined) return;
      shown.limit = Math.min(shown.limit, limit);
    },
  };
}

function headerNumber(headers: HttpResponse["headers"], name: string): number | undefined {
  const value = headers[name];
  if (value === undefined || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function serverTime(headers: HttpResponse["headers"]): number | undefined {
  const time = Date.parse(headers.date ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** The longest wait that is accepted. The hour rule can require almost an hour; no sensible server requires more. */
export const LONGEST_WAIT_MS = 65 * 60_000;

/** How often a request that the server refused for its rate is sent again. */
export const MOST_RATE_LIMITED = 30;

/** How often a read is sent in total before its failure is reported. */
export const MOST_READS = 4;

/**
 * How long to wait before sending a rate-limited request again, in milliseconds; undefined if the server asks for longer than {@link
 * LONGEST_WAIT_MS}. The request was not carried out, so any method may be sent again (zulip-api.md §13.5). Up to a tenth is added at random: clients
 * that were refused together must not return together.
 * @param turnedAway how often this request was refused, including this time
 */
export function rateLimitWaitMs(response: HttpResponse, turnedAway: number, clock: Clock): number | undefined {
  const asked = retryAfterSeconds(response, clock);
  // The server did not say how long: half a second, doubled each time, up to half a minute.
  const ms = asked === undefined ? Math.min(500 * 2 ** (turnedAway - 1), 30_000) : Math.ceil(asked * 1000);
  if (ms > LONGEST_WAIT_MS) return undefined;
  return Math.max(ms, 50) + Math.ceil(clock.random() * Math.min(ms / 10, 1000));
}

/** The wait before a read is sent again, in milliseconds: 250, 500, 1000, …, randomly between half and the full time. */
export function backoffMs(attempt: number, clock: Clock): number {
  const full = Math.min(250 * 2 ** (attempt - 1), 8_000);
  return Math.ceil(full / 2 + (clock.random() * full) / 2);
}

/** The time that the server asked for, in seconds, rarely a whole number; the body has it if a proxy removed the header. */
function retryAfterSeconds({ headers, body }: HttpResponse, clock: Clock): number | undefined {
  const header = headers["retry-after"];
  if (header !== undefined) {
    const seconds = Number(header);
    if (header.trim() !== "" && Number.isFinite(seconds)) return Math.max(0, seconds);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, (date - clock.now()) / 1000);
  }
  const inBody = /"retry-after"\s*:\s*(\d+(?:\.\d+)?)/.exec(body);
  return inBody ? Number(inBody[1]) : undefined;
}
