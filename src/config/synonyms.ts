import { own } from "../model/own.ts";

/** What people call a field who know it from the server's API, from other programs or from everyday speech: field → words. */
const FIELDS: { readonly [field: string]: readonly string[] } = {
  description: ["desc", "about", "purpose", "summary", "note", "comment"],
  was: ["rename", "renamed_from", "old_name", "previous_name", "previously", "formerly", "from", "aka"],
  absent: ["delete", "deleted", "remove", "removed", "ensure", "state", "gone"],
  archived: ["archive", "is_archived", "deactivated", "inactive"],
  deactivated: ["deactivate", "archive", "archived", "inactive", "is_active", "active", "absent", "deleted", "removed"],
  id: ["stream_id", "channel_id", "group_id", "user_group_id", "folder_id", "filter_id"],
  profile: ["profiles", "extends", "inherits", "template", "preset", "uses"],
  privacy: ["visibility", "type", "access", "history_public_to_subscribers"],
  folder: ["channel_folder", "folder_name", "category", "parent"],
  subscribers: ["members", "people", "participants", "subscriptions"],
  permissions: ["rights", "settings", "acl", "can"],
  can_send_message_group: [
    "post",
    "posting",
    "posters",
    "post_policy",
    "stream_post_policy",
    "who_can_post",
    "can_post",
    "can_send",
    "write",
    "announcement_only",
    "is_announcement_only",
  ],
  can_subscribe_group: ["join", "can_join", "who_can_join", "can_subscribe"],
  can_administer_channel_group: ["admins", "administrators", "owners", "can_administer"],
  can_manage_group: ["admins", "administrators", "owners", "managers", "can_manage"],
  can_mention_group: ["mention", "can_mention"],
  members: ["users", "people", "user_ids", "direct_members", "emails"],
  subgroups: ["groups", "children", "direct_subgroups", "direct_subgroup_ids", "nested"],
  users: ["members", "people", "emails", "user_ids", "direct_members", "persons"],
  groups: ["roles", "role", "user_groups", "subgroups", "direct_subgroups", "group_ids"],
  pattern: ["regex", "regexp", "re", "match", "find", "expression"],
  url_template: ["url", "url_prefix", "link", "href", "target", "to", "template", "url_format", "url_format_string"],
  example_input: ["example", "sample", "test"],
  reverse_template: ["reverse"],
  alternative_url_templates: ["alternatives", "alternative", "alternative_urls", "other_urls"],
  allow_subdomains: ["subdomains", "include_subdomains", "with_subdomains", "wildcard"],
  is_pinned: ["pinned", "pin", "visible"],
  name: ["title", "label", "caption"],
  emails: ["email", "addresses", "address", "users", "people", "to", "invitees", "invitee_emails"],
  invite_as: ["role", "as", "invited_as", "user_role", "type"],
  channels: ["streams", "stream_ids", "channel_ids", "subscriptions", "subscribe"],
  expires_in: ["expires", "expiry", "expires_after", "valid_for", "ttl", "days", "invite_expires_in_minutes"],
  include_realm_default_subscriptions: ["default_channels", "defaults", "include_defaults", "default_streams"],
  notify_referrer_on_join: ["notify"],
  welcome_message_custom_text: ["message", "text", "welcome", "welcome_message", "custom_text"],
  replace: ["resend", "renew"],
  image: ["file", "path", "picture", "src", "url", "source_url"],
  full_name: ["name", "short_name", "title", "display_name"],
  owner: ["bot_owner", "owner_id", "bot_owner_id", "owned_by"],
  type: ["bot_type", "field_type", "kind"],
  hint: ["description", "help", "placeholder"],
  options: ["choices", "values", "field_data"],
  in_profile_summary: ["display_in_profile_summary", "summary"],
  service: ["subtype", "provider"],
  language: ["pygments_language", "lang"],
  expires_on: ["expires", "expires_in", "expiry", "until", "valid_until", "invite_expires_in_minutes"],
  org_type: ["type", "organization_type"],
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
  topics_policy: ["topics", "empty_topics", "allow_empty_topics", "mandatory_topics"],
  gif_rating_policy: ["giphy_rating"],
  icon: ["realm_icon", "favicon", "avatar"],
  night_logo: ["dark_logo", "logo_dark", "logo_night"],
  twenty_four_hour_time: ["24_hour_time", "time_format"],
  color_scheme: ["theme", "dark_mode", "colour_scheme"],
};

