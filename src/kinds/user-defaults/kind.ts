import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import type { FieldSpec } from "../../model/facets.ts";
import { isObject, type Json, sameJson } from "../../model/json.ts";
import type { SingletonKind } from "../../model/kind.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import type { Realm } from "../../model/realm.ts";
import { keysBeyond, OLDEST_COMPLETE } from "../newer-settings.ts";
import { userDefaultCalls } from "./calls.ts";
import { checkUserDefaults, userDefaultRisks } from "./check.ts";
import { docs } from "./docs.ts";
import { apiName, DEFAULT_PARTS, USER_DEFAULTS } from "./properties.ts";
import { type UserDefaults, userDefaultsForm } from "./schema.ts";
import { userDefaultsWords } from "./synonyms.ts";

/**
 * The settings that new accounts start with. Existing accounts keep theirs (docs/internals/decisions/0026-settings-are-one-object.md).
 * @see zulip-api.md §12.2 https://zulip.com/api/update-realm-user-settings-defaults
 */
export const userDefaults: SingletonKind<UserDefaults> = {
  name: "user_defaults",
  section: "user_defaults",
  shape: "singleton",
  noun: ["defaults of new accounts", "defaults of new accounts"],
  file: {
    get schema() {
      return userDefaultsForm();
    },
    fields: fieldSpecs(),
    decode: decodeUserDefaults,
    get synonyms() {
      return userDefaultsWords();
    },
  },
  live: { read: liveUserDefaults, newer: newerDefaults },
  diff: { defaults: (realm) => standards(realm) },
  review: { check: checkUserDefaults, risks: userDefaultRisks },
  calls: { draft: userDefaultCalls, canSet },
  yaml: {
    parts: Object.entries(DEFAULT_PARTS).map(([heading, part]) => ({ heading, fields: Object.keys(part) })),
    item: (live, realm) => written(live, (field, value) => !sameJson(value, standards(realm)[field] ?? null)),
  },
  secrecy: {
    name: "public",
    fields: Object.fromEntries(Object.keys(USER_DEFAULTS).map((field) => [field, "word"])),
    snapshot: () => ({}),
  },
  reach: { role: "administrator" },
  docs,
};

function fieldSpecs(): { readonly [field: string]: FieldSpec } {
  return Object.fromEntries(
    Object.entries(USER_DEFAULTS).map(([name, { about, level }]) => [name, { about, ...defined({ level }) }]),
  );
}

/** The schema has made every value canonical. */
function decodeUserDefaults(item: UserDefaults, _name: string, _context: DecodeContext): Decoded {
  const fields: { [field: string]: Json } = {};
  for (const [name, value] of Object.entries(item)) if (value !== undefined) fields[name] = value;
  return { absent: false, fields };
}

function liveUserDefaults(realm: Realm): Fields | undefined {
  const read = realm.setting("user_settings_defaults");
  if (!isObject(read)) return undefined;
  const fields: { [field: string]: Json } = {};
  for (const [name, { type, level = 0 }] of Object.entries(USER_DEFAULTS)) {
    // A file could not set it on this server, whatever a reading holds.
    const value = level > realm.level ? undefined : read[apiName(name)];
    if (isScalar(value)) fields[name] = type.fromApi(value, realm);
  }
  return fields;
}

/** What the server has beside them: settings of people that have no default, and their choices (zulip-api.md §12.2). */
const NOT_DEFAULTS = [
  "allow_private_data_export",
  "available_notification_sounds",
  "default_language",
  "emojiset_choices",
  "enable_login_emails",
  "enable_marketing_emails",
];
const KNOWN: ReadonlySet<string> = new Set([...NOT_DEFAULTS, ...Object.keys(USER_DEFAULTS).map(apiName)]);

function newerDefaults(realm: Realm): readonly string[] {
  const read = realm.setting("user_settings_defaults");
  return isObject(read) && realm.level >= OLDEST_COMPLETE ? keysBeyond([read], KNOWN) : [];
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function standards(realm: Realm): Fields {
  return Object.fromEntries(
    Object.entries(USER_DEFAULTS).map(([name, { type, standard }]) => [name, type.fromApi(standard, realm)]),
  );
}

function canSet(field: string, value: Json): boolean {
  return USER_DEFAULTS[field]?.type.schema().safeParse(value).success !== false;
}

/** In the order of the table, which reads best. */
function written({ fields }: LiveObject, wanted: (field: string, value: Json) => boolean): Json {
  return Object.fromEntries(
    Object.keys(USER_DEFAULTS).flatMap((name) => {
      const value = fields[name];
      return value === undefined || !wanted(name, value) || !canSet(name, value) ? [] : [[name, value]];
    }),
  );
}
