import { isMap, isScalar, type Pair, parse, parseDocument } from "yaml";

/** The value of a name, as plain data. */
export type Fields = { readonly [field: string]: unknown };

export interface Item {
  /** The key of a map, or a list entry that is only a name; otherwise the name is in the fields. */
  readonly name: string;
  readonly fields: Fields;
  /** `absent`, `archived` or `deactivated`: true */
  readonly goes: boolean;
}

/** A file in the terms of docs/writing.md: sections of items whose profiles and defaults are already merged. */
export interface File {
  readonly isExact: (section: string) => boolean;
  /** Whether `manage` leaves an object with this name alone. */
  readonly isAside: (section: string, key: (name: string) => string, name: string) => boolean;
  /** Undefined: the file has no such section, and none of it is managed. */
  readonly items: (section: string) => readonly Item[] | undefined;
  /** The fields of a section that is not a map of items; empty if the file has none. */
  readonly fieldsOf: (section: string) => Fields;
}

export function readFile(text: string): File {
  const root = asFields(parse(text, { merge: true }));
  const profiles = asFields(root.profiles);
  const defaults = asFields(root.defaults);
  const manage = asFields(root.manage);
  const policyOf = (section: string): unknown => {
    const own = manage[section];
    return (isFields(own) ? own.policy : own) ?? manage.default ?? "additive";
  };
  const finished = (section: string, name: string, value: unknown): Item => {
    const own = withProfiles(asFields(value), profiles);
    const goes = own.absent === true || own.archived === true || own.deactivated === true;
    return { name, goes, fields: goes ? own : over(asFields(defaults[section]), own) };
  };
  const itemsOf = (section: string, value: unknown): readonly Item[] => {
    if (Array.isArray(value))
      return value.map((item: unknown) => finished(section, typeof item === "string" ? item : "", item));
    const items = asFields(value);
    return keysInOrder(text, section).map((name) => finished(section, name, items[name]));
  };
  const sections = new Map(Object.entries(root).map(([section, value]) => [section, itemsOf(section, value)]));
  return {
    isExact: (section) => policyOf(section) === "exact" && sections.has(section),
    isAside: (section, key, name) =>
      texts(asFields(manage[section]).except).some((pattern) => wildcard(key(pattern)).test(key(name))),
    items: (section) => sections.get(section),
    fieldsOf: (section) => asFields(root[section]),
  };
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "su",
  );

/** JavaScript objects put names that look like numbers first. */
function keysInOrder(text: string, section: string): readonly string[] {
  const node: unknown = parseDocument(text, { merge: true }).get(section);
  if (!isMap(node)) return [];
  return node.items.map((pair: Pair) => String(isScalar(pair.key) ? pair.key.value : pair.key));
}

/** Of two profiles the later one wins, and the item wins over both; a profile may extend others. */
function withProfiles(item: Fields, profiles: Fields): Fields {
  const { profile, ...own } = item;
  const named = profile === undefined ? [] : Array.isArray(profile) ? profile : [profile];
  const below = named.reduce<Fields>(
    (sum, name: unknown) => over(sum, withProfiles(asFields(profiles[String(name)]), profiles)),
    {},
  );
  return over(below, own);
}

/** Permissions are merged setting by setting; every other field is replaced as a whole. */
function over(below: Fields, above: Fields): Fields {
  const joined = { ...below, ...above };
  if (!isFields(below.permissions) || !isFields(above.permissions)) return joined;
  return { ...joined, permissions: { ...below.permissions, ...above.permissions } };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
