import { type Call, everybody } from "../call.ts";
import { setOf, systemGroup } from "../groups.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";

const MS_PER_DAY = 86_400_000;

/** Whether the account is old enough to be a full member. */
export const isOldEnough = (call: Call, user: User, thresholdDays: number): boolean =>
  thresholdDays === 0 || Date.parse(user.date_joined) <= call.server.clock.now() - thresholdDays * MS_PER_DAY;

/** Turns members into full members once their account is old enough; called when the threshold changes. */
export function updateFullMembers(call: Call, thresholdDays: number): void {
  const group = systemGroup(call.state, "role:fullmembers");
  const members = rows(call.state.users)
    .filter((user) => user.role === ROLE.member && !user.is_system_bot && isOldEnough(call, user, thresholdDays))
    .map((user) => user.user_id);
  const [had, has] = [setOf(group.members), setOf(members)];
  const added = members.filter((id) => !had.has(id));
  const removed = group.members.filter((id) => !has.has(id));
  if (added.length + removed.length === 0) return;
  call.ledger.set(group, "members", members);
  const tell = (op: string, user_ids: readonly number[]): void => {
    if (user_ids.length > 0) call.emit(everybody, { type: "user_group", op, group_id: group.id, user_ids });
  };
  tell("add_members", added);
  tell("remove_members", removed);
}
