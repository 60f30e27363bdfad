import { defined } from "./defined.ts";
import { isList, type Json, mapOf } from "./json.ts";
import { asGroupValue, type GroupValue } from "./realm.ts";

/** People whom a file lists: everybody in `who` who is not in `except`. Groups stand for their members after the plan. */
export interface PeopleList {
  readonly who: GroupValue;
  readonly except?: GroupValue;
}

/** Reads a list: names of people, a value that names groups and people, or one of these with an exception. */
export function asPeopleList(value: Json | undefined): PeopleList | undefined {
  const { who = value, except = null } = mapOf(value) ?? {};
  const named = isList(who) ? { groups: [], users: who.map(String) } : asGroupValue(who ?? null);
  return named === undefined ? undefined : { who: named, ...defined({ except: asGroupValue(except) }) };
}

/** The groups that a list names, also those that it excepts. */
export const groupsOfList = (list: PeopleList | undefined): readonly string[] =>
  [list?.who, list?.except].flatMap((value) =>
    value === undefined ? [] : typeof value === "string" ? [value] : value.groups,
  );

/** The people whom a list names, also those whom it excepts. */
export const usersOfList = (list: PeopleList | undefined): readonly string[] =>
  [list?.who, list?.except].flatMap((value) => (value === undefined || typeof value === "string" ? [] : value.users));

/** A list without what it excepts; any other value as it is. */
export function withoutExcept(value: Json): Json {
  const { who } = mapOf(value) ?? {};
  return who ?? value;
}
