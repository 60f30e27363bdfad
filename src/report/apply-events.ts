import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult, Progress } from "../model/result.ts";
import { resultData, saidCalls } from "./json.ts";
import { estimatedSeconds, secondsLeft } from "./plan-cost.ts";
import { cleanJson } from "./style.ts";
import { tallyJson } from "./tally.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

/** A run as lines of JSON, one for each event, for programs that follow the run. */
export function applyEvents(now: () => number) {
  const line = (event: string, fields: object): string => {
    const head = { format: "realmctl.apply-event", version: 2, at: new Date(now()).toISOString(), event };
    return `${cleanJson(JSON.stringify({ ...head, ...fields }))}\n`;
  };
  return {
    started: (plan: Plan): string =>
      line("start", {
        realm: plan.realm.url,
        calls: plan.calls.length,
        summary: tallyJson(plan.changes),
        estimated_seconds: Math.ceil(plan.calls.length === 0 ? 0 : estimatedSeconds(plan)),
      }),
    progress(plan: Plan): (progress: Progress) => string {
      const said = saidCalls(plan);
      return ({ call, settled, total, result }) =>
        result === undefined
          ? line("sending", { n: call.n, operation: call.operation })
          : line("call", { settled, total, seconds_left: Math.ceil(secondsLeft(plan, settled)), call: said(result) });
    },
    ended: (result: ApplyResult): string => line("end", resultData(result)),
    refused: (diagnostics: readonly Diagnostic[], exit_code: number): string =>
      line("refused", { diagnostics: diagnostics.map(wordedDiagnostic), exit_code }),
  };
}
