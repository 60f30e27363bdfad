import { renamedGroups } from "../../access/renamed.ts";
import type { DocsFacet } from "../../model/facets.ts";
import type { MapKind } from "../../model/kind.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { Call, Change, SideEffects } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { notifiedPeople } from "../accounts.ts";
import { exceptedByGroup } from "../list-to-yaml.ts";
import { creationDefaults, groupsInOtherSettings, impliedRights } from "../permissions.ts";
import { withShownTexts } from "../readings.ts";
import { inexpressibleGroups } from "../references.ts";
import { renamesAsMoves } from "../requests.ts";
import { groupCalls, leastGroupCalls } from "./calls.ts";
import { BOTS_LEVEL, checkGroups, checkGroupsInFile, REACTIVATE_LEVEL, withoutGroups } from "./check.ts";
import { groupToYaml, liveGroups, membersToYaml, newerOfGroups, standingDefaults } from "./live.ts";
import { groupRisks } from "./risks.ts";
import { decodeGroup, GROUP_FIELDS, resolveMembers, type UserGroup, userGroupForm } from "./schema.ts";
import { userGroupWords } from "./synonyms.ts";

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
    synonyms: userGroupWords,
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
