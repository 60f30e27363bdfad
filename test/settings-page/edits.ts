/** One thing that a person can click, as the request that the page sends. */
export interface Edit {
  readonly section: string;
  readonly what: string;
  readonly request: string;
  readonly params?: { readonly [name: string]: unknown };
  /** With a picture, as a form. */
  readonly picture?: true;
  /** What adopt says to write by hand: no file can express it. */
  readonly byHand?: string;
  /** The name that drift, plan and adopt say. */
  readonly says: string;
}

const edits = (section: string, rows: readonly Omit<Edit, "section">[]): readonly Edit[] =>
  rows.map((row) => ({ section, ...row }));

const [NOBODY, ADMINISTRATORS, MODERATORS, MEMBERS] = [9, 11, 12, 14];
const to = (group: unknown) => ({ new: group });

const channels = edits("channels", [
  { what: "description", request: "PATCH /streams/101", params: { description: "By hand" }, says: "general" },
  { what: "name", request: "PATCH /streams/103", params: { new_name: "backyard" }, says: "backyard" },
  {
    what: "name and description",
    request: "PATCH /streams/104",
    params: { new_name: "foyer", description: "All guests" },
    says: "foyer",
  },
  {
    what: "made private",
    request: "PATCH /streams/103",
    params: { is_private: true, history_public_to_subscribers: true },
    says: "yard",
  },
  {
    what: "protected history",
    request: "PATCH /streams/106",
    params: { is_private: true, history_public_to_subscribers: false },
    says: "ledger",
  },
  { what: "another folder", request: "PATCH /streams/101", params: { folder_id: 2 }, says: "general" },
  { what: "no folder", request: "PATCH /streams/103", params: { folder_id: null }, says: "yard" },
  { what: "topics", request: "PATCH /streams/101", params: { topics_policy: "disable_empty_topic" }, says: "general" },
  { what: "retention", request: "PATCH /streams/101", params: { message_retention_days: 30 }, says: "general" },
  ...[
    "can_add_subscribers_group",
    "can_administer_channel_group",
    "can_create_topic_group",
    "can_delete_any_message_group",
    "can_delete_own_message_group",
    "can_move_messages_out_of_channel_group",
    "can_move_messages_within_channel_group",
    "can_remove_subscribers_group",
    "can_resolve_topics_group",
    "can_send_message_group",
  ].map((setting) => ({
    what: setting,
    request: "PATCH /streams/104",
    params: { [setting]: to(MODERATORS) },
    says: setting,
  })),
  {
    what: "who posts, a person and a group",
    request: "PATCH /streams/103",
    params: { can_send_message_group: to({ direct_members: [8], direct_subgroups: [31] }) },
    says: "yard",
  },
  { what: "archived", request: "DELETE /streams/103", says: "yard" },
  { what: "a default channel, archived", request: "DELETE /streams/104", says: "lobby" },
  { what: "unarchived", request: "PATCH /streams/105", params: { is_archived: false }, says: "attic" },
  {
    what: "a new one",
    request: "POST /users/me/subscriptions",
    params: { subscriptions: [{ name: "brand new" }] },
    says: "brand new",
  },
  {
    what: "a subscriber more",
    request: "POST /users/me/subscriptions",
    params: { subscriptions: [{ name: "ledger" }], principals: [8] },
    says: "ledger",
  },
  {
    what: "a subscriber less",
    request: "DELETE /users/me/subscriptions",
    params: { subscriptions: ["ledger"], principals: [7] },
    says: "ledger",
  },
]);

