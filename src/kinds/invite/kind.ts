import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { isList, isObject } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { roleWord } from "../../model/roles.ts";
import { hasUnknownRole } from "../accounts.ts";
import { INVITED_FILE, invitedLive, madeBy, termsSecrecy, wantedOf } from "../invitation-terms.ts";
import { invitedInto } from "../invited-into.ts";
import { checkInvitations } from "../inviting-rights.ts";
import { INVITING_RIGHT, inviteCalls, invitesOf, leastInviteCalls, sent } from "./calls.ts";
import {
  type AllowedDomain,
  canonicalAddress,
  caveatsOfInvites,
  decodeInvite,
  type Invite,
  inviteEntries,
  inviteForm,
  inviteToYaml,
  liveInvites,
  restrictionCause,
} from "./schema.ts";

const NOTHING: DocsFacet["who"] =
  "Nothing: an open invitation to the address is taken for this one, whatever channels, groups and texts it has.";

const docs: DocsFacet = {
  about:
    "Invitations by mail, identified by their addresses; nobody is invited twice. Bots may neither see nor send them: use the key of a person.",
  who: "People (neither bots nor guests) in the organization's `can_invite_users_group`; no role is exempt. Only administrators see and revoke invitations that others sent.",
  whoMay: {
    invite_as: "`owner`: owners; `administrator` and `moderator`: administrators; the others: as above",
    channels:
      "channels that the account can read; they must be default channels, or the account may add subscribers to them",
    groups:
      "everybody who may add members to the group (its `can_add_members_group` or `can_manage_group`, or the organization's `can_manage_all_groups`)",
    welcome_message_custom_text: "administrators",
  },
  defaults: {
    invite_as: "`member`",
    notify_referrer_on_join: "`true`",
    expires: "limited",
    channels: "none",
    groups: "none",
    include_realm_default_subscriptions: "`false`",
    expires_in: "`10d`",
    send_until: "nobody is mailed",
    welcome_message_custom_text: "the organization's own",
  },
  unseen: {
    channels: NOTHING,
    groups: NOTHING,
    include_realm_default_subscriptions: NOTHING,
    expires_in: "Whether the open invitation has an end. They do not see for how long it was sent.",
    welcome_message_custom_text: NOTHING,
  },
  example: `invites:
  - emails: [grace@example.org, lin@example.org]
    send_until: 2026-11-28
    invite_as: member
    expires_in: 10d`,
};

/**
 * An invitation by mail, identified by its address. An entry of the file holds several addresses with the same values; each is an object, and all
 * with the same values are sent in one request (docs/internals/decisions/0024-an-invitation-is-an-act.md).
 * @see zulip-api.md §9 https://zulip.com/api/send-invites
 */
export const invite: ListKind<Invite> = {
  name: "invite",
  section: "invites",
  shape: "list",
  noun: ["invitation", "invitations"],
  identity: {
    keyOf: canonicalAddress,
    canonicalName: canonicalAddress,
    parts: ({ emails }) => emails.map((name, index) => ({ name, path: ["emails", index] })),
  },
  file: {
    schema: inviteForm,
    fields: { invite_as: {}, expires: {}, notify_referrer_on_join: {} },
    decode: decodeInvite,
    ...INVITED_FILE,
  },
  live: { read: liveInvites, ...invitedLive("invites") },
  review: { check: checkInvites, risks: inviteRisks },
  calls: {
    draft: inviteCalls,
    least: leastInviteCalls,
    // Including those that replace another one.
    mails: true,
    sideEffects: (changes) => ({ emails: sent(changes).length }),
  },
  undo: { lostOnRecreate: "invitation" },
  yaml: {
    item: inviteToYaml,
    cannotDeclare: hasUnknownRole,
    join: inviteEntries,
    exportCaveats: caveatsOfInvites,
    onRequest: true,
    offeredAs: "open ones by mail, with their addresses",
  },
  secrecy: {
    name: "invited",
    fields: termsSecrecy,
    namesIn: ({ invites }) =>
      (invites ?? []).flatMap(({ email }) => (email === null ? [] : [{ name: email, isHidden: true }])),
    namesToHide: addressesIn,
    snapshot: ({ invites }, { isKnown }) => ({
      invites: invites?.filter(({ email, is_multiuse }) => is_multiuse || isKnown(email)) ?? null,
    }),
  },
  reach: { role: "member", bots: "never" },
  docs,
};

/** Every text with an @, wherever it is. */
function addressesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("@") ? [value] : [];
  if (isList(value)) return value.flatMap(addressesIn);
  return isObject(value) ? Object.values(value).flatMap(addressesIn) : [];
}

function inviteRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const object = namedOf(change);
  const risk = (kind: FoundRisk["kind"], fact: RiskFact): FoundRisk => ({ kind, fact });
  if (change.action === "remove") {
    const invites = invitesOf(change, context);
    // As what, and by whom: `exact` revokes what others have sent, too.
    const terms = invites.map((one) => ({ role: roleWord(one.invited_as), ...madeBy(one, context) }));
    return [risk("removes", { kind: "invitation-revoked", object, terms })];
  }
  const wanted = wantedOf(change, context);
  const role = String(wanted.invite_as ?? "member");
  const into = invitedInto(change, wanted, context);
  const powers = ["owner", "administrator", "moderator"].includes(role)
    ? [risk("widens", { kind: "invited-as", object, role })]
    : [];
  const gains = [...powers, ...(into === undefined ? [] : [risk("widens", into)])];
  if (change.action === "create") return gains;
  return [...gains, risk("noisy", { kind: "invited-again", object })];
}

function checkInvites(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
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
