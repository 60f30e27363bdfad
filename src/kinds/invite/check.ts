import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { checkInvitations } from "../inviting-rights.ts";
import { INVITING_RIGHT, invitesOf, sent } from "./calls.ts";
import { type AllowedDomain, restrictionCause } from "./schema.ts";

export function checkInvites(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const declared = context.declared("invites").filter(({ absent }) => !absent);
  const kind = { section: "invites", noun: "invitation", right: INVITING_RIGHT, rows: invitesOf } as const;
  return once([
    ...checkInvitations(kind, changes, sent(changes), declared, context),
    ...hiddenAddresses(sent(changes), context),
    ...sent(changes).flatMap((change) => domainDiagnostics(change, context)),
  ]);
}

/** People with an account are not invited, but an address that this account cannot see may belong to anybody. */
function hiddenAddresses(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  const hidden = context.snapshot.users.filter((user) => !user.is_bot && user.delivery_email === null).length;
  if (first === undefined || hidden === 0) return [];
  const fact = {
    account: runningAccount(context.snapshot),
    hidden,
    addresses: quoteAll(changes.map(({ name }) => name)),
  };
  return [warning("invites/hidden-addresses", fact, first.at)];
}

/** Compared with the domains after this plan. */
function domainDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (context.settingAfter("emails_restricted_to_domains") !== true) return [];
  const domains = domainsAfter(context);
  // The last domain is removed, and the restriction with it.
  if (domains.length === 0 && (context.snapshot.domains ?? []).length > 0) return [];
  const cause = restrictionCause(change.name, domains);
  if (cause === undefined) return [];
  return [error("invites/outside-domains", { address: quote(change.name), ...cause }, change.at)];
}

function domainsAfter(context: PlanContext): readonly AllowedDomain[] {
  if (!context.manages("domains")) return context.snapshot.domains ?? [];
  return context.pairs("domains").flatMap(({ declared, live, change }) => {
    if (change?.action === "remove" || (live === undefined && change === undefined)) return [];
    const fields = { ...live?.fields, ...declared?.fields };
    return [{ domain: live?.name ?? declared?.name ?? "", allow_subdomains: fields.allow_subdomains === true }];
  });
}

/** An entry with ten addresses has one error in its channels, not ten. */
function once(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter((diagnostic) => {
    const key = JSON.stringify(diagnostic);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
