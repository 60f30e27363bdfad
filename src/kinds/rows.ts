import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";

const known = new WeakMap<object, readonly JsonObject[]>();

/**
 * The rows of a setting that is a list of objects, or a map of them by id. Always the same list for the same value.
 * @param keys what identifies a row; without one of them, the setting counts as not read, since all that a file says about it would be new
 */
export function rowsIn(value: Json | undefined, keys: readonly string[]): readonly JsonObject[] | undefined {
  if (value === undefined || value === null || typeof value !== "object") return undefined;
  const found = known.get(value) ?? (isList(value) ? value : Object.values(value)).filter(isRow);
  known.set(value, found);
  return found.every((row) => keys.every((key) => row[key] !== undefined)) ? found : undefined;
}

const isRow = (row: Json): row is JsonObject => isObject(row);
