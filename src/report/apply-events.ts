import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyEvent, ApplyResult, Progress } from "../model/result.ts";
import { resultData, saidCalls } from "./json.ts";
import { estimatedSeconds, secondsLeft } from "./plan-cost.ts";
import { cleanJson } from "./style.ts";
import { tallyOf } from "./tally.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

/** An event without what every event has. */
type EventOf<Event> = Event extends unknown ? Omit<Event, "format" | "version" | "at"> : never;

/** A run as lines of JSON, one for each event, for programs that follow the run. */
export function applyEvents(now: () => number) {
  const line = (event: EventOf<ApplyEvent>): string => {
    const head = { format: "realmctl.apply-event", version: 2, at: new Date(now()).toISOString() };
    return `${cleanJson(JSON.stringify({ ...head, ...event }))}\n`;
  };
  return {
    started: (plan: Plan): string =>
      line({
        event: "start",
        realm: plan.realm.url,
        calls: plan.calls.length,
        summary: tallyOf(plan.changes),
        estimated_seconds: Math.ceil(plan.calls.length === 0 ? 0 : estimatedSeconds(plan)),
      }),
    progress(plan: Plan): (progress: Progress) => string {
      const said = saidCalls(plan);
      return ({ call, settled, total, result }) =>
        result === undefined
          ? line({ event: "sending", n: call.n, operation: call.operation })
          : line({
              event: "call",
              settled,
              total,
              seconds_left: Math.ceil(secondsLeft(plan, settled)),
              call: said(result),
            });
    },
    ended: (result: ApplyResult): string => line({ event: "end", ...resultData(result) }),
    refused: (diagnostics: readonly Diagnostic[], exit_code: number): string =>
      line({ event: "refused", diagnostics: diagnostics.map(wordedDiagnostic), exit_code }),
  };
}
