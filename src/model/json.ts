/** A value that `JSON.parse(JSON.stringify(…))` leaves unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** JSON text with sorted keys and no white space: equal values have equal texts. Lists keep their order. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/** The value as JSON has it: without members that are undefined. */
export function asJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value));
  return json;
}

/** {@link canonicalJson} of what JSON has of a value. */
export const canonicalText = (value: unknown): string => canonicalJson(asJson(value));

/** Whether the canonical texts of two values are equal. Compares part by part, without creating the texts of long lists. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at] ?? null));
  if (isList(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name] ?? null, b[name] ?? null))
  );
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);

export const mapOf = (value: Json | undefined): JsonObject | undefined => (isMap(value) ? value : undefined);
export const asMap = (value: Json | undefined): JsonObject => mapOf(value) ?? {};

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
