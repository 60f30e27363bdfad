import type { ParamSpec } from "../param.ts";
import { flag, integer, text } from "../param.ts";

const FLAGS: readonly string[] = [
  "automatically_follow_topics_where_mentioned",
  "display_emoji_reaction_users",
  "enable_desktop_notifications",
  "enable_digest_emails",
  "enable_drafts_synchronization",
  "enable_followed_topic_audible_notifications",
  "enable_followed_topic_desktop_notifications",
  "enable_followed_topic_email_notifications",
  "enable_followed_topic_push_notifications",
  "enable_followed_topic_wildcard_mentions_notify",
  "enable_offline_email_notifications",
  "enable_offline_push_notifications",
  "enable_online_push_notifications",
  "enable_sounds",
  "enable_stream_audible_notifications",
  "enable_stream_desktop_notifications",
  "enable_stream_email_notifications",
  "enable_stream_push_notifications",
  "enter_sends",
  "fluid_layout_width",
  "hide_ai_features",
  "high_contrast_mode",
  "left_side_userlist",
  "message_content_in_email_notifications",
  "pm_content_in_desktop_notifications",
  "presence_enabled",
  "receives_typing_notifications",
  "send_private_typing_notifications",
  "send_read_receipts",
  "send_stream_typing_notifications",
  "starred_message_counts",
  "translate_emoticons",
  "twenty_four_hour_time",
  "web_escape_navigates_to_home_view",
  "web_inbox_show_channel_folders",
  "web_left_sidebar_show_channel_folders",
  "web_left_sidebar_unreads_count_summary",
  "web_navigate_to_sent_message",
  "web_suggest_update_timezone",
  "wildcard_mentions_notify",
];

const NUMBERS: { readonly [name: string]: string } = {
  automatically_follow_topics_policy: "1–4",
  automatically_unmute_topics_in_muted_streams_policy: "1–4",
  color_scheme: "1 automatic, 2 dark, 3 light",
  demote_inactive_streams: "1 automatic, 2 always, 3 never",
  desktop_icon_count_display: "1–4",
  email_address_visibility: "who sees the address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators",
  email_notifications_batching_period_seconds: "1–604800",
  realm_name_in_email_notifications_policy: "1–3",
  user_list_style: "1 compact, 2 with status, 3 with avatar and status",
  web_channel_default_view: "1 top topic, 2 feed, 3 list of topics, 4 top unread topic",
  web_font_size_px: "pixels",
  web_line_height_percent: "percent",
  web_mark_read_on_scroll_policy: "1 always, 2 only in conversations, 3 never",
  web_stream_unreads_count_display_policy: "1 all channels, 2 unmuted ones, 3 none",
};

const TEXTS: { readonly [name: string]: string } = {
  emojiset: "the set of emoji that is shown",
  notification_sound: "a sound's name, or none",
  resolved_topic_notice_auto_read_policy: "always, except_followed or never",
  web_animate_image_previews: "always, on_hover or never",
  web_home_view: "inbox, all_messages, or recent_topics (recent from level 454 on)",
};

const LEVELS: { readonly [name: string]: number } = {
  web_inbox_show_channel_folders: 431,
  web_left_sidebar_show_channel_folders: 411,
  web_left_sidebar_unreads_count_summary: 398,
  web_suggest_update_timezone: 329,
};

/** The settings that both an account and the defaults for new accounts have (zulip-api.md §12.2). */
export const PERSONAL_SETTINGS: { readonly [name: string]: ParamSpec } = Object.fromEntries([
  ...FLAGS.map((name) => [name, flag(name.replaceAll("_", " "), { level: LEVELS[name] ?? 0 })] as const),
  ...Object.entries(NUMBERS).map(([name, about]) => [name, integer(about)] as const),
  ...Object.entries(TEXTS).map(([name, about]) => [name, text(about)] as const),
]);
