import { type Call, everybody } from "../call.ts";
import { watchVisibility } from "../channels/events.ts";
import { ApiError } from "../errors.ts";
import { activeGroups, activePeople, setOf, subgroupsOf } from "../groups.ts";
import { silentMention } from "../messages/links.ts";
import { postDirectNotice } from "../messages/post.ts";
import type { GroupSetting, UserGroup } from "../rows/groups.ts";
import { groupToChange } from "./rules.ts";

/** Adds people first, then removes others. For adding, the right is checked before the ids; for removing, after them (§10.3). */
export function changeMembers(call: Call, groupId: number, add: readonly number[], remove: readonly number[]): void {
  if (add.length > 0) addMembers(call, groupId, add);
  if (remove.length > 0) removeMembers(call, groupId, remove);
}

function addMembers(call: Call, groupId: number, sent: readonly number[]): void {
  const group = groupInUse(call, groupId, rightFor(call, sent, "can_join_group", "can_add_members_group"));
  const people = ascending(activePeople(call.state, sent));
  const members = setOf(group.members);
  for (const id of people) if (members.has(id)) throw new ApiError(`User ${id} is already a member of this group`);
  const tellVisibility = watchVisibility(call);
  call.ledger.set(group, "members", ascending([...group.members, ...people]));
  call.emit(everybody, { type: "user_group", op: "add_members", group_id: groupId, user_ids: people });
  tellVisibility();
  tell(call, people, `added you to the group @_*${group.name}*.`);
}

function removeMembers(call: Call, groupId: number, sent: readonly number[]): void {
  const people = ascending(activePeople(call.state, sent));
  const group = groupInUse(call, groupId, rightFor(call, sent, "can_leave_group", "can_remove_members_group"));
  const members = setOf(group.members);
  for (const id of sent) if (!members.has(id)) throw new ApiError(`There is no member '${id}' in this user group`);
  const tellVisibility = watchVisibility(call);
  const leaving = new Set(people);
  const rest = group.members.filter((id) => !leaving.has(id));
  call.ledger.set(group, "members", rest);
  call.emit(everybody, { type: "user_group", op: "remove_members", group_id: groupId, user_ids: people });
  tellVisibility();
  tell(call, people, `removed you from the group @_*${group.name}*.`);
}

/** Since 391, members and subgroups of a deactivated group can be changed (§10.4). */
function groupInUse(call: Call, groupId: number, rights: GroupSetting[]): UserGroup {
  return groupToChange(call, groupId, rights, call.level >= 391);
}

/** The right to change one's own membership applies only to a list that contains just the caller. */
function rightFor(call: Call, ids: readonly number[], own: GroupSetting, others: GroupSetting): GroupSetting[] {
  return ids.length === 1 && ids[0] === call.user.user_id ? [own, others] : [others];
}

export function changeSubgroups(call: Call, groupId: number, add: readonly number[], remove: readonly number[]): void {
  if (add.length > 0) addSubgroups(call, groupId, add);
  if (remove.length > 0) removeSubgroups(call, groupId, remove);
}

function addSubgroups(call: Call, groupId: number, sent: readonly number[]): void {
  const group = groupInUse(call, groupId, ["can_add_members_group"]);
  const subgroups = ascending(activeGroups(call.state, sent));
  for (const id of subgroups)
    if (group.direct_subgroup_ids.includes(id))
      throw new ApiError(`User group ${id} is already a subgroup of this group.`);
  if (subgroups.some((id) => subgroupsOf(call.state, id).has(groupId)))
    throw new ApiError(`User group ${groupId} is already a subgroup of one of the passed subgroups.`);
  setSubgroups(call, "add_subgroups", group, subgroups);
}

function removeSubgroups(call: Call, groupId: number, sent: readonly number[]): void {
  const group = groupInUse(call, groupId, ["can_manage_group"]);
  const subgroups = ascending(activeGroups(call.state, sent));
  for (const id of subgroups)
    if (!group.direct_subgroup_ids.includes(id))
      throw new ApiError(`User group ${id} is not a subgroup of this group.`);
  setSubgroups(call, "remove_subgroups", group, subgroups);
}

/** Sets the subgroups without any check. */
export function setSubgroups(
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
const ascending = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
