import { isList } from "../../model/json.ts";
import type { FieldSpec, ResourceKind } from "../../model/kind.ts";
import { byText } from "../../model/realm.ts";
import { unnamedGroups } from "../references.ts";
import { fieldsWithGroupNames, groupsIn } from "../tokens.ts";
import { groupsApplied } from "./after.ts";
import { groupCalls } from "./calls.ts";
import { checkGroups, checkGroupsInFile, REACTIVATE_LEVEL } from "./check.ts";
import { decodeGroup } from "./decode.ts";
import { leastGroupCalls } from "./least.ts";
import { liveGroups } from "./live.ts";
import { groupRisks } from "./risks.ts";
import { GROUP_PERMISSION_SETTINGS, GROUP_PERMISSIONS, isGroupPermission, UserGroup } from "./schema.ts";
import { groupToYaml } from "./to-yaml.ts";

const fields: { [field: string]: FieldSpec } = {
  description: { about: "What the group is for." },
  members: { about: "The people who are members directly." },
  subgroups: { about: "The groups whose members are members too." },
  deactivated: { about: "Whether the group is deactivated." },
};
for (const setting of GROUP_PERMISSION_SETTINGS) {
  const { level, about } = GROUP_PERMISSIONS[setting];
  fields[setting] = { level, about };
}

/**
 * A user group of the organization's own. Its name is its identity, compared with case, deactivated groups included: nothing in
 * the API deletes a group, and a deactivated one of a declared name is brought back.
 * @see zulip-api.md §10 https://zulip.com/api/update-user-group
 */
export const userGroup: ResourceKind<UserGroup> = {
  name: "user_group",
  section: "user_groups",
  shape: "map",
  noun: ["group", "groups"],
  schema: UserGroup,
  fields,
  dormancy: "deactivated",
  wakesFrom: REACTIVATE_LEVEL,
  keyOf: (name) => name,
  live: liveGroups,
  decode: decodeGroup,
  names: ({ absent, fields }) =>
    absent
      ? []
      : Object.entries(fields).flatMap(([field, value]) => {
          const groups =
            field === "subgroups" && isList(value)
              ? value.map(String)
              : isGroupPermission(field)
                ? groupsIn(value)
                : [];
          return groups.map((name) => ({ kind: "user_group", name, field }));
        }),
  checkFile: checkGroupsInFile,
  applied: groupsApplied,
  check: checkGroups,
  risks: groupRisks,
  calls: groupCalls,
  leastCalls: leastGroupCalls,
  withNames: (object, nameOf) => {
    const rename = (name: string): string => nameOf("user_group", name);
    const fields = fieldsWithGroupNames(object.fields, isGroupPermission, rename);
    const { subgroups } = fields;
    if (subgroups === undefined || !isList(subgroups)) return { ...object, fields };
    return { ...object, fields: { ...fields, subgroups: subgroups.map((name) => rename(String(name))).sort(byText) } };
  },
  // Groups that name each other can only be put away once they do not.
  putAway: ({ fields }) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(
          ([field, value]) => isGroupPermission(field) && groupsIn(value).some((name) => !name.startsWith("role:")),
        )
        .map(([field]) => [field, "role:nobody"]),
    ),
  toYaml: groupToYaml,
  unnamed: (field, live, realm) => (isGroupPermission(field) ? unnamedGroups(live, realm) : undefined),
};
