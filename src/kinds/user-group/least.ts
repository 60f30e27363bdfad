import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { stepsOf } from "./steps.ts";

/** See docs/decisions/0012-least-calls.md for why no way takes fewer. */
export function leastGroupCalls(changes: readonly Change[], context: PlanContext): number {
  const steps = stepsOf(changes, context);
  // In a cycle of names one group has to be written twice: names are unique after every request.
  const aside = steps.filter(({ temporary }) => temporary !== undefined);
  const ends = changes.filter(({ fields }) =>
    fields.some(({ field, after }) => field === "deactivated" && after === true),
  );
  return steps.length + aside.length + ends.length;
}
