import { escapeReferences } from "../config/references.ts";
import { isList, isObject, type Json } from "../model/json.ts";

/** The value with escaped `${` in its texts, which are not references to variables. */
export function escaped(value: Json): Json {
  if (typeof value === "string") return escapeReferences(value);
  if (isList(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeReferences(key), escaped(inner)]));
}
