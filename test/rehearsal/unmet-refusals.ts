/**
 * Why no plan meets a recorded answer, or why no rehearsal can show it: the reason in a word; the error code that reports it before the server is
 * asked, if there is one; and the server's words without names and numbers (the whole text, unless `^` and `$` are missing).
 */
export interface Unmet {
  readonly why: string;
  readonly code?: string;
  /** No kind has these. */
  readonly parameters?: readonly string[];
  /** `apply` notices it in the reading before the first request. */
  readonly meanwhile?: true;
  readonly words: readonly RegExp[];
}

export const UNMET: readonly Unmet[] = [
  {
    why: "requests are encoded from the table of operations, which knows the form of every parameter",
    words: [
      / is not valid JSON$/,
      / is not an? (boolean|integer|list|dict|string|allowed_type|URL|date)$/,
      / field is missing: Field required$/,
      / does not have the expected format$/,
      / key is missing from field_data$/,
      /^Missing … argument$/,
      /^Unexpected arguments: /,
      / Input should be a valid dictionary/,
      /^Nothing to do\. Specify at least one of/,
      /^No new data supplied$/,
      /^You must specify at least one email address\.$/,
      /^Invalid interface type$/,
      /^The ordered list must not contain duplicated linkifiers$/,
      /^Emoji name is missing$/,
      // One part of a channel's privacy without the others; the numbers of options, which plans assign themselves; a name that the request leaves
      // out.
      /^Invalid parameters$/,
      /^field_data\[…\] cannot be blank\.$/,
      /^name cannot be blank$/,
      /^You (must upload exactly one (file|icon|logo)|may only upload one file at a time)\.?$/,
    ],
  },
  {
    why: "words and numbers of a field are checked against the schema",
    code: "field/value",
    words: [
      / Value error, Not in the list of possible values$/,
      /^Bad value for …: (-?…|forever)$/,
      /^Invalid email batching period: … seconds$/,
      /^Invalid (bot type|digest_weekday|org_type|topics_policy|field type\.)$/,
      /^Invalid (message_edit_history_visibility_policy|resolved_topic_notice_auto_read_policy)$/,
      /^Invalid (web_animate_image_previews|web_home_view)$/,
      /^(description|welcome_message_custom_text) is too long \(limit: … characters\)$/,
      / is too small$/,
    ],
  },
  {
    why: "refused when the organization is read, before there is a plan: exit code 6",
    code: "zulip/unauthorized",
    words: [/^Invalid API key$/, /^Account is deactivated$/, /^Not logged in: API authentication/],
  },
  {
    why: "an account that cannot read the organization makes no plan; bots that may write are refused by their kind of request",
    code: "zulip/not-allowed",
    words: [/^This API is not available to incoming webhook bots\.$/, /^This endpoint does not accept bot requests\.$/],
  },
  {
    why: "a path that the table of operations does not have",
    words: [/^Method Not Allowed$/],
  },
  {
    why: "names of channels are checked against what servers accept",
    code: "channels/name",
    words: [/^Channel name (can't be empty|too long .*)\.$/, /^Invalid character in channel name/],
  },
  {
    why: "names of folders, too",
    code: "channel_folders/name",
    words: [/^Channel folder name can't be empty\.$/, /^Invalid character in channel folder name/],
  },
  {
    why: "names of groups, too",
    code: "user_groups/name",
    words: [/^User group name (can't be empty!|cannot exceed … characters\.|cannot start with …\.)$/],
  },
  {
    why: "names of bots, too",
    code: "bots/full-name",
    words: [/^(Invalid characters in name!|Invalid format!|Name must not be empty!|Name too long!)$/],
  },
  { why: "addresses of bots, too", code: "bots/name", words: [/^Bad name or username$/] },
  {
    why: "names of emoji, too",
    code: "emoji/name",
    words: [/^Emoji names must /],
  },
  {
    why: "an emoji that Zulip has",
    code: "emoji/overrides",
    words: [/^Only administrators can override default emoji\.$/],
  },
  {
    why: "looked at before it is sent",
    code: "emoji/not-allowed",
    words: [/^Must be an organization administrator or emoji author$/],
  },
  {
    why: "pictures are looked at when the file is read",
    code: "file/no-image",
    words: [/^Invalid image format$/],
  },
  { why: "pictures are looked at when the file is read", code: "file/cut-off", words: [/^Could not decode image/] },
  { why: "pictures are looked at when the file is read", code: "file/too-large", words: [/^Uploaded file is larger /] },
  { why: "held against what servers take", code: "domains/name", words: [/^Invalid domain: /] },
  {
    why: "patterns are compiled as the server does",
    code: "linkifiers/pattern",
    words: [/^Bad regular expression: /, /^This field cannot be blank\.$/],
  },
  { why: "templates are parsed as the server does", code: "linkifiers/template", words: [/^Invalid URL template\.$/] },
  {
    why: "pattern and template are checked against each other",
    code: "linkifiers/unknown-variable",
    words: [/^Group … in URL template is not present in linkifier pattern\.$/],
  },
  {
    why: "pattern and template are checked against each other",
    code: "linkifiers/unused-group",
    words: [/^Group … in linkifier pattern is not present in URL template\.$/],
  },
  {
    why: "templates are parsed as the server does",
    code: "playgrounds/template",
    words: [/^Missing the required variable … in the URL template$/, /^… should be the only variable present/],
  },
  { why: "languages are known", code: "playgrounds/language", words: [/^Invalid characters in pygments language$/] },
  {
    why: "views are checked against what servers accept",
    code: "navigation_views/built-in-name",
    words: [/^Built-in views cannot have a custom name\.$/],
  },
  {
    why: "views are checked against what servers accept",
    code: "navigation_views/no-name",
    words: [/^Custom views must have a valid name\.$/],
  },
  {
    why: "views are checked against what servers accept",
    code: "navigation_views/fragment",
    words: [/^fragment cannot be blank$/],
  },
  {
    why: "fields of profiles are checked against their type",
    code: "profile_fields/name",
    words: [/^Label cannot be blank\.$/, /^name is too long \(limit: … characters\)$/],
  },
  {
    why: "fields of profiles are checked against their type",
    code: "profile_fields/options",
    words: [/^Field must (have at least one choice|not have duplicate choices)\.$/, /^… cannot be blank\.$/],
  },
  {
    why: "fields of profiles are checked against their type",
    code: "profile_fields/account",
    words: [
      /^Custom external account must define URL pattern$/,
      /^URL pattern must contain …\.$/,
      /^Invalid external account type$/,
      /^Default custom field cannot be updated\.$/,
    ],
  },
  {
    why: "fields of profiles are checked against their type",
    code: "profile_fields/summary",
    words: [/^Field type not supported for display in profile summary\.$/],
  },
  {
    why: "fields of profiles are checked against their type",
    code: "profile_fields/hint",
    words: [/^hint is too long \(limit: … characters\)$/],
  },
  {
    why: "permissions are checked against what the server says about them",
    code: "settings/group-not-allowed",
    words: [/^… setting cannot be set to … group\.$/, /^… must be a system user group\.$/],
  },
  {
    why: "methods of signing in are those that the server offers",
    code: "settings/unknown-method",
    words: [/^Invalid authentication method: /],
  },
  {
    why: "methods of signing in are those that the server offers",
    code: "settings/last-sign-in",
    words: [/^At least one authentication method must be enabled\.$/],
  },
  { why: "languages are those of the server", code: "settings/language", words: [/^Invalid language …$/] },
  {
    why: "what the server offers is read",
    code: "settings/not-offered",
    words: [/^Invalid (video_chat_provider|giphy_rating) …$/],
  },
  { why: "sounds are those of the server", code: "user_defaults/sound", words: [/^Invalid notification sound …$/] },
  {
    why: "history and topics are checked against each other",
    code: "channels/protected-history",
    words: [/^Unsupported parameter combination: /],
  },
  {
    why: "only owners deactivate owners, so the only one would be the account that acts",
    code: "people/oneself",
    words: [/^Cannot deactivate the only organization owner\.?$/],
  },
  {
    why: "who owns a bot is looked up",
    code: "bots/owner-is-bot",
    words: [/^Failed to change owner, bots can't own other bots$/],
  },
  {
    why: "who is named is looked up, and accounts are never deleted",
    code: "reference/unknown-person",
    words: [/^Failed to change owner, no such user$/, /^No such (user|bot)$/],
  },
  {
    why: "groups are looked up, and are never deleted",
    code: "reference/unknown-group",
    words: [/^Invalid user group( ID: …)?$/],
  },
  {
    why: "folders are looked up, and are never deleted",
    code: "channels/unknown-folder",
    words: [/^Invalid channel folder ID$/],
  },
  {
    why: "the plan is read again before it is sent: what was done or made meanwhile is a conflict, or done already",
    meanwhile: true,
    words: [
      /^… value does not match the expected value\.$/,
      /^(A custom emoji with this name already exists|A field with that label already exists)\.$/,
      /^Channel (already has that name|name is already in use|… already exists)\.?$/,
      /^Channel is (already|not currently) deactivated$/,
      /^Email is already in use\.$/,
      /^Emoji … does not exist$/,
      /^Field id … not found\.$/,
      /^Linkifier not found\.$/,
      /^Realm filter with this Realm and Pattern already exists\.$/,
      /^Invalid playground$/,
      /^Invitation has already been revoked$/,
      /^No such invitation$/,
      /^No entry found for domain /,
      /^Navigation view does not exist\.$/,
      /^There is no member … in this user group$/,
      /^User group … (already exists|is already a subgroup of this group|is not a subgroup of this group)\.$/,
      /^User … is already a member of this group$/,
      /^Channel\(s\) \(…\) do not exist$/,
      /^The domain .* is already a part of your organization\.$/,
      /^Realm playground with this Realm, Pygments language and Name already exists\.$/,
    ],
  },
  {
    why: "plans never send the parameter that it is about",
    parameters: [
      "string_id",
      "new_email",
      "profile_data",
      "deactivation_notification_comment",
      "payload_url",
      "service_payload_url",
      "service_name",
      "config_data",
      "interface_type",
      "default_sending_stream",
      "default_events_register_stream",
    ],
    words: [
      /^Must be a demo organization\.$/,
      /^User not authorized to change user emails$/,
      /^Invalid (embedded bot name\.|integration …\.|channel name …)$/,
      /^Invalid user IDs: …$/,
      /^(deactivation_notification_comment|Nickname|About) is too long \(limit: … characters\)$/,
      /^Invalid (service_)?payload_url: Value error, Not a URL$/,
      /^User with ID … is (a bot|deactivated)$/,
      /^… is not a valid choice for …\.$/,
    ],
  },
  {
    why: "no reading has messages: a rehearsal cannot know, and the server says it when the plan is applied",
    words: [/^To enable this configuration, all messages in this channel must be in the general chat topic\./],
  },
];
