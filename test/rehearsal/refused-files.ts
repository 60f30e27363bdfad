import type { Overlay } from "../support/realm.ts";

/**
 * A file that would send what a real server refused with `words`, and what realmctl reports before anything is sent. One row for every recorded
 * refusal to which `unmet-refusals.ts` assigns an error code of a file.
 */
export interface RefusedFile {
  /** The server's words, without names and numbers. */
  readonly words: string;
  readonly code: string;
  readonly yaml: string;
  readonly live?: Overlay;
}

const long = (length: number): string => "x".repeat(length);
const rows = (code: string, table: { readonly [words: string]: string }, live?: Overlay): readonly RefusedFile[] =>
  Object.entries(table).map(([words, yaml]) => ({ code, words, yaml, ...(live === undefined ? {} : { live }) }));

const NOT_POSSIBLE = "Value error, Not in the list of possible values";
const linkifier = (pattern: string, template = "https://a.example/{id}"): string =>
  `linkifiers: [{pattern: '${pattern}', url_template: '${template}'}]`;
const playground = (more: string): string => `playgrounds: [{name: Play, ${more}}]`;
const field = (more: string): string => `profile_fields: [{${more}}]`;
const domain = (name: string): string => `domains: {'${name}': {}}`;
const picture = (file: string): string => `emoji: {forge: {image: ${file}}}`;
/** Fields of `user_defaults` whose values are words. */
const WORDS = [
  "color_scheme",
  "user_list_style",
  "web_channel_default_view",
  "email_address_visibility",
  "automatically_follow_topics_policy",
  "emojiset",
  "automatically_unmute_topics_in_muted_streams_policy",
  "demote_inactive_streams",
  "desktop_icon_count_display",
  "realm_name_in_email_notifications_policy",
  "web_mark_read_on_scroll_policy",
  "web_stream_unreads_count_display_policy",
];
const METHODS = ["Dev", "Email", "GitHub", "GitLab", "Google", "Apple", "SAML", "OpenID Connect"];
const BAD_PATTERNS: { readonly [words: string]: string } = {
  "missing ): (bad": "(bad",
  "missing ): (foo": "(foo",
  "unexpected ): foo)": "foo)",
  "missing ]: [a": "[a",
  "no argument for repetition operator: *": "*",
  "bad repetition operator: **": "a**",
  "bad repetition operator: ????": "a????",
  "invalid perl operator: (?<=": "(?<=a)b",
  "invalid perl operator: (?!": "(?!a)b",
  "invalid perl operator: (?P": "(?Pa)b",
  "invalid escape sequence: \\…": "a\\1",
  "invalid named capture group: (?P<>": "(?P<>a)",
  "invalid repetition size: {…}": "a{1001}",
  "trailing \\": "a\\",
  "invalid escape sequence: \\y": "\\y",
  "missing ): (?P<id>[…-…]+": "(?P<id>[0-9]+",
};

