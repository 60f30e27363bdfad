import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";

/** The rows of a setting that is a list of objects, or a map of them by id; undefined when it is neither. */
export function rowsIn(value: Json | undefined): readonly JsonObject[] | undefined {
  if (value === undefined || value === null || typeof value !== "object") return undefined;
  return (isList(value) ? value : Object.values(value)).filter(isRow);
}

const isRow = (row: Json): row is JsonObject => isObject(row);
