import { isObject, type Json } from "../../model/json.ts";
import { knownRight, otherRights } from "../../model/permission-settings.ts";
import type { Realm } from "../../model/realm.ts";
import { GroupSettingValue } from "../../model/snapshot.ts";
import { groupValueJson } from "../group-settings.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { PERMISSION_SETTINGS } from "./permissions.ts";
import { livePicture, PICTURE_FIELDS } from "./pictures.ts";
import { apiName, PROPERTIES } from "./properties.ts";
import { AUTHENTICATION_METHODS } from "./schema.ts";

/** The organization's values as a file would write them; values that this server does not show are left out. */
export function liveSettings(realm: Realm): { readonly [field: string]: Json } | undefined {
  // A reading without any (an odd snapshot) says nothing about them.
  if (realm.setting("name") === undefined) return undefined;
  const fields: { [field: string]: Json } = {};
  for (const [name, { type, level = 0 }] of Object.entries(PROPERTIES)) {
    // A file could not set them on this server, whatever a reading holds.
    if (level > realm.level) continue;
    const value = realm.setting(apiName(name, realm.level));
    if (value !== undefined) fields[name] = type.fromApi(value, realm);
  }
  for (const [name, { api, level = 0 }] of Object.entries(CHANNEL_SETTINGS)) {
    if (level > realm.level) continue;
    const id = realm.setting(api);
    if (typeof id === "number") fields[name] = channelName(id, realm);
  }
  for (const name of PICTURE_FIELDS) {
    const picture = livePicture(name, realm);
    if (picture !== undefined) fields[name] = picture;
  }
  const methods = methodsOf(realm);
  if (methods !== undefined) fields[AUTHENTICATION_METHODS] = enabledIn(methods);
  for (const setting of [...PERMISSION_SETTINGS, ...otherRights("realm", realm.snapshot)]) {
    const level = knownRight("realm", setting)?.level ?? 0;
    const value = level > realm.level ? undefined : liveGroup(setting, realm);
    if (value === undefined) continue;
    fields[setting] = groupValueJson(realm.canonical(value));
  }
  return fields;
}

/** null without such a channel. A channel that this account cannot see is identified by its id. */
function channelName(id: number, realm: Realm): Json {
  return id < 0 ? null : (realm.channel(id)?.name ?? `channel:${id}`);
}

/** A permission setting as it was read, in ids: the value that `old` must have. */
export function liveGroup(setting: string, realm: Realm): GroupSettingValue | undefined {
  const read = GroupSettingValue.safeParse(realm.setting(setting));
  return read.success ? read.data : undefined;
}

interface Method {
  readonly enabled: boolean;
  /** False if the organization's plan does not have it. */
  readonly available: boolean;
}

/** The server's sign-in methods by name; undefined if a reading does not have them. */
export function methodsOf(realm: Realm): ReadonlyMap<string, Method> | undefined {
  const read = realm.setting("authentication_methods");
  if (!isObject(read)) return undefined;
  return new Map(
    Object.entries(read).map(([name, method]) => {
      // Older servers had only true and false here.
      const [enabled, available] = isObject(method)
        ? [method.enabled === true, method.available !== false]
        : [method === true, true];
      return [name, { enabled, available }];
    }),
  );
}

/** The names of enabled methods, sorted: the value that plans compare. */
function enabledIn(methods: ReadonlyMap<string, Method>): readonly string[] {
  return [...methods].flatMap(([name, { enabled }]) => (enabled ? [name] : [])).sort();
}
