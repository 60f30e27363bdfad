import type { Synonyms } from "../../model/synonyms.ts";
import { GROUP_VALUE_WORDS, TOPICS_POLICY_LINES } from "../shared-words.ts";

/** Servers before Zulip 10 had a number for each of these rights. */
const OLD_POLICIES = {
  can_invite_users_group: ["invite_to_realm_policy", "who_can_invite", "can_invite"],
  create_multiuse_invite_group: ["invite_to_realm_policy_multiuse"],
  can_add_custom_emoji_group: ["add_custom_emoji_policy"],
  can_create_bots_group: ["bot_creation_policy"],
  can_create_groups: ["user_group_edit_policy"],
  can_create_public_channel_group: ["create_public_stream_policy", "create_stream_policy"],
  can_create_private_channel_group: ["create_private_stream_policy"],
  can_create_web_public_channel_group: ["create_web_public_stream_policy"],
  can_add_subscribers_group: ["invite_to_stream_policy"],
  can_delete_any_message_group: ["delete_any_message_policy"],
  can_delete_own_message_group: ["delete_own_message_policy", "allow_message_deleting"],
  can_move_messages_between_topics_group: ["edit_topic_policy", "move_messages_within_stream_policy"],
  can_move_messages_between_channels_group: ["move_messages_between_streams_policy"],
  direct_message_permission_group: ["private_message_policy"],
  can_mention_many_users_group: ["wildcard_mention_policy"],
} as const;

const IN_DOMAINS = "domains: {example.org: {}}";

const WORDS: Synonyms = {
  section: ["organization_settings", "realm_settings", "org_settings", "permissions"],
  fields: {
    ...GROUP_VALUE_WORDS,
    permissions: ["rights", "settings", "acl", "can"],
    ...OLD_POLICIES,
    org_type: ["type", "organization_type"],
    name: ["realm_name", "organization_name", "title", "display_name"],
    invite_required: ["invite_only", "invites_required", "require_invite", "closed"],
    emails_restricted_to_domains: [
      "restricted_to_domain",
      "restrict_domains",
      "restrict_to_domains",
      "allowed_domains",
    ],
    enable_spectator_access: ["web_public", "spectators", "public_access", "spectator_access"],
    enable_read_receipts: ["read_receipts"],
    authentication_methods: ["auth", "auth_methods", "authentication", "login_methods", "sign_in"],
    message_retention_days: ["retention", "retention_days", "keep_days", "keep"],
    default_language: ["language", "lang", "locale"],
    message_content_edit_limit: [
      "message_edit_time_limit",
      "message_edit_limit",
      "message_content_edit_time_limit",
      "edit_time_limit",
      "edit_limit",
      "realm_message_content_edit_limit_seconds",
    ],
    message_content_delete_limit: [
      "message_delete_time_limit",
      "message_delete_limit",
      "message_content_delete_time_limit",
      "delete_time_limit",
      "delete_limit",
      "realm_message_content_delete_limit_seconds",
    ],
    move_messages_within_stream_limit: ["move_messages_within_channel_limit", "topic_edit_limit", "move_topics_limit"],
    move_messages_between_streams_limit: ["move_messages_between_channels_limit", "move_messages_limit"],
    allow_message_editing: ["message_editing", "edit_messages", "allow_editing"],
    new_stream_announcements_channel: [
      "new_channel_announcements_channel",
      "notifications_stream",
      "notifications_channel",
    ],
    signup_announcements_channel: ["signup_notifications_stream", "signup_notifications_channel"],
    waiting_period_threshold: ["waiting_period", "full_member_after"],
    topics_policy: ["topics", "empty_topics"],
    gif_rating_policy: ["giphy_rating"],
    icon: ["realm_icon", "favicon", "avatar"],
    night_logo: ["dark_logo", "logo_dark", "logo_night"],
    image: ["file", "path", "picture", "src", "url", "source_url"],
    welcome_message_custom_text: ["message", "text", "welcome", "welcome_message", "custom_text"],
  },
  lines: TOPICS_POLICY_LINES,
  elsewhere: {
    domain: IN_DOMAINS,
    domains: IN_DOMAINS,
    allowed_domains: IN_DOMAINS,
    theme: "user_defaults: {color_scheme: dark}",
    color_scheme: "user_defaults: {color_scheme: dark}",
    default_channels: "default_channels: [general]",
    default_streams: "default_channels: [general]",
  },
  values: {
    business: ["company", "corporation", "firm"],
    open_source: ["oss", "foss"],
  },
};

export const settingsWords = (): Synonyms => WORDS;
