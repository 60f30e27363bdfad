import { renamedGroups } from "../../access/renamed.ts";
import { defined } from "../../model/defined.ts";
import type { DocsFacet } from "../../model/facets.ts";
import { isList, type Json, mapOf, sameJson } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import { lazily } from "../../model/lazy.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { allRights, isRightName, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import type { Call, Change, SideEffects } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { byText, type Realm } from "../../model/realm.ts";
import { SnapshotGroup } from "../../model/snapshot.ts";
import { notifiedPeople } from "../accounts.ts";
import { exceptedByGroup, listToYaml } from "../list-to-yaml.ts";
import {
  creationDefaults,
  groupsInOtherSettings,
  impliedRights,
  liveGroupSetting,
  permissionsAtCreation,
  permissionsToYaml,
} from "../permissions.ts";
import { keysBeyond, liveObject, withShownTexts } from "../readings.ts";
import { inexpressibleGroups, writtenPerson } from "../references.ts";
import { renamesAsMoves } from "../requests.ts";
import { groupCalls, leastGroupCalls } from "./calls.ts";
import { BOTS_LEVEL, checkGroups, checkGroupsInFile, REACTIVATE_LEVEL, withoutGroups } from "./check.ts";
import { groupRisks } from "./risks.ts";
import { decodeGroup, GROUP_FIELDS, resolveMembers, type UserGroup, userGroupForm } from "./schema.ts";

/** The settings of groups that this version does not know (zulip-api.md §10.2). */
const newerOfGroups = keysBeyond(
  ({ snapshot }) => snapshot.user_groups,
  [...KNOWN_RIGHTS.group, ...Object.keys(SnapshotGroup.shape)],
);

/** Every group except the server's own, also deactivated ones. */
function liveGroups(realm: Realm): readonly LiveObject[] {
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
function membersToYaml(live: Json, raw: Json | undefined, realm: Realm): Json {
  const before = mapOf(raw);
  if (before === undefined) return live;
  return { ...defined({ ...listToYaml(live, before, { isExact: true, isWhole: () => true }, realm) }) };
}

/** A group as a person would write it: the values of new groups are left out, and so are the rights of its creator. */
function groupToYaml(live: LiveObject, realm: Realm): Json {
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

const docs: DocsFacet = {
  who: "Everybody whom the group's `can_manage_group` or the organization's `can_manage_all_groups` names (owners, if nobody changed it): no role is enough. To create a group, the account must be in the organization's `can_create_groups`. Bots may from feature level 496 on, guests never.",
  whoMay: {
    members:
      "to add: `can_add_members_group` too; to remove: `can_remove_members_group` too; to add or remove oneself: `can_join_group` and `can_leave_group`",
    subgroups: "to add: `can_add_members_group` too; to remove: as above",
  },
  defaults: {
    name: "–",
    description: "empty",
    members: "nobody",
    subgroups: "none",
    deactivated: "`false`",
    ...creationDefaults("group"),
  },
  example: `user_groups:
  staff: {description: Employees, members: [ada@example.org], subgroups: [leads]}
  leads: {description: '', permissions: {can_manage_group: role:owners}}`,
};

/**
 * A user group of the organization. Its name is its identity, compared with case, and deactivated groups count: the API cannot delete a group, and a
 * deactivated one with a declared name is reactivated.
 * @see zulip-api.md §10 https://zulip.com/api/update-user-group
 */
export const userGroup: MapKind<UserGroup> = {
  name: "user_group",
  section: "user_groups",
  shape: "map",
  noun: ["group", "groups"],
  identity: {
    keyOf: (name) => name,
    undeclarable: ({ user_groups }) => user_groups.filter(({ is_system_group }) => is_system_group),
  },
  inactivity: { field: "deactivated", reactivatedFrom: REACTIVATE_LEVEL },
  file: {
    schema: userGroupForm,
    rights: "group",
    fields: GROUP_FIELDS,
    decode: decodeGroup,
    check: checkGroupsInFile,
  },
  live: {
    read: liveGroups,
    otherNames: ({ id, fields }, realm) => groupsInOtherSettings(realm.group(id ?? 0), fields, realm),
    newer: newerOfGroups,
    renamed: renamedGroups,
  },
  diff: {
    resolveTogether: resolveMembers,
    defaults: standingDefaults,
    implied: impliedRights("group"),
    traits: { description: "words", members: "items", subgroups: "items" },
  },
  review: { check: checkGroups, risks: groupRisks },
  calls: {
    draft: groupCalls,
    moves: renamesAsMoves,
    writtenStates: ["written", "members-written"],
    least: leastGroupCalls,
    sideEffects: messagesOf,
  },
  undo: {
    // Groups that name each other can be deactivated only after they no longer do.
    beforeDeactivation: withoutGroups,
  },
  yaml: {
    item: groupToYaml,
    field: (field, live, raw, _, realm) => (field === "members" ? membersToYaml(live, raw, realm) : live),
    whyInexpressible: (field, live, realm, declared) => {
      if (field === "members") return exceptedByGroup(live, declared?.creation?.members, realm);
      return isRightName(field) ? inexpressibleGroups(live, realm) : undefined;
    },
  },
  secrecy: {
    name: "public",
    fields: {
      description: "about",
      members: "groups",
      subgroups: "groups",
    },
    snapshot: ({ user_groups }, { text }) => ({
      user_groups: user_groups.map((group) => withShownTexts(group, text, ["name"])),
    }),
  },
  reach: { role: "member", bots: BOTS_LEVEL },
  docs,
};

/** The server writes to everybody whom somebody else adds to a group or removes from it, but not to the first members of a new group (zulip-api.md §10.4). */
function messagesOf(_changes: readonly Change[], context: PlanContext, calls: readonly Call[]): Partial<SideEffects> {
  const direct_messages = calls
    .filter(({ operation }) => operation === "update-user-group-members")
    .reduce((sum, { params }) => sum + notifiedPeople(params.add, context) + notifiedPeople(params.delete, context), 0);
  return { direct_messages };
}
