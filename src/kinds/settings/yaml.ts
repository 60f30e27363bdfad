import { quote } from "../../model/diagnostics/values.ts";
import { isList, isObject, type Json, sameJson } from "../../model/json.ts";
import type { InexpressibleFact } from "../../model/kind-facts.ts";
import { oncePer } from "../../model/lazy.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { isRightName, KNOWN_RIGHTS, knownRight } from "../../model/permission-settings.ts";
import { asGroupValue, type Realm } from "../../model/realm.ts";
import { foldCase } from "../names.ts";
import { permissionsToYaml } from "../permissions.ts";
import { canSetProperty, standardProperties } from "../property.ts";
import { writtenGroupValue } from "../references.ts";
import { CHANNEL_SETTINGS, channelSetting } from "./channels.ts";
import { methodsOf } from "./live.ts";
import { isPicture, writtenPicture } from "./pictures.ts";
import { PROPERTIES } from "./properties.ts";
import { AUTHENTICATION_METHODS, FIELD_ORDER } from "./schema.ts";

/** The organization as a person would write it: the values of a new one are left out. */
export function settingsToYaml({ fields }: LiveObject, realm: Realm): Json {
  const item: { [field: string]: Json } = {};
  for (const field of FIELD_ORDER) {
    const value = fields[field];
    if (value === undefined || isStandard(field, value, realm) || !canSetSetting(field, value)) continue;
    item[field] = settingToYaml(field, value, realm);
  }
  return { ...item, ...permissionsToYaml("realm", fields, (setting, value) => isStandard(setting, value, realm)) };
}

/** The section with the path of a picture, in its place. */
export function withPicture(item: Json, field: string, path: string, { fields }: LiveObject): Json {
  const whole = { ...(isObject(item) ? item : undefined), [field]: writtenPicture(path, fields[field]) };
  const order = [...FIELD_ORDER, "permissions"];
  return Object.fromEntries(Object.entries(whole).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** A live value in the form of the file. */
export function settingToYaml(field: string, value: Json, realm: Realm, raw?: Json): Json {
  if (field === AUTHENTICATION_METHODS) return methodsToYaml(value, realm, raw);
  const group = isRightName(field) ? asGroupValue(value) : undefined;
  return group === undefined ? value : writtenGroupValue(group);
}

/** Every method; if a map has only some, only those. */
function methodsToYaml(enabled: Json, realm: Realm, raw: Json | undefined): Json {
  const on = isList(enabled) ? enabled.map(String) : [];
  const all = [...(methodsOf(realm)?.keys() ?? on)].sort();
  const changed = new Set(all.filter((name) => isObject(raw) && raw[name] !== undefined));
  const names = changed.size === 0 ? all : all.filter((name) => changed.has(name));
  return Object.fromEntries(names.map((name) => [name, on.includes(name)]));
}

/** The value of a permission setting in a new organization. */
function standardRight(setting: string, realm: Realm): Json | undefined {
  const own = realm.permissionRule("realm", setting)?.default_group_name;
  return own?.startsWith("role:") ? own : knownRight("realm", setting)?.standard;
}

/** Under `exact` these are set if the file leaves them out. Sign-in methods and channels are never chosen for anybody. */
export const standardSettings = oncePer(
  (realm: Realm): Fields => ({
    ...standardProperties(PROPERTIES, realm),
    ...Object.fromEntries(
      KNOWN_RIGHTS.realm.flatMap((setting) => {
        const standard = standardRight(setting, realm);
        return standard === undefined ? [] : [[setting, standard] as const];
      }),
    ),
  }),
);

function isStandard(field: string, value: Json, realm: Realm): boolean {
  if (field === AUTHENTICATION_METHODS) return [...(methodsOf(realm)?.values() ?? [])].every(({ enabled }) => enabled);
  if (isPicture(field)) return value === null;
  const channel = channelSetting(field);
  if (channel !== undefined)
    return channel.general === true ? typeof value === "string" && foldCase(value) === FIRST_CHANNEL : value === null;
  const standard = isRightName(field) ? standardRight(field, realm) : standardSettings(realm)[field];
  return standard !== undefined && sameJson(value, standard);
}

/** Every organization starts with this channel, and with two kinds of announcements in it. */
const FIRST_CHANNEL = foldCase("general");

/** Why a file cannot name the channel of a setting: it is archived, or this account cannot see it. */
export function unnamedChannel(field: string, value: Json, realm: Realm): InexpressibleFact | undefined {
  if (!Object.hasOwn(CHANNEL_SETTINGS, field) || typeof value !== "string") return undefined;
  const isInUse = realm.snapshot.channels.some(({ name, is_archived }) => name === value && !is_archived);
  return isInUse ? undefined : { why: "channel-not-in-use", channel: quote(value, "channel") };
}

/**
 * Whether a request can set the value, that is, whether a file can express it. A newer server may have other values, and a removed picture is lost.
 */
export function canSetSetting(field: string, value: Json): boolean {
  if (isPicture(field)) return value === null;
  return canSetProperty(PROPERTIES, field, value);
}
