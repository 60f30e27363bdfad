import { expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** `avatar_url` with `client_gravatar`: left to the client if everybody may see the address from which the picture is derived. */
const GRAVATAR = expect.stringContaining("https://secure.gravatar.com/avatar/");
const list = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []);

test("each place that shows a picture, for each kind of account", async () => {
  const realm = testRealm();
  // User 9 shows the address to everybody, 10 to administrators, 11 to nobody.
  await realm.call("member", "PATCH", "/settings", { email_address_visibility: 1 });
  await realm.call("member3", "PATCH", "/settings", { email_address_visibility: 4 });
  const senders = { member: null, member2: GRAVATAR, member3: GRAVATAR, bot: null };
  for (const as of Object.keys(senders))
    await realm.call(as, "POST", "/messages", { type: "direct", to: [realm.id("owner")], content: as });

  const params = { client_gravatar: true, fetch_event_types: ["realm_user", "realm_bot"], event_types: [] };
  const { body } = await realm.call("owner", "POST", "/register", params);
  const { members } = (await realm.call("owner", "GET", "/users", { client_gravatar: true })).body;
  const { messages } = (
    await realm.call("owner", "GET", "/messages", { anchor: "newest", num_before: 20, client_gravatar: true })
  ).body;
  for (const [as, picture] of Object.entries(senders)) {
    const of = (rows: unknown, key: string) => list(rows).find((row) => row[key] === realm.id(as))?.avatar_url;
    expect([as, of(body.realm_users, "user_id")]).toEqual([as, picture]);
    expect([as, of(members, "user_id")]).toEqual([as, picture]);
    expect([as, of(messages, "sender_id")]).toEqual([as, picture]);
  }
  // The server's own bots have their own pictures, and lists of bots always contain the URL.
  for (const bot of list(body.cross_realm_bots)) expect(bot.avatar_url).toEqual(expect.any(String));
  for (const bot of list(body.realm_bots)) expect(bot.avatar_url).toEqual(GRAVATAR);
  for (const message of list(messages))
    if (Number(message.sender_id) < 6) expect(message.avatar_url).toEqual(expect.any(String));
});

test("a message from somebody whom a guest may not know contains no name", async () => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/messages", { type: "channel", to: "general", topic: "t", content: "hello" });
  for (const channel of ["Zulip", "general", "sandbox"])
    await realm.call("owner", "DELETE", "/users/me/subscriptions", {
      subscriptions: [channel],
      principals: [realm.id("owner")],
    });
  const members = realm.group("role:members");
  await realm.call("owner", "PATCH", "/realm", { can_access_all_users_group: { new: members } });
  const { messages } = (await realm.call("guest", "GET", "/messages", { anchor: "newest", num_before: 1 })).body;
  expect(messages).toMatchObject([
    {
      content: "<p>hello</p>",
      sender_full_name: "Unknown user",
      sender_email: "user6@zulipdev.com",
      avatar_url: "/static/images/unknown-user-avatar.png",
    },
  ]);
});
