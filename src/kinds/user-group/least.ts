import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { requestsOf, stepsOf } from "./steps.ts";

/** See docs/decisions/0012-least-calls.md for why no way takes fewer. */
export function leastGroupCalls(changes: readonly Change[], context: PlanContext): number {
  let least = 0;
  for (const step of stepsOf(changes, context)) {
    // In a ring of names one group has to be written twice: names are unique after every request.
    least += requestsOf(step).length + (step.temporary === undefined ? 0 : 1);
  }
  return (
    least +
    changes.filter(({ fields }) => fields.some(({ field, after }) => field === "deactivated" && after === true)).length
  );
}
