import { group } from "./objects.ts";
import { all, flag, int, type Keys, list, maybe, object, orNull, since, table, text } from "./shape.ts";

/** Settings: of accounts and the realm's defaults for them (§12.2), of the realm (§2.3, §12.1), and facts about the server. */

const USER_FLAGS =
  "automatically_follow_topics_where_mentioned display_emoji_reaction_users enable_desktop_notifications enable_digest_emails " +
  "enable_drafts_synchronization enable_followed_topic_audible_notifications enable_followed_topic_desktop_notifications " +
  "enable_followed_topic_email_notifications enable_followed_topic_push_notifications enable_followed_topic_wildcard_mentions_notify " +
  "enable_login_emails enable_marketing_emails enable_offline_email_notifications enable_offline_push_notifications " +
  "enable_online_push_notifications enable_sounds enable_stream_audible_notifications enable_stream_desktop_notifications " +
  "enable_stream_email_notifications enable_stream_push_notifications enter_sends fluid_layout_width high_contrast_mode " +
  "left_side_userlist message_content_in_email_notifications pm_content_in_desktop_notifications presence_enabled " +
  "receives_typing_notifications send_private_typing_notifications send_read_receipts send_stream_typing_notifications " +
  "starred_message_counts translate_emoticons twenty_four_hour_time web_escape_navigates_to_home_view " +
  "web_navigate_to_sent_message wildcard_mentions_notify allow_private_data_export";
const USER_NUMBERS =
  "automatically_follow_topics_policy automatically_unmute_topics_in_muted_streams_policy color_scheme demote_inactive_streams " +
  "desktop_icon_count_display email_address_visibility email_notifications_batching_period_seconds " +
  "realm_name_in_email_notifications_policy user_list_style web_channel_default_view web_font_size_px web_line_height_percent " +
  "web_mark_read_on_scroll_policy web_stream_unreads_count_display_policy";
const USER_TEXTS = "default_language emojiset notification_sound web_animate_image_previews web_home_view";
const choices: Keys = {
  emojiset_choices: list(object({ key: text, text })),
  available_notification_sounds: list(text),
};
const userKeys: Keys = {
  ...all(USER_FLAGS, flag),
  ...all(USER_NUMBERS, int),
  ...all(USER_TEXTS, text),
  ...choices,
  dense_mode: since(0, flag, 364),
  hide_ai_features: since(350, flag),
  resolved_topic_notice_auto_read_policy: since(385, text),
  web_inbox_show_channel_folders: since(431, flag),
  web_left_sidebar_show_channel_folders: since(411, flag),
  web_left_sidebar_unreads_count_summary: since(398, flag),
  web_suggest_update_timezone: since(329, flag),
};
export const userSettings = object({ ...userKeys, timezone: text });
export const userDefaults = object(userKeys);

/** Settings of the realm, by names that POST /register prefixes with `realm_`. */
const REALM_FLAGS =
  "allow_edit_history allow_message_editing avatar_changes_disabled digest_emails_enabled disallow_disposable_email_addresses " +
  "email_auth_enabled email_changes_disabled emails_restricted_to_domains enable_guest_user_indicator enable_read_receipts " +
  "enable_spectator_access inline_image_preview inline_url_embed_preview invite_required mandatory_topics " +
  "message_content_allowed_in_email_notifications name_changes_disabled password_auth_enabled presence_disabled " +
  "push_notifications_enabled require_unique_names send_welcome_emails want_advertise_in_communities_directory";
const REALM_NUMBERS =
  "create_private_stream_policy create_public_stream_policy create_web_public_stream_policy date_created digest_weekday " +
  "message_retention_days new_stream_announcements_stream_id org_type plan_type signup_announcements_stream_id video_chat_provider " +
  "waiting_period_threshold wildcard_mention_policy zulip_update_announcements_stream_id";
const REALM_LIMITS =
  "message_content_delete_limit_seconds message_content_edit_limit_seconds move_messages_between_streams_limit_seconds " +
  "move_messages_within_stream_limit_seconds upload_quota_mib push_notifications_enabled_end_timestamp";
const REALM_TEXTS =
  "bot_domain default_code_block_language default_language description icon_source icon_url logo_source logo_url name " +
  "night_logo_source night_logo_url uri url";
const REALM_GROUPS =
  "can_access_all_users_group can_add_custom_emoji_group can_create_groups can_create_private_channel_group " +
  "can_create_public_channel_group can_create_web_public_channel_group can_delete_any_message_group can_delete_own_message_group " +
  "can_manage_all_groups create_multiuse_invite_group direct_message_initiator_group direct_message_permission_group";
