import { defined } from "../../model/defined.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change, Risk } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRestricted, removesLast } from "./restriction.ts";

/** If the organization is restricted to domains, they decide who may join. */
export function domainRisks(change: Change, context: PlanContext): readonly Risk[] {
  if (!isRestricted(context)) return [];
  const { address, at } = change;
  const object = namedOf(change);
  const open = defined({ uninvited: context.settingAfter("invite_required") === false || undefined });
  const risk = (kind: Risk["kind"], fact: RiskFact): Risk[] => [{ kind, fact, address, ...defined({ at }) }];
  const joining = (who: "domain" | "domain-and-subdomains" | "subdomains"): Risk[] =>
    risk("widens", { kind: "may-join", object, who, shift: "gained", ...open });
  const noLonger = (who: "domain" | "subdomains"): Risk[] =>
    risk("narrows", { kind: "may-join", object, who, shift: "lost" });
  const subdomains = change.fields.find(({ field }) => field === "allow_subdomains");
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
