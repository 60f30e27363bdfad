import { ORGANIZATION_PERMISSIONS } from "../../model/permission-settings.ts";
import { id, type Operation, read, segment, write } from "../operation.ts";
import {
  file,
  flag,
  groupUpdate,
  integer,
  integerOrNull,
  integerOrWord,
  integers,
  jsonText,
  object,
  type ParamSpec,
  required,
  text,
  texts,
  word,
} from "../param.ts";
import { PERSONAL_SETTINGS } from "./personal-settings.ts";
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
const REALM_SETTINGS: { readonly [name: string]: ParamSpec } = {
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

const linkifier: { readonly [name: string]: ParamSpec } = {
  pattern: required(text("RE2; every named group must be used; in updates too")),
  url_template: required(text("RFC 6570; in updates too")),
  example_input: text("matches the pattern; empty for none", { level: 471 }),
  reverse_template: text("turns a URL back into text; empty for none", { level: 471 }),
  alternative_url_templates: texts("more templates, for turning back only", { level: 478 }),
};
/** Common parameters of an invitation by mail and an invitation link. */
const invitation: { readonly [name: string]: ParamSpec } = {
  invite_as: integer("100 owner, 200 administrator, 300 moderator, 400 member (default), 600 guest"),
  invite_expires_in_minutes: integerOrNull("null: never", { level: 126 }),
  group_ids: integers("groups to join", { level: 322 }),
  include_realm_default_subscriptions: flag("default channels too", { level: 261 }),
  welcome_message_custom_text: text("empty for none; leave out for the organization's", { level: 416 }),
};

const profileField: { readonly [name: string]: ParamSpec } = {
  name: text("at most 40 characters"),
  hint: text("at most 80 characters"),
  field_data: object("choices (type 3) or service (type 7)"),
  display_in_profile_summary: flag("at most two fields"),
  required: flag("people are asked to fill it", { level: 244 }),
  editable_by_user: flag("people change their own", { level: 296 }),
  use_for_user_matching: flag("found by it when somebody is mentioned", { level: 455 }),
};

export const ORGANIZATION_OPERATIONS: readonly Operation[] = [
  read("get-linkifiers", "GET /realm/linkifiers", { about: "Lists linkifiers in their order.", level: 54 }),
  write("add-linkifier", "POST /realm/filters", "guarded", "look for the pattern", {
    about: "Adds a linkifier; it goes last.",
    params: linkifier,
  }),
  write("update-linkifier", "PATCH /realm/filters/{filter_id}", "idempotent", "re-read linkifiers", {
    about: "Changes a linkifier. Send every field: whether a field left out is kept is not known.",
    level: 57,
    params: linkifier,
  }),
  write("remove-linkifier", "DELETE /realm/filters/{filter_id}", "guarded", "re-read linkifiers", {
    about: "Removes a linkifier.",
  }),
  write("reorder-linkifiers", "PATCH /realm/linkifiers", "idempotent", "re-read linkifiers", {
    about: "Puts linkifiers in order.",
    level: 202,
    params: { ordered_linkifier_ids: required(integers("every linkifier's id, once")) },
  }),

  read("get-realm-domains", "GET /realm/domains", { about: "Lists allowed domains." }),
  write("add-realm-domain", "POST /realm/domains", "guarded", "look for the domain", {
    about: "Allows an e-mail domain; owners only.",
    params: { domain: required(text("at most 80 characters")), allow_subdomains: required(flag("of every depth")) },
  }),
  write("update-realm-domain", "PATCH /realm/domains/{domain}", "idempotent", "re-read domains", {
    about: "Changes an allowed domain; owners only.",
    params: { allow_subdomains: required(flag("of every depth")) },
  }),
  write("remove-realm-domain", "DELETE /realm/domains/{domain}", "guarded", "re-read domains", {
    about: "Removes an allowed domain; removing the last one lifts the restriction. Owners only.",
  }),

  read("get-navigation-views", "GET /navigation_views", { about: "The account's own navigation views.", level: 390 }),
  write("add-navigation-view", "POST /navigation_views", "guarded", "look for the fragment", {
    about: "Adds a navigation view to the account's own.",
    level: 390,
    params: {
      fragment: required(text("the view's URL hash without #")),
      is_pinned: required(flag("pinned, or in the menu")),
      name: text("custom views only, and needed there"),
    },
  }),
  write("edit-navigation-view", "PATCH /navigation_views/{fragment}", "guarded", "re-read navigation views", {
    about: "Changes one of the account's own navigation views.",
    level: 390,
    params: { is_pinned: flag("pinned, or in the menu"), name: text("only when it changes: its own name is refused") },
  }),
  write("remove-navigation-view", "DELETE /navigation_views/{fragment}", "guarded", "re-read navigation views", {
    about: "Removes one of the account's own navigation views; a built-in one gets its default back.",
    level: 390,
  }),

  read("get-invites", "GET /invites", { about: "Lists pending invitations; people only, no bots." }),
  write(
    "send-invites",
    "POST /invites",
    "unsafe",
    "list invitations and compare addresses and times; a repeat is a second mail",
    {
      about: "Invites by mail; people only, no bots.",
      params: {
        invitee_emails: required(text("addresses, separated by commas or newlines")),
        stream_ids: required(integers("channels to join; may be empty")),
        ...invitation,
        notify_referrer_on_join: flag("tell the inviter (default true)", { level: 267 }),
      },
    },
  ),
  write("create-invite-link", "POST /invites/multiuse", "unsafe", "list invitations; a repeat is a second link", {
    about: "Creates an invitation link. Everybody who has it can join.",
    params: { stream_ids: integers("channels to join"), ...invitation },
  }),
  write("resend-email-invite", "POST /invites/{invite_id}/resend", "unsafe", "nothing shows it; a repeat is a mail", {
    about: "Sends an invitation's mail again.",
    path: { invite_id: id("the invitation") },
  }),
  write("revoke-email-invite", "DELETE /invites/{invite_id}", "guarded", "list invitations", {
    about: "Takes back an invitation.",
    path: { invite_id: id("the invitation; links have numbers of their own") },
  }),
  write("revoke-invite-link", "DELETE /invites/multiuse/{invite_id}", "guarded", "list invitations", {
    about: "Takes back an invitation link.",
    path: { invite_id: id("the link; invitations by mail have numbers of their own") },
  }),

  write("update-realm", "PATCH /realm", "guarded", "re-read the settings", {
    about: "Changes the organization's settings. Not atomic. Not documented upstream.",
    params: REALM_SETTINGS,
  }),
  write(
    "update-realm-user-settings-defaults",
    "PATCH /realm/user_settings_defaults",
    "idempotent",
    "re-read the defaults",
    { about: "Changes the settings that new accounts start with.", params: PERSONAL_SETTINGS },
  ),

  read("get-custom-profile-fields", "GET /realm/profile_fields", { about: "Lists custom profile fields." }),
  write("create-custom-profile-field", "POST /realm/profile_fields", "guarded", "look the field up by name", {
    about: "Adds a custom profile field; it goes last.",
    params: {
      field_type: required(
        integer("1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people, 7 account, 8 pronouns"),
      ),
      ...profileField,
    },
  }),
  write("update-custom-profile-field", "PATCH /realm/profile_fields/{field_id}", "idempotent", "re-read the fields", {
    about: "Changes a custom profile field; removing a choice removes people's values of it.",
    params: profileField,
  }),
  write("reorder-custom-profile-fields", "PATCH /realm/profile_fields", "idempotent", "re-read the fields", {
    about: "Puts custom profile fields in order.",
    params: { order: required(integers("every field's id")) },
  }),
  write("remove-custom-profile-field", "DELETE /realm/profile_fields/{field_id}", "guarded", "re-read the fields", {
    about: "Removes a custom profile field and everybody's values of it.",
  }),

  write("add-code-playground", "POST /realm/playgrounds", "guarded", "re-read playgrounds", {
    about: "Adds a code playground.",
    level: 49,
    params: {
      name: required(text("what it is called")),
      pygments_language: required(text("at most 40 characters")),
      url_template: required(text("RFC 6570 with the variable code alone", { level: 196 })),
    },
  }),
  write("remove-code-playground", "DELETE /realm/playgrounds/{playground_id}", "guarded", "re-read playgrounds", {
    about: "Removes a code playground; resets default_code_block_language when it is of that language.",
    level: 49,
  }),

  read("get-custom-emoji", "GET /realm/emoji", { about: "Lists custom emoji, deactivated ones too." }),
  write("upload-custom-emoji", "POST /realm/emoji/{emoji_name}", "guarded", "list custom emoji", {
    about: "Adds a custom emoji; people only, no bots and guests.",
    path: { emoji_name: segment("its name") },
    params: { file: required(file("at most 5 MiB; the server makes it small")) },
  }),
  write("deactivate-custom-emoji", "DELETE /realm/emoji/{emoji_name}", "guarded", "list custom emoji", {
    about: "Deactivates a custom emoji.",
    path: { emoji_name: segment("the emoji") },
  }),

  write("upload-realm-icon", "POST /realm/icon", "idempotent", "re-read the settings", {
    about: "Gives the organization another icon.",
    params: { file: required(file("at most as large as max_icon_file_size_mib says")) },
  }),
  write("remove-realm-icon", "DELETE /realm/icon", "idempotent", "re-read the settings", {
    about: "Gives the organization the picture back that the server makes for it.",
  }),
  write("upload-realm-logo", "POST /realm/logo", "idempotent", "re-read the settings", {
    about: "Gives the organization another logo.",
    params: {
      night: required(flag("the one for dark themes")),
      file: required(file("at most as large as max_logo_file_size_mib says")),
    },
  }),
  write("remove-realm-logo", "DELETE /realm/logo", "idempotent", "re-read the settings", {
    about: "Gives the organization the logo back that the server has for everybody.",
    params: { night: required(flag("the one for dark themes")) },
  }),
];
