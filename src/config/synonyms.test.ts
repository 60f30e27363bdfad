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
    ["settings: {disposable: true}", "disallow_disposable_email_addresses"],
    ["settings: {permissions: {summarize: role:members}}", "can_summarize_topics_group"],
    ["settings: {message_delete_limit: 10m}", "message_content_delete_limit"],
  ])("%s: %s", async (text, meant) => expect(await hintsOf(text)).toEqual([`did you mean ${JSON.stringify(meant)}?`]));

  test.each([
    ["channels: {a: {who_can_post: role:members}}", 'did you mean "can_send_message_group", under permissions:?'],
    ["channels: {a: {can_send_message_group: role:members}}", "it belongs under permissions:"],
    ["channels: {a: {permissions: {privacy: public}}}", "it belongs to the channel itself: indent it less"],
    ["channels: {a: {descripton: x}}", 'did you mean "description"?'],
  ])("%s: %s", async (text, hint) => expect(await hintsOf(text)).toEqual([hint]));

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
});
