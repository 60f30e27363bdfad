import { defined } from "../../model/defined.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { keysBeyond, liveObject, rowsIn } from "../readings.ts";

/** Type in the file → number of the server (zulip-api.md §12.3). */
export const FIELD_TYPES = {
  short_text: 1,
  long_text: 2,
  select: 3,
  date: 4,
  link: 5,
  users: 6,
  external_account: 7,
  pronouns: 8,
} as const;

/** The level that added `use_for_user_matching`. */
export const MATCHING_LEVEL = 455;

/** An option of a field as the server stores it: people's values are keys. */
export interface Option {
  readonly key: string;
  readonly text: string;
}

/** Custom profile fields in the order of the profile. Fields of an unknown type are left alone. */
export function liveProfileFields(realm: Realm): readonly LiveObject[] | undefined {
  return rowsOf(realm)?.flatMap((row) => {
    const { id, name } = row;
    const type = typeOf(row);
    if (typeof id !== "number" || typeof name !== "string" || type === undefined) return [];
    return [liveObject(name, fieldsOf(row, type, realm.level), { id })];
  });
}

function rowsOf(realm: Realm): readonly JsonObject[] | undefined {
  return rowsIn(realm.setting("custom_profile_fields"), ["id", "name", "type", "field_data"]);
}

/** The settings of profile fields that this version does not know (zulip-api.md §12.3). */
export const newerOfFields = keysBeyond(rowsOf, [
  ...["id", "type", "name", "hint", "field_data", "order", "required", "editable_by_user"],
  ...["display_in_profile_summary", "use_for_user_matching"],
]);

/** The field with this name, if it is of a type that this version does not know. */
export const fieldOfNewerType = (name: string, realm: Realm): JsonObject | undefined =>
  rowsOf(realm)?.find((row) => row.name === name && typeOf(row) === undefined);

/** The types of fields that this version does not know. */
export const newerTypes = (realm: Realm): readonly string[] =>
  (rowsOf(realm) ?? []).flatMap((row) => (typeOf(row) === undefined ? [`custom_profile_fields.type=${row.type}`] : []));

/** Ids of every field in the server's order, also those of unknown types. */
export function fieldIds(realm: Realm): readonly number[] {
  return (rowsOf(realm) ?? []).flatMap(({ id }) => (typeof id === "number" ? [id] : []));
}

function typeOf({ type }: JsonObject): string | undefined {
  return Object.entries(FIELD_TYPES).find(([, number]) => number === type)?.[0];
}

function fieldsOf(row: JsonObject, type: string, level: number): LiveObject["fields"] {
  const data = dataOf(row);
  const { subtype, url_pattern } = data;
  const isCustom = subtype === "custom";
  const isAccount = type === "external_account";
  return {
    type,
    ...defined({
      hint: typeof row.hint === "string" ? row.hint : undefined,
      options: type === "select" ? optionsIn(data).map(({ text }) => text) : undefined,
      service: isAccount ? (isCustom || typeof subtype !== "string" ? null : subtype) : undefined,
      url_pattern: isAccount ? (isCustom && typeof url_pattern === "string" ? url_pattern : null) : undefined,
    }),
    // The server shows these two only if they are true.
    in_profile_summary: row.display_in_profile_summary === true,
    ...defined({
      required: typeof row.required === "boolean" ? row.required : undefined,
      editable_by_user: typeof row.editable_by_user === "boolean" ? row.editable_by_user : undefined,
      use_for_user_matching: level < MATCHING_LEVEL ? undefined : row.use_for_user_matching === true,
    }),
  };
}

/** The options of a field of the server, in their order. */
export function liveOptions(realm: Realm, id: number | null | undefined): readonly Option[] {
  const row = rowsOf(realm)?.find((candidate) => candidate.id === id);
  return row === undefined ? [] : optionsIn(dataOf(row));
}

/** `field_data` is JSON in a text, empty for fields that have none. */
function dataOf({ field_data }: JsonObject): JsonObject {
  if (typeof field_data !== "string" || field_data === "") return {};
  try {
    const data: Json = JSON.parse(field_data);
    return isObject(data) ? data : {};
  } catch {
    return {};
  }
}

/** Orders are texts, usually numbers; equal ones keep their order. */
function optionsIn(data: JsonObject): readonly Option[] {
  return Object.entries(data)
    .flatMap(([key, option]) => {
      if (!isObject(option) || typeof option.text !== "string") return [];
      return [{ key, text: option.text, order: Number(option.order) }];
    })
    .toSorted((a, b) => (a.order || 0) - (b.order || 0))
    .map(({ key, text }) => ({ key, text }));
}
