import type { UnseenWhat } from "../model/coverage.ts";
import { isList, isObject, type Json, type JsonObject, sameJson } from "../model/json.ts";
import { oncePer } from "../model/lazy.ts";
import type { Fields, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";

/**
 * The rows of a setting that is a list of objects, or a map of them by id. Always the same list for the same value.
 * @param keys what identifies a row, always the same for the same value; without one of them, the setting counts as not read, since all that a file says
 * about it would be new
 */
export function rowsIn(value: Json | undefined, keys: readonly string[]): readonly JsonObject[] | undefined {
  return value === undefined || value === null || typeof value !== "object" ? undefined : rowsOf(value, keys);
}

const rowsOf = oncePer((value: object, keys: readonly string[]): readonly JsonObject[] | undefined => {
  const rows: readonly Json[] = isList(value) ? value : Object.values(value);
  const found = rows.filter(isRow);
  return found.every((row) => keys.every((key) => row[key] !== undefined)) ? found : undefined;
});

const isRow = (row: Json): row is JsonObject => isObject(row);

/** Of older servers, it is not known what else they have: nothing of them is newer than this version, except rights that they describe. */
export const OLDEST_COMPLETE = 384;

/**
 * The keys of a server's objects that this version knows neither as settings nor as facts about them, sorted.
 * @param objects those of a reading
 * @param keys those that are known, managed or not
 */
export function keysBeyond(
  objects: (realm: Realm) => Iterable<object> | null | undefined,
  keys: readonly string[],
): (realm: Realm) => readonly string[] {
  const known = new Set(keys);
  return (realm) => {
    const found = new Set<string>();
    for (const object of objects(realm) ?? [])
      for (const key of Object.keys(object)) if (!known.has(key)) found.add(key);
    return [...found].sort();
  };
}

/** An object of a reading. Most have no id and are always in use, and the server compares their names as they are. */
export const liveObject = (name: string, fields: Fields, more: Partial<LiveObject> = {}): LiveObject => ({
  key: name,
  name,
  id: null,
  fields,
  inactive: false,
  ...more,
});

/** The fields that differ from what a new object has: what a person would write. */
export const unusual = (fields: Fields, usual: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field, value]) => !sameJson(value, usual[field] ?? null)));

/*
 * What an account does not see, by the role that it needs. The one table: kinds say which row is theirs (`live.unseen`), and plans, drift, export and adopt
 * ask the kinds. All else that a file can have is in the answer to every account but a guest's, which no command accepts (zulip-api.md §2.2): groups with
 * their members and settings, settings of the organization, default channels, folders, domains, linkifiers, playgrounds, emoji, profile fields, and bots
 * and people with their roles and owners. Navigation views are each account's own.
 */
const SIGHT = {
  /** Administrators see every channel; others a private one, archived or not, if they are in it or in a group that opens it (§3.6). */
  "private-channels": ({ isAdmin }) => isAdmin,
  /** Whoever is no administrator sees the own ones (§9.1). */
  "others-invitations": ({ isAdmin }) => isAdmin,
  /** No bot sees any, whatever its role is (§9.1). */
  invitations: ({ snapshot: { account } }) => !account.is_bot,
  /** Each person decides which roles see the address (§1.3). An administrator misses few, and a name that does not resolve remains a finding. */
  addresses: ({ isAdmin, snapshot: { users } }) =>
    isAdmin || users.every(({ delivery_email, is_bot, is_active }) => delivery_email !== null || is_bot || !is_active),
} as const satisfies { readonly [what in UnseenWhat]: (realm: Realm) => boolean };

/** The first of these that the account does not see. */
export const unseenOf = (realm: Realm, ...whats: readonly UnseenWhat[]): UnseenWhat | undefined =>
  whats.find((what) => !SIGHT[what](realm));

/**
 * An object of a reading with all texts that people may have written replaced, also in fields that no schema knows: a field that a later server adds
 * must not be shown just because it is unknown here.
 * @param kept fields that hold names and words, which the caller handles
 */
export function withShownTexts<T extends object>(
  object: T,
  shown: (text: string) => string,
  kept: readonly string[] = [],
): T & { readonly [field: string]: unknown } {
  const others = Object.entries(object).filter(([field]) => !kept.includes(field));
  return { ...object, ...Object.fromEntries(others.map(([field, value]) => [field, textsIn(value, shown)])) };
}

function textsIn(value: unknown, shown: (text: string) => string): unknown {
  if (typeof value === "string") return shown(value);
  if (isList(value)) return value.map((item) => textsIn(item, shown));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, textsIn(item, shown)]));
}
