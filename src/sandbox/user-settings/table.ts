import type { Json } from "../../model/json.ts";
import { record } from "../defaults.ts";
import { ApiError, notPossible } from "../errors.ts";
import { bool, int, json, optional, type Param, possible, type Reader, string, text, word } from "../params.ts";

/** The valid values of a setting (zulip-api.md §12.2). */
type Kind = "flag" | "number" | "text" | { readonly upTo: number } | { readonly words: readonly string[] };
interface Setting {
  readonly kind: Kind;
  readonly level: number;
  readonly until: number;
  /** The error for a word outside the list: "Invalid x", or pydantic's reason. The two endpoints differ for some settings. */
  readonly plainWordsIn: "both" | "defaults" | "none";
}
function setting(kind: Kind, options: Partial<Omit<Setting, "kind">> = {}): Setting {
  return { kind, level: 0, until: Number.POSITIVE_INFINITY, plainWordsIn: "none", ...options };
}
const flag = setting("flag");
const oneToThree = setting({ upTo: 3 });
const oneToFour = setting({ upTo: 4 });
const HOME_VIEWS = ["recent_topics", "recent", "inbox", "all_messages"];

/** Settings for which a realm has defaults and every account has its own value. */
const SHARED = {
  automatically_follow_topics_policy: oneToFour,
  automatically_follow_topics_where_mentioned: flag,
  automatically_unmute_topics_in_muted_streams_policy: oneToFour,
  color_scheme: oneToThree,
  demote_inactive_streams: oneToThree,
  dense_mode: setting("flag", { until: 364 }),
  desktop_icon_count_display: oneToFour,
  display_emoji_reaction_users: flag,
  email_address_visibility: setting({ upTo: 5 }),
  email_notifications_batching_period_seconds: setting("number"),
  emojiset: setting({ words: ["google", "twitter", "text"] }),
  enable_desktop_notifications: flag,
  enable_digest_emails: flag,
  enable_drafts_synchronization: flag,
  enable_followed_topic_audible_notifications: flag,
  enable_followed_topic_desktop_notifications: flag,
  enable_followed_topic_email_notifications: flag,
  enable_followed_topic_push_notifications: flag,
  enable_followed_topic_wildcard_mentions_notify: flag,
  enable_offline_email_notifications: flag,
  enable_offline_push_notifications: flag,
  enable_online_push_notifications: flag,
  enable_sounds: flag,
  enable_stream_audible_notifications: flag,
  enable_stream_desktop_notifications: flag,
  enable_stream_email_notifications: flag,
  enable_stream_push_notifications: flag,
  enter_sends: flag,
  fluid_layout_width: flag,
  hide_ai_features: setting("flag", { level: 350 }),
  high_contrast_mode: flag,
  left_side_userlist: flag,
  message_content_in_email_notifications: flag,
  notification_sound: setting("text"),
  pm_content_in_desktop_notifications: flag,
  presence_enabled: flag,
  realm_name_in_email_notifications_policy: oneToThree,
  receives_typing_notifications: flag,
  resolved_topic_notice_auto_read_policy: setting(
    { words: ["always", "except_followed", "never"] },
    { level: 385, plainWordsIn: "both" },
  ),
  send_private_typing_notifications: flag,
  send_read_receipts: flag,
  send_stream_typing_notifications: flag,
  starred_message_counts: flag,
  translate_emoticons: flag,
  twenty_four_hour_time: flag,
  user_list_style: oneToThree,
  web_animate_image_previews: setting({ words: ["always", "on_hover", "never"] }, { plainWordsIn: "defaults" }),
  web_channel_default_view: oneToFour,
  web_escape_navigates_to_home_view: flag,
  web_font_size_px: setting("number"),
  web_home_view: setting({ words: HOME_VIEWS }, { plainWordsIn: "defaults" }),
  web_inbox_show_channel_folders: setting("flag", { level: 431 }),
  web_left_sidebar_show_channel_folders: setting("flag", { level: 411 }),
  web_left_sidebar_unreads_count_summary: setting("flag", { level: 398 }),
  web_line_height_percent: setting("number"),
  web_mark_read_on_scroll_policy: oneToThree,
  web_navigate_to_sent_message: flag,
  web_stream_unreads_count_display_policy: oneToThree,
  web_suggest_update_timezone: setting("flag", { level: 329 }),
  wildcard_mentions_notify: flag,
} satisfies { readonly [name: string]: Setting };

/** Settings that only the account itself can change. */
const PERSONAL = {
  allow_private_data_export: flag,
  default_language: setting("text"),
  enable_login_emails: flag,
  enable_marketing_emails: flag,
} satisfies { readonly [name: string]: Setting };

type SharedName = keyof typeof SHARED;
type SettingName = SharedName | keyof typeof PERSONAL;
const isShared = (name: string): name is SharedName => name in SHARED;
const isSetting = (name: string): name is SettingName => isShared(name) || name in PERSONAL;
const sharedNames = Object.keys(SHARED).filter(isShared);
export const SETTING_NAMES = Object.keys({ ...SHARED, ...PERSONAL }).filter(isSetting);

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
