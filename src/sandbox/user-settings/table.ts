import type { Json, JsonObject } from "../../model/json.ts";
import { NOTIFICATION_SOUNDS } from "../defaults.ts";
import { ApiError, notPossible } from "../errors.ts";
import { bool, int, json, optional, type Param, possible, type Reader, string, text, word } from "../params.ts";
import { record } from "../rows/values.ts";

/** The valid values of a setting (zulip-api.md §12.2). */
type Kind = "flag" | "number" | "text" | { readonly upTo: number } | { readonly words: readonly string[] };
interface Setting {
  readonly kind: Kind;
  /** The default for new accounts of an unconfigured realm. */
  readonly standard: Json;
  readonly level: number;
  readonly until: number;
  /** The error for a word outside the list: "Invalid x", or pydantic's reason. The two endpoints differ for some settings. */
  readonly plainWordsIn: "both" | "defaults" | "none";
}
function setting(kind: Kind, standard: Json, options: Partial<Omit<Setting, "kind" | "standard">> = {}): Setting {
  return { kind, standard, level: 0, until: Number.POSITIVE_INFINITY, plainWordsIn: "none", ...options };
}
const flag = (standard: boolean, options: Partial<Setting> = {}): Setting => setting("flag", standard, options);
const on = flag(true);
const off = flag(false);
/** A number from 1 on. */
const upTo = (most: number, standard: number): Setting => setting({ upTo: most }, standard);
const HOME_VIEWS = ["recent_topics", "recent", "inbox", "all_messages"];

/** Settings for which a realm has defaults and every account has its own value. */
const SHARED = {
  automatically_follow_topics_policy: upTo(4, 3),
  automatically_follow_topics_where_mentioned: on,
  automatically_unmute_topics_in_muted_streams_policy: upTo(4, 2),
  color_scheme: upTo(3, 1),
  demote_inactive_streams: upTo(3, 1),
  dense_mode: flag(true, { until: 364 }),
  desktop_icon_count_display: upTo(4, 1),
  display_emoji_reaction_users: on,
  email_address_visibility: upTo(5, 3),
  email_notifications_batching_period_seconds: setting("number", 120),
  emojiset: setting({ words: ["google", "twitter", "text"] }, "google"),
  enable_desktop_notifications: on,
  enable_digest_emails: on,
  enable_drafts_synchronization: on,
  enable_followed_topic_audible_notifications: on,
  enable_followed_topic_desktop_notifications: on,
  enable_followed_topic_email_notifications: on,
  enable_followed_topic_push_notifications: on,
  enable_followed_topic_wildcard_mentions_notify: on,
  enable_offline_email_notifications: on,
  enable_offline_push_notifications: on,
  enable_online_push_notifications: on,
  enable_sounds: on,
  enable_stream_audible_notifications: off,
  enable_stream_desktop_notifications: off,
  enable_stream_email_notifications: off,
  enable_stream_push_notifications: off,
  enter_sends: off,
  fluid_layout_width: off,
  hide_ai_features: flag(false, { level: 350 }),
  high_contrast_mode: off,
  left_side_userlist: off,
  message_content_in_email_notifications: on,
  notification_sound: setting("text", "zulip"),
  pm_content_in_desktop_notifications: on,
  presence_enabled: on,
  realm_name_in_email_notifications_policy: upTo(3, 1),
  receives_typing_notifications: on,
  resolved_topic_notice_auto_read_policy: setting(
    { words: ["always", "except_followed", "never"] },
    "except_followed",
    { level: 385, plainWordsIn: "both" },
  ),
  send_private_typing_notifications: on,
  send_read_receipts: on,
  send_stream_typing_notifications: on,
  starred_message_counts: on,
  translate_emoticons: off,
  twenty_four_hour_time: off,
  user_list_style: upTo(3, 3),
  web_animate_image_previews: setting({ words: ["always", "on_hover", "never"] }, "on_hover", {
    plainWordsIn: "defaults",
  }),
  web_channel_default_view: upTo(4, 1),
  web_escape_navigates_to_home_view: on,
  web_font_size_px: setting("number", 16),
  web_home_view: setting({ words: HOME_VIEWS }, "inbox", { plainWordsIn: "defaults" }),
  web_inbox_show_channel_folders: flag(true, { level: 431 }),
  web_left_sidebar_show_channel_folders: flag(true, { level: 411 }),
  web_left_sidebar_unreads_count_summary: flag(true, { level: 398 }),
  web_line_height_percent: setting("number", 140),
  web_mark_read_on_scroll_policy: upTo(3, 1),
  web_navigate_to_sent_message: on,
  web_stream_unreads_count_display_policy: upTo(3, 2),
  web_suggest_update_timezone: flag(true, { level: 329 }),
  wildcard_mentions_notify: on,
} satisfies { readonly [name: string]: Setting };

