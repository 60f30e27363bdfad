import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";

const known = new WeakMap<object, readonly JsonObject[]>();

/** The rows of a setting that is a list of objects, or a map of them by id; undefined when it is neither. Always the same list for the same value. */
export function rowsIn(value: Json | undefined): readonly JsonObject[] | undefined {
  if (value === undefined || value === null || typeof value !== "object") return undefined;
  const found = known.get(value) ?? (isList(value) ? value : Object.values(value)).filter(isRow);
  known.set(value, found);
  return found;
}

const isRow = (row: Json): row is JsonObject => isObject(row);
