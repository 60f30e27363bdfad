import type { Json } from "../../model/json.ts";
import { checkPlan, mayInRealm, memberById } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { watchVisibility } from "../channels/events.ts";
import { shownValue } from "../channels/shown.ts";
import { groupSettingDefaults } from "../defaults.ts";
import { defineEndpoint, type Gate } from "../endpoint.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { activeGroups, activePeople, groupById, isMember, membersOf, setOf, subgroupsOf } from "../groups.ts";
import { silentMention } from "../messages/links.ts";
import { postDirectNotice } from "../messages/post.ts";
import {
  bool,
  groupChange,
  groupValue,
  int,
  json,
  list,
  optional,
  type Reader,
  required,
  text,
  withDefault,
} from "../params.ts";
import { GROUP_PERMISSIONS } from "../permissions.ts";
import { GROUP_SETTINGS, type GroupSetting, type UserGroup } from "../rows/groups.ts";
import { record, rows } from "../rows/values.ts";
import {
  changedSetting,
  checkedSettings,
  checkGroupName,
  checkGroupNameFree,
  groupToChange,
  objectionsTo,
  shownGroup,
  shownGroups,
} from "./rules.ts";

const settings = <T>(read: Reader<T>) =>
  record(GROUP_SETTINGS, (setting) => optional(read, { level: GROUP_PERMISSIONS[setting].level }));
const ids = json(list(int()));

/** Bots are allowed since 496 (§10.1). */
const people = (level: number): readonly Gate[] => (level >= 496 ? ["non-guest"] : ["non-guest", "human"]);

