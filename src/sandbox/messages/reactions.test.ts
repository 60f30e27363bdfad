import { expect, test } from "vitest";
import { PNG } from "../../../test/support/sandbox/images.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

async function message(realm: TestRealm): Promise<string> {
  const sent = { type: "channel", to: realm.channel("general"), topic: "t", content: "c" };
  return `/messages/${(await realm.call("member", "POST", "/messages", sent)).body.id}`;
}
const HEART = { emoji_name: "heart", emoji_code: "2764", reaction_type: "unicode_emoji" };

test("people who see the message get an event; a reaction is shown with it, and can be removed", async () => {
  const realm = testRealm();
  const path = await message(realm);
  const events = await realm.listen("guest");
  expect((await realm.call("member2", "POST", `${path}/reactions`, { emoji_name: "heart" })).status).toBe(200);
  const { reactions } = Object((await realm.call("guest", "GET", path)).body.message);
  expect(reactions).toEqual([{ ...HEART, user_id: realm.id("member2") }]);
  expect((await realm.call("member2", "DELETE", `${path}/reactions`, { emoji_name: "heart" })).status).toBe(200);
  const person = expect.objectContaining({ user_id: realm.id("member2"), full_name: expect.any(String) });
  const received = { type: "reaction", message_id: Number(path.slice(10)), user_id: realm.id("member2"), user: person };
  expect((await events()).filter(({ type }) => type === "reaction")).toEqual([
    { ...received, ...HEART, op: "add" },
    { ...received, ...HEART, op: "remove" },
  ]);
});

test.each<readonly [fact: string, method: string, params: object, msg: string]>([
  ["no emoji", "POST", {}, "Missing 'emoji_name' argument"],
  ["an unknown one", "POST", { emoji_name: "never" }, "Emoji 'never' does not exist"],
  ["an unknown code", "POST", { ...HEART, emoji_code: "x" }, "Invalid emoji code."],
  ["another one's code", "POST", { ...HEART, emoji_name: "smile" }, "Invalid emoji name."],
  ["an unknown type", "POST", { ...HEART, reaction_type: "x" }, "Invalid emoji type."],
  ["a second time", "POST", { emoji_name: "tada" }, "Reaction already exists."],
  ["nothing to remove", "DELETE", { emoji_name: "heart" }, "Reaction doesn't exist."],
  [
    "no emoji to remove",
    "DELETE",
    {},
    "At least one of the following arguments must be present: emoji_name, emoji_code",
  ],
  ["another type to remove", "DELETE", { emoji_name: "tada", reaction_type: "realm_emoji" }, "Reaction doesn't exist."],
])("%s is refused", async (_fact, method, params, msg) => {
  const realm = testRealm();
  const path = await message(realm);
  await realm.call("member2", "POST", `${path}/reactions`, { emoji_name: "tada" });
  expect((await realm.call("member2", method, `${path}/reactions`, { ...params })).body.msg).toBe(msg);
});

test("people who cannot see a message cannot react to it", async () => {
  const realm = testRealm();
  const sent = { type: "direct", to: [realm.id("member2")], content: "c" };
  const { body } = await realm.call("member", "POST", "/messages", sent);
  const { msg } = (await realm.call("owner", "POST", `/messages/${body.id}/reactions`, { emoji_name: "tada" })).body;
  expect(msg).toBe("Invalid message(s)");
});

test("a removed emoji can still be voted for, by its code and under its old name", async () => {
  const realm = testRealm();
  const path = await message(realm);
  await realm.upload("member", "/realm/emoji/anvil", PNG, { type: "image/png" });
  await realm.call("member", "POST", `${path}/reactions`, { emoji_name: "anvil" });
  await realm.call("member", "DELETE", "/realm/emoji/anvil");
  const vote = { emoji_name: "other", emoji_code: "1", reaction_type: "realm_emoji" };
  expect((await realm.call("member2", "POST", `${path}/reactions`, vote)).status).toBe(200);
  const { reactions } = Object((await realm.call("guest", "GET", path)).body.message);
  expect(reactions).toMatchObject([{ emoji_name: "anvil" }, { emoji_name: "anvil" }]);
});

test("people who follow topics on participation follow it from their first reaction on", async () => {
  const realm = testRealm();
  const path = await message(realm);
  await realm.call("member2", "PATCH", "/settings", { automatically_follow_topics_policy: 1 });
  await realm.call("member2", "POST", `${path}/reactions`, { emoji_name: "tada" });
  const { body } = await realm.call("member2", "POST", "/register", { fetch_event_types: ["user_topic"] });
  expect(body.user_topics).toMatchObject([{ topic_name: "t", visibility_policy: 3 }]);
});

test("a test of the welcome message goes to the administrator who asks", async () => {
  const realm = testRealm();
  const path = "/realm/test_welcome_bot_custom_message";
  const { body } = await realm.call("admin", "POST", path, { welcome_message_custom_text: "Welcome" });
  const { message: sent } = (await realm.call("admin", "GET", `/messages/${body.message_id}`)).body;
  expect(sent).toMatchObject({ sender_email: "welcome-bot@zulip.com", content: "<p>Welcome</p>" });
  expect((await realm.call("admin", "POST", path, {})).body.msg).toBe("Missing 'welcome_message_custom_text' argument");
});
