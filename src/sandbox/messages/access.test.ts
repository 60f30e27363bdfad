import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** Who may send to a channel, api.md "Create a channel" and zulip-api.md §3.6, §3.12: one row per fact. `owner` and `member` are in "x". */
type Settings = (realm: TestRealm) => JsonObject;
const open: Settings = () => ({});
const shut: Settings = () => ({ invite_only: true });
const forModerators =
  (setting: string): Settings =>
  (realm) => ({ [setting]: realm.group("role:moderators") });
/** A private channel whose setting names member2. */
const letting =
  (setting: string, history_public_to_subscribers: boolean): Settings =>
  (realm) => ({
    invite_only: true,
    history_public_to_subscribers,
    [setting]: { direct_members: [realm.id("member2")], direct_subgroups: [] },
  });
const NO_ACCESS = "Not authorized to send to channel 'x'";
const NO_POST = "You do not have permission to post in this channel.";
const NO_TOPIC = "You do not have permission to create new topics in this channel.";

test.each<[fact: string, as: string, settings: Settings, topic: string, msg: string]>([
  ["public channels: without being in them", "member2", open, "new", ""],
  ["guests: only where they are", "guest", open, "new", NO_ACCESS],
  ["web-public channels: guests as well", "guest", () => ({ is_web_public: true }), "new", ""],
  ["private channels: those in them", "member", shut, "new", ""],
  ["private channels: nobody else", "member2", shut, "new", NO_ACCESS],
  ["private channels: nor administrators", "admin", shut, "new", NO_ACCESS],
  ["bots of those in them", "memberbot", shut, "new", ""],
  ["and of owners in them", "bot", shut, "new", ""],
  ["people who may join, if history is shared", "member2", letting("can_subscribe_group", true), "new", ""],
  ["people who may add people, if history is shared", "member2", letting("can_add_subscribers_group", true), "new", ""],
  [
    "people who may join, if history is protected: no",
    "member2",
    letting("can_subscribe_group", false),
    "new",
    NO_ACCESS,
  ],
  ["people who may administer: no", "member2", letting("can_administer_channel_group", true), "new", NO_ACCESS],
  ["the group that may post", "moderator", forModerators("can_send_message_group"), "new", ""],
  ["nobody else", "member", forModerators("can_send_message_group"), "new", NO_POST],
  ["bots as their owners", "bot", forModerators("can_send_message_group"), "new", ""],
  ["bots of others", "memberbot", forModerators("can_send_message_group"), "new", NO_POST],
  ["the right to post is checked before access", "guest", forModerators("can_send_message_group"), "new", NO_POST],
  ["new topics: the group", "moderator", forModerators("can_create_topic_group"), "new", ""],
  ["new topics: nobody else", "member", forModerators("can_create_topic_group"), "new", NO_TOPIC],
  ["new topics: bots as their owners", "bot", forModerators("can_create_topic_group"), "new", ""],
  ["existing topics: everybody", "member", forModerators("can_create_topic_group"), "there", ""],
  ["in any case of letters", "member", forModerators("can_create_topic_group"), "THERE", ""],
])("%s (%s)", async (_fact, as, settings, topic, msg) => {
  const realm = testRealm(442, { realm_enable_spectator_access: true });
  const subscriptions = [{ name: "x" }];
  const principals = [realm.id("owner"), realm.id("member")];
  const made = { subscriptions, principals, ...settings(realm) };
  expect((await realm.call("owner", "POST", "/users/me/subscriptions", made)).body.msg).toBe("");
  const send = (sender: string, to: string) =>
    realm.call(sender, "POST", "/messages", { type: "channel", to: "x", topic: to, content: "c" });
  expect((await send("owner", "there")).body.msg).toBe("");
  expect((await send(as, topic)).body.msg).toBe(msg);
});

test("a topic whose messages were all deleted counts as new", async () => {
  const realm = testRealm();
  const change = { can_create_topic_group: { new: realm.group("role:moderators") } };
  const message = { type: "channel", to: 3, topic: "t", content: "c" };
  const { id } = (await realm.call("owner", "POST", "/messages", message)).body;
  await realm.call("owner", "PATCH", "/streams/3", change);
  expect((await realm.call("member", "POST", "/messages", message)).status).toBe(200);
  const { messages } = (
    await realm.call("owner", "GET", "/messages", {
      anchor: "oldest",
      num_after: 9,
      narrow: [{ operator: "topic", operand: "t" }],
    })
  ).body;
  const ids = Array.isArray(messages) ? messages.map((each) => each.id) : [id];
  for (const each of ids) await realm.call("owner", "DELETE", `/messages/${each}`);
  expect((await realm.call("member", "POST", "/messages", message)).body.msg).toBe(NO_TOPIC);
});
