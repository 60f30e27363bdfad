import { isList, isObject, type Json } from "../../model/json.ts";
import { lazily } from "../../model/lazy.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { GROUP_PERMISSIONS, type GroupPermission } from "../../model/permission-settings.ts";
import { byText, type GroupValue, type Realm } from "../../model/realm.ts";
import type { GroupSettingValue, SnapshotGroup } from "../../model/snapshot.ts";
import { GROUP_PERMISSION_SETTINGS } from "./schema.ts";

/** Every group except the server's own, also deactivated ones. */
export function liveGroups(realm: Realm): readonly LiveObject[] {
  return realm.snapshot.user_groups
    .filter((group) => !group.is_system_group)
    .map((group) => ({
      key: group.name,
      name: group.name,
      id: group.id,
      fields: fieldsOf(group, realm),
      inactive: group.deactivated,
    }));
}

function fieldsOf(group: SnapshotGroup, realm: Realm) {
  const fields: { [field: string]: Json } = { description: group.description };
  // Deactivated accounts return to their groups by themselves; until then the server hides them (level 303).
  lazily(fields, "members", () => realm.namesOfActive(group.members));
  // A deactivated subgroup gives nobody access, and cannot be removed (zulip-api.md §10.4).
  fields.subgroups = group.direct_subgroup_ids
    .filter((id) => realm.group(id)?.deactivated !== true)
    .map((id) => realm.groupName(id))
    .sort(byText);
  fields.deactivated = group.deactivated;
  for (const setting of GROUP_PERMISSION_SETTINGS) {
    const value = liveGroupSetting(group, setting);
    if (value !== undefined) fields[setting] = realm.canonical(value);
  }
  return fields;
}

/** A permission setting in the server's own form; undefined when the server does not have it. */
export function liveGroupSetting(group: SnapshotGroup, setting: string): GroupSettingValue | undefined {
  const value = group[setting];
  if (typeof value === "number") return value;
  if (!isObject(value) || !isList(value.direct_members) || !isList(value.direct_subgroups)) return undefined;
  const isNumber = (id: unknown): id is number => typeof id === "number";
  return {
    direct_members: value.direct_members.filter(isNumber),
    direct_subgroups: value.direct_subgroups.filter(isNumber),
  };
}

/** The values of a group that nobody configured: those of its creation, with its creator, and without members. */
export function standingDefaults(realm: Realm, { id }: LiveObject): Fields {
  const creator = (id === null ? undefined : realm.group(id)?.creator_id) ?? null;
  const own = realm.canonical({ direct_subgroups: [], direct_members: creator === null ? [] : [creator] });
  const fields: { [field: string]: Json } = { description: "", members: [], subgroups: [] };
  for (const setting of GROUP_PERMISSION_SETTINGS) {
    if (realm.level < GROUP_PERMISSIONS[setting].level) continue;
    const { standard } = GROUP_PERMISSIONS[setting];
    const value = standard === "group_creator" ? own : standard;
    fields[setting] = typeof value === "string" ? value : { ...value };
  }
  return fields;
}

/** The settings of a new group that name the account that creates it: it manages the group, and may add members (zulip-api.md §10.5). */
export function impliedRights(realm: Realm): Fields {
  const own = GROUP_PERMISSION_SETTINGS.filter(
    (setting) =>
      GROUP_PERMISSIONS[setting].standard === "group_creator" && realm.level >= GROUP_PERMISSIONS[setting].level,
  );
  return Object.fromEntries(own.map((setting) => [setting, asJson(settingAtCreation(setting, realm))]));
}

const asJson = (value: GroupValue): Json => (typeof value === "string" ? value : { ...value });

/** The value of a group that is created without the setting (zulip-api.md §10.5). */
function settingAtCreation(setting: GroupPermission, realm: Realm): GroupValue {
  const { standard } = GROUP_PERMISSIONS[setting];
  if (standard !== "group_creator") return standard;
  return { groups: [], users: [realm.userName(realm.snapshot.account.user_id)] };
}