export const REFUSED_FILES: readonly RefusedFile[] = [
  ...rows("field/value", {
    [`Invalid role: ${NOT_POSSIBLE}`]: "people: {ben@acme.example: {role: chief}}",
    [`Invalid invite_as: ${NOT_POSSIBLE}`]: "invite_links: [{expires_on: 2026-12-31, invite_as: chief}]",
    ...Object.fromEntries(
      WORDS.map((name) => [`Invalid ${name}: ${NOT_POSSIBLE}`, `user_defaults: {${name}: of_old}`]),
    ),
    "Bad value for …: …": "channels: {general: {message_retention_days: 0}}",
    "Bad value for …: -…": "settings: {message_retention_days: -5}",
    "Bad value for …: forever": "channels: {general: {message_retention_days: forever}}",
    "Invalid email batching period: … seconds": "user_defaults: {email_notifications_batching_period: 8d}",
    "Invalid bot type": "bots: {deploy-bot: {type: clever}}",
    "Invalid topics_policy": "channels: {general: {topics_policy: sometimes}}",
    "Invalid field type.": field("name: Phone, type: number"),
    "Invalid digest_weekday": "settings: {digest_weekday: someday}",
    "Invalid org_type": "settings: {org_type: club}",
    "Invalid message_edit_history_visibility_policy": "settings: {message_edit_history_visibility_policy: some}",
    "Invalid resolved_topic_notice_auto_read_policy": "user_defaults: {resolved_topic_notice_auto_read_policy: some}",
    "Invalid web_home_view": "user_defaults: {web_home_view: garden}",
    "Invalid web_animate_image_previews": "user_defaults: {web_animate_image_previews: twice}",
    "description is too long (limit: … characters)": `channels: {general: {description: ${long(1025)}}}`,
    "welcome_message_custom_text is too long (limit: … characters)": `settings: {welcome_message_custom_text: ${long(8001)}}`,
    "waiting_period_threshold is too small": "settings: {waiting_period_threshold: -1d}",
  }),
  ...rows("channels/name", {
    "Channel name too long (limit: … characters).": `channels: {${long(61)}: {}}`,
    "Channel name can't be empty.": "channels: {'': {}}",
    "Invalid character in channel name, at position ….": 'channels: {"a\\u0001b": {}}',
  }),
  ...rows("channel_folders/name", {
    "Channel folder name can't be empty.": "channel_folders: {'': {}}",
    "Invalid character in channel folder name, at position ….": 'channel_folders: {"a\\u0001b": {}}',
  }),
  ...rows("user_groups/name", {
    "User group name can't be empty!": "user_groups: {'': {}}",
    "User group name cannot exceed … characters.": `user_groups: {${long(101)}: {}}`,
    "User group name cannot start with ….": "user_groups: {'@crew': {}}",
  }),
  ...rows("bots/full-name", {
    "Name must not be empty!": "bots: {deploy-bot: {full_name: ''}}",
    "Name too long!": `bots: {deploy-bot: {full_name: ${long(101)}}}`,
    "Invalid characters in name!": "bots: {deploy-bot: {full_name: 'a*b'}}",
    "Invalid format!": "bots: {deploy-bot: {full_name: 'Deploy|7'}}",
  }),
  ...rows("bots/name", { "Bad name or username": "bots: {'deploy bot': {}}" }),
  ...rows("emoji/name", {
    "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.":
      "emoji: {Forge!: {image: forge.png}}",
    "Emoji names must end with either a letter or digit.": "emoji: {forge_: {image: forge.png}}",
  }),
  ...rows("emoji/overrides", {
    "Only administrators can override default emoji.": "emoji: {heart: {image: forge.png}}",
  }),
  ...rows(
    "emoji/not-allowed",
    { "Must be an organization administrator or emoji author": "emoji: {forge: {absent: true}}" },
    { account: "dmitri@acme.example", emoji: { forge: "ada@acme.example" } },
  ),
  ...rows("file/cut-off", {
    "Could not decode image; did you upload an image file?": picture("cut-off.png"),
  }),
  ...rows("file/no-image", {
    "Invalid image format": picture("text.png"),
  }),
  ...rows("file/too-large", {
    "Uploaded file is larger than the allowed limit of … MiB": picture("heavy.png"),
  }),
  ...rows("domains/name", {
    "Invalid domain: Domain can't be empty.": domain(""),
    "Invalid domain: Domain must have at least one dot (.)": domain("example"),
    "Invalid domain: Domain cannot start or end with a dot (.)": domain(".example.org"),
    "Invalid domain: Consecutive … are not allowed.": domain("a..example"),
    "Invalid domain: Subdomains cannot start or end with a ….": domain("-a.example"),
    "Invalid domain: Domain can only have letters, numbers, … and …s.": domain("a_b.example"),
    "Invalid domain: Domain is too long": domain(`${long(250)}.example`),
  }),
  ...rows("linkifiers/pattern", {
    ...Object.fromEntries(
      Object.entries(BAD_PATTERNS).map(([words, pattern]) => [`Bad regular expression: ${words}`, linkifier(pattern)]),
    ),
    "This field cannot be blank.": linkifier(""),
  }),
  ...rows("linkifiers/template", { "Invalid URL template.": linkifier("(?P<id>[0-9]+)", "https://a.example/{id") }),
  ...rows("linkifiers/unknown-variable", {
    "Group … in URL template is not present in linkifier pattern.": linkifier("[0-9]+"),
  }),
  ...rows("linkifiers/unused-group", {
    "Group … in linkifier pattern is not present in URL template.": linkifier("(?P<id>[0-9]+)", "https://a.example/"),
  }),
  ...rows("playgrounds/template", {
    "Missing the required variable … in the URL template": playground(
      "language: Rust, url_template: 'https://a.example/'",
    ),
    "… should be the only variable present in the URL template": playground(
      "language: Rust, url_template: 'https://a.example/{code}{id}'",
    ),
  }),
  ...rows("playgrounds/language", {
    "Invalid characters in pygments language": playground(
      "language: 'Rust!', url_template: 'https://a.example/{code}'",
    ),
  }),
  ...rows("navigation_views/built-in-name", {
    "Built-in views cannot have a custom name.": "navigation_views: {inbox: {name: Mine, is_pinned: true}}",
  }),
  ...rows("navigation_views/no-name", {
    "Custom views must have a valid name.": "navigation_views: {narrow/topic/mentions: {is_pinned: true}}",
  }),
  ...rows("navigation_views/fragment", {
    "fragment cannot be blank": "navigation_views: {'': {name: Mine, is_pinned: true}}",
  }),
  ...rows("profile_fields/name", {
    "Label cannot be blank.": field("name: '', type: short_text"),
    "name is too long (limit: … characters)": field(`name: ${long(41)}, type: short_text`),
  }),
  ...rows("profile_fields/hint", {
    "hint is too long (limit: … characters)": field(`name: Phone, type: short_text, hint: ${long(81)}`),
  }),
  ...rows("profile_fields/options", {
    "Field must have at least one choice.": field("name: Site, type: select, options: []"),
    "Field must not have duplicate choices.": field("name: Site, type: select, options: [Leeds, Leeds]"),
    "… cannot be blank.": field("name: Site, type: select, options: ['']"),
  }),
  ...rows("profile_fields/account", {
    "Custom external account must define URL pattern": field("name: Page, type: external_account"),
    "Invalid external account type": field("name: Page, type: external_account, service: nowhere"),
    "URL pattern must contain ….": field("name: Page, type: external_account, url_pattern: 'https://a.example/'"),
  }),
  ...rows("profile_fields/summary", {
    "Field type not supported for display in profile summary.": field(
      "name: Bio, type: long_text, in_profile_summary: true",
    ),
  }),
  ...rows(
    "profile_fields/account",
    { "Default custom field cannot be updated.": field("name: GitHub username, type: external_account, hint: Which?") },
    { profile_fields: [{ name: "GitHub username", type: "external_account", field_data: { subtype: "github" } }] },
  ),
  ...rows("settings/group-not-allowed", {
    "… setting cannot be set to … group.": "settings: {permissions: {can_create_groups: role:internet}}",
    "… must be a system user group.": "settings: {permissions: {can_access_all_users_group: staff}}",
  }),
  ...rows("settings/unknown-method", {
    "Invalid authentication method: Nope. Valid methods are: […, …, …, …, …, …, …, …]":
      "settings: {authentication_methods: {Nope: true}}",
    "Invalid authentication method: email. Valid methods are: […, …, …, …, …, …, …, …]":
      "settings: {authentication_methods: {email: true}}",
    "Invalid authentication method: LDAP. Valid methods are: […, …, …, …, …, …, …, …]":
      "settings: {authentication_methods: {LDAP: true}}",
  }),
  ...rows("settings/last-sign-in", {
    "At least one authentication method must be enabled.": `settings: {authentication_methods: {${METHODS.join(": false, ")}: false}}`,
  }),
  ...rows("settings/language", { "Invalid language …": "settings: {default_language: tlh}" }),
  ...rows("settings/not-offered", {
    "Invalid video_chat_provider …": "settings: {video_chat_provider: zoom}",
    "Invalid giphy_rating …": "settings: {gif_rating_policy: x}",
  }),
  ...rows("user_defaults/sound", { "Invalid notification sound …": "user_defaults: {notification_sound: gong}" }),
  ...rows(
    "channels/protected-history",
    {
      "Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group":
        "channels: {general: {privacy: private_protected_history, permissions: {can_create_topic_group: role:moderators}}}",
    },
    { subscribers: { general: ["ada@acme.example"] } },
  ),
  ...rows("people/oneself", {
    "Cannot deactivate the only organization owner": "people: {ada@acme.example: {deactivated: true}}",
    "Cannot deactivate the only organization owner.": "people: {ada@acme.example: {deactivated: true}}",
  }),
  ...rows("bots/owner-is-bot", {
    "Failed to change owner, bots can't own other bots": "bots: {ci-bot: {owner: deploy-bot@localhost}}",
  }),
  ...rows("reference/unknown-person", {
    "Failed to change owner, no such user": "bots: {ci-bot: {owner: nobody@acme.example}}",
    "No such user": "channels: {general: {subscribers: {users: [nobody@acme.example]}}}",
    "No such bot": "user_groups: {crew: {members: [nobody-bot@localhost]}}",
  }),
  ...rows("reference/unknown-group", {
    "Invalid user group": "channels: {general: {permissions: {can_send_message_group: nobodies}}}",
    "Invalid user group ID: …": "user_groups: {crew: {subgroups: [nobodies]}}",
  }),
  ...rows("channels/unknown-folder", { "Invalid channel folder ID": "channels: {general: {folder: Nowhere}}" }),
];
