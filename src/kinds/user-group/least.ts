import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { stepsOf } from "./steps.ts";

/** The fewest requests (docs/internals/decisions/0013-fewest-requests-with-a-proof.md says why no way takes fewer). */
export function leastGroupCalls(changes: readonly Change[], context: PlanContext): number {
  const ends = changes.filter(({ fields }) =>
    fields.some(({ field, after }) => field === "deactivated" && after === true),
  );
  return stepsOf(changes, context).length + ends.length;
}
