import { isList, isObject, type Json } from "./json.ts";

/** The texts of a list; empty for any other value. */
export const listed = (value: Json | undefined): readonly string[] =>
  value !== undefined && isList(value) ? value.map(String) : [];

/** Every text in a value: names of accounts and groups among them. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap((item: Json) => textsIn(item)) : [];
}

/** Whether a name in a value is an account: an address, or the stand-in of somebody whose address is not shown. */
export const isAccountName = (text: string): boolean => /^user:\d+$/.test(text) || /^[^\s@]+@[^\s@]+$/.test(text);
