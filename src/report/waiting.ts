import type { Waiting } from "../model/waiting.ts";
import { clean } from "./style.ts";

/** One line for people who wait. */
export function waitingText(waiting: Waiting, timeoutFlag: string | undefined): string {
  const host = clean(waiting.host);
  const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
  switch (waiting.for) {
    case "answer": {
      const other = timeoutFlag === undefined ? "" : ` (${timeoutFlag})`;
      return `… no answer from ${host} for ${seconds(waiting.sinceMs)}; waiting until ${seconds(waiting.limitMs)}${other}`;
    }
    case "rate-limit":
      return `… ${host} asks to wait for ${seconds(waiting.ms)}, as there were many requests`;
    case "pace":
      return `… waiting for ${seconds(waiting.ms)}, to stay below the rate limit of ${host}`;
  }
}
