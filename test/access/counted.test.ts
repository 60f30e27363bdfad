import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { PROPERTIES } from "../../src/kinds/settings/properties.ts";
import { USER_DEFAULTS } from "../../src/kinds/user-defaults/properties.ts";
import { RiskFact } from "../../src/model/fact-forms.ts";
import { ORGANIZATION_PERMISSIONS } from "../../src/model/permission-settings.ts";
import { guardsOf } from "../../src/plan/guards.ts";
import { COUNTED_RISKS } from "../../src/plan/risks.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst } from "../support/world.ts";

/** Why no guard counts a risk. Every other risk is counted by a guard (src/plan/risks.ts). */
const UNCOUNTED: { readonly [risk: string]: string } = {
  notified: "a message of the notification bot, which opens nothing",
  "account-locked-out": "the guard lockout refuses it",
  "account-loses-role": "the guard lockout refuses it",
  "bot-address": "its programs have to be told; nobody gains or loses anything",
  "sign-in": "another way to sign in to an account that somebody has",
  "phones-silent": "nobody reads anything more; phones are told less",
  "restriction-stays-lifted": "it is irreversible, and counted as that",
  "private-name": "nobody reads anything that they could not read before; people who know the name may write there",
  "invited-again": "the mail is counted as one of the change",
  "back-to-default": "a view of the interface",
  "emoji-overrides": "a picture",
  "profile-service-fixed": "nothing is lost or opened",
  "code-language-reset": "a language of code blocks",
  "cannot-be-set-again": "it is irreversible, and counted as that",
};

const kindsOfRisks = RiskFact.options.map(({ shape }) => shape.kind.value);

test("every risk is counted by a guard, or a row says why not", () => {
  expect(Object.keys(COUNTED_RISKS).sort()).toEqual([...kindsOfRisks].sort());
  const uncounted = kindsOfRisks.filter((kind) => COUNTED_RISKS[kind] === undefined);
  expect(Object.keys(UNCOUNTED).sort()).toEqual([...uncounted].sort());
});

/** A value from which a setting opens, the value that opens it, and the guard that counts it. */
type Row = { readonly guard: string; readonly from: boolean | number; readonly to: boolean | number | string } | string;
const rows = (why: string, ...names: readonly string[]): { readonly [name: string]: Row } =>
  Object.fromEntries(names.map((name) => [name, why]));

const SETTINGS: { readonly [name: string]: Row } = {
  invite_required: { guard: "opened", from: true, to: false },
  waiting_period_threshold: { guard: "opened", from: 30, to: "3d" },
  enable_spectator_access: { guard: "opened", from: false, to: true },
  message_retention_days: { guard: "messages_deleted", from: -1, to: 30 },
  digest_emails_enabled: { guard: "emails", from: false, to: true },
  moderation_request_channel: { guard: "opened", from: -1, to: "reports" },
  ...rows(
    "an address is no barrier where an invitation is required; without one, `joining` says so and counts",
    "emails_restricted_to_domains",
  ),
  ...rows("which addresses those have who may join anyway", "disallow_disposable_email_addresses"),
  ...rows("another way to sign in to an account that somebody has", "authentication_methods"),
  ...rows("data_deleted counts a replaced picture", "icon", "logo", "night_logo"),
  ...rows(
    "messages go where their readers have them",
    "message_content_allowed_in_email_notifications",
    "require_e2ee_push_notifications",
  ),
  ...rows("shown to those who can read the message", "message_edit_history_visibility_policy", "enable_read_receipts"),
  ...rows(
    "what people may change of their own",
    "name_changes_disabled",
    "email_changes_disabled",
    "avatar_changes_disabled",
    "require_unique_names",
    "allow_message_editing",
    "message_content_edit_limit",
    "message_content_delete_limit",
    "move_messages_within_stream_limit",
    "move_messages_between_streams_limit",
  ),
  ...rows(
    "how something looks, or a text",
    "name",
    "description",
    "org_type",
    "want_advertise_in_communities_directory",
    "default_language",
    "enable_guest_user_indicator",
    "enable_guest_user_dm_warning",
    "topics_policy",
    "default_code_block_language",
    "default_avatar_source",
    "media_preview_size",
    "inline_image_preview",
    "inline_url_embed_preview",
    "gif_rating_policy",
    "video_chat_provider",
    "jitsi_server_url",
  ),
  ...rows(
    "notices and mails that are not sent because of the plan",
    "send_channel_events_messages",
    "send_welcome_emails",
    "welcome_message_custom_text",
    "digest_weekday",
  ),
  ...rows(
    "a channel in which the server posts names of public channels, names of new people, or news of Zulip",
    "new_stream_announcements_channel",
    "signup_announcements_channel",
    "zulip_update_announcements_channel",
  ),
};