const groups = edits("user_groups", [
  { what: "description", request: "PATCH /user_groups/30", params: { description: "By hand" }, says: "staff" },
  { what: "name", request: "PATCH /user_groups/30", params: { name: "personnel" }, says: "personnel" },
  { what: "a member more", request: "POST /user_groups/30/members", params: { add: [8] }, says: "staff" },
  { what: "a member less", request: "POST /user_groups/30/members", params: { delete: [7] }, says: "staff" },
  { what: "a subgroup more", request: "POST /user_groups/32/subgroups", params: { add: [30] }, says: "engineering" },
  { what: "a subgroup less", request: "POST /user_groups/32/subgroups", params: { delete: [31] }, says: "engineering" },
  ...[
    "can_add_members_group",
    "can_join_group",
    "can_leave_group",
    "can_manage_group",
    "can_mention_group",
    "can_remove_members_group",
  ].map((setting) => ({
    what: setting,
    request: "PATCH /user_groups/30",
    params: { [setting]: to(MODERATORS) },
    says: setting,
  })),
  { what: "deactivated", request: "POST /user_groups/33/deactivate", says: "spare" },
  {
    what: "a new one",
    request: "POST /user_groups/create",
    params: { name: "night crew", description: "", members: [6] },
    says: "night crew",
  },
]);

const folders = edits("channel_folders", [
  { what: "description", request: "PATCH /channel_folders/1", params: { description: "By hand" }, says: "Company" },
  { what: "name", request: "PATCH /channel_folders/1", params: { name: "House" }, says: "House" },
  { what: "order", request: "PATCH /channel_folders", params: { order: [2, 1, 3] }, says: "folder" },
  { what: "unarchived", request: "PATCH /channel_folders/3", params: { is_archived: false }, says: "Attic" },
  {
    what: "a new one",
    request: "POST /channel_folders/create",
    params: { name: "Clubs", description: "" },
    says: "Clubs",
  },
]);

