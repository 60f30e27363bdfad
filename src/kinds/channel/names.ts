import type { Named, NamingObject } from "../../model/objects.ts";
import { groupsCopied, groupsIn } from "../tokens.ts";
import { isPermissionSetting } from "./schema.ts";

/** The folder and the groups that a channel names. The values of a channel that is removed do not matter. */
export function namesOfChannel({ absent, fields, creation }: NamingObject): readonly Named[] {
  if (absent) return [];
  return [
    ...(typeof fields.folder === "string" ? [{ kind: "channel_folder", name: fields.folder, field: "folder" }] : []),
    ...Object.keys(fields)
      .filter(isPermissionSetting)
      .flatMap((field) => groupsIn(fields[field]).map((name) => ({ kind: "user_group", name, field }))),
    ...groupsCopied(creation, "subscribers"),
  ];
}