/** Fields that people write as a switch, and what says the same. */
const LINES: { readonly [word: string]: string } = {
  private: "privacy: private_shared_history",
  is_private: "privacy: private_shared_history",
  invite_only: "privacy: private_shared_history",
  public: "privacy: public",
  is_public: "privacy: public",
  web_public: "privacy: web_public",
  is_web_public: "privacy: web_public",
};

/** What people say for one of the words that a field can be: word → what they say. */
const VALUES: { readonly [word: string]: readonly string[] } = {
  administrator: ["admin", "administrators", "role_administrators"],
  moderator: ["mod"],
  member: ["user", "normal", "role_members"],
  incoming_webhook: ["webhook", "incoming"],
  outgoing_webhook: ["outgoing"],
  short_text: ["text", "string"],
  long_text: ["paragraph", "textarea", "markdown"],
  select: ["list", "dropdown", "choice", "enum", "options"],
  users: ["user", "person", "people"],
  external_account: ["account", "external"],
  link: ["url"],
  dark: ["night", "black"],
  light: ["day", "white"],
  automatic: ["auto", "system"],
  business: ["company", "corporation", "firm"],
  open_source: ["oss", "foss"],
  unlimited: ["never", "forever", "none", "infinite"],
  disabled: ["none", "off", "false"],
};

/** What to write in place of a value, of those that there are. */
export function valueMeant(said: string, known: readonly string[]): string | undefined {
  return meantBy(said, known, VALUES);
}

const SECTIONS: { readonly [key: string]: readonly string[] } = {
  channels: ["streams", "stream"],
  default_channels: ["default_streams", "realm_default_streams"],
  user_groups: ["groups", "group", "realm_user_groups", "teams"],
  channel_folders: ["folders", "folder", "categories", "stream_folders"],
  linkifiers: ["filters", "realm_filters", "realm_linkifiers", "links", "link_patterns", "autolinks"],
  domains: ["realm_domains", "allowed_domains", "email_domains"],
  navigation_views: ["views", "view", "sidebar"],
  people: ["users", "persons", "accounts"],
  settings: ["organization_settings", "realm_settings", "org_settings", "permissions"],
  user_defaults: ["default_user_settings", "user_settings", "realm_user_settings_defaults"],
  bots: ["bot", "integrations"],
  profile_fields: ["custom_profile_fields", "profile_field", "custom_fields"],
  emoji: ["emojis", "custom_emoji", "realm_emoji"],
  playgrounds: ["realm_playgrounds", "code_playgrounds", "playground"],
  invite_links: ["invitation_links", "multiuse_invites", "reusable_links", "join_links"],
  invites: ["invitations", "invitation"],
  realm: ["organization", "organisation", "org", "site", "server", "url", "host"],
  manage: ["mode", "modes", "managed", "policies", "prune"],
  policy: ["guards", "guard_rails", "guardrails", "limits", "protect"],
  vars: ["variables", "parameters", "params"],
  values: ["variable_values"],
  profiles: ["templates", "presets", "bundles"],
  include: ["imports", "import", "files", "extends"],
};

/** What to write in place of a word, of the fields that there are: `"invite_as"`, `"privacy: public"`. */
export function fieldMeant(word: string, known: readonly string[]): string | undefined {
  const line = own(LINES, plain(word));
  if (line !== undefined && known.includes(line.split(":")[0] ?? "")) return line;
  return meantBy(word, known, FIELDS);
}

/** The same for the keys of a file. */
export function sectionMeant(word: string, known: readonly string[]): string | undefined {
  return meantBy(word, known, SECTIONS);
}

function meantBy(
  word: string,
  known: readonly string[],
  table: { readonly [name: string]: readonly string[] },
): string | undefined {
  const wanted = plain(word);
  return known.find((name) => own(table, name)?.includes(wanted) === true);
}

const plain = (word: string): string =>
  word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