/** User groups (zulip-api.md §10). */
export const userGroupEndpoints = [
  defineEndpoint("GET /user_groups", {
    who: people,
    params: { include_deactivated_groups: withDefault(json(bool), false, { level: 294 }) },
    handler: (call, { include_deactivated_groups }) => ({ user_groups: shownGroups(call, include_deactivated_groups) }),
  }),
  defineEndpoint("POST /user_groups/create", {
    who: people,
    right({ state, user }) {
      if (!mayInRealm(state, user, "can_create_groups")) throw insufficientPermission();
    },
    params: {
      ...settings(groupValue),
      description: required(text()),
      members: required(ids),
      name: required(text()),
      subgroups: optional(ids, { level: 311 }),
    },
    handler(call, { name, members, description, subgroups, ...sent }) {
      const { state, user, ledger } = call;
      checkPlan(state);
      const memberIds = activePeople(state, members);
      checkGroupName(name);
      const chosen = checkedSettings(call, sent);
      const creator = { direct_members: [user.user_id], direct_subgroups: [] };
      const values = {
        ...groupSettingDefaults(rows(state.user_groups)),
        can_add_members_group: creator,
        can_manage_group: creator,
        ...chosen,
      };
      for (const setting of GROUP_SETTINGS) if (chosen[setting] === undefined) ledger.countAnonymous(values[setting]);
      const id = ledger.nextId("group");
      checkGroupNameFree(state, name);
      const subgroupIds = activeGroups(state, subgroups ?? []);
      const group: UserGroup = {
        ...values,
        id,
        name,
        description,
        members: ascending(memberIds),
        direct_subgroup_ids: [],
        is_system_group: false,
        deactivated: false,
        creator_id: user.user_id,
        date_created: call.now,
      };
      ledger.put(state.user_groups, group.id, group);
      call.emit(everybody, { type: "user_group", op: "add", group: shownGroup(call, group) });
      if (subgroupIds.length > 0) setSubgroups(call, "add_subgroups", group, ascending(subgroupIds));
      return call.level >= 317 ? { group_id: group.id } : {};
    },
  }),
  defineEndpoint("PATCH /user_groups/{group_id}", {
    who: people,
    params: {
      ...settings(groupChange),
      deactivated: optional(json(bool), { level: 386 }),
      description: optional(text()),
      name: optional(text()),
    },
    handler(call, { group_id, name, description, deactivated, ...changes }) {
      const { state, ledger } = call;
      const sent = [name, description, deactivated, ...Object.values(changes)];
      if (sent.every((value) => value === undefined)) throw new ApiError("No new data supplied");
      const group = groupToChange(call, group_id, ["can_manage_group"], call.level >= 340);
      if (name !== undefined && name !== group.name) {
        checkGroupName(name);
        checkGroupNameFree(state, name);
        ledger.set(group, "name", name);
        // Clients that do not know deactivated groups get no event about a new name of such a group, but all other events.
        call.emit(everybody, ({ capabilities }) =>
          group.deactivated && !capabilities.has("include_deactivated_groups")
            ? undefined
            : { type: "user_group", op: "update", group_id, data: { name } },
        );
      }
      if (description !== undefined && description !== group.description) {
        ledger.set(group, "description", description);
        emitUpdate(call, group, { description });
      }
      if (deactivated === false && group.deactivated) {
        ledger.set(group, "deactivated", false);
        call.emit(everybody, ({ capabilities }) =>
          capabilities.has("include_deactivated_groups")
            ? { type: "user_group", op: "update", group_id, data: { deactivated: false } }
            : { type: "user_group", op: "add", group: { ...shownGroup(call, group), members: [...group.members] } },
        );
      }
      for (const setting of GROUP_SETTINGS) {
        const change = changes[setting];
        const value = change === undefined ? undefined : changedSetting(call, group, setting, change);
        if (value === undefined) continue;
        ledger.set(group, setting, value);
        emitUpdate(call, group, { [setting]: shownValue(state, value) });
      }
    },
  }),
  // Guests and bots are not checked separately (§10.3).
  defineEndpoint("POST /user_groups/{group_id}/deactivate", {
    level: 290,
    params: {},
    handler(call, { group_id }) {
      const group = groupToChange(call, group_id, ["can_manage_group"], false);
      const objections = objectionsTo(call.state, group_id);
      if (objections.length > 0)
        throw new ApiError("Cannot deactivate user group in use.", {
          code: "CANNOT_DEACTIVATE_GROUP_IN_USE",
          extra: { objections },
        });
      call.ledger.set(group, "deactivated", true);
      call.emit(everybody, ({ capabilities }) =>
        capabilities.has("include_deactivated_groups")
          ? { type: "user_group", op: "update", group_id, data: { deactivated: true } }
          : { type: "user_group", op: "remove", group_id },
      );
    },
  }),
  defineEndpoint("GET /user_groups/{group_id}/members", {
    level: 127,
    who: people,
    params: { direct_member_only: withDefault(json(bool), false) },
    handler({ state, level }, { group_id, direct_member_only }) {
      const group = groupById(state, group_id);
      const direct = group.members.filter((id) => state.users[id]?.is_active === true);
      if (direct_member_only) return { members: direct };
      if (level >= DISTINCT_LEVEL) return { members: membersOf(state, group_id) };
      const memberships = [...subgroupsOf(state, group_id)].flatMap((id) => state.user_groups[id]?.members ?? []);
      return { members: memberships.filter((id) => state.users[id]?.is_active === true) };
    },
  }),
  defineEndpoint("POST /user_groups/{group_id}/members", {
    who: people,
    params: {
      add: optional(ids),
      add_subgroups: optional(ids, { level: 311 }),
      delete: optional(ids),
      delete_subgroups: optional(ids, { level: 311 }),
    },
    handler(call, { group_id, add = [], delete: remove = [], add_subgroups = [], delete_subgroups = [] }) {
      if (add.length + remove.length + add_subgroups.length + delete_subgroups.length === 0)
        throw new ApiError(
          'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
        );
      changeMembers(call, group_id, add, remove);
      changeSubgroups(call, group_id, add_subgroups, delete_subgroups);
    },
  }),
  defineEndpoint("GET /user_groups/{group_id}/members/{user_id}", {
    level: 127,
    who: people,
    params: { direct_member_only: withDefault(json(bool), false) },
    handler({ state, level }, { group_id, user_id, direct_member_only }) {
      const group = groupById(state, group_id);
      const user = memberById(state, user_id);
      // Since 458, bots can be targets.
      if (user.is_bot && level < 458) throw new ApiError("No such user");
      if (!user.is_active) throw new ApiError("User is deactivated");
      const isDirect = group.members.includes(user_id);
      return { is_user_group_member: direct_member_only ? isDirect : isMember(state, group_id, user_id) };
    },
  }),
  defineEndpoint("POST /user_groups/{group_id}/subgroups", {
    level: 127,
    who: people,
    params: { add: optional(ids), delete: optional(ids) },
    handler(call, { group_id, add = [], delete: remove = [] }) {
      if (add.length + remove.length === 0)
        throw new ApiError('Nothing to do. Specify at least one of "add" or "delete".');
      changeSubgroups(call, group_id, add, remove);
    },
  }),
  defineEndpoint("GET /user_groups/{group_id}/subgroups", {
    level: 127,
    who: people,
    params: { direct_subgroup_only: withDefault(json(bool), false) },
    handler({ state }, { group_id, direct_subgroup_only }) {
      const group = groupById(state, group_id);
      if (direct_subgroup_only) return { subgroups: [...group.direct_subgroup_ids] };
      return { subgroups: [...subgroupsOf(state, group_id)].filter((id) => id !== group_id) };
    },
  }),
];

