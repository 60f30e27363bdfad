import * as z from "zod";
import { once } from "../../model/lazy.ts";
import type { Named, NamingObject } from "../../model/objects.ts";
import { GROUP_PERMISSIONS, type GroupPermission, isRightName } from "../../model/permission-settings.ts";
import { listed } from "../../model/texts.ts";
import { GroupNames, GroupValueInput, listFields, PersonValue } from "../references.ts";
import { groupsCopied, groupsIn } from "../tokens.ts";

/** What the six permission settings are for. */
export const PERMISSIONS: { readonly [setting in GroupPermission]: { readonly about: string } } = {
  can_add_members_group: { about: "Who may add members and subgroups." },
  can_join_group: { about: "Who may join by themselves." },
  can_leave_group: { about: "Who may leave by themselves." },
  can_manage_group: {
    about: "Who may change everything about the group. Left out at creation: the account that creates it.",
  },
  can_mention_group: { about: "Who may mention the group." },
  can_remove_members_group: { about: "Who may remove members." },
};

/** Whether the field is a permission setting, also one that only a server knows. */
export const isGroupPermission = isRightName;

function isKnown(field: string): field is GroupPermission {
  return Object.hasOwn(GROUP_PERMISSIONS, field);
}
export const GROUP_PERMISSION_SETTINGS: readonly GroupPermission[] = Object.keys(GROUP_PERMISSIONS).filter(isKnown);

const setting = (name: GroupPermission) =>
  GroupValueInput.nullable().optional().describe(`${PERMISSIONS[name].about} \`null\` is role:nobody.`);

const permissions = once(() =>
  z
    .strictObject({
      can_add_members_group: setting("can_add_members_group"),
      can_join_group: setting("can_join_group"),
      can_leave_group: setting("can_leave_group"),
      can_manage_group: setting("can_manage_group"),
      can_mention_group: setting("can_mention_group"),
      can_remove_members_group: setting("can_remove_members_group"),
    })
    .describe("The API's own setting names; each names one group, or {groups: […], users: […]}."),
);

/** One user group as the file writes it. */
export const userGroupForm = once(() =>
  z.strictObject({
    was: z.string().optional().describe("The name to rename from. Delete it after the rename was applied."),
    id: z.int().positive().optional().describe("Identifies the group by its id instead of its name."),
    absent: z.boolean().optional().describe("`true` deactivates the group, if it exists, under any policy."),
    deactivated: z
      .boolean()
      .optional()
      .describe(
        "`true` deactivates the group, which keeps its name. A deactivated group without this field is reactivated.",
      ),
    description: z.string().nullable().optional().describe("What the group is for. `null` empties it."),
    members: z
      .union([
        z.array(PersonValue),
        z.strictObject(listFields(GroupNames.describe("Groups whose members become direct members."))),
      ])
      .optional()
      .describe(
        "Exactly these people are direct members. Without this field, members stay as they are. `[]` is nobody. `{users: […], groups: […], except: {…}}` takes the members of groups at the time of the plan.",
      ),
    subgroups: z
      .array(z.string())
      .optional()
      .describe(
        "Exactly these groups are direct subgroups; their members are members of this group, too. `[]` means no subgroups.",
      ),
    permissions: permissions().optional(),
  }),
);
export type UserGroup = z.infer<ReturnType<typeof userGroupForm>>;

/** The groups that a group names. The values of a group that is removed do not matter. */
export function namesOfGroup({ absent, fields, creation }: NamingObject): readonly Named[] {
  if (absent) return [];
  const named = Object.keys(fields).flatMap((field) => {
    const isSetting = isGroupPermission(field);
    const groups = field === "subgroups" ? listed(fields[field]) : isSetting ? groupsIn(fields[field]) : [];
    return groups.map((name) => ({ kind: "user_group", name, field }));
  });
  return [...named, ...groupsCopied(creation, "members")];
}
