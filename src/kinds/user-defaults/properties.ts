import {
  choice,
  off,
  on,
  type PropertyRow,
  PropertyTable,
  type PropertyType,
  row,
  text,
  timeSpan,
  whole,
  word,
} from "../property.ts";

const FOLLOWING = { participate: 1, send: 2, start: 3, never: 4 };
const OFTEN = { automatic: 1, always: 2, never: 3 };

/** Longest time that notifications are collected for. */
const WEEK_SECONDS = 604_800;
/** The range of the server's database; outside of it the server fails (zulip-api.md §12.2). */
const SMALLEST = 1;
const LARGEST = 32_767;

/** `recent` is `recent_topics` on servers below this level. */
export const RECENT_LEVEL = 454;
const homeView: PropertyType = {
  schema: word("inbox", "recent", "all_messages").schema,
  fromApi: (value) => (value === "recent_topics" ? "recent" : value),
  toApi: (value, { level }) => (value === "recent" && level < RECENT_LEVEL ? "recent_topics" : value),
};

/** The default settings of new accounts, in the order in which a file reads best. */
export const DEFAULT_PARTS: { readonly [heading: string]: { readonly [name: string]: PropertyRow } } = {
  "What new people see": {
    color_scheme: row("Dark, light, or as the device is.", choice({ automatic: 1, dark: 2, light: 3 }), 1),
    twenty_four_hour_time: off("Whether times are written 17:00 and not 5:00 PM."),
    web_font_size_px: row("The size of text, in pixels.", whole(SMALLEST, LARGEST), 16),
    web_line_height_percent: row("The height of lines, in percent of the text's size.", whole(SMALLEST, LARGEST), 140),
    fluid_layout_width: off("Whether messages use the whole width of a wide screen."),
    high_contrast_mode: off("Whether the app uses high contrast."),
    emojiset: row("How emoji look.", word("google", "twitter", "text"), "google"),
    translate_emoticons: off("Whether `:)` becomes an emoji."),
    display_emoji_reaction_users: on("Whether names are shown instead of a number where there are few reactions."),
    web_animate_image_previews: row("When animated pictures move.", word("always", "on_hover", "never"), "on_hover"),
    web_home_view: row("The view that is shown first.", homeView, "inbox"),
    web_escape_navigates_to_home_view: on("Whether the Escape key opens that view."),
    web_channel_default_view: row(
      "What a click on a channel shows.",
      choice({ top_topic: 1, channel_feed: 2, list_of_topics: 3, top_unread_topic: 4 }),
      1,
    ),
    demote_inactive_streams: row("Whether channels without new messages are listed last.", choice(OFTEN), 1),
    user_list_style: row(
      "What the list of people shows about each person.",
      choice({ compact: 1, with_status: 2, with_avatar: 3 }),
      3,
    ),
    left_side_userlist: off("Whether the list of people is on the left in narrow windows."),
    starred_message_counts: on("Whether the number of starred messages shows."),
    web_stream_unreads_count_display_policy: row(
      "Which channels show how many messages are unread.",
      choice({ all_channels: 1, unmuted_channels_and_topics: 2, no_channels: 3 }),
      2,
    ),
    web_inbox_show_channel_folders: on("Whether the inbox is sorted by channel folders.", { level: 431 }),
    web_left_sidebar_show_channel_folders: on("Whether the sidebar is sorted by channel folders.", { level: 411 }),
    web_left_sidebar_unreads_count_summary: on("Whether the sidebar sums up what is unread.", { level: 398 }),
    hide_ai_features: off("Whether features with artificial intelligence are hidden.", { level: 350 }),
  },
  "How they read and write": {
    enter_sends: off("Whether the Enter key sends a message."),
    enable_drafts_synchronization: on("Whether drafts are kept on the server, for all devices."),
    web_navigate_to_sent_message: on("Whether the view moves to a message after it was sent."),
    web_mark_read_on_scroll_policy: row(
      "Where scrolling marks messages as read.",
      choice({ always: 1, conversation_views: 2, never: 3 }),
      1,
    ),
    resolved_topic_notice_auto_read_policy: row(
      "Whether notices of resolved topics count as read.",
      word("always", "except_followed", "never"),
      "except_followed",
      { level: 385 },
    ),
    web_suggest_update_timezone: on("Whether people are asked when their time zone changes.", { level: 329 }),
    automatically_follow_topics_policy: row(
      "Which topics people follow by themselves: where they take part, send, or `start`.",
      choice(FOLLOWING),
      3,
    ),
    automatically_follow_topics_where_mentioned: on("Whether people follow topics in which they are mentioned."),
    automatically_unmute_topics_in_muted_streams_policy: row(
      "Which topics in muted channels are unmuted by themselves: where they take part, `send`, or start.",
      choice(FOLLOWING),
      2,
    ),
  },
  "What others see of them": {
    email_address_visibility: row(
      "Who sees the e-mail address of new people.",
      choice({ everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 }),
      3,
    ),
    presence_enabled: on("Whether others see when people are online."),
    send_read_receipts: on("Whether others see what people have read."),
    send_private_typing_notifications: on("Whether others see people type direct messages."),
    send_stream_typing_notifications: on("Whether others see people type in channels."),
    receives_typing_notifications: on("Whether people see others type."),
  },
  "What they are told of": {
    enable_stream_desktop_notifications: off("Whether every channel message shows on the desktop."),
    enable_stream_audible_notifications: off("Whether every channel message makes a sound."),
    enable_stream_push_notifications: off("Whether every channel message goes to phones."),
    enable_stream_email_notifications: off("Whether every channel message is mailed."),
    enable_desktop_notifications: on("Whether direct messages and mentions show on the desktop."),
    enable_sounds: on("Whether direct messages and mentions make a sound."),
    enable_offline_push_notifications: on("Whether direct messages and mentions go to phones of those who are away."),
    enable_online_push_notifications: on("Whether they also go to the phones of people who are online."),
    enable_offline_email_notifications: on("Whether direct messages and mentions are mailed to those who are away."),
    wildcard_mentions_notify: on("Whether a mention of everybody counts as a mention."),
    enable_followed_topic_desktop_notifications: on("Whether messages in followed topics show on the desktop."),
    enable_followed_topic_audible_notifications: on("Whether messages in followed topics make a sound."),
    enable_followed_topic_push_notifications: on("Whether messages in followed topics go to phones."),
    enable_followed_topic_email_notifications: on("Whether messages in followed topics are mailed."),
    enable_followed_topic_wildcard_mentions_notify: on(
      "Whether a mention of everybody in a followed topic counts as a mention.",
    ),
    notification_sound: row("The sound: `zulip`, `chime`, … or `none`.", text({ least: 1 }), "zulip"),
    desktop_icon_count_display: row(
      "What the number on the application's icon counts.",
      choice({ all_unreads: 1, direct_mentions_and_followed: 2, direct_and_mentions: 3, none: 4 }),
      1,
    ),
    pm_content_in_desktop_notifications: on("Whether the desktop shows what direct messages say."),
    message_content_in_email_notifications: on("Whether e-mails contain messages."),
    email_notifications_batching_period: row(
      "How long messages are collected before they are mailed.",
      timeSpan({ unit: "seconds", most: WEEK_SECONDS, example: "2m or 1h" }),
      120,
      { api: "email_notifications_batching_period_seconds" },
    ),
    realm_name_in_email_notifications_policy: row(
      "Whether the subject of e-mails has the organization's name.",
      choice(OFTEN),
      1,
    ),
    enable_digest_emails: on("Whether people who were away get a weekly summary, where the organization has one."),
  },
};

export const USER_DEFAULTS: { readonly [name: string]: PropertyRow } = Object.assign(
  {},
  ...Object.values(DEFAULT_PARTS),
);

export const DEFAULTS = new PropertyTable(USER_DEFAULTS);

export const apiName = (name: string): string => USER_DEFAULTS[name]?.api ?? name;
