import { roleGroupsOf } from "../access/account.ts";
import type { Change } from "../model/plan.ts";
import { type Realm, ROLE } from "../model/realm.ts";
import type { Snapshot, SnapshotUser } from "../model/snapshot.ts";
import { isRole } from "./roles.ts";

/**
 * The realm with the roles that these accounts are to have, the groups of the roles with them, and without those who go. Whoever goes takes
 * their bots along (zulip-api.md §17.4), except those that get another owner.
 * @param realm with the people as they are to be, for changes of bots
 * @param now as it was read
 */
export function accountsApplied(changes: readonly Change[], { snapshot }: Realm, now: Realm): Snapshot {
  const moved = new Map<number, SnapshotUser>();
  const byId = new Map(changes.flatMap((change) => (change.id === undefined ? [] : [[change.id, change] as const])));
  const leaving = new Set([...byId].flatMap(([id, change]) => (leaves(change) ? [id] : [])));
  const users = snapshot.users.map((user) => {
    const change = byId.get(user.user_id);
    if (change === undefined) {
      const goesAlong = user.bot_owner_id !== null && leaving.has(user.bot_owner_id);
      return goesAlong ? { ...user, is_active: false } : user;
    }
    const after = new Map(change.fields.map((field) => [field.field, field.after]));
    const role = after.get("role");
    // Given away, it is as it was, though its owner goes.
    const isActive = after.has("owner") ? now.user(user.user_id)?.is_active !== false : user.is_active;
    const changed: SnapshotUser = {
      ...user,
      role: isRole(role) ? ROLE[role] : user.role,
      is_active: after.has("deactivated") ? after.get("deactivated") !== true : isActive,
    };
    if (changed.role !== user.role) moved.set(user.user_id, changed);
    return changed;
  });
  const own = users.find(({ user_id }) => user_id === snapshot.account.user_id);
  const user_groups = snapshot.user_groups.map((group) => {
    if (!group.is_system_group || moved.size === 0) return group;
    const arriving = [...moved.values()]
      // A waiting period, which only ever gives less, is not looked at.
      .filter(({ role }) => roleGroupsOf({ role, full: true }).includes(group.name))
      .map(({ user_id }) => user_id);
    const staying = group.members.filter((id) => !moved.has(id));
    return { ...group, members: [...staying, ...arriving].sort((a, b) => a - b) };
  });
  return {
    ...snapshot,
    users,
    user_groups,
    account: { ...snapshot.account, role: own?.role ?? snapshot.account.role },
  };
}

const leaves = ({ fields }: Change): boolean =>
  fields.some(({ field, after }) => field === "deactivated" && after === true);
