import { ApiError, expectationMismatch } from "./errors.ts";
import type { SentGroupChange, SentGroupValue } from "./params.ts";
import { ROLE, type User } from "./rows/accounts.ts";
import type { PermissionRule, UserGroup } from "./rows/groups.ts";
import { type GroupValue, rows } from "./rows/values.ts";
import type { Ledger, RealmState } from "./state.ts";

/** Lists in the state are replaced, never modified, so the set made from a list stays valid as long as the list exists. */
const sets = new WeakMap<readonly number[], Set<number>>();
export function setOf(list: readonly number[]): ReadonlySet<number> {
  const known = sets.get(list);
  if (known !== undefined) return known;
  const made = new Set(list);
  sets.set(list, made);
  return made;
}

/** Lists that are known to be ascending; those of a recording need not be. */
const ascending = new WeakSet<readonly number[]>();

/** The list with one more account, ascending. */
export function withMember(list: readonly number[], id: number): readonly number[] {
  const made = ascending.has(list) ? list.toSpliced(placeIn(list, id), 0, id) : [...list, id].sort((a, b) => a - b);
  ascending.add(made);
  passOn(list, made, (set) => set.add(id));
  return made;
}
export function withoutMember(list: readonly number[], id: number): readonly number[] {
  const at = ascending.has(list) ? placeIn(list, id) - 1 : -1;
  const made = list[at] === id && list[at - 1] !== id ? list.toSpliced(at, 1) : list.filter((each) => each !== id);
  if (ascending.has(list) || made.every((each, n) => n === 0 || (made[n - 1] ?? each) <= each)) ascending.add(made);
  passOn(list, made, (set) => set.delete(id));
  return made;
}

/** The number of accounts of an ascending list whose ids are not higher than this one. */
function placeIn(list: readonly number[], id: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle] ?? 0) <= id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Moves the set of a list to the list that replaces it: changing a set of all members takes much less time than making one. */
function passOn(from: readonly number[], to: readonly number[], change: (set: Set<number>) => void): void {
  const set = sets.get(from);
  if (set === undefined) return;
  sets.delete(from);
  change(set);
  sets.set(to, set);
}

/** Whether the user is in the group or in one of its subgroups. Deactivated accounts belong to no group; deactivated groups count. */
export function isMember(state: RealmState, groupId: number, userId: number): boolean {
  return state.users[userId]?.is_active === true && reaches(state, [groupId], userId);
}

/** Whether a value allows the user: directly, or through one of its groups. */
export function isIn(state: RealmState, value: GroupValue, userId: number): boolean {
  if (typeof value === "number") return isMember(state, value, userId);
  if (state.users[userId]?.is_active !== true) return false;
  return value.direct_members.includes(userId) || reaches(state, value.direct_subgroups, userId);
}

function reaches(state: RealmState, groupIds: readonly number[], userId: number): boolean {
  const seen = new Set<number>();
  const queue = [...groupIds];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const group = state.user_groups[id];
    if (group === undefined) continue;
    if (setOf(group.members).has(userId)) return true;
    queue.push(...group.direct_subgroup_ids);
  }
  return false;
}

/** The group and all groups below it. */
export function subgroupsOf(state: RealmState, groupId: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const queue = [groupId];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(state.user_groups[id]?.direct_subgroup_ids ?? []));
  }
  return seen;
}

/** Active members, including those of subgroups, ascending. */
export function membersOf(state: RealmState, groupId: number): number[] {
  const found = new Set<number>();
  for (const id of subgroupsOf(state, groupId))
    for (const member of state.user_groups[id]?.members ?? [])
      if (state.users[member]?.is_active === true) found.add(member);
  return [...found].sort((a, b) => a - b);
}

type SystemGroupName =
  | "role:nobody"
  | "role:owners"
  | "role:administrators"
  | "role:moderators"
  | "role:fullmembers"
  | "role:members"
  | "role:everyone"
  | "role:internet";

export const systemGroups = (state: RealmState): readonly UserGroup[] =>
  rows(state.user_groups).filter(({ is_system_group }) => is_system_group);

/** @throws Error if the realm lacks the group: every realm has all eight */
export function systemGroup(state: RealmState, name: SystemGroupName): UserGroup {
  const found = systemGroups(state).find((group) => group.name === name);
  if (found === undefined) throw new Error(`the realm has no system group ${name}`);
  return found;
}
export const SYSTEM_GROUP_OF_ROLE: { readonly [role in User["role"]]: SystemGroupName } = {
  [ROLE.owner]: "role:owners",
  [ROLE.administrator]: "role:administrators",
  [ROLE.moderator]: "role:moderators",
  [ROLE.member]: "role:members",
  [ROLE.guest]: "role:everyone",
};

/**
 * Normal form: an empty object becomes role:nobody, a single group becomes its id, ids are sorted and occur once (§3.7). A group that is sent twice
 * does not count as a single group: the value remains an object, which names the group once.
 */
