import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Counts } from "../../model/organizations.ts";
import {
  askingGuards,
  type Change,
  countUncompared,
  type Plan,
  uncomparedIn,
  violatedGuards,
} from "../../model/plan.ts";

/** Of a command, or an error, without a plan. */
export const NO_COUNTS: Counts = { changes: null, uncompared: null, risks: null, guards: null };

/** The codes of the errors, for the summary of many organizations. */
export const errorCodes = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);

/** The counts of a plan for the summary of many organizations. */
export function countsOf(plan: Plan, changes: readonly Change[] = plan.changes): Counts {
  return {
    changes: changes.length,
    uncompared: countUncompared(uncomparedIn(plan)),
    risks: changes.reduce((sum, { risks }) => sum + risks.length, 0),
    guards: violatedGuards(plan).length > 0 ? "refuse" : askingGuards(plan).length > 0 ? "ask" : "ok",
  };
}
