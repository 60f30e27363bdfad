import { defined, keysOf } from "../model/defined.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { GRAVATAR } from "./images.ts";
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, REALM_PERMISSIONS } from "./permissions.ts";
import { CHANNEL_VALUED, FLAG_STANDARDS, NO_CHANNEL } from "./realm-settings/params.ts";
import { CHANNEL_SETTINGS, type ChannelSetting, type Subscription } from "./rows/channels.ts";
import { GROUP_SETTINGS, type GroupSetting, type UserGroup } from "./rows/groups.ts";
import { type GroupValue, record } from "./rows/values.ts";
import { ID_SPACES, type IdSpace, type RealmState } from "./state.ts";

/** Defaults for settings that a realm has, but that the level at which it was read does not show yet. */
export function realmDefaults(groups: readonly UserGroup[]): JsonObject {
  const out: { [setting: string]: Json } = { ...PLAIN };
  for (const [setting, { default_group_name }] of Object.entries(REALM_PERMISSIONS))
    out[setting] = groupNamed(groups, default_group_name);
  return out;
}
const PLAIN: JsonObject = {
  ...FLAG_STANDARDS,
  ...record(CHANNEL_VALUED, () => NO_CHANNEL),
  name: "",
  description: "",
  topics_policy: "allow_empty_topic",
  mandatory_topics: false,
  media_preview_size: 100,
  message_retention_days: -1,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_between_streams_limit_seconds: 604800,
  move_messages_within_stream_limit_seconds: 604800,
  message_edit_history_visibility_policy: "all",
  default_avatar_source: "J",
  default_code_block_language: "",
  default_language: "en",
  digest_weekday: 1,
  giphy_rating: 1,
  jitsi_server_url: null,
  org_type: 0,
  plan_type: 1,
  video_chat_provider: 1,
  waiting_period_threshold: 0,
  welcome_message_custom_text: "",
  owner_full_content_access: false,
  empty_topic_display_name: "general chat",
};

/** The id of a system group; the pseudo names of creator groups give the id of role:nobody. */
function groupNamed(groups: readonly UserGroup[], name: string): number {
  const found = groups.find((group) => group.is_system_group && group.name === name);
  const nobody = groups.find((group) => group.is_system_group && group.name === "role:nobody");
  return (found ?? nobody)?.id ?? 0;
}

/** All eleven settings of a channel with default permissions. */
export function channelSettingDefaults(groups: readonly UserGroup[]): Record<ChannelSetting, GroupValue> {
  return record(CHANNEL_SETTINGS, (setting) => groupNamed(groups, CHANNEL_PERMISSIONS[setting].default_group_name));
}
/** All six settings of a user group with default permissions. */
export function groupSettingDefaults(groups: readonly UserGroup[]): Record<GroupSetting, GroupValue> {
  return record(GROUP_SETTINGS, (setting) => groupNamed(groups, GROUP_PERMISSIONS[setting].default_group_name));
}

export const NEW_SUBSCRIPTION: Subscription = {
  color: "#76ce90",
  is_muted: false,
  pin_to_top: false,
  audible_notifications: null,
  desktop_notifications: null,
  email_notifications: null,
  push_notifications: null,
  wildcard_mentions_notify: null,
  active: true,
};

/** Id counters that start after the existing ids: those of the tables, and others that are in use. */
export function nextIds(
  tables: Omit<RealmState, "next_id">,
  others: Partial<Record<IdSpace, readonly number[]>>,
): Record<IdSpace, number> {
  return record(keysOf(ID_SPACES), (space) => {
    const name = ID_SPACES[space];
    const ids = name === null ? [] : Object.keys(tables[name]).map(Number);
    return [...ids, ...(others[space] ?? [])].reduce((a, b) => Math.max(a, b), 0) + 1;
  });
}

export const NOTIFICATION_SOUNDS: readonly string[] = (
  "ascend, beep_boop, bink, bright, brlip, chime, deep tom, ding, double tap, down, dry bongos, dutdut, fast ascend, flute, friendly, kick roll, loud tintong, " +
  "metallic snare, pan, shaker, simple, stairs, subtle, swish, tintong, up, wood block, zaping, zing, zulip"
).split(", ");

