import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { leastCreationAndSubscriptionCalls } from "./empty.ts";
import { outcomeOf } from "./outcome.ts";
import { settingsSentFirst } from "./split.ts";

/** The fewest requests (docs/internals/decisions/0013-fewest-requests-with-a-proof.md says why no way takes fewer). */
export function leastChannelCalls(changes: readonly Change[], context: PlanContext): number {
  const existing = changes.filter((change) => change.action !== "create");
  return leastUpdates(existing, context) + leastCreationAndSubscriptionCalls(changes, context);
}

/** A request that changes or archives is about one channel. */
function leastUpdates(changes: readonly Change[], context: PlanContext): number {
  let least = 0;
  for (const change of changes) {
    const outcome = outcomeOf(change, context);
    const archives = outcome.changes("archived") && outcome.after("archived") === true;
    const own = change.fields.filter(({ field }) => field !== "subscribers");
    const others = own.length - (archives ? 1 : 0);
    if (archives) least += 1;
    if (others > 0) least += 1;
    if (settingsSentFirst(outcome, context).length > 0) least += 1;
  }
  return least;
}