/** Settings that only the account itself can change. */
const PERSONAL = {
  allow_private_data_export: off,
  default_language: setting("text", "en"),
  enable_login_emails: on,
  enable_marketing_emails: on,
} satisfies { readonly [name: string]: Setting };

type SharedName = keyof typeof SHARED;
type SettingName = SharedName | keyof typeof PERSONAL;
const isShared = (name: string): name is SharedName => name in SHARED;
const isSetting = (name: string): name is SettingName => isShared(name) || name in PERSONAL;
const sharedNames = Object.keys(SHARED).filter(isShared);
export const SETTING_NAMES = Object.keys({ ...SHARED, ...PERSONAL }).filter(isSetting);

/** The defaults of an unconfigured realm, and the lists of choices that come with them. */
export const USER_DEFAULTS: JsonObject = {
  ...Object.fromEntries(
    Object.entries<Setting>({ ...SHARED, ...PERSONAL }).flatMap(([name, { standard, until }]) =>
      until === Number.POSITIVE_INFINITY ? [[name, standard]] : [],
    ),
  ),
  emojiset_choices: [
    { key: "google", text: "Google" },
    { key: "twitter", text: "Twitter" },
    { key: "text", text: "Plain text" },
  ],
  available_notification_sounds: [...NOTIFICATION_SOUNDS],
};

type SettingParam = Param<Exclude<Json, null> | undefined>;
type Where = "settings" | "defaults";

export const defaultsParams: Readonly<Record<SharedName, SettingParam>> = record(sharedNames, (name) =>
  param(SHARED[name], "defaults"),
);
export const settingsParams: Readonly<Record<SettingName, SettingParam>> = record(SETTING_NAMES, (name) =>
  param(isShared(name) ? SHARED[name] : PERSONAL[name], "settings"),
);

function param({ kind, level, until, plainWordsIn }: Setting, where: Where): SettingParam {
  return optional(readerOf(kind, plainWordsIn === "both" || plainWordsIn === where), { level, until });
}
function readerOf(kind: Kind, plain: boolean): Reader<string | number | boolean> {
  if (kind === "flag") return json(bool);
  if (kind === "number") return json(int());
  if (kind === "text") return text();
  if ("upTo" in kind) return json(possible(int(), ...Array.from({ length: kind.upTo }, (_, n) => n + 1)));
  if (plain) return word(...kind.words);
  return possible(string(), ...kind.words);
}
/** Whether a level has the setting; anything that is not in the table (lists of choices, the time zone) always exists. */
export function existsAt(name: string, level: number): boolean {
  if (!isShared(name)) return true;
  const { level: since, until } = SHARED[name];
  return level >= since && level < until;
}

/** Numbers that were not always valid for a choice. */
const VIEW_LEVELS: { readonly [view: number]: number } = { 3: 383, 4: 401 };
/** @throws ApiError for a view of a later level, and for another level's name of the recent view */
export function checkLevelOfValues(
  level: number,
  values: { readonly [name: string]: Json | undefined },
  where: Where,
): void {
  const view = values.web_channel_default_view;
  if (typeof view === "number" && level < (VIEW_LEVELS[view] ?? 0)) throw notPossible("web_channel_default_view");
  checkHomeView(level, values.web_home_view, where);
}

/** The recent view was renamed at this level. */
export const RECENT_RENAMED = 454;
function checkHomeView(level: number, value: Json | undefined, where: Where): void {
  if (value !== (level >= RECENT_RENAMED ? "recent_topics" : "recent")) return;
  throw where === "defaults" ? new ApiError("Invalid web_home_view") : notPossible("web_home_view");
}