const lists = [
  ...edits("linkifiers", [
    {
      what: "template",
      request: "PATCH /realm/filters/201",
      params: { pattern: "BUG-(?P<id>[0-9]+)", url_template: "https://new.example.org/{id}" },
      says: "BUG-",
    },
    {
      what: "pattern",
      request: "PATCH /realm/filters/201",
      params: { pattern: "BUGS-(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" },
      says: "BUGS-",
    },
    {
      what: "order",
      request: "PATCH /realm/linkifiers",
      params: { ordered_linkifier_ids: [202, 201] },
      says: "linkifiers",
    },
    { what: "removed", request: "DELETE /realm/filters/202", says: "DOC-" },
    {
      what: "a new one",
      request: "POST /realm/filters",
      params: { pattern: "PR-(?P<id>[0-9]+)", url_template: "https://pr.example.org/{id}" },
      says: "PR-",
    },
  ]),
  ...edits("profile_fields", [
    {
      what: "name",
      request: "PATCH /realm/profile_fields/502",
      params: { name: "Pronoun", hint: "What people call you" },
      says: "Pronoun",
    },
    {
      what: "hint",
      request: "PATCH /realm/profile_fields/502",
      params: { name: "Pronouns", hint: "By hand" },
      says: "Pronouns",
    },
    {
      what: "an option more",
      request: "PATCH /realm/profile_fields/501",
      params: {
        name: "Site",
        hint: "",
        field_data: {
          "0": { text: "Leeds", order: "1" },
          "1": { text: "Porto", order: "2" },
          "2": { text: "Lyon", order: "3" },
        },
      },
      says: "Lyon",
    },
    {
      what: "an option renamed",
      request: "PATCH /realm/profile_fields/501",
      params: {
        name: "Site",
        hint: "",
        field_data: { "0": { text: "Leeds North", order: "1" }, "1": { text: "Porto", order: "2" } },
      },
      says: "Leeds North",
    },
    {
      what: "options in another order",
      request: "PATCH /realm/profile_fields/501",
      params: {
        name: "Site",
        hint: "",
        field_data: { "0": { text: "Leeds", order: "2" }, "1": { text: "Porto", order: "1" } },
      },
      says: "Site",
    },
    {
      what: "an option less",
      request: "PATCH /realm/profile_fields/501",
      params: { name: "Site", hint: "", field_data: { "0": { text: "Leeds", order: "1" } } },
      says: "Porto",
    },
    {
      what: "in the summary",
      request: "PATCH /realm/profile_fields/502",
      params: { name: "Pronouns", hint: "What people call you", display_in_profile_summary: true },
      says: "Pronouns",
    },
    { what: "order", request: "PATCH /realm/profile_fields", params: { order: [502, 501] }, says: "profile" },
    { what: "removed", request: "DELETE /realm/profile_fields/502", says: "Pronouns" },
    {
      what: "a new one",
      request: "POST /realm/profile_fields",
      params: { name: "Birthday", hint: "", field_type: 4 },
      says: "Birthday",
    },
  ]),
  ...edits("playgrounds", [
    { what: "removed", request: "DELETE /realm/playgrounds/702", says: "Python" },
    {
      what: "a new one",
      request: "POST /realm/playgrounds",
      params: { name: "Go playground", pygments_language: "Go", url_template: "https://go.example.org/?code={code}" },
      says: "Go playground",
    },
  ]),
  ...edits("domains", [
    {
      what: "subdomains",
      request: "PATCH /realm/domains/acme.example",
      params: { allow_subdomains: true },
      says: "acme.example",
    },
    { what: "removed", request: "DELETE /realm/domains/b.example", says: "b.example" },
    {
      what: "a new one",
      request: "POST /realm/domains",
      params: { domain: "c.example", allow_subdomains: false },
      says: "c.example",
    },
  ]),
  ...edits("default_channels", [
    { what: "removed", request: "DELETE /default_streams", params: { stream_id: 104 }, says: "lobby" },
    { what: "a new one", request: "POST /default_streams", params: { stream_id: 103 }, says: "yard" },
  ]),
  ...edits("navigation_views", [
    { what: "unpinned", request: "PATCH /navigation_views/inbox", params: { is_pinned: false }, says: "inbox" },
    {
      what: "name",
      request: `PATCH /navigation_views/${encodeURIComponent("narrow/topic/mentions")}`,
      params: { name: "For me" },
      says: "mentions",
    },
    {
      what: "removed",
      request: `DELETE /navigation_views/${encodeURIComponent("narrow/topic/mentions")}`,
      says: "mentions",
    },
    {
      what: "a new one",
      request: "POST /navigation_views",
      params: { fragment: "narrow/topic/later", is_pinned: true, name: "Stars" },
      says: "later",
    },
  ]),
  ...edits("emoji", [
    { what: "removed", request: "DELETE /realm/emoji/anvil", says: "anvil" },
    { what: "a new one", request: "POST /realm/emoji/hammer", picture: true, says: "hammer" },
    {
      what: "a new one with the name of a built-in one",
      request: "POST /realm/emoji/smile",
      picture: true,
      says: "smile",
    },
  ]),
];

const accounts = [
  ...edits("people", [
    { what: "role", request: "PATCH /users/9", params: { role: 300 }, says: "dmitri" },
    { what: "deactivated", request: "DELETE /users/13", says: "hana" },
    { what: "deactivated, a member of groups", request: "DELETE /users/7", says: "ben" },
    { what: "reactivated", request: "POST /users/15/reactivate", says: "jana" },
  ]),
  ...edits("bots", [
    { what: "name", request: "PATCH /bots/18", params: { full_name: "Build Bot" }, says: "ci-bot" },
    { what: "owner", request: "PATCH /bots/18", params: { bot_owner_id: 6 }, says: "ci-bot" },
    { what: "deactivated", request: "DELETE /bots/18", says: "ci-bot" },
    {
      what: "a new one",
      request: "POST /bots",
      params: { full_name: "Hammer Bot", short_name: "hammer", bot_type: 1 },
      says: "hammer",
    },
  ]),
  ...edits("invites", [
    // An invitation is an act: that one is gone is no difference, and nobody is invited again.
    { what: "revoked", request: "DELETE /invites/402", says: "vault" },
    {
      what: "a new one",
      request: "POST /invites",
      params: { invitee_emails: "moe@acme.example", stream_ids: [101], invite_expires_in_minutes: 14400 },
      says: "moe@acme.example",
    },
  ]),
  ...edits("invite_links", [
    { what: "revoked", request: "DELETE /invites/multiuse/501", says: "link" },
    {
      what: "a new one",
      request: "POST /invites/multiuse",
      params: { invite_as: 400, stream_ids: [101], invite_expires_in_minutes: null },
      says: "link",
    },
  ]),
];

