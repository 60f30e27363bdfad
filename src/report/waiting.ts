import { clean } from "../model/clean.ts";
import type { Waiting } from "../model/trace.ts";
import { count, grouped, listNames } from "../model/words.ts";

/** At most this number of names is in a line. */
const MOST_NAMES = 4;

/** One line about the progress of several organizations. */
export function organizationsText(done: number, total: number, atWork: readonly string[]): string {
  const names = listNames(atWork.map(clean), MOST_NAMES);
  return `… ${grouped(done)} of ${count(total, "organization")} done; at work: ${names}`;
}

/** One line about a wait. */
export function waitingText(waiting: Waiting, timeoutFlag: string | undefined): string {
  const host = clean(waiting.host);
  const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
  switch (waiting.for) {
    case "answer": {
      if (waiting.sinceMs < 5_000) return `… still working: waiting for ${host}`;
      const other = timeoutFlag === undefined ? "" : ` (${timeoutFlag})`;
      return `… no answer from ${host} for ${seconds(waiting.sinceMs)}; waiting until ${seconds(waiting.limitMs)}${other}`;
    }
    case "rate-limit":
      return `… ${host} asks to wait for ${seconds(waiting.ms)}, because there were many requests`;
    case "pace":
      return `… waiting for ${seconds(waiting.ms)}, to stay below the rate limit of ${host}`;
    case "retry":
      return `… asking ${host} again in ${seconds(waiting.ms)}, because it failed`;
  }
}
