import type { JsonObject } from "../../model/json.ts";
import { ORGANIZATION_PERMISSIONS } from "../../model/permission-settings.ts";
import { isUrl } from "../addresses.ts";
import { ApiError } from "../errors.ts";
import {
  alphabetical,
  anything,
  bool,
  codePoints,
  dictionary,
  groupChange,
  int,
  json,
  oneOf,
  optional,
  type Schema,
  string,
  text,
  union,
  word,
} from "../params.ts";
import { REALM_PERMISSIONS } from "../permissions.ts";
import { record } from "../rows/values.ts";

/** Flags that are written as sent: the value of an unconfigured realm, and the level that added each flag that the oldest supported level lacks. */
const FLAGS = {
  allow_message_editing: { standard: true, level: 0 },
  avatar_changes_disabled: { standard: false, level: 0 },
  digest_emails_enabled: { standard: false, level: 0 },
  disallow_disposable_email_addresses: { standard: true, level: 0 },
  email_changes_disabled: { standard: false, level: 0 },
  emails_restricted_to_domains: { standard: false, level: 0 },
  enable_guest_user_dm_warning: { standard: true, level: 348 },
  enable_guest_user_indicator: { standard: true, level: 216 },
  enable_read_receipts: { standard: true, level: 137 },
  enable_spectator_access: { standard: false, level: 109 },
  inline_image_preview: { standard: true, level: 0 },
  inline_url_embed_preview: { standard: false, level: 0 },
  invite_required: { standard: true, level: 0 },
  message_content_allowed_in_email_notifications: { standard: true, level: 0 },
  name_changes_disabled: { standard: false, level: 0 },
  require_e2ee_push_notifications: { standard: false, level: 409 },
  require_unique_names: { standard: false, level: 246 },
  send_channel_events_messages: { standard: false, level: 434 },
  send_welcome_emails: { standard: true, level: 0 },
  want_advertise_in_communities_directory: { standard: false, level: 129 },
} as const;
type FlagSetting = keyof typeof FLAGS;
const isFlag = (name: string): name is FlagSetting => name in FLAGS;
export const FLAG_SETTINGS: readonly FlagSetting[] = Object.keys(FLAGS).filter(isFlag);

export const FLAG_STANDARDS = record(FLAG_SETTINGS, (name) => FLAGS[name].standard);

/** The time limits in the order in which the server applies them; a call can stop between any two. */
export const TIME_LIMITS = [
  "message_content_delete_limit_seconds",
  "message_content_edit_limit_seconds",
  "move_messages_within_stream_limit_seconds",
  "move_messages_between_streams_limit_seconds",
] as const;
export const CHANNEL_VALUED = [
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
] as const;
export const NO_CHANNEL = -1;
export type ChannelValued = (typeof CHANNEL_VALUED)[number];

export type RealmGroupSetting = keyof typeof ORGANIZATION_PERMISSIONS;
const isGroupSetting = (name: string): name is RealmGroupSetting => name in ORGANIZATION_PERMISSIONS;
/** In the order in which the server applies them. */
export const REALM_GROUP_SETTINGS: readonly RealmGroupSetting[] = Object.keys(REALM_PERMISSIONS).filter(isGroupSetting);

/** The words of two policies, and the numbers that the answer contains for them. */
export const TOPICS_POLICY = { allow_empty_topic: 2, disable_empty_topic: 3 } as const;
export const EDIT_HISTORY_POLICY = { all: 1, moves: 2, none: 3 } as const;
/** The names of the policies before levels 392 and 358, and what they set. */
export const OLDER_NAMES = {
  mandatory_topics: { policy: "topics_policy", on: "disable_empty_topic", off: "allow_empty_topic" },
  allow_edit_history: { policy: "message_edit_history_visibility_policy", on: "all", off: "none" },
} as const;
export type OlderName = keyof typeof OLDER_NAMES;
export const olderValues = (realm: JsonObject): Readonly<Record<OlderName, boolean>> => ({
  mandatory_topics: realm.topics_policy === "disable_empty_topic",
  allow_edit_history: realm.message_edit_history_visibility_policy !== "none",
});

