import { isList, isObject, type Json } from "./json.ts";

/** Every text in a value: names of accounts and groups among them. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap((item: Json) => textsIn(item)) : [];
}
