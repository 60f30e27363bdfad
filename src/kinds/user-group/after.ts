import { defined } from "../../model/defined.ts";
import { isList } from "../../model/json.ts";
import type { Change } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import type { Snapshot, SnapshotGroup } from "../../model/snapshot.ts";

/** The realm with the members and subgroups that its groups have after these changes; new groups get ids below zero. */
export function projectedGroups(changes: readonly Change[], realm: Realm): Snapshot {
  const { snapshot } = realm;
  const byId = new Map(changes.flatMap((change) => (change.id === undefined ? [] : [[change.id, change] as const])));
  const created = changes.filter(({ action }) => action === "create");
  const ids = new Map(snapshot.user_groups.map((group) => [group.name, group.id]));
  for (const [index, { name }] of created.entries()) ids.set(name, -1 - index);
  const made = created.map(
    ({ name }, index): SnapshotGroup => ({
      id: -1 - index,
      name,
      description: "",
      members: [],
      direct_subgroup_ids: [],
      is_system_group: false,
      deactivated: false,
      creator_id: snapshot.account.user_id,
      date_created: null,
    }),
  );
  const changed = (group: SnapshotGroup, change: Change | undefined): SnapshotGroup => {
    if (change === undefined) return group;
    const after = new Map(change.fields.map((field) => [field.field, field.after]));
    const members = after.get("members");
    const subgroups = after.get("subgroups");
    const hidden = group.members.filter((id) => realm.user(id)?.is_active === false);
    return {
      ...group,
      ...defined({
        members:
          members === undefined || !isList(members)
            ? undefined
            : [...hidden, ...members.map((name) => realm.userId(String(name)))],
        direct_subgroup_ids:
          subgroups === undefined || !isList(subgroups)
            ? undefined
            : subgroups.flatMap((name) => ids.get(String(name)) ?? []),
        deactivated: after.has("deactivated") ? after.get("deactivated") === true : undefined,
      }),
    };
  };
  const groups = snapshot.user_groups.map((group) => changed(group, byId.get(group.id)));
  return { ...snapshot, user_groups: [...groups, ...made.map((group, index) => changed(group, created[index]))] };
}
