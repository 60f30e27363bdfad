import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRestricted, mayLift, removesLast } from "./restriction.ts";

export function checkDomains(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [...rightsDiagnostics(changes, context), ...lastDomainDiagnostics(changes, context)];
}

function rightsDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first === undefined || context.realm.isOwner) return [];
  return [error("domains/not-allowed", { account: runningAccount(context.snapshot) }, first.at)];
}

/** Reports the removal of the last domain (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md). */
function lastDomainDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  if (!isRestricted(context) || !removesLast(changes, context) || mayLift(changes, context)) return [];
  const last = changes.findLast(({ action }) => action === "remove");
  return [error("domains/last-domain", { domain: quote(last?.name ?? "", "domain") }, last?.at)];
}