const ORG_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;
const MAX_JITSI_URL_LENGTH = 200;
/** `"default"` or a URL. */
const jitsiUrl: Schema<string> = (value, path) => {
  const url = string()(value, path);
  if (url === "default" || (codePoints(url) <= MAX_JITSI_URL_LENGTH && isUrl(url))) return url;
  throw new ApiError(`${path} is not an allowed_type`);
};
/** One of a few numbers. Only here, the server accepts `true` as 1. */
const choice =
  <T extends number>(...numbers: readonly T[]): Schema<T> =>
  (value, path) =>
    oneOf(...numbers)(typeof value === "boolean" ? Number(value) : value, path);
/** A number, or a word with a meaning for the setting. */
const numberOrWord = json(union(["int", int()], ["str", string()]));

const others = {
  allow_edit_history: optional(json(bool), { until: 358 }),
  authentication_methods: optional(json(dictionary(anything))),
  default_avatar_source: optional(word("G", "J"), { level: 456 }),
  default_code_block_language: optional(text()),
  default_language: optional(text()),
  description: optional(text({ maxLength: 1000 })),
  digest_weekday: optional(json(choice(0, 1, 2, 3, 4, 5, 6))),
  gif_rating_policy: optional(json(int()), { level: 453 }),
  giphy_rating: optional(json(int()), { until: 453 }),
  jitsi_server_url: optional(json(jitsiUrl), { level: 212 }),
  media_preview_size: optional(json(oneOf(100, 150, 200)), { level: 469 }),
  mandatory_topics: optional(json(bool), { until: 392 }),
  message_edit_history_visibility_policy: optional(word("all", "moves", "none"), { level: 358 }),
  message_retention_days: optional(numberOrWord),
  name: optional(text({ maxLength: 40 })),
  org_type: optional(json(choice(...ORG_TYPES))),
  string_id: optional(text({ maxLength: 40 })),
  topics_policy: optional(word("allow_empty_topic", "disable_empty_topic"), { level: 392 }),
  video_chat_provider: optional(json(int())),
  waiting_period_threshold: optional(json(int({ min: 0 }))),
};

/** Every parameter of PATCH /realm (zulip-api.md §12.1), in the order in which the server reads them. */
export const realmParams = {
  ...alphabetical({
    ...others,
    ...record(FLAG_SETTINGS, (name) => optional(json(bool), { level: FLAGS[name].level })),
    ...record(TIME_LIMITS, () => optional(numberOrWord)),
    ...record(CHANNEL_VALUED, (name) =>
      optional(json(int()), { level: name === "moderation_request_channel_id" ? 331 : 0 }),
    ),
    ...record(REALM_GROUP_SETTINGS, (name) => optional(groupChange, { level: REALM_PERMISSIONS[name]?.level ?? 0 })),
  }),
  // Out of order on the server as well.
  welcome_message_custom_text: optional(text({ maxLength: 8000 }), { level: 416 }),
};

/** The name that a level uses for a setting of the state. */
export const realmSettingAt = (level: number, setting: string): string =>
  setting === "giphy_rating" && level >= 453 ? "gif_rating_policy" : setting;

/** Settings that are written in a loop, in the order of the parameters. */
export type PlainSetting =
  | FlagSetting
  | Exclude<
      keyof typeof others,
      "authentication_methods" | "jitsi_server_url" | "message_retention_days" | "org_type" | "string_id"
    >
  | "welcome_message_custom_text";
const NOT_PLAIN: ReadonlySet<string> = new Set<string>([
  "authentication_methods",
  "jitsi_server_url",
  "message_retention_days",
  "org_type",
  "string_id",
  ...TIME_LIMITS,
  ...CHANNEL_VALUED,
  ...REALM_GROUP_SETTINGS,
]);
const isPlain = (name: string): name is PlainSetting => !NOT_PLAIN.has(name);
export const PLAIN_SETTINGS: readonly PlainSetting[] = Object.keys(realmParams).filter(isPlain);
