import { noAnswerText } from "../model/diagnostics/calls.ts";
import type { TraceEvent } from "../model/trace.ts";

/** One line for people. */
export function traceLine(event: TraceEvent): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  switch (event.event) {
    case "answer":
      return `${event.method} ${event.path} → ${event.status} in ${Math.round(event.ms)} ms`;
    case "no-answer":
      return `${event.method} ${event.path} → no answer after ${Math.round(event.ms)} ms: ${noAnswerText(event.reason)}`;
    case "wait": {
      const reasons = {
        "rate-limit": "the server asks to wait",
        pace: "staying below the server's rate limit",
        retry: "trying again",
      };
      return `… ${seconds(event.ms)}: ${reasons[event.why]}`;
    }
  }
}
