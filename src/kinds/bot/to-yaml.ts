import type { Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/kind.ts";

/** What a new bot has by itself is left out. */
export function botToYaml({ fields }: LiveObject): Json {
  const { full_name, owner, role, type, deactivated } = fields;
  return {
    full_name: full_name ?? "",
    ...(typeof owner === "string" ? { owner } : {}),
    ...(role === "member" || role === undefined ? {} : { role }),
    ...(type === "generic" || type === null || type === undefined ? {} : { type }),
    ...(deactivated === true ? { deactivated } : {}),
  };
}
