import { maySometime } from "../../access/of-plan.ts";
import { type Diagnostic, error, type Span, warning } from "../../model/diagnostic.ts";
import { quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";
import { tooOld } from "../../model/too-old.ts";
import { accountTurning } from "../accounts.ts";
import { TERM_LEVELS } from "../invitation-terms.ts";
import { namingOthers } from "../invited-to.ts";
import { goesWithSender, notAllowed, revokesUnknown, termsDiagnostics } from "../inviting-rights.ts";
import { INVITING_RIGHT, invitesOf, sent, wantedOf } from "./calls.ts";
import { type AllowedDomain, knownIn, restrictionCause } from "./schema.ts";

export function checkInvites(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return once([
    ...levelDiagnostics(context),
    ...changes.flatMap((change) => (change.action === "create" ? [] : revokingDiagnostics(change, context))),
    ...invitingDiagnostics(sent(changes), context),
    ...leavingDiagnostics(context),
    ...namingOthers("invites", context),
    ...hiddenAddresses(sent(changes), context),
    ...sent(changes).flatMap((change) => [
      ...sendingDiagnostics(change, context),
      ...domainDiagnostics(change, context),
    ]),
  ]);
}

/** Invitations end with the accounts that sent them: the file cannot keep one whose sender it deactivates. */
function leavingDiagnostics(context: PlanContext): readonly Diagnostic[] {
  return context.pairs("invites").flatMap(({ declared, live, change }) => {
    if (declared === undefined || live === undefined || change !== undefined) return [];
    const latest = knownIn(context.realm).pending.get(live.key)?.at(-1);
    const sender = accountTurning(latest?.invited_by_user_id, context, true);
    return sender === undefined ? [] : [goesWithSender(sender, declared.name, declared.at)];
  });
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

function levelDiagnostics({ declared, realm }: PlanContext): readonly Diagnostic[] {
  return declared("invites").flatMap((object) =>
    Object.keys(object.absent ? {} : (object.creation ?? {})).flatMap((field) => {
      const needed = TERM_LEVELS[field];
      if (needed === undefined || needed <= realm.level) return [];
      return [
        tooOld(
          { kind: "field-of", field, noun: "invitation" },
          needed,
          realm.level,
          object.spans.of(field) ?? object.at,
        ),
      ];
    }),
  );
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

/** Whether the account may invite anybody at all. Reported once, at the first address. */
function invitingDiagnostics([first]: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const setting = INVITING_RIGHT;
  if (first === undefined || maySometime(setting, context)) return [];
  return [notAllowed(context, { to: "invite-anybody", setting }, first.at)];
}

/** Further things that the account may not do (zulip-api.md §9.2, §9.4). */
function sendingDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  return termsDiagnostics(wantedOf(change, context), placeIn(change, context), context);
}

/** Revoking somebody else's invitation needs an administrator, and one for owners needs an owner. */
function revokingDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { user_id: me } = context.snapshot.account;
  const invites = invitesOf(change, context);
  const unknown = invites.find(({ unknown_role }) => unknown_role !== undefined)?.unknown_role;
  if (unknown !== undefined) return [revokesUnknown(change, unknown, context)];
  const others = invites.filter((invite) => invite.invited_by_user_id !== me);
  const asOwner = others.some((invite) => invite.invited_as === ROLE.owner);
  const needed =
    asOwner && !context.realm.isOwner
      ? "owner"
      : others.length > 0 && !context.realm.isAdmin
        ? "administrator"
        : undefined;
  if (needed === undefined) return [];
  return [notAllowed(context, { to: "revoke", address: quote(change.name), needs: needed }, change.at)];
}

function placeIn(change: Change, context: PlanContext): (field: string) => Span | undefined {
  const spans = context.pair(change.address)?.declared?.spans;
  return (field) => spans?.of(field) ?? change.at;
}
