import { defined } from "../../model/defined.ts";
import { isList, type Json, mapOf, sameJson } from "../../model/json.ts";
import { lazily } from "../../model/lazy.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { allRights, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import { byText, type Realm } from "../../model/realm.ts";
import { SnapshotGroup } from "../../model/snapshot.ts";
import { listToYaml } from "../list-to-yaml.ts";
import { liveGroupSetting, permissionsAtCreation, permissionsToYaml } from "../permissions.ts";
import { keysBeyond, liveObject } from "../readings.ts";
import { writtenPerson } from "../references.ts";

/** The settings of groups that this version does not know (zulip-api.md §10.2). */
export const newerOfGroups = keysBeyond(
  ({ snapshot }) => snapshot.user_groups,
  [...KNOWN_RIGHTS.group, ...Object.keys(SnapshotGroup.shape)],
);

/** Every group except the server's own, also deactivated ones. */
export function liveGroups(realm: Realm): readonly LiveObject[] {
  return realm.snapshot.user_groups
    .filter((group) => !group.is_system_group)
    .map((group) => liveObject(group.name, fieldsOf(group, realm), { id: group.id, inactive: group.deactivated }));
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
  for (const setting of allRights("group", realm.snapshot)) {
    const value = liveGroupSetting(group, setting);
    if (value !== undefined) fields[setting] = realm.canonical(value);
  }
  return fields;
}

/** The values of a group that nobody configured: those of its creation, with its creator, and without members. */
export function standingDefaults(realm: Realm, { id }: LiveObject): Fields {
  const creator = (id === null ? undefined : realm.group(id)?.creator_id) ?? null;
  return { description: "", members: [], subgroups: [], ...permissionsAtCreation("group", realm, creator) };
}

/** The members in the form of the file: a list of people stays one. */
export function membersToYaml(live: Json, raw: Json | undefined, realm: Realm): Json {
  const before = mapOf(raw);
  if (before === undefined) return live;
  return { ...defined({ ...listToYaml(live, before, { isExact: true, isWhole: () => true }, realm) }) };
}

/** A group as a person would write it: the values of new groups are left out, and so are the rights of its creator. */
export function groupToYaml(live: LiveObject, realm: Realm): Json {
  if (live.inactive) return { deactivated: true };
  const { description, members, subgroups } = live.fields;
  const item: { [field: string]: Json } = {};
  if (description !== "" && description !== undefined) item.description = description;
  if (isList(members) && members.length > 0) item.members = members.map((name) => writtenPerson(String(name)));
  if (isList(subgroups) && subgroups.length > 0) item.subgroups = subgroups;
  const usual = standingDefaults(realm, live);
  const isUsual = (setting: string, value: Json): boolean => sameJson(value, usual[setting] ?? null);
  Object.assign(item, permissionsToYaml("group", live.fields, isUsual));
  return item;
}
