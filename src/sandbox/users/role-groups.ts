import { type Call, everybody } from "../call.ts";
import { SYSTEM_GROUP_OF_ROLE, systemGroup } from "../groups.ts";
import { ROLE, type User, type UserGroup } from "../state.ts";

/** Every role has its system group; members are also among the full members. */
function groupsOf({ state }: Call, { role }: User): UserGroup[] {
  const own = systemGroup(state, SYSTEM_GROUP_OF_ROLE[role]);
  return role === ROLE.member ? [own, systemGroup(state, "role:fullmembers")] : [own];
}

export function joinRoleGroups(call: Call, user: User): void {
  for (const group of groupsOf(call, user)) {
    const members = [...group.members, user.user_id].sort((a, b) => a - b);
    call.ledger.set(group, "members", members);
    tell(call, "add_members", group, user);
  }
}
export function leaveRoleGroups(call: Call, user: User): void {
  for (const group of groupsOf(call, user)) {
    const members = group.members.filter((id) => id !== user.user_id);
    call.ledger.set(group, "members", members);
    tell(call, "remove_members", group, user);
  }
}
function tell(call: Call, op: "add_members" | "remove_members", { id }: UserGroup, { user_id }: User): void {
  call.emit(everybody, { type: "user_group", op, group_id: id, user_ids: [user_id] });
}
