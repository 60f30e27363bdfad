import {
  type Dependency,
  exists,
  inactive,
  membersWritten,
  subscribed,
  subscribedEarly,
  written,
  writtenEarly,
} from "../../model/dependency.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import type { DraftCall, PlanContext } from "../../model/kind.ts";
import { type Change, type FieldChange, objectChanges, serverId } from "../../model/plan.ts";
import { ROLE } from "../../model/realm.ts";
import { isDemotion, isRole, type RoleWord } from "../roles.ts";
import { roleBefore } from "./check.ts";

/**
 * Whoever loses goes first and whoever gains comes late, among requests that nothing else orders; which order is safe is worked out
 * from all of them (docs/decisions/0023-order-by-exposure.md).
 */
const RANK = { loses: -10, gains: 140 } as const;

/**
 * A role and being in use are two requests. Whoever comes back has the new role by then; whoever goes has lost by then what they are to
 * lose, and does not gain anything before.
 */
export function personCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  const people = objectChanges(changes);
  const newOwners = people.flatMap((change) => (becomesOwner(change, context) ? ownership(change) : []));
  const mentions = mentionsOf(people, context);
  return people.flatMap((change) => {
    const { address, fields } = change;
    const role = fields.find(({ field }) => field === "role");
    const activity = fields.find(({ field }) => field === "deactivated");
    const leaves = activity?.after === true;
    // There is an owner at every moment, and as many as the policy wants where the plan leaves as many.
    const succeeded = roleBefore(change, context) === "owner" ? newOwners : [];
    const calls: DraftCall[] = [];
    if (role !== undefined) {
      const loses = isRole(role.before) && isRole(role.after) && isDemotion(role.before, role.after);
      calls.push({
        operation: "update-user",
        path: { user_id: serverId(change) },
        params: { role: ROLE[roleOf(role.after)] },
        ...common(change, role),
        needs: [...(loses ? succeeded : []), ...(leaves && !loses ? [inactive(address)] : [])],
        provides: [written(address)],
        rank: loses ? RANK.loses : RANK.gains,
      });
    }
    if (activity !== undefined)
      calls.push({
        operation: leaves ? "deactivate-user" : "reactivate-user",
        path: { user_id: serverId(change) },
        params: {},
        ...common(change, activity),
        needs: leaves
          ? [...succeeded, ...(mentions.get(change) ?? []), ...(losesRole(role) ? [written(address)] : [])]
          : calls.length === 0
            ? []
            : [written(address)],
        provides: [leaves ? inactive(address) : exists(address)],
        rank: leaves ? RANK.loses : RANK.gains,
      });
    return calls;
  });
}

/** One request for a role, one for coming or going. */
export function leastPersonCalls(changes: readonly Change[]): number {
  return changes.reduce((sum, { fields }) => sum + fields.length, 0);
}

function common(change: Change, { field, before }: FieldChange): Pick<DraftCall, "for" | "expects"> {
  const { address } = change;
  return {
    for: [{ address, fields: [field] }],
    expects: [{ address, id: serverId(change), field, value: before }],
  };
}

function losesRole(role: FieldChange | undefined): boolean {
  return role !== undefined && isRole(role.before) && isRole(role.after) && isDemotion(role.before, role.after);
}

function roleOf(value: Json): RoleWord {
  if (!isRole(value)) throw new RangeError(`no role ${JSON.stringify(value)}`);
  return value;
}

/** An owner in use afterwards, and not before. */
function becomesOwner(change: Change, context: PlanContext): boolean {
  const live = context.pair(change.address)?.live?.fields;
  const after = { ...live, ...Object.fromEntries(change.fields.map((field) => [field.field, field.after])) };
  const wasOwner = live?.role === "owner" && live.deactivated !== true;
  return after.role === "owner" && after.deactivated !== true && !wasOwner;
}

const ownership = ({ address }: Change): readonly Dependency[] => [written(address), exists(address)];

/**
 * What changes where somebody who goes is named, or a bot of theirs: the server shows deactivated accounts nowhere, so that a value read
 * with them is no longer the one to expect, and refuses to take them out of groups (zulip-api.md §17.4).
 */
function mentionsOf(
  people: readonly Change[],
  { changes, realm }: PlanContext,
): ReadonlyMap<Change, readonly Dependency[]> {
  const leaving = new Map<string, Change>();
  for (const change of people) {
    if (!change.fields.some(({ field, after }) => field === "deactivated" && after === true)) continue;
    leaving.set(change.name, change);
    for (const { user_id, bot_owner_id } of realm.snapshot.users)
      if (bot_owner_id !== null && bot_owner_id === change.id) leaving.set(realm.userName(user_id), change);
  }
  const found = new Map<Change, Dependency[]>();
  if (leaving.size === 0) return found;
  const own = new Set(people.map(({ address }) => address));
  for (const other of changes) {
    if (own.has(other.address)) continue;
    const named = new Set(
      other.fields.flatMap(({ before }) => textsIn(before)).flatMap((text) => leaving.get(text) ?? []),
    );
    for (const change of named) found.set(change, [...(found.get(change) ?? []), ...statesOf(other)]);
  }
  return found;
}

/** Every state that changes of an object bring about, but for being there and being gone; members are a group's, subscribers a channel's. */
function statesOf({ kind, address }: Change): readonly Dependency[] {
  const more =
    kind === "user_group"
      ? [membersWritten]
      : kind === "channel"
        ? [writtenEarly, subscribed, subscribedEarly]
        : kind === "settings"
          ? [writtenEarly]
          : [];
  return [written, ...more].map((state) => state(address));
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap((item: Json) => textsIn(item)) : [];
}
