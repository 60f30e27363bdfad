import { quote } from "../../model/diagnostics/values.ts";
import { isObject, type Json } from "../../model/json.ts";
import type { InexpressibleFact } from "../../model/kind-facts.ts";
import { oncePer } from "../../model/lazy.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { allRights, isRightName, KNOWN_RIGHTS, knownRight } from "../../model/permission-settings.ts";
import { asGroupValue, type Realm } from "../../model/realm.ts";
import { GroupSettingValue } from "../../model/snapshot.ts";
import { groupValueJson, hasRight, permissionsToYaml } from "../permissions.ts";
import { PropertyTable } from "../property.ts";
import { keysBeyond, OLDEST_COMPLETE } from "../readings.ts";
import { writtenGroupValue } from "../references.ts";
import { writtenPicture } from "./pictures.ts";
import { apiName, channelSetting, PROPERTIES, SETTINGS } from "./properties.ts";

/** In plans, what depends on a live value (pictures, sign-in methods) comes after what a file sets by itself. */
const IN_PLANS = new PropertyTable(
  Object.fromEntries(
    [undefined, true].flatMap((isWish) => Object.entries(PROPERTIES).filter(([, { type }]) => type.isWish === isWish)),
  ),
);

/** The organization's values as a file would write them; values that this server does not show are left out. */
export function liveSettings(realm: Realm): { readonly [field: string]: Json } | undefined {
  // A reading without any (an odd snapshot) says nothing about them.
  if (realm.setting("name") === undefined) return undefined;
  const readAs = (name: string) => realm.setting(apiName(name, realm.level));
  const fields: { [field: string]: Json } = { ...IN_PLANS.live(readAs, realm) };
  for (const setting of allRights("realm", realm.snapshot)) {
    const value = hasRight("realm", setting, realm) ? liveGroup(setting, realm) : undefined;
    if (value === undefined) continue;
    fields[setting] = groupValueJson(realm.canonical(value));
  }
  return fields;
}

/** A permission setting as it was read, in ids: the value that `old` must have. */
export function liveGroup(setting: string, realm: Realm): GroupSettingValue | undefined {
  const read = GroupSettingValue.safeParse(realm.setting(setting));
  return read.success ? read.data : undefined;
}

/**
 * What a server says about the organization that is not one of its settings, or is one under an older name: addresses, its plan, its bounds, sections of their own.
 * Complete for the levels from {@link OLDEST_COMPLETE} on (zulip-api.md §12.1, docs/reference/levels.md).
 */
const NOT_SETTINGS = [
  "allow_edit_history",
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
  "icon_url",
  "incoming_webhook_bots",
  "is_zephyr_mirror_realm",
  "logo_url",
  "mandatory_topics",
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

const beyondSettings = keysBeyond(
  ({ snapshot }) => [snapshot.settings],
  [
    ...NOT_SETTINGS,
    ...KNOWN_RIGHTS.realm,
    ...Object.entries(PROPERTIES).flatMap(([name, { api = name, older }]) => [api, older?.api ?? api]),
  ],
);

/** The settings of the organization that this version does not know. `max_…` and `server_…` are facts about the server, which no request changes. */
export const newerOfOrganization = (realm: Realm): readonly string[] =>
  realm.level < OLDEST_COMPLETE ? [] : beyondSettings(realm).filter((key) => !/^(?:max_|server_)/.test(key));

/** The organization as a person would write it: the values of a new one are left out. */
export const settingsToYaml = ({ fields }: LiveObject, realm: Realm): Json => ({
  ...SETTINGS.toYaml(fields, realm),
  ...permissionsToYaml("realm", fields, (setting, value) => value === standardRight(setting, realm)),
});

/** The section with the path of a picture, in its place. */
export function withPicture(item: Json, field: string, path: string, { fields }: LiveObject): Json {
  const whole = { ...(isObject(item) ? item : undefined), [field]: writtenPicture(path, fields[field]) };
  const order = [...Object.keys(PROPERTIES), "permissions"];
  return Object.fromEntries(Object.entries(whole).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

/** A live value in the form of the file. */
export function settingToYaml(field: string, value: Json, realm: Realm, raw?: Json): Json {
  const group = isRightName(field) ? asGroupValue(value) : undefined;
  return group === undefined
    ? (PROPERTIES[field]?.type.toYaml?.(value, realm, raw) ?? value)
    : writtenGroupValue(group);
}

/** The value of a permission setting in a new organization. */
function standardRight(setting: string, realm: Realm): Json | undefined {
  const own = realm.permissionRule("realm", setting)?.default_group_name;
  return own?.startsWith("role:") ? own : knownRight("realm", setting)?.standard;
}

/** Under `exact` these are set if the file leaves them out. Sign-in methods and channels are never chosen for anybody. */
export const standardSettings = oncePer(
  (realm: Realm): Fields => ({
    ...SETTINGS.standards(realm),
    ...Object.fromEntries(
      KNOWN_RIGHTS.realm.flatMap((setting) => {
        const standard = standardRight(setting, realm);
        return standard === undefined ? [] : [[setting, standard] as const];
      }),
    ),
  }),
);

/** Why a file cannot name the channel of a setting: it is archived, or this account cannot see it. */
export function unnamedChannel(field: string, value: Json, realm: Realm): InexpressibleFact | undefined {
  if (channelSetting(field) === undefined || typeof value !== "string") return undefined;
  const isInUse = realm.snapshot.channels.some(({ name, is_archived }) => name === value && !is_archived);
  return isInUse ? undefined : { why: "channel-not-in-use", channel: quote(value, "channel") };
}
