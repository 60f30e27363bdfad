import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
import { oncePer } from "../model/lazy.ts";

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
 * @param known the keys that are known, managed or not
 */
export function keysBeyond(objects: Iterable<object>, known: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const object of objects) for (const key of Object.keys(object)) if (!known.has(key)) found.add(key);
  return [...found].sort();
}