const FACTS: JsonObject = {
  settings_send_digest_emails: true,
  development_environment: false,
  upgrade_text_for_wide_organization_logo: "Available on Zulip Cloud Standard. Upgrade to access.",
  password_min_length: 6,
  password_max_length: 100,
  password_min_guesses: 10000,
  event_queue_longpoll_timeout_seconds: 90,
  jitsi_server_url: "https://meet.jit.si",
  custom_profile_field_types: {
    DATE: { id: 4, name: "Date" },
    EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
    URL: { id: 5, name: "Link" },
    SELECT: { id: 3, name: "List of options" },
    PRONOUNS: { id: 8, name: "Pronouns" },
    LONG_TEXT: { id: 2, name: "Text (long)" },
    SHORT_TEXT: { id: 1, name: "Text (short)" },
    USER: { id: 6, name: "Users" },
  },
  max_avatar_file_size_mib: 5,
  max_file_upload_size_mib: 100,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_bulk_new_subscription_messages: 100,
  max_topic_length: 60,
  max_message_length: 10000,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  zulip_plan_is_not_limited: true,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_thumbnail_formats: [
    { name: "840x560-anim.webp", max_width: 840, max_height: 560, format: "webp", animated: true },
    { name: "840x560.webp", max_width: 840, max_height: 560, format: "webp", animated: false },
  ],
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_web_public_streams_enabled: true,
  server_needs_upgrade: false,
  server_jitsi_server_url: "https://meet.jit.si",
  server_can_summarize_topics: true,
  server_report_message_types: [
    { key: "spam", name: "Spam" },
    { key: "harassment", name: "Harassment" },
    { key: "inappropriate", name: "Inappropriate content" },
    { key: "norms", name: "Violates community norms" },
    { key: "other", name: "Other reason" },
  ],
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45000,
  server_typing_stopped_wait_period_milliseconds: 12000,
  server_typing_started_wait_period_milliseconds: 30000,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
};

const RATINGS: readonly (readonly [key: string, name: string])[] = [
  ["disabled", "GIF integration disabled"],
  ["g", "Allow GIFs rated G (General audience)"],
  ["pg", "Allow GIFs rated PG (Parental guidance)"],
  ["pg-13", "Allow GIFs rated PG-13 (Parental guidance - under 13)"],
  ["r", "Allow GIFs rated R (Restricted)"],
];
const GIF_RATING_OPTIONS: JsonObject = Object.fromEntries(RATINGS.map(([key, name], id) => [key, { name, id }]));
const GIPHY_RATING_OPTIONS: JsonObject = {
  disabled: { name: "GIPHY integration disabled", id: 0 },
  y: { name: "Allow GIFs rated Y (Very young audience)", id: 1 },
  ...Object.fromEntries(RATINGS.slice(1).map(([key, name], place) => [key, { name, id: place + 2 }])),
};

/** Somewhere between 384 and 442 the options were renamed, and one of them was removed. */
export const ratingOptions = (level: number): JsonObject =>
  level < 442 ? { giphy_rating_options: GIPHY_RATING_OPTIONS } : { [ratingOptionsAt(level)]: GIF_RATING_OPTIONS };
export const ratingOptionsAt = (level: number): string =>
  level < 453 ? "gif_rating_options" : "gif_rating_policy_options";

/** The facts that an unconfigured server reports about itself in POST /register, under names without `realm_`. */
export function serverFacts(level: number, url: string, takenAt: string): JsonObject {
  const startedAt = Date.parse(takenAt);
  return {
    ...FACTS,
    navigation_tour_video_url: "https://static.zulipchat.com/static/navigation-tour-video/zulip-10.mp4",
    // The value increases with every start of the server. It is only known that the server was running when the snapshot was taken.
    server_generation: Number.isNaN(startedAt) ? 0 : Math.floor(startedAt / 1000),
    server_emoji_data_url: `${url}/static/generated/emoji/emoji_api.json`,
    ...defined({ tenor_api_key: level < 442 ? undefined : "" }),
  };
}

/** The settings that an unconfigured realm has in addition to `realmDefaults`. */
export function realmFacts(url: string): JsonObject {
  const logo = `${url}/static/images/logo/zulip-org-logo.svg?version=0`;
  const host = /^https?:\/\/([^/:]+)/.exec(url)?.[1] ?? "localhost";
  return {
    url,
    uri: url,
    bot_domain: host,
    authentication_methods: { Email: { enabled: true, available: true } },
    available_video_chat_providers: {
      disabled: { name: "None", id: 0 },
      jitsi_meet: { name: "Jitsi Meet", id: 1 },
    },
    date_created: 0,
    default_external_accounts: {
      twitter: {
        text: "Twitter",
        url_pattern: "https://twitter.com/%(username)s",
        name: "Twitter username",
        hint: "",
      },
      github: { text: "GitHub", url_pattern: "https://github.com/%(username)s", name: "GitHub username", hint: "" },
    },
    email_auth_enabled: true,
    password_auth_enabled: true,
    presence_disabled: false,
    push_notifications_enabled: false,
    push_notifications_enabled_end_timestamp: null,
    upload_quota_mib: null,
    icon_source: "G",
    icon_url: `${GRAVATAR}${"0".repeat(32)}?d=identicon`,
    logo_source: "D",
    logo_url: logo,
    night_logo_source: "D",
    night_logo_url: logo,
  };
}
