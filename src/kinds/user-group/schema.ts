import * as z from "zod";
import { once } from "../../model/lazy.ts";
import { GroupValueInput, PersonValue } from "../references.ts";

interface GroupPermissionSpec {
  /** Feature level from which a group has the setting (zulip-api.md §10.2). */
  readonly level: number;
  /** Whether the setting may be `role:everyone`. */
  readonly everyone: boolean;
  /** The value of a group that is created without the setting; `creator` is the account that creates it (§10.5). */
  readonly atCreation: "creator" | "role:nobody" | "role:everyone";
  readonly about: string;
}

/** The six permission settings of a group. */
export const GROUP_PERMISSIONS = {
  can_add_members_group: {
    level: 305,
    everyone: false,
    atCreation: "creator",
    about: "Who may add members and subgroups.",
  },
  can_join_group: {
    level: 301,
    everyone: false,
    atCreation: "role:nobody",
    about: "Who may join by themselves.",
  },
  can_leave_group: {
    level: 308,
    everyone: true,
    atCreation: "role:everyone",
    about: "Who may leave by themselves.",
  },
  can_manage_group: {
    level: 283,
    everyone: false,
    atCreation: "creator",
    about: "Who may change everything of the group. Left out at creation: the account that creates it.",
  },
  can_mention_group: {
    level: 258,
    everyone: true,
    atCreation: "role:everyone",
    about: "Who may mention the group.",
  },
  can_remove_members_group: {
    level: 324,
    everyone: false,
    atCreation: "role:nobody",
    about: "Who may remove members.",
  },
} as const satisfies { readonly [setting: string]: GroupPermissionSpec };
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

export function isGroupPermission(field: string): field is GroupPermission {
  return Object.hasOwn(GROUP_PERMISSIONS, field);
}
export const GROUP_PERMISSION_SETTINGS: readonly GroupPermission[] =
  Object.keys(GROUP_PERMISSIONS).filter(isGroupPermission);

const setting = (name: GroupPermission) =>
  GroupValueInput.nullable().optional().describe(`${GROUP_PERMISSIONS[name].about} \`null\` is role:nobody.`);

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
      .array(PersonValue)
      .optional()
      .describe(
        "Exactly these people are direct members. Without this field, members stay as they are. `[]` is nobody.",
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
