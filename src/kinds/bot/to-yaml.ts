import { defined } from "../../model/defined.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import type { InexpressibleFact } from "../../model/kind-facts.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { inexpressibleRole } from "../account-roles.ts";
import { writtenPerson } from "../references.ts";

/** Leaves out the values that every new bot has, and a deactivated owner: a file cannot name one. */
export function botToYaml({ id, fields }: LiveObject, realm: Realm): Json {
  const { full_name, owner, role, type, deactivated } = fields;
  const isOwned = typeof id === "number" && realm.user(realm.user(id)?.bot_owner_id ?? 0)?.is_active === true;
  return {
    full_name: full_name ?? "",
    ...defined({
      owner: typeof owner === "string" && isOwned ? writtenPerson(owner) : undefined,
      role: role === "member" || role === undefined || inexpressibleRole(role) !== undefined ? undefined : role,
      type: type === "generic" || type === null || type === undefined ? undefined : type,
      deactivated: deactivated === true ? deactivated : undefined,
    }),
  };
}

/** Why a file cannot name the bot's owner, or its role. */
export function inexpressible(field: string, live: Json, realm: Realm): InexpressibleFact | undefined {
  if (field === "role") return inexpressibleRole(live);
  if (field !== "owner" || typeof live !== "string" || realm.userByEmail(live)?.is_active !== false) return undefined;
  return { why: "account-deactivated", email: quote(live) };
}
