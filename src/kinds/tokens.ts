import { type Dependency, exists } from "../model/dependency.ts";
import type { Json } from "../model/json.ts";
import type { Address } from "../model/plan.ts";
import { asGroupValue, type GroupValue, groupValue } from "../model/realm.ts";

/** Groups that a setting's value names, the value itself included when it is one. */
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

/** What the settings of the organization are called in a plan. */
export const ORGANIZATION: Address = "settings:organization";

/** The group is there and in use. */
export const groupExists = (name: string): Dependency => exists(`user_group:${name}`);