export const realmKeys: Keys = {
  ...all(REALM_FLAGS, flag),
  ...all(REALM_NUMBERS, int),
  ...all(REALM_LIMITS, orNull(int)),
  ...all(REALM_TEXTS, text),
  ...all(REALM_GROUPS, group),
  authentication_methods: table(object({ enabled: flag, available: flag, unavailable_reason: maybe(text) })),
  available_video_chat_providers: table(object({ name: text, id: int })),
  default_external_accounts: table(object({ ...all("text url_pattern name hint", text) })),
  jitsi_server_url: orNull(text),
  // From this level on, a newer name for the same setting.
  giphy_rating: maybe(int),
  gif_rating_policy: maybe(int),
  is_zephyr_mirror_realm: maybe(flag),
  can_invite_users_group: since(321, group),
  can_move_messages_between_topics_group: since(316, group),
  can_move_messages_between_channels_group: since(310, group),
  moderation_request_channel_id: since(331, int),
  empty_topic_display_name: since(334, text),
  can_add_subscribers_group: since(341, group),
  can_create_bots_group: since(344, group),
  can_create_write_only_bots_group: since(344, group),
  enable_guest_user_dm_warning: since(348, flag),
  can_summarize_topics_group: since(350, group),
  can_mention_many_users_group: since(352, group),
  message_edit_history_visibility_policy: since(358, text),
  can_manage_billing_group: since(363, group),
  can_resolve_topics_group: since(367, group),
  topics_policy: since(392, text),
  can_set_topics_policy_group: since(392, group),
  can_set_delete_message_policy_group: since(407, group),
  require_e2ee_push_notifications: since(409, flag),
  welcome_message_custom_text: since(416, text),
  send_channel_events_messages: since(434, flag),
  owner_full_content_access: since(442, flag),
  default_avatar_source: since(456, text),
  media_preview_size: since(469, int),
  workplace_users_group: since(477, group),
};
const rule = object({
  ...all("require_system_group allow_internet_group allow_nobody_group allow_everyone_group", flag),
  allow_owners_group: maybe(since(0, flag, 326)),
  id_field_name: maybe(since(0, text, 326)),
  default_group_name: text,
  default_for_system_groups: orNull(text),
  allowed_system_groups: list(text),
});
const rules = table(rule);
/** Facts about the server that come with `realm`. */
const factKeys: Keys = {
  ...all("development_environment settings_send_digest_emails zulip_plan_is_not_limited", flag),
  ...all(
    "event_queue_longpoll_timeout_seconds password_max_length password_min_guesses password_min_length max_avatar_file_size_mib " +
      "max_file_upload_size_mib max_icon_file_size_mib max_logo_file_size_mib max_message_length max_stream_description_length " +
      "max_stream_name_length max_topic_length server_generation server_presence_offline_threshold_seconds " +
      "server_presence_ping_interval_seconds server_typing_started_expiry_period_milliseconds " +
      "server_typing_started_wait_period_milliseconds server_typing_stopped_wait_period_milliseconds",
    int,
  ),
  ...all(
    "server_avatar_changes_disabled server_can_summarize_topics server_inline_image_preview server_inline_url_embed_preview " +
      "server_name_changes_disabled server_needs_upgrade server_web_public_streams_enabled",
    flag,
  ),
  ...all("server_max_deactivated_realm_deletion_days server_min_deactivated_realm_deletion_days", orNull(int)),
  ...all("jitsi_server_url server_jitsi_server_url", orNull(text)),
  ...all("server_emoji_data_url", text),
  upgrade_text_for_wide_organization_logo: orNull(text),
  max_bulk_new_subscription_messages: since(397, int),
  max_channel_folder_name_length: since(410, int),
  max_channel_folder_description_length: since(410, int),
  max_reminder_note_length: since(415, int),
  server_report_message_types: since(435, list(object({ key: text, name: text }))),
  server_thumbnail_formats: list(
    object({ ...all("name format", text), ...all("max_width max_height", int), animated: flag }),
  ),
  // One of the two: the name changed somewhere between 384 and 442.
  ...all(
    "gif_rating_options gif_rating_policy_options giphy_rating_options",
    maybe(table(object({ name: text, id: int }))),
  ),
  server_supported_permission_settings: object({ realm: rules, stream: rules, group: rules }),
};
export const realmSettings: Keys = {
  ...Object.fromEntries(Object.entries(realmKeys).map(([name, key]) => [`realm_${name}`, key])),
  ...factKeys,
};
