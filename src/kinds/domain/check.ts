import { defined } from "../../model/defined.ts";
import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

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

/**
 * Whether domains will decide who may join. The settings of the organization are written before domains are removed. Without the setting, the list of
 * domains has no effect (zulip-api.md §7.3).
 */
function isRestricted({ settingAfter }: PlanContext): boolean {
  return settingAfter("emails_restricted_to_domains") === true;
}

/** Whether no domain is left after these changes, and there was one before. The server then lifts the restriction. */
function removesLast(changes: readonly Change[], context: PlanContext): boolean {
  const before = context.snapshot.domains?.length ?? 0;
  const added = changes.filter(({ action }) => action === "create").length;
  const removed = changes.filter(({ action }) => action === "remove").length;
  return before > 0 && added === 0 && removed === before;
}

/** Whether the file says for one of the removed domains that the restriction may be lifted with it. */
function mayLift(changes: readonly Change[], context: PlanContext): boolean {
  return changes.some(
    ({ action, address }) =>
      action === "remove" && context.pair(address)?.declared?.creation?.lift_restriction === true,
  );
}

/** If the organization is restricted to domains, they decide who may join. */
export function domainRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  if (!isRestricted(context)) return [];
  const object = namedOf(change);
  const open = defined({ uninvited: context.settingAfter("invite_required") === false || undefined });
  const risk = (kind: FoundRisk["kind"], fact: RiskFact): FoundRisk[] => [{ kind, fact }];
  const joining = (who: "domain" | "domain-and-subdomains" | "subdomains"): FoundRisk[] =>
    risk("widens", { kind: "may-join", object, who, shift: "gained", ...open });
  const noLonger = (who: "domain" | "subdomains"): FoundRisk[] =>
    risk("narrows", { kind: "may-join", object, who, shift: "lost" });
  const subdomains = fieldIn(change.fields, "allow_subdomains");
  switch (change.action) {
    case "create":
      return joining(subdomains?.after === true ? "domain-and-subdomains" : "domain");
    case "update":
      return subdomains?.after === true ? joining("subdomains") : noLonger("subdomains");
    case "remove": {
      const own = context.changes.filter(({ kind }) => kind === change.kind);
      if (!removesLast(own, context)) return noLonger("domain");
      return own.findLast(({ action }) => action === "remove") === change
        ? [
            ...risk("widens", { kind: "restriction-lifted", ...open }),
            ...risk("irreversible", { kind: "restriction-stays-lifted" }),
          ]
        : [];
    }
    case "reorder":
      return [];
  }
}
