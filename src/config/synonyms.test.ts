import { describe, expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { readConfig } from "./read-config.ts";

async function hintsOf(text: string): Promise<readonly (string | undefined)[]> {
  const result = await readConfig({ file: "realm.yaml", readFile: async () => `version: 1\n${text}\n`, kinds });
  expect(result.ok).toBe(false);
  return result.ok
    ? []
    : result.diagnostics.map(wordedDiagnostic).flatMap(({ code, hint }) => (code === "field/unknown" ? [hint] : []));
}

/** The field that is meant, without what is said about the value in it, which has tests of its own. */
const fieldsIn = async (text: string): Promise<readonly (string | undefined)[]> =>
  (await hintsOf(text)).map((hint) => hint?.replace(/(?<=\?) \(.*\)$/, ""));

const CHANNEL_FIELDS =
  "profile, was, id, description, privacy, folder, topics_policy, default_push_notifications, message_retention_days, absent, archived, permissions and subscribers";
const LINKIFIER_FIELDS =
  "pattern, was, id, absent, url_template, example_input, reverse_template and alternative_url_templates";

describe("words from other programs", () => {
  test.each([
    ["channels: {a: {desc: x}}", "description"],
    ["channels: {a: {private: true}}", "privacy: private_shared_history"],
    ["channels: {a: {is_web_public: true}}", "privacy: web_public"],
    ["channels: {a: {visibility: public}}", "privacy"],
    ["channels: {a: {renamed_from: b}}", "was"],
    ["channels: {a: {stream_id: 4}}", "id"],
    ["channels: {a: {members: [ada@example.org]}}", "subscribers"],
    ["channels: {a: {retention: 30}}", "message_retention_days"],
    ["channels: {a: {subscribers: {members: [ada@example.org]}}}", "users"],
    ["channels: {a: {permissions: {can_subscribe_group: {roles: [members]}}}}", "groups"],
    ["user_groups: {a: {users: [ada@example.org]}}", "members"],
    ["user_groups: {a: {directSubgroups: []}}", "subgroups"],
    ["user_groups: {a: {archived: true}}", "deactivated"],
    ["channel_folders: {a: {about: x}}", "description"],
    ["linkifiers: [{pattern: a, url: 'https://example.org'}]", "url_template"],
    ["domains: {example.org: {Include-Subdomains: true}}", "allow_subdomains"],
    ["navigation_views: {inbox: {pinned: true}}", "is_pinned"],
    ["invites: [{emails: [a@example.org], role: member}]", "invite_as"],
    ["invites: [{emails: [a@example.org], streams: [a]}]", "channels"],
    ["settings: {message_edit_time_limit: 10m}", "message_content_edit_limit"],
    ["settings: {move_messages_between_channels_limit: 7d}", "move_messages_between_streams_limit"],
    ["settings: {notifications_stream: general}", "new_stream_announcements_channel"],
    ["settings: {auth: {Email: true}}", "authentication_methods"],
    ["settings: {disposable: true}", "disallow_disposable_email_addresses: false"],
    ["settings: {permissions: {summarize: role:members}}", "can_summarize_topics_group"],
    ["settings: {message_delete_limit: 10m}", "message_content_delete_limit"],
  ])("%s: %s", async (text, meant) => expect(await fieldsIn(text)).toEqual([`did you mean ${JSON.stringify(meant)}?`]));

  test.each([
    ["channels: {a: {who_can_post: role:members}}", 'did you mean "can_send_message_group", under permissions:?'],
    ["channels: {a: {can_send_message_group: role:members}}", "it belongs under permissions:"],
    ["channels: {a: {permissions: {privacy: public}}}", "it belongs to the channel itself: indent it less"],
    ["channels: {a: {descripton: x}}", 'did you mean "description"?'],
  ])("%s: %s", async (text, hint) => expect(await hintsOf(text)).toEqual([hint]));

  test.each([
    ["channels: {a: {members: [ada@example.org]}}", '"subscribers"? (write people as {users: [ada@example.org]})'],
    [
      "channels: {a: {type: forum}}",
      '"privacy"? (it is web_public, public, private_shared_history or private_protected_history)',
    ],
    [
      "channels: {a: {post_policy: [staff]}}",
      '"can_send_message_group", under permissions:? (write groups as {groups: [staff]})',
    ],
    ["user_groups: {a: {users: a@example.org}}", '"members"? (write a list: [a@example.org])'],
    ["user_groups: {a: {users: role:members}}", '"members"? (groups are written {groups: [role:members]})'],
    ["user_groups: {a: {children: {b: null}}}", '"subgroups"? (write a list: [b])'],
    ["people: {a@example.org: {type: admin}}", '"role: administrator"?'],
    ["invites: [{email: a@example.org; b@example.org}]", '"emails"? (write a list: [a@example.org, b@example.org])'],
  ])("a wrong word with a value of another form: %s", async (text, meant) =>
    expect(await hintsOf(text)).toEqual([`did you mean ${meant}`]),
  );

  test.each([
    ["can_send_message_group: {role: admin}", "write can_send_message_group: role:administrators"],
    ["can_send_message_group: {group: staff}", "write can_send_message_group: staff"],
  ])("a name in a map of its own: %s", async (right, hint) =>
    expect(await hintsOf(`channels: {a: {permissions: {${right}}}}`)).toEqual([hint]),
  );

  /** Words of Zulip's settings, of Slack, Discord, IRC and Terraform, for each section: what they are called here. */
  const WORDS: { readonly [item: string]: { readonly [meant: string]: string } } = {
    "channels: {a: {WORD: x}}": {
      'did you mean "description"?': "topic purpose subject about info",
      'did you mean "subscribers"?': "members member users people participants subscribed",
      'did you mean "privacy"?':
        "visibility type access history private secret hidden invite_only is_private web_public",
      'did you mean "can_administer_channel_group", under permissions:?':
        "owner owners admin admins moderators managers creator",
      'did you mean "can_send_message_group", under permissions:?':
        "readonly read_only announce_only announcement post who_can_post writers",
      'did you mean "can_add_subscribers_group", under permissions:?': "invite can_invite",
      'did you mean "message_retention_days"?': "retention retention_policy ttl",
      'did you mean "default_push_notifications"?': "push notifications",
      'did you mean "folder"?': "category section parent",
      'did you mean "archived"?': "active closed is_archived",
      'did you mean "topics_policy"?': "topics",
      "it is written at the top of the file: default_channels: [general]": "default is_default autojoin",
      "the name of a channel is its key; to rename it, write the new name there, and was: with the old one":
        "name title stream channel stream_name",
      [`fields: ${CHANNEL_FIELDS}`]: "position color pinned nsfw emoji muted",
    },
    "user_groups: {a: {WORD: x}}": {
      'did you mean "description"?': "topic purpose",
      'did you mean "can_manage_group", under permissions:?': "owner owners admin admins moderators lead",
      'did you mean "members"?': "users user people emails subscribers participants",
      'did you mean "subgroups"?': "groups subgroup children includes",
      'did you mean "can_mention_group", under permissions:?': "mentionable mention",
      'did you mean "can_join_group", under permissions:?': "joinable join",
      'did you mean "deactivated"?': "archived active disabled",
    },
    "people: {a@example.org: {WORD: x}}": {
      'did you mean "role"?':
        "roles type permissions owner is_owner admin is_admin moderator is_moderator guest is_guest",
      'did you mean "deactivated"?': "active disabled suspended status archived",
      "it is written at the top of the file: user_groups: {staff: {members: [ada@example.org]}}": "group groups teams",
      "it is written at the top of the file: channels: {general: {subscribers: {users: [ada@example.org]}}}":
        "channels streams subscriptions",
      "fields: role and deactivated": "name full_name email manager",
    },
    "bots: {a: {WORD: x}}": {
      'did you mean "full_name"?': "name title short_name display_name",
      'did you mean "owner"?': "owner_id user created_by",
      'did you mean "type"?': "kind bot_type",
      "keys are not in this file but in a zuliprc or in ZULIP_API_KEY: delete it, and make a new one if anybody can have seen this one":
        "api_key token secret",
    },
    "channel_folders: {a: {WORD: x}}": {
      'did you mean "description"?': "topic purpose",
      "it is written at the top of the file: channels: {general: {folder: Projects}}": "channels streams",
      "the name of a folder is its key; to rename it, write the new name there, and was: with the old one":
        "name title",
    },
    "linkifiers: [{pattern: a, url_template: 'https://example.org/a', WORD: x}]": {
      'did you mean "pattern"?': "regex match prefix",
      'did you mean "url_template"?': "url link replacement",
      [`fields: ${LINKIFIER_FIELDS}`]: "name order",
    },
    "profile_fields: [{name: a, type: short_text, WORD: x}]": {
      'did you mean "hint"?': "description placeholder",
      'did you mean "options"?': "choices values",
      'did you mean "required"?': "mandatory",
      'did you mean "editable_by_user"?': "editable",
    },
    "invites: [{emails: [a@example.org], WORD: x}]": {
      'did you mean "invite_as"?': "role as",
      'did you mean "emails"?': "email addresses users",
      'did you mean "channels"?': "streams channel",
      'did you mean "send_until"?': "until expires_on deadline",
      'did you mean "expires_in"?': "expires days",
      'did you mean "welcome_message_custom_text"?': "message text welcome",
    },
    "invite_links: [{expires_on: never, WORD: x}]": {
      'did you mean "invite_as"?': "role",
      'did you mean "expires_on"?': "until expires expires_in days send_until",
    },
    "settings: {WORD: x}": {
      'did you mean "name"?': "realm_name title",
      'did you mean "invite_required"?': "invite_only closed",
      'did you mean "message_retention_days"?': "retention",
      'did you mean "default_language"?': "language locale",
      'did you mean "authentication_methods"?': "auth login_methods",
      'did you mean "can_invite_users_group", under permissions:?': "who_can_invite can_invite",
      'did you mean "enable_spectator_access"?': "web_public spectators",
      "it is written at the top of the file: domains: {example.org: {}}": "domain domains allowed_domains",
      "it is written at the top of the file: user_defaults: {color_scheme: dark}": "theme",
    },
    "user_defaults: {WORD: x}": {
      'did you mean "color_scheme"?': "theme",
      "it is written at the top of the file: settings: {default_language: de}": "language",
    },
    "emoji: {a: {image: a.png, WORD: x}}": { "fields: image, replaces, overrides_builtin and absent": "name alias" },
    "emoji: {a: {WORD: a.png}}": { 'did you mean "image"?': "file url path" },
    "domains: {example.org: {WORD: true}}": { 'did you mean "allow_subdomains"?': "subdomains wildcard" },
    "navigation_views: {inbox: {WORD: true}}": { 'did you mean "is_pinned"?': "pinned pin" },
  };
  const NEEDLESS = "delete it: what the file lists exists and is in use";
  /** What such a word says depends on its value: advice that looks at the word alone would close an open channel, or archive a used one. */
  const BY_VALUE: { readonly [item: string]: { readonly [meant: string]: string } } = {
    "channels: {a: {LINE}}": {
      'did you mean "privacy: private_shared_history"?':
        "private: true|is_private: true|invite_only: yes|secret: 1|hidden: on",
      'did you mean "privacy: public"?':
        "is_private: false|private: no|invite_only: false|public: true|is_public: true",
      'did you mean "privacy: web_public"?': "web_public: true|is_web_public: true",
      'did you mean "privacy"?':
        "is_web_public: false|public: false|is_private: maybe|history_public_to_subscribers: true|visibility: private",
      'did you mean "archived: false"?': "active: true|is_active: true|enabled: true|status: open",
      'did you mean "archived: true"?': "active: false|enabled: false|status: archived|state: closed|is_active: no",
      'did you mean "archived"?': "is_archived: true|archive: true|closed: false|status: x",
      'did you mean "absent: true"?': "state: absent|ensure: absent|state: deleted|status: removed",
      'did you mean "absent"?': "deleted: true|deleted: false",
      [NEEDLESS]: "state: present|ensure: present|exists: true|present: true",
      'did you mean "can_send_message_group", under permissions:?':
        "read_only: true|announcement_only: true|posting: x",
      'did you mean "can_send_message_group: role:everyone", under permissions:?':
        "read_only: false|announcement_only: false",
      'did you mean "topics_policy: disable_empty_topic"?': "mandatory_topics: true|allow_empty_topics: false",
      'did you mean "topics_policy: allow_empty_topic"?': "require_topic: false|allow_empty_topics: true",
    },
    "people: {a@example.org: {LINE}}": {
      'did you mean "role: administrator"?': "is_admin: true|admin: yes",
      'did you mean "role"?': "is_admin: false|is_guest: false|is_owner: no|roles: [admin]",
      'did you mean "deactivated: true"?': "active: false|is_active: false|enabled: no|state: absent|status: suspended",
      'did you mean "deactivated: false"?': "is_active: true|active: true|enabled: true|status: active",
      'did you mean "deactivated"?': "disabled: true|suspended: false|archived: true",
      [NEEDLESS]: "state: present|ensure: present",
    },
    "bots: {a: {LINE}}": {
      'did you mean "deactivated: false"?': "enabled: true|is_active: true",
      'did you mean "deactivated: true"?': "enabled: false|is_active: false",
    },
    "user_groups: {a: {LINE}}": {
      'did you mean "deactivated: true"?': "active: false|status: archived",
      [NEEDLESS]: "state: present",
    },
    "linkifiers: [{pattern: a, url_template: 'https://example.org/a', LINE}]": {
      'did you mean "absent: true"?': "enabled: false|active: false|ensure: absent|state: absent",
      [NEEDLESS]: "enabled: true|state: present",
    },
    "user_defaults: {LINE}": {
      'did you mean "color_scheme: dark"?': "dark_mode: true",
      'did you mean "color_scheme: light"?': "dark_mode: false",
    },
    "settings: {LINE}": {
      'did you mean "name_changes_disabled: false"?': "name_changes_enabled: true",
      'did you mean "name_changes_disabled: true"?': "name_changes_enabled: false",
      'did you mean "name_changes_disabled"?': "name_change_disabled: true|name_changes_enabled: x",
      'did you mean "disallow_disposable_email_addresses: true"?': "allow_disposable_email_addresses: false",
      'did you mean "topics_policy: disable_empty_topic"?': "mandatory_topics: true",
    },
  };
  const lines = Object.entries(BY_VALUE).flatMap(([item, meant]) =>
    Object.entries(meant).flatMap(([hint, written]) => written.split("|").map((line) => ({ item, line, hint }))),
  );
  test.each(lines)("$item: $line", async ({ item, line, hint }) => {
    const file = item.replace("LINE", line);
    expect(await fieldsIn(file)).toEqual([hint]);
    // Whoever follows the advice to the letter has a file without this error.
    const advised = hint === NEEDLESS ? "" : (/^did you mean "([^"]+: [^"]+)"\?$/.exec(hint)?.[1] ?? undefined);
    if (advised === undefined) return;
    const text = `version: 1\n${item.replace("LINE", advised)}\n`;
    const result = await readConfig({ file: "realm.yaml", readFile: async () => text, kinds });
    const codes = result.ok ? [] : result.diagnostics.map(({ code }) => code);
    expect(codes.filter((code) => code.startsWith("field/") && code !== "field/missing")).toEqual([]);
  });

  const rows = Object.entries(WORDS).flatMap(([item, meant]) =>
    Object.entries(meant).flatMap(([hint, words]) => words.split(" ").map((word) => ({ item, word, hint }))),
  );
  test.each(rows)("$item: $word", async ({ item, word, hint }) =>
    expect(await fieldsIn(item.replace("WORD", word))).toEqual([hint]),
  );

  test.each([
    ["streams: {}", "channels"],
    ["folders: {}", "channel_folders"],
    ["realm_filters: []", "linkifiers"],
    ["invitations: []", "invites"],
    ["variables: {}", "vars"],
    ["user_group: {}", "user_groups"],
    ["chanels: {}", "channels"],
  ])("%s: %s", async (text, meant) => {
    const result = await readConfig({ file: "realm.yaml", readFile: async () => `version: 1\n${text}\n`, kinds });
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code: "config/unknown-section", fact: { meant } }],
    });
  });

  test.each([
    [
      "    description:Talk\n    privacy:public",
      ['"description: Talk" and "privacy: public", each on a line of its own'],
      "a space is missing after the colon",
    ],
    [
      "    description = Talk of = x\n    privacy = public",
      ['"description: Talk of = x" and "privacy: public", each on a line of its own'],
      "= sets nothing",
    ],
    ["    description := Talk", ['"description: Talk"'], ":= sets nothing"],
    ["    privacy => public", ['"privacy: public"'], "=> sets nothing"],
  ])("%j", async (lines, [written], why) => {
    const text = `version: 1\nchannels:\n  a:\n${lines}\n`;
    const result = await readConfig({ file: "realm.yaml", readFile: async () => text, kinds });
    expect(result.ok ? [] : result.diagnostics.map(wordedDiagnostic).map(({ hint }) => hint)).toEqual([
      `${why}: write ${written}`,
    ]);
  });

  test.each([
    ["channels: {a: {permissions: {can_subscribe_group: []}}}", "write role:nobody, or the name of a group"],
    [
      "channels: {a: {permissions: {can_subscribe_group: true}}}",
      "write who has the right: role:everyone, role:members or the name of a group",
    ],
    [
      "channels: {a: {permissions: {can_subscribe_group: false}}}",
      "write who has the right: role:nobody or the name of a group",
    ],
    ["default_channels: [{name: general}]", "write the entry as - general"],
    ["default_channels: [{general: x}]", "write the entry as - general"],
  ])("%s: %s", async (text, hint) => {
    const result = await readConfig({ file: "realm.yaml", readFile: async () => `version: 1\n${text}\n`, kinds });
    expect(result.ok ? [] : result.diagnostics.map(wordedDiagnostic).map((each) => each.hint)).toEqual([hint]);
  });
});
