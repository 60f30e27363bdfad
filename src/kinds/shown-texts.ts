import { isList, isObject } from "../model/json.ts";

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
