import { ORGANIZATION } from "../../access/scope.ts";
import { defined } from "../../model/defined.ts";
import { type Dependency, exists, removed, settingWritten, written } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { addTo } from "../../model/indexed.ts";
import { canonicalJson, type Json } from "../../model/json.ts";
import { type Change, type Expectation, objectChanges, type Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, ROLE } from "../../model/roles.ts";
import type { SnapshotInvite } from "../../model/snapshot.ts";
import { listed } from "../../model/texts.ts";
import { accountTurning } from "../accounts.ts";
import { channelId } from "../channels-by-name.ts";
import { namedAsWanted, termParams, wantedOf } from "../invitation-terms.ts";
import { invitingUses } from "../inviting-rights.ts";
import { requestFor } from "../requests.ts";
import { knownIn, parseDuration, restrictionCause } from "./schema.ts";

/** Setting of the organization that says who may invite people by e-mail. */
export const INVITING_RIGHT = "can_invite_users_group";

/** Sent last: invitations name channels and groups, and cannot be undone (zulip-api.md §15.1). What an open one leads into is not opened before it is revoked. */
const RANK = { revoke: -20, send: 201 } as const;

export function inviteCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const revoked = objectChanges(changes).filter(({ action }) => action !== "create");
  return [
    ...revoked.flatMap((change) => invitesOf(change, context).map((invite) => revokeCall(change, invite, context))),
    ...withSameTerms(changes, context).map((group) => sendCall(group, context)),
  ];
}

/** One request for each set of values, and one for each invitation that is revoked, unless it ends with the account that sent it. */
export function leastInviteCalls(changes: readonly Change[], context: PlanContext): number {
  const revoked = changes.filter(({ action }) => action !== "create");
  const revocations = revoked.reduce((sum, change) => sum + staying(change, context).length, 0);
  return revocations + new Set(sent(changes).map((change) => termsKey(change, context))).size;
}

/** Changes that send an e-mail. */
export function sent(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action }) => action === "create" || action === "update");
}

/** Every open invitation of the address, the latest last: a person who was invited twice could join with either. */
export const invitesOf = ({ name }: Pick<Change, "name">, { realm }: PlanContext): readonly SnapshotInvite[] =>
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
    expects: Object.entries(context.pair(address)?.live?.fields ?? {}).map(([field, value]) => ({
      address,
      field,
      value,
    })),
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
