import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { folderSteps } from "./steps.ts";

/** See docs/decisions/0012-least-calls.md for why no way takes fewer. */
export function leastFolderCalls(changes: readonly Change[], context: PlanContext): number {
  // A name in a ring, or one that changes in case only, has to be written twice; so has a folder whose channels wait for its name.
  const twice = folderSteps(changes, context).reduce(
    (sum, { temporary, archivesAlone }) => sum + (temporary === undefined ? 0 : 1) + (archivesAlone ? 1 : 0),
    0,
  );
  return changes.length + twice;
}
