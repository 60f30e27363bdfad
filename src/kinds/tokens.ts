import { type Dependency, exists } from "../model/dependency.ts";
import type { Json } from "../model/json.ts";
import type { Address } from "../model/plan.ts";
import { asGroupValue, type GroupValue, groupValue } from "../model/realm.ts";

/** Groups that a setting's value names; if the value itself is a group, that one. */
export function groupsIn(value: Json | undefined): readonly string[] {
  const group = value === undefined ? undefined : asGroupValue(value);
  if (group === undefined) return [];
  return typeof group === "string" ? [group] : group.groups;
}

/** A canonical value with other names for its groups. */
function withGroupNames(value: Json, nameOf: (group: string) => string): Json {
  const group = asGroupValue(value);
  if (group === undefined) return value;
  const named: GroupValue =
    typeof group === "string" ? nameOf(group) : groupValue(group.groups.map(nameOf), group.users);
  return named;
}

/** Fields that hold permission settings, with other names for their groups. */
export function fieldsWithGroupNames(
  fields: { readonly [field: string]: Json },
  isSetting: (field: string) => boolean,
  nameOf: (group: string) => string,
): { readonly [field: string]: Json } {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, isSetting(field) ? withGroupNames(value, nameOf) : value]),
  );
}

/** The address of the organization's settings in a plan. */
export const ORGANIZATION: Address = "settings:organization";

/** The group exists and is active. */
export const groupExists = (name: string): Dependency => exists(`user_group:${name}`);
