import { ORGANIZATION_PERMISSIONS } from "../../model/permission-settings.ts";
import type { ParamSpec } from "../param.ts";
import { flag, groupUpdate, integer, integerOrWord, jsonText, object, text, word } from "../param.ts";
import { rights } from "./rights.ts";

const FLAGS: { readonly [name: string]: number } = {
  allow_message_editing: 0,
  avatar_changes_disabled: 0,
  digest_emails_enabled: 0,
  disallow_disposable_email_addresses: 0,
  email_changes_disabled: 0,
  emails_restricted_to_domains: 0,
  enable_guest_user_dm_warning: 348,
  enable_guest_user_indicator: 216,
  enable_read_receipts: 137,
  enable_spectator_access: 109,
  inline_image_preview: 0,
  inline_url_embed_preview: 0,
  invite_required: 0,
  message_content_allowed_in_email_notifications: 0,
  name_changes_disabled: 0,
  require_e2ee_push_notifications: 409,
  require_unique_names: 246,
  send_channel_events_messages: 434,
  send_welcome_emails: 0,
  want_advertise_in_communities_directory: 129,
};

const limit = (level = 0): ParamSpec => integerOrWord(["unlimited"], "seconds, or unlimited", { level });
const channel = (level: number): ParamSpec => integer("a channel's id; -1 for none", { level });

/** Parameters of PATCH /realm. `topics_policy` is raw text here, as in PATCH /streams (zulip-api.md §13.4). */
export const REALM_SETTINGS: { readonly [name: string]: ParamSpec } = {
  name: text("at most 40 characters"),
  description: text("at most 1,000 characters, Markdown"),
  org_type: integer("0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100 or 1000"),
  default_language: text("a language code"),
  default_code_block_language: text("empty for none"),
  waiting_period_threshold: integer("days until a member is a full member"),
  message_retention_days: integerOrWord(["unlimited"], "days until messages are deleted"),
  authentication_methods: object("method → true or false; one must stay"),
  digest_weekday: integer("0–6, Monday is 0"),
  message_content_edit_limit_seconds: limit(),
  message_content_delete_limit_seconds: limit(),
  move_messages_within_stream_limit_seconds: limit(162),
  move_messages_between_streams_limit_seconds: limit(162),
  message_edit_history_visibility_policy: word(["all", "moves", "none"], "what of a message's history shows", {
    level: 358,
  }),
  allow_edit_history: flag("the older form of message_edit_history_visibility_policy", { until: 358 }),
  topics_policy: word(["allow_empty_topic", "disable_empty_topic"], "whether messages need a topic", { level: 392 }),
  mandatory_topics: flag("the older form of topics_policy", { until: 392 }),
  video_chat_provider: integer(
    "0 none, 1 Jitsi, 3 Zoom, 4 BigBlueButton, 5 Zoom (server to server), 6 Constructor Groups, 7 Nextcloud Talk, 8 Webex",
  ),
  jitsi_server_url: jsonText("an address, or default", { level: 212 }),
  giphy_rating: integer("0–4", { until: 453 }),
  gif_rating_policy: integer("0–4", { level: 453 }),
  welcome_message_custom_text: text("at most 8,000 characters; empty for none", { level: 416 }),
  new_stream_announcements_stream_id: channel(241),
  signup_announcements_stream_id: channel(241),
  zulip_update_announcements_stream_id: channel(242),
  moderation_request_channel_id: channel(331),
  string_id: text("demo organizations only"),
  default_avatar_source: word(["G", "J"], "G Gravatar, J Jdenticon: the picture of new people", { level: 456 }),
  media_preview_size: integer("100, 150 or 200 percent", { level: 469 }),
  ...Object.fromEntries(
    Object.entries(FLAGS).map(([name, level]) => [name, flag(name.replaceAll("_", " "), { level })] as const),
  ),
  ...rights(ORGANIZATION_PERMISSIONS, groupUpdate, () => "who holds the right"),
};
