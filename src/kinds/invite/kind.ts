import { ORGANIZATION } from "../../access/scope.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, warning } from "../../model/diagnostic.ts";
import { quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import { type Dependency, type DraftCall, exists, removed, settingWritten, written } from "../../model/draft-call.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { canonicalJson, isList, isObject, type Json } from "../../model/json.ts";
import type { ListKind } from "../../model/kind.ts";
import { addTo } from "../../model/lazy.ts";
import { type Change, type Expectation, objectChanges, type Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, ROLE, roleWord } from "../../model/roles.ts";
import type { SnapshotInvite } from "../../model/snapshot.ts";
import { listed } from "../../model/texts.ts";
import { accountTurning, hasUnknownRole } from "../accounts.ts";
import { channelId } from "../channels-by-name.ts";
import {
  INVITED_FILE,
  invitedLive,
  madeBy,
  namedAsWanted,
  termParams,
  termsSecrecy,
  wantedOf,
} from "../invitation-terms.ts";
import { invitedInto } from "../invited-into.ts";
import { checkInvitations, invitingUses } from "../inviting-rights.ts";
import { allUnchanged, requestFor } from "../requests.ts";
import {
  type AllowedDomain,
  canonicalAddress,
  caveatsOfInvites,
  decodeInvite,
  type Invite,
  inviteEntries,
  inviteForm,
  inviteToYaml,
  knownIn,
  liveInvites,
  parseDuration,
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

/** Setting of the organization that says who may invite people by e-mail. */
const INVITING_RIGHT = "can_invite_users_group";

/** Sent last: invitations name channels and groups, and cannot be undone (zulip-api.md §15.1). What an open one leads into is not opened before it is revoked. */
const RANK = { revoke: -20, send: 201 } as const;

function inviteCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const revoked = objectChanges(changes).filter(({ action }) => action !== "create");
  return [
    ...revoked.flatMap((change) => invitesOf(change, context).map((invite) => revokeCall(change, invite, context))),
    ...withSameTerms(changes, context).map((group) => sendCall(group, context)),
  ];
}

/** One request for each set of values, and one for each invitation that is revoked, unless it ends with the account that sent it. */
function leastInviteCalls(changes: readonly Change[], context: PlanContext): number {
  const revoked = changes.filter(({ action }) => action !== "create");
  const revocations = revoked.reduce((sum, change) => sum + staying(change, context).length, 0);
  return revocations + new Set(sent(changes).map((change) => termsKey(change, context))).size;
}

/** Changes that send an e-mail. */
function sent(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action }) => action === "create" || action === "update");
}

/** Every open invitation of the address, the latest last: a person who was invited twice could join with either. */
const invitesOf = ({ name }: Pick<Change, "name">, { realm }: PlanContext): readonly SnapshotInvite[] =>
  knownIn(realm).pending.get(name) ?? [];

const staying = (change: Change, context: PlanContext): readonly SnapshotInvite[] =>
  invitesOf(change, context).filter((invite) => accountTurning(invite.invited_by_user_id, context, true) === undefined);

function withSameTerms(changes: readonly Change[], context: PlanContext): readonly (readonly Change[])[] {
  const groups = new Map<string, Change[]>();
  for (const change of sent(changes)) {
    const key = termsKey(change, context);
    addTo(groups, key, change);
  }
  return [...groups.values()];
}

function sendCall(group: readonly Change[], context: PlanContext): DraftCall {
  const [first] = group;
  if (first === undefined) throw new RangeError("an invitation of nobody");
  const wanted = wantedOf(first, context);
  const created = group.filter(({ action }) => action === "create").map(({ address }) => address);
  return {
    operation: "send-invites",
    path: {},
    // Never an empty list: the server would report success and send nothing (zulip-api.md §9.3).
    params: { invitee_emails: group.map(({ name }) => name).join(","), ...termsOf(first, context) },
    for: group.map(({ address, fields }) => ({ address, fields: fields.map(({ field }) => field) })),
    // Somebody else invited the address in the meantime: a second invitation would be a second e-mail.
    expects: created.map((address): Expectation => ({ address, field: "exists", value: false })),
    needs: [
      ...group.map(({ address }) => removed(address)),
      ...joiningAllowed(group, context),
      ...namedAsWanted(wanted, context),
    ],
    uses: invitingUses(INVITING_RIGHT, wanted, context),
    creates: created,
    rank: RANK.send,
  };
}

/** The changes of this plan that allow these addresses to be invited: settings that let them join, domains, the last domain of a restriction. */
function joiningAllowed(
  group: readonly Change[],
  { changes, snapshot, realm, settingAfter, pair }: PlanContext,
): readonly Dependency[] {
  const settings = pair(ORGANIZATION)?.change?.fields ?? [];
  const opens = (field: string): boolean => settings.some((own) => own.field === field && own.after === false);
  const isOut = ({ name }: Change): boolean => restrictionCause(name, snapshot.domains ?? []) !== undefined;
  const outside = realm.setting("emails_restricted_to_domains") === true && group.some(isOut);
  const restriction = outside ? ["emails_restricted_to_domains"] : [];
  const lifted = ["disallow_disposable_email_addresses", ...restriction].filter(opens);
  const domains =
    settingAfter("emails_restricted_to_domains") === true ? changes.filter(({ kind }) => kind === "domain") : [];
  const removals = domains.filter(({ action }) => action === "remove");
  // The server lifts the restriction with the last one.
  const isLifted = removals.length === domains.length && removals.length === snapshot.domains?.length;
  return [
    ...lifted.map(settingWritten),
    ...domains.flatMap(({ action, address }) => {
      if (action === "remove") return isLifted ? [removed(address)] : [];
      return [action === "create" ? exists(address) : written(address)];
    }),
  ];
}

function revokeCall(change: Change, invite: SnapshotInvite, context: PlanContext): DraftCall {
  const { address } = change;
  const sender = accountTurning(invite.invited_by_user_id, context, true);
  return requestFor(change, {
    operation: "revoke-email-invite",
    path: { invite_id: invite.id },
    // All of its values, also unchanged ones: the next invitation uses them again, and so does an undo between the two.
    expects: allUnchanged(change, context),
    provides: [removed(address)],
    ...defined({ mergeInto: sender === undefined ? undefined : { address: sender.address, params: {} } }),
    rank: RANK.revoke,
  });
}

/** Everything that POST /invites takes except the addresses (zulip-api.md §9.2): invitations with equal values are sent in one request. */
function termsOf(change: Change, context: PlanContext): { readonly [name: string]: Param } {
  const wanted = wantedOf(change, context);
  const terms: { [name: string]: Param } = {
    stream_ids: listed(wanted.channels).map((name) => channelId(name, context)),
    invite_as: ROLE[isRole(wanted.invite_as) ? wanted.invite_as : "member"],
  };
  const minutes = minutesOf(wanted);
  if (minutes !== undefined) terms.invite_expires_in_minutes = minutes;
  return { ...terms, ...termParams(wanted, context) };
}

/** Equal for changes that one request can carry out. */
function termsKey(change: Change, context: PlanContext): string {
  return canonicalJson(termsOf(change, context));
}

/** null: never; undefined: the server's default (10 days). */
function minutesOf(wanted: { readonly [field: string]: Json }): number | null | undefined {
  if (typeof wanted.expires_in === "string") return parseDuration(wanted.expires_in);
  return wanted.expires === "never" ? null : undefined;
}
