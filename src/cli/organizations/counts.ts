import type { Counts } from "../../model/organizations.ts";
import {
  askingGuards,
  type Change,
  countUncompared,
  type Plan,
  uncomparedIn,
  violatedGuards,
} from "../../model/plan.ts";

/** The counts of a plan for the summary of many organizations. */
export function countsOf(plan: Plan, changes: readonly Change[] = plan.changes): Counts {
  return {
    changes: changes.length,
    uncompared: countUncompared(uncomparedIn(plan)),
    risks: changes.reduce((sum, { risks }) => sum + risks.length, 0),
    guards: violatedGuards(plan).length > 0 ? "refuse" : askingGuards(plan).length > 0 ? "ask" : "ok",
  };
}