export function normalGroupValue(state: RealmState, value: SentGroupValue): GroupValue {
  if (typeof value === "number") return value;
  const { direct_members, direct_subgroups } = value;
  if (direct_members.length === 0 && direct_subgroups.length === 0) return systemGroup(state, "role:nobody").id;
  const [only] = direct_subgroups;
  if (direct_members.length === 0 && direct_subgroups.length === 1 && only !== undefined) return only;
  return { direct_members: sorted(direct_members), direct_subgroups: sorted(direct_subgroups) };
}
const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

function sameGroupValue(a: GroupValue, b: GroupValue): boolean {
  if (typeof a === "number" || typeof b === "number") return a === b;
  return sameIds(a.direct_members, b.direct_members) && sameIds(a.direct_subgroups, b.direct_subgroups);
}
const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** Whether a change that was sent changes the value. @throws ApiError if the value is not the one that the caller expects */
export function isChanged(state: RealmState, before: GroupValue, sent: SentGroupChange): boolean {
  const current = shownGroupValue(state, before);
  if (sent.old !== undefined && !sameGroupValue(normalGroupValue(state, sent.old), current))
    throw expectationMismatch("old");
  return !sameGroupValue(normalGroupValue(state, sent.new), current);
}

/** The value as an answer shows it: without deactivated people (since level 303), otherwise as stored. */
export function shownGroupValue(state: RealmState, value: GroupValue): GroupValue {
  if (typeof value === "number" || value.direct_members.every((id) => state.users[id]?.is_active === true))
    return value;
  return { ...value, direct_members: value.direct_members.filter((id) => state.users[id]?.is_active === true) };
}

/**
 * Looks up everything that a sent value names, and normalizes the value. The rule is checked only if the value is a single named group (§3.7).
 * @throws ApiError with the words of §3.7
 */
function checkedGroupValue(state: RealmState, setting: string, rule: PermissionRule, sent: SentGroupValue): GroupValue {
  const value = normalGroupValue(state, sent);
  if (typeof value === "number") {
    checkRule(setting, rule, groupById(state, value));
    return value;
  }
  if (rule.require_system_group) throw systemGroupRequired(setting);
  if (typeof sent === "number") return value;
  // In the order that was sent.
  activePeople(state, sent.direct_members);
  activeGroups(state, sent.direct_subgroups);
  return value;
}

/**
 * The same for a setting that is written: an object that replaces a named group becomes an unnamed group, which takes a number. The server makes it
 * before it looks up what the object names, so a refused object uses up a number too.
 */
export function writtenGroupValue(
  { state, ledger }: { readonly state: RealmState; readonly ledger: Ledger },
  setting: string,
  rule: PermissionRule,
  sent: SentGroupValue,
  before?: GroupValue,
): GroupValue {
  if (!rule.require_system_group) ledger.countAnonymous(normalGroupValue(state, sent), before);
  return checkedGroupValue(state, setting, rule, sent);
}

/** @throws ApiError if the rule of the setting forbids this group */
function checkRule(setting: string, rule: PermissionRule, group: UserGroup): void {
  if (rule.require_system_group && !group.is_system_group) throw systemGroupRequired(setting);
  const forbidden =
    (group.name === "role:internet" && !rule.allow_internet_group) ||
    (group.name === "role:nobody" && !rule.allow_nobody_group) ||
    (group.name === "role:everyone" && !rule.allow_everyone_group) ||
    (rule.allowed_system_groups.length > 0 && !rule.allowed_system_groups.includes(group.name));
  if (forbidden && group.is_system_group)
    throw new ApiError(`'${setting}' setting cannot be set to '${group.name}' group.`);
}
const systemGroupRequired = (setting: string): ApiError =>
  new ApiError(`'${setting}' must be a system user group.`, {
    code: "SYSTEM_GROUP_REQUIRED",
    extra: { setting_name: setting },
  });

/** @throws ApiError "Invalid user group" for unknown ids; "User group is deactivated." unless deactivated groups are allowed */
export function groupById(state: RealmState, id: number, deactivatedToo = false): UserGroup {
  const group = state.user_groups[id];
  if (group === undefined) throw new ApiError("Invalid user group");
  if (group.deactivated && !deactivatedToo) throw new ApiError("User group is deactivated.");
  return group;
}
/** @throws ApiError that names the first id that is not an active account */
export function activePeople(state: RealmState, ids: readonly number[]): readonly number[] {
  for (const id of ids) {
    const user = state.users[id];
    if (user === undefined || !user.is_active || user.is_system_bot) throw new ApiError(`Invalid user ID: ${id}`);
  }
  return [...new Set(ids)];
}
/** @throws ApiError that names the first id that is not a group, or if a group is deactivated */
export function activeGroups(state: RealmState, ids: readonly number[]): readonly number[] {
  const distinct = [...new Set(ids)];
  for (const id of distinct)
    if (state.user_groups[id] === undefined) throw new ApiError(`Invalid user group ID: ${id}`);
  for (const id of distinct) groupById(state, id);
  return distinct;
}
