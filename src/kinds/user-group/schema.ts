import * as z from "zod";
import { once } from "../../model/lazy.ts";
import type { Named, NamingObject } from "../../model/objects.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { listed } from "../../model/texts.ts";
import { optional, orNull } from "../optional.ts";
import { permissionsForm } from "../permissions.ts";
import { GroupNames, listFields, PersonValue } from "../references.ts";
import { groupsCopied, groupsIn } from "../tokens.ts";

/** One user group as the file writes it. */
export const userGroupForm = once(() =>
  z.strictObject({
    was: optional(z.string(), "The name to rename from. Delete it after the rename was applied."),
    id: optional(z.int().positive(), "Identifies the group by its id instead of its name."),
    absent: optional(z.boolean(), "`true` deactivates the group, if it exists, under any policy."),
    deactivated: optional(
      z.boolean(),
      "`true` deactivates the group, which keeps its name. A deactivated group without this field is reactivated.",
    ),
    description: orNull(z.string(), "What the group is for. `null` empties it."),
    members: optional(
      z.union([
        z.array(PersonValue),
        z.strictObject(listFields(GroupNames.describe("Groups whose members become direct members."))),
      ]),
      "Exactly these people are direct members. Without this field, members stay as they are. `[]` is nobody. `{users: […], groups: […], except: {…}}` takes the members of groups at the time of the plan.",
    ),
    subgroups: optional(
      z.array(z.string()),
      "Exactly these groups are direct subgroups; their members are members of this group, too. `[]` means no subgroups.",
    ),
    permissions: permissionsForm("group").optional(),
  }),
);
export type UserGroup = z.infer<ReturnType<typeof userGroupForm>>;

/** The groups that a group names. The values of a group that is removed do not matter. */
export function namesOfGroup({ absent, fields, creation }: NamingObject): readonly Named[] {
  if (absent) return [];
  const named = Object.keys(fields).flatMap((field) => {
    const isSetting = isRightName(field);
    const groups = field === "subgroups" ? listed(fields[field]) : isSetting ? groupsIn(fields[field]) : [];
    return groups.map((name) => ({ kind: "user_group", name, field }));
  });
  return [...named, ...groupsCopied(creation, "members")];
}