/**
 * At 384, a member of several of the groups is listed once for each group; at 442, only once. The level of this change between the two is unknown;
 * this is the first level of a release with the fix.
 */
const DISTINCT_LEVEL = 421;

function emitUpdate(call: Call, group: UserGroup, data: { readonly [key: string]: Json }): void {
  call.emit(everybody, { type: "user_group", op: "update", group_id: group.id, data });
}
const ascending = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);

/** Adds people first, then removes others. For adding, the right is checked before the ids; for removing, after them (§10.3). */
function changeMembers(call: Call, groupId: number, add: readonly number[], remove: readonly number[]): void {
  if (add.length > 0) {
    const group = groupInUse(call, groupId, rightFor(call, add, "can_join_group", "can_add_members_group"));
    const people = ascending(activePeople(call.state, add));
    const members = setOf(group.members);
    for (const id of people) if (members.has(id)) throw new ApiError(`User ${id} is already a member of this group`);
    setMembers(call, "add_members", group, people);
    tell(call, people, `added you to the group @_*${group.name}*.`);
  }
  if (remove.length > 0) {
    const people = ascending(activePeople(call.state, remove));
    const group = groupInUse(call, groupId, rightFor(call, remove, "can_leave_group", "can_remove_members_group"));
    const members = setOf(group.members);
    for (const id of remove) if (!members.has(id)) throw new ApiError(`There is no member '${id}' in this user group`);
    setMembers(call, "remove_members", group, people);
    tell(call, people, `removed you from the group @_*${group.name}*.`);
  }
}
function setMembers(call: Call, op: "add_members" | "remove_members", group: UserGroup, ids: readonly number[]): void {
  const tellVisibility = watchVisibility(call);
  const concerned = new Set(ids);
  const rest = group.members.filter((id) => !concerned.has(id));
  call.ledger.set(group, "members", op === "add_members" ? ascending([...rest, ...ids]) : rest);
  call.emit(everybody, { type: "user_group", op, group_id: group.id, user_ids: [...ids] });
  tellVisibility();
}

/** Since 391, members and subgroups of a deactivated group can be changed (§10.4). */
function groupInUse(call: Call, groupId: number, rights: GroupSetting[]): UserGroup {
  return groupToChange(call, groupId, rights, call.level >= 391);
}

/** The right to change one's own membership applies only to a list that contains just the caller. */
function rightFor(call: Call, ids: readonly number[], own: GroupSetting, others: GroupSetting): GroupSetting[] {
  return ids.length === 1 && ids[0] === call.user.user_id ? [own, others] : [others];
}

function changeSubgroups(call: Call, groupId: number, add: readonly number[], remove: readonly number[]): void {
  const has = (group: UserGroup, id: number): boolean => group.direct_subgroup_ids.includes(id);
  if (add.length > 0) {
    const group = groupInUse(call, groupId, ["can_add_members_group"]);
    const subgroups = ascending(activeGroups(call.state, add));
    for (const id of subgroups)
      if (has(group, id)) throw new ApiError(`User group ${id} is already a subgroup of this group.`);
    if (subgroups.some((id) => subgroupsOf(call.state, id).has(groupId)))
      throw new ApiError(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
    setSubgroups(call, "add_subgroups", group, subgroups);
  }
  if (remove.length > 0) {
    const group = groupInUse(call, groupId, ["can_manage_group"]);
    const subgroups = ascending(activeGroups(call.state, remove));
    for (const id of subgroups)
      if (!has(group, id)) throw new ApiError(`User group ${id} is not a subgroup of this group.`);
    setSubgroups(call, "remove_subgroups", group, subgroups);
  }
}

/** Sets the subgroups without any check. */
function setSubgroups(
  call: Call,
  op: "add_subgroups" | "remove_subgroups",
  group: UserGroup,
  ids: readonly number[],
): void {
  const tellVisibility = watchVisibility(call);
  const rest = group.direct_subgroup_ids.filter((id) => !ids.includes(id));
  call.ledger.set(group, "direct_subgroup_ids", ascending(op === "add_subgroups" ? [...rest, ...ids] : rest));
  call.emit(everybody, { type: "user_group", op, group_id: group.id, direct_subgroup_ids: [...ids] });
  tellVisibility();
}

/** The Notification Bot notifies each person concerned, except the caller. */
function tell(call: Call, people: readonly number[], what: string): void {
  for (const id of people) {
    const user = call.state.users[id];
    if (user === undefined || user.is_bot || id === call.user.user_id) continue;
    postDirectNotice(call, id, `${silentMention(call.user)} ${what}`);
  }
}