const settings = [
  ...edits("settings", [
    { what: "name", request: "PATCH /realm", params: { name: "Acme Forge" }, says: "name" },
    { what: "description", request: "PATCH /realm", params: { description: "By hand" }, says: "description" },
    {
      what: "a number",
      request: "PATCH /realm",
      params: { waiting_period_threshold: 3 },
      says: "waiting_period_threshold",
    },
    {
      what: "a time",
      request: "PATCH /realm",
      params: { message_content_edit_limit_seconds: 7200 },
      says: "message_content_edit_limit",
    },
    {
      what: "retention",
      request: "PATCH /realm",
      params: { message_retention_days: 90 },
      says: "message_retention_days",
    },
    { what: "a switch", request: "PATCH /realm", params: { invite_required: false }, says: "invite_required" },
    { what: "a language", request: "PATCH /realm", params: { default_language: "de" }, says: "default_language" },
    {
      what: "a channel",
      request: "PATCH /realm",
      params: { new_stream_announcements_stream_id: 101 },
      says: "new_stream_announcements_channel",
    },
    {
      what: "who creates channels",
      request: "PATCH /realm",
      params: { can_create_public_channel_group: to(ADMINISTRATORS) },
      says: "can_create_public_channel_group",
    },
    {
      what: "who invites, people and groups",
      request: "PATCH /realm",
      params: { can_invite_users_group: to({ direct_members: [8], direct_subgroups: [31] }) },
      says: "can_invite_users_group",
    },
    {
      what: "who manages groups",
      request: "PATCH /realm",
      params: { can_manage_all_groups: to(MODERATORS) },
      says: "can_manage_all_groups",
    },
    {
      what: "who deletes messages",
      request: "PATCH /realm",
      params: { can_delete_any_message_group: to(NOBODY) },
      says: "can_delete_any_message_group",
    },
    {
      what: "who sends direct messages",
      request: "PATCH /realm",
      params: { direct_message_permission_group: to(MEMBERS) },
      says: "direct_message_permission_group",
    },
    { what: "the icon is removed", request: "DELETE /realm/icon", says: "icon" },
    {
      what: "another icon",
      request: "POST /realm/icon",
      picture: true,
      says: "icon",
      byHand: "write icon: {image: PATH, version: 4}",
    },
    {
      what: "a logo",
      request: "POST /realm/logo",
      params: { night: false },
      picture: true,
      says: "logo",
      byHand: "write logo: {image: PATH, version: 2}",
    },
    {
      what: "a logo for the dark theme",
      request: "POST /realm/logo",
      params: { night: true },
      picture: true,
      says: "night_logo",
      byHand: "write night_logo: {image: PATH, version: 2}",
    },
  ]),
  ...edits("user_defaults", [
    {
      what: "a switch",
      request: "PATCH /realm/user_settings_defaults",
      params: { enter_sends: true },
      says: "enter_sends",
    },
    {
      what: "a number",
      request: "PATCH /realm/user_settings_defaults",
      params: { email_notifications_batching_period_seconds: 300 },
      says: "email_notifications_batching_period",
    },
    {
      what: "a choice",
      request: "PATCH /realm/user_settings_defaults",
      params: { color_scheme: 2 },
      says: "color_scheme",
    },
  ]),
];

export const EDITS: readonly Edit[] = [...channels, ...groups, ...folders, ...lists, ...accounts, ...settings];
