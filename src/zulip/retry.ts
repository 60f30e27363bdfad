import type { Clock } from "./clock.ts";
import type { HttpResponse } from "./transport.ts";

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
