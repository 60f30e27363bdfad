import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { folderSteps } from "./steps.ts";

/** See docs/decisions/0012-least-calls.md for why no way takes fewer; the planner adds one for each cycle of requests that has to be cut. */
export function leastFolderCalls(changes: readonly Change[], context: PlanContext): number {
  // A name in a cycle, or one that changes in case only, has to be written twice.
  const twice = folderSteps(changes, context).filter(({ temporary }) => temporary !== undefined);
  return changes.length + twice.length;
}
