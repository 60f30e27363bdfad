import { ACCOUNT, type FileFacet, GROUP } from "./facets.ts";
import { isList, type Json } from "./json.ts";
import type { DeclaredObject, Named, NamingObject } from "./objects.ts";
import { asPeopleList, groupsOfList } from "./people-list.ts";
import { isRightName } from "./permission-settings.ts";
import { asGroupValue, groupValue } from "./realm.ts";
import { byText } from "./texts.ts";

type File = Pick<FileFacet<never>, "fields" | "rights" | "names" | "withNames">;
type NameOf = (kind: string, name: string) => string;

/** Whether a field names groups and people. A kind does not list the rights that only a server knows. */
const isRight = ({ fields, rights }: File, field: string): boolean =>
  Object.hasOwn(fields, field) ? fields[field]?.isPermission === true : rights !== undefined && isRightName(field);

/** Groups that the value of a right or a list of people names. */
export const groupsIn = (value: Json | undefined): readonly string[] => groupsOfList(asPeopleList(value));

const namesIn = (value: Json): readonly string[] => (isList(value) ? value : [value]).map(String);

/** The objects that an object names. What one that is removed has does not matter. */
export function namedIn(file: File, object: NamingObject): readonly Named[] {
  const own = file.names?.(object) ?? [];
  if (object.absent) return own;
  const named = Object.entries(object.fields).flatMap(([field, value]): readonly Named[] => {
    const kind = isRight(file, field) ? GROUP : file.fields[field]?.names;
    if (kind === undefined || kind === ACCOUNT || value === null) return [];
    return (kind === GROUP && !isList(value) ? groupsIn(value) : namesIn(value)).map((name) => ({ kind, name, field }));
  });
  // An object gets the members of the groups in a list of people.
  const copied = Object.entries(file.fields).flatMap(([field, { names }]): readonly Named[] => {
    const groups = names === ACCOUNT ? groupsIn(object.creation?.[field]) : [];
    return groups.map((name) => ({ kind: GROUP, name, field, isUse: false, copies: true }));
  });
  return [...named, ...copied, ...own];
}

/** An object with other names for what it names; unknown names stay as they are. Accounts are of the kind {@link ACCOUNT}. */
export function withNames(file: File, object: DeclaredObject, nameOf: NameOf): DeclaredObject {
  const fields = Object.entries(object.fields).map(([field, value]): readonly [string, Json] => {
    if (isRight(file, field)) return [field, rightWithNames(value, nameOf)];
    const kind = file.fields[field]?.names;
    if (kind === undefined || value === null) return [field, value];
    const named = namesIn(value).map((name) => nameOf(kind, name));
    return [field, isList(value) ? named.sort(byText) : (named[0] ?? null)];
  });
  const renamed = { ...object, fields: Object.fromEntries(fields) };
  return file.withNames?.(renamed, nameOf) ?? renamed;
}

function rightWithNames(value: Json, nameOf: NameOf): Json {
  const group = asGroupValue(value);
  if (group === undefined) return value;
  if (typeof group === "string") return nameOf(GROUP, group);
  const { groups, users } = group;
  const groupName = (name: string) => nameOf(GROUP, name);
  const named = groupValue(
    groups.map(groupName),
    users.map((name) => nameOf(ACCOUNT, name)),
  );
  return typeof named === "string" ? named : { ...named };
}
