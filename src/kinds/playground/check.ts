import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { runningAccount } from "../../model/diagnostics/values.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

export function checkPlaygrounds(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin)
    return [error("playgrounds/not-allowed", { account: runningAccount(context.snapshot) }, first.at)];
  return changes
    .filter(({ action, fields }) => action === "create" && !fields.some(({ field }) => field === "url_template"))
    .map(({ at }) => error("playgrounds/template", { cause: "missing" }, at));
}
