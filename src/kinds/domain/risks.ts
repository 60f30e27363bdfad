import type { PlanContext } from "../../model/kind.ts";
import type { Change, Risk } from "../../model/plan.ts";
import { isRestricted, removesLast } from "./restriction.ts";

/** Who may join hangs on the domains, once the organization is restricted to them. */
export function domainRisks(change: Change, context: PlanContext): readonly Risk[] {
  if (!isRestricted(context)) return [];
  const { name, address, at } = change;
  const risk = (kind: Risk["kind"], message: string): Risk[] => [
    { kind, message, address, ...(at === undefined ? {} : { at }) },
  ];
  const subdomains = change.fields.find(({ field }) => field === "allow_subdomains");
  switch (change.action) {
    case "create":
      return risk(
        "widens",
        `people with an address of ${name}${subdomains?.after === true ? " and its subdomains" : ""} may join`,
      );
    case "update":
      return subdomains?.after === true
        ? risk("widens", `people with an address of a subdomain of ${name} may join`)
        : risk("narrows", `people with an address of a subdomain of ${name} can no longer join`);
    case "remove": {
      const own = context.changes.filter(({ kind }) => kind === change.kind);
      if (!removesLast(own, context)) return risk("narrows", `people with an address of ${name} can no longer join`);
      return own.findLast(({ action }) => action === "remove") === change
        ? [
            ...risk("widens", "no domain is left: the restriction is lifted, and people with any address may join"),
            ...risk(
              "irreversible",
              "adding a domain again does not bring the restriction back: that takes the organization's settings",
            ),
          ]
        : [];
    }
    case "reorder":
      return [];
  }
}
