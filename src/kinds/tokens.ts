import { byText } from "../model/by-text.ts";
import { type Dependency, exists } from "../model/dependency.ts";
import { ACCOUNT } from "../model/facets.ts";
import { isList, type Json } from "../model/json.ts";
import type { DeclaredObject, Named } from "../model/objects.ts";
import { asPeopleList, groupsOfList } from "../model/people-list.ts";
import type { Address } from "../model/plan.ts";
import { asGroupValue, type GroupValue, groupValue } from "../model/realm.ts";

/** Groups that a setting's value names; if the value itself is a group, that one. */
export function groupsIn(value: Json | undefined): readonly string[] {
  const group = value === undefined ? undefined : asGroupValue(value);
  if (group === undefined) return [];
  return typeof group === "string" ? [group] : group.groups;
}

/** The groups in a list of people, whose members the object gets. */
export const groupsCopied = (creation: DeclaredObject["creation"], field: string): readonly Named[] =>
  groupsOfList(asPeopleList(creation?.[field])).map((name) => {
    return { kind: "user_group", name, field, isUse: false, copies: true };
  });

type NameOf = (kind: string, name: string) => string;

/** A canonical value with other names for its groups and accounts. */
function valueWithNames(value: Json, nameOf: NameOf): Json {
  const group = asGroupValue(value);
  if (group === undefined) return value;
  const named: GroupValue =
    typeof group === "string"
      ? nameOf("user_group", group)
      : groupValue(
          group.groups.map((name) => nameOf("user_group", name)),
          group.users.map((name) => nameOf(ACCOUNT, name)),
        );
  return named;
}

/**
 * Fields with other names for groups and accounts.
 * @param isSetting whether a field is a permission setting
 * @param people a field that lists accounts
 */
export function fieldsWithNames(
  fields: { readonly [field: string]: Json },
  { isSetting, people }: { readonly isSetting: (field: string) => boolean; readonly people?: string },
  nameOf: NameOf,
): { readonly [field: string]: Json } {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      if (isSetting(field)) return [field, valueWithNames(value, nameOf)];
      return [field, field === people ? accountsWithNames(value, nameOf) : value];
    }),
  );
}

const accountsWithNames = (value: Json, nameOf: NameOf): Json =>
  isList(value) ? value.map((name) => nameOf(ACCOUNT, String(name))).sort(byText) : value;

/** The address of the organization's settings in a plan. */
export const ORGANIZATION: Address = "settings:organization";

/** The group exists and is active. */
export const groupExists = (name: string): Dependency => exists(`user_group:${name}`);