const NOBODY = 9;
const PERMISSIONS: { readonly [name: string]: Row } = {
  can_access_all_users_group: { guard: "opened", from: 14, to: "role:everyone" },
  can_create_public_channel_group: { guard: "opened", from: NOBODY, to: "role:members" },
  can_create_web_public_channel_group: { guard: "opened", from: NOBODY, to: "role:moderators" },
  can_manage_all_groups: { guard: "administrators", from: 10, to: "role:moderators" },
  ...rows(
    "whom they let in is let in one by one, and reads nothing private by it",
    "can_invite_users_group",
    "create_multiuse_invite_group",
  ),
  ...rows(
    "new objects, which hold nothing yet",
    "can_create_private_channel_group",
    "can_create_groups",
    "can_add_custom_emoji_group",
  ),
  ...rows("a bot can do no more than its owner lets it", "can_create_bots_group", "can_create_write_only_bots_group"),
  ...rows("only for channels that they read: a further step", "can_add_subscribers_group"),
  ...rows(
    "what they may do with messages that they can read",
    "can_set_topics_policy_group",
    "can_set_delete_message_policy_group",
    "can_move_messages_between_topics_group",
    "can_move_messages_between_channels_group",
    "can_resolve_topics_group",
    "can_delete_own_message_group",
    "can_delete_any_message_group",
    "can_mention_many_users_group",
    "can_summarize_topics_group",
    "direct_message_permission_group",
    "direct_message_initiator_group",
  ),
  ...rows("money", "can_manage_billing_group", "workplace_users_group"),
};

/** New accounts start with these; people change their own. */
const DEFAULTS: { readonly [name: string]: Row } = {
  email_address_visibility: { guard: "opened", from: 3, to: "everyone" },
  ...rows(
    "others see what somebody does, nobody sees more of what is written",
    "presence_enabled",
    "send_read_receipts",
    "send_private_typing_notifications",
    "send_stream_typing_notifications",
    "receives_typing_notifications",
  ),
  ...rows(
    "mails about messages that the account can read, and none because of the plan",
    "enable_stream_email_notifications",
    "enable_offline_email_notifications",
    "enable_followed_topic_email_notifications",
    "message_content_in_email_notifications",
    "email_notifications_batching_period",
    "realm_name_in_email_notifications_policy",
    "enable_digest_emails",
  ),
  ...rows(
    "how the account is told of messages that it can read",
    "enable_stream_desktop_notifications",
    "enable_stream_audible_notifications",
    "enable_stream_push_notifications",
    "enable_desktop_notifications",
    "enable_sounds",
    "enable_offline_push_notifications",
    "enable_online_push_notifications",
    "wildcard_mentions_notify",
    "enable_followed_topic_desktop_notifications",
    "enable_followed_topic_audible_notifications",
    "enable_followed_topic_push_notifications",
    "enable_followed_topic_wildcard_mentions_notify",
    "notification_sound",
    "desktop_icon_count_display",
    "pm_content_in_desktop_notifications",
  ),
  ...rows(
    "what the account itself sees",
    "color_scheme",
    "twenty_four_hour_time",
    "web_font_size_px",
    "web_line_height_percent",
    "fluid_layout_width",
    "high_contrast_mode",
    "emojiset",
    "translate_emoticons",
    "display_emoji_reaction_users",
    "web_animate_image_previews",
    "web_home_view",
    "web_escape_navigates_to_home_view",
    "web_channel_default_view",
    "demote_inactive_streams",
    "user_list_style",
    "left_side_userlist",
    "starred_message_counts",
    "web_stream_unreads_count_display_policy",
    "web_inbox_show_channel_folders",
    "web_left_sidebar_show_channel_folders",
    "web_left_sidebar_unreads_count_summary",
    "hide_ai_features",
  ),
  ...rows(
    "how the account reads and writes",
    "enter_sends",
    "enable_drafts_synchronization",
    "web_navigate_to_sent_message",
    "web_mark_read_on_scroll_policy",
    "resolved_topic_notice_auto_read_policy",
    "web_suggest_update_timezone",
    "automatically_follow_topics_policy",
    "automatically_follow_topics_where_mentioned",
    "automatically_unmute_topics_in_muted_streams_policy",
  ),
};

const asText = (value: boolean | number | string): string => JSON.stringify(value);
const SECTIONS = [
  { table: SETTINGS, yaml: (name: string, value: string) => `settings: {${name}: ${value}}` },
  { table: PERMISSIONS, yaml: (name: string, value: string) => `settings: {permissions: {${name}: ${value}}}` },
  { table: DEFAULTS, yaml: (name: string, value: string) => `user_defaults: {${name}: ${value}}` },
];
const counted = SECTIONS.flatMap(({ table, yaml }) =>
  Object.entries(table).flatMap(([name, row]) =>
    typeof row === "string" ? [] : [{ name, ...row, yaml: yaml(name, asText(row.to)) }],
  ),
);

test("every setting of the organization, and every default of new accounts, has a row", () => {
  expect(Object.keys(SETTINGS).sort()).toEqual(Object.keys(PROPERTIES).sort());
  expect(Object.keys(PERMISSIONS).sort()).toEqual(Object.keys(ORGANIZATION_PERMISSIONS).sort());
  expect(Object.keys(DEFAULTS).sort()).toEqual(Object.keys(USER_DEFAULTS).sort());
});

test.each(counted)("$name: $from → $to is counted by $guard", async ({ name, guard, from, yaml }) => {
  const user_settings_defaults = yaml.startsWith("user_defaults") ? { [name]: from } : {};
  const snapshot = realmOf({
    settings: { [name]: from, user_settings_defaults },
    channels: [{ name: "reports", invite_only: true }],
    subscribers: { reports: ["ada@acme.example"] },
  });
  const plan = must(await planAgainst(`version: 1\n${yaml}\n`, snapshot));
  const guards = guardsOf({ plan, snapshot, kinds, policies: [], allow: [] });
  const found = guards.flatMap(({ fact: { about } }) =>
    about.kind === "limit" && about.amount > 0 ? [about.counted] : [],
  );
  expect(found).toContain(guard);
});
