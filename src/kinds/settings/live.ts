import { isObject, type Json } from "../../model/json.ts";
import { allRights, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import type { Realm } from "../../model/realm.ts";
import { GroupSettingValue } from "../../model/snapshot.ts";
import { groupValueJson, hasRight } from "../permissions.ts";
import { liveProperties } from "../property.ts";
import { keysBeyond, OLDEST_COMPLETE } from "../rows.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { livePicture, PICTURE_FIELDS } from "./pictures.ts";
import { apiName, PROPERTIES } from "./properties.ts";
import { AUTHENTICATION_METHODS } from "./schema.ts";

/** The organization's values as a file would write them; values that this server does not show are left out. */
export function liveSettings(realm: Realm): { readonly [field: string]: Json } | undefined {
  // A reading without any (an odd snapshot) says nothing about them.
  if (realm.setting("name") === undefined) return undefined;
  const readAs = (name: string) => realm.setting(apiName(name, realm.level));
  const fields: { [field: string]: Json } = { ...liveProperties(PROPERTIES, readAs, realm) };
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
  for (const setting of allRights("realm", realm.snapshot)) {
    const value = hasRight("realm", setting, realm) ? liveGroup(setting, realm) : undefined;
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

/**
 * What a server says about the organization that is not one of its settings, or is one under an older name: addresses, its plan, its bounds, sections of their own.
 * Complete for the levels from {@link OLDEST_COMPLETE} on (zulip-api.md §12.1, docs/reference/levels.md).
 */
const NOT_SETTINGS = [
  "allow_edit_history",
  "authentication_methods",
  "available_video_chat_providers",
  "bot_domain",
  "create_private_stream_policy",
  "create_public_stream_policy",
  "create_web_public_stream_policy",
  "custom_profile_fields",
  "date_created",
  "default_external_accounts",
  "demo_organization_scheduled_deletion_date",
  "email_auth_enabled",
  "emoji",
  "empty_topic_display_name",
  "icon_source",
  "icon_url",
  "incoming_webhook_bots",
  "is_zephyr_mirror_realm",
  "logo_source",
  "logo_url",
  "mandatory_topics",
  "night_logo_source",
  "night_logo_url",
  "owner_full_content_access",
  "password_auth_enabled",
  "plan_type",
  "playgrounds",
  "presence_disabled",
  "push_notifications_enabled",
  "push_notifications_enabled_end_timestamp",
  "upload_quota",
  "upload_quota_mib",
  "uri",
  "url",
  "user_settings_defaults",
  "uuid",
  "wildcard_mention_policy",
  "zulip_plan_is_not_limited",
];

const KNOWN: ReadonlySet<string> = new Set([
  ...NOT_SETTINGS,
  ...KNOWN_RIGHTS.realm,
  ...Object.entries(PROPERTIES).flatMap(([name, { api = name, older }]) => [api, older?.api ?? api]),
  ...Object.values(CHANNEL_SETTINGS).map(({ api }) => api),
]);

/** The settings of the organization that this version does not know. `max_…` and `server_…` are facts about the server, which no request changes. */
export function newerOfOrganization({ level, snapshot }: Realm): readonly string[] {
  if (level < OLDEST_COMPLETE) return [];
  return keysBeyond([snapshot.settings], KNOWN).filter((key) => !/^(?:max_|server_)/.test(key));
}
