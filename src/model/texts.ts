import { isList, isObject, type Json } from "./json.ts";

/** The texts of a list; empty for any other value. */
export const listed = (value: Json | undefined): readonly string[] =>
  value !== undefined && isList(value) ? value.map(String) : [];

/** What a list has that another one before it did not have, and the reverse. */
export function listShift(
  before: Json | undefined,
  after: Json | undefined,
): Readonly<Record<"added" | "removed", readonly string[]>> {
  const [then, now] = [new Set(listed(before)), new Set(listed(after))];
  return { added: [...now].filter((one) => !then.has(one)), removed: [...then].filter((one) => !now.has(one)) };
}

/** Every text in a value: names of accounts and groups among them. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap((item: Json) => textsIn(item)) : [];
}

/** A value without some of its texts; undefined if it is one of them. */
export function withoutTexts(value: Json, texts: ReadonlySet<string>): Json | undefined {
  if (typeof value === "string") return texts.has(value) ? undefined : value;
  if (isList(value)) return value.flatMap((item) => withoutTexts(item, texts) ?? []);
  if (!isObject(value)) return value;
  const parts: { [part: string]: Json } = {};
  for (const [part, own] of Object.entries(value)) {
    const rest = withoutTexts(own, texts);
    if (rest !== undefined) parts[part] = rest;
  }
  return parts;
}

/** Whether a name in a value is an account: an address, or the stand-in of somebody whose address is not shown. */
export const isAccountName = (text: string): boolean => /^user:\d+$/.test(text) || /^[^\s@]+@[^\s@]+$/.test(text);

/** Compares texts by their code units. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** How many bytes a text has in a file. */
export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The text without the slashes at its end. (With `/\/+$/`, the time would grow with the square of the number of slashes in a row.) */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}
