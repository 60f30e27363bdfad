import type { Named, NamingObject } from "../../model/objects.ts";
import { listed } from "../../model/texts.ts";
import { groupsCopied, groupsIn } from "../tokens.ts";
import { isGroupPermission } from "./schema.ts";

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
