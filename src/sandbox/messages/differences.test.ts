import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contents, edit, type Params, read, say, set } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** zulip-api.md §16, the facts that the neighboring files do not cover: one row each, with the number of its section. */
const LATER = 4_102_444_800;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const general = (realm: TestRealm, params: Params) => realm.call("owner", "PATCH", "/streams/3", params);
async function closed(realm: TestRealm, ...people: string[]): Promise<number> {
  const subscribers = ["owner", ...people].map((name) => realm.id(name));
  const made = { name: "closed", subscribers, invite_only: true };
  return Number((await realm.call("owner", "POST", "/channels/create", made)).body.id);
}

describe("§16.2 the hash of the former content", () => {
  test.each<[fact: string, hash: string, status: number]>([
    ["of what is stored", sha256("first"), 200],
    ["of something else", sha256("second"), 400],
    ["in capitals", sha256("first").toUpperCase(), 400],
  ])("%s", async (_fact, prev_content_sha256, status) => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    const reply = await edit(realm, "member", id, { content: "new", prev_content_sha256 });
    expect(reply.status).toBe(status);
    if (status === 400)
      expect(reply.body).toEqual({
        result: "error",
        msg: "'prev_content_sha256' value does not match the expected value.",
        code: "EXPECTATION_MISMATCH",
        field_name: "prev_content_sha256",
      });
  });
  test("is unknown below level 379", async () => {
    const realm = testRealm(378);
    const id = await say(realm, "member", "plans", "first");
    const { status, body } = await edit(realm, "member", id, { content: "new", prev_content_sha256: "00" });
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ["prev_content_sha256"]]);
  });
});

describe("§16.3 in drafts as well", () => {
  test.each<[fact: string, sent: Params, stored: Params]>([
    ["a topic", { topic: "t".repeat(61) }, { topic: `${"t".repeat(57)}...` }],
    ["60 characters of it", { topic: "t".repeat(60) }, { topic: "t".repeat(60) }],
    ["content", { content: "c".repeat(10_001) }, { content: `${"c".repeat(9_980)}\n[message truncated]` }],
    ["10,000 characters of it", { content: "c".repeat(10_000) }, { content: "c".repeat(10_000) }],
  ])("%s", async (_fact, sent, stored) => {
    const realm = testRealm();
    const draft = { type: "stream", to: [3], topic: "t", content: "c" };
    await realm.call("member", "POST", "/drafts", { drafts: [draft] });
    const reply = await realm.call("member", "PATCH", "/drafts/1", { draft: { ...draft, ...sent } });
    expect(reply.status).toBe(200);
    expect((await realm.call("member", "GET", "/drafts")).body.drafts).toMatchObject([stored]);
  });
});

describe("§16.4 names of the empty topic in an edit", () => {
  test("and by the realm's policy if the channel has none of its own", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    await set(realm, { topics_policy: "disable_empty_topic" });
    expect((await edit(realm, "member", id, { topic: "" })).body.msg).toBe(
      "Sending messages to the general chat is not allowed in this channel.",
    );
    await general(realm, { topics_policy: "allow_empty_topic" });
    expect((await edit(realm, "member", id, { topic: "" })).status).toBe(200);
  });
  test("a named topic is refused if only the empty one is allowed", async () => {
    const realm = testRealm();
    const made = { name: "x", subscribers: [realm.id("member")], topics_policy: '"empty_topic_only"' };
    const to = Number((await realm.call("owner", "POST", "/channels/create", made)).body.id);
    const sent = await realm.call("member", "POST", "/messages", { type: "channel", to, topic: "", content: "c" });
    const { body } = await edit(realm, "member", Number(sent.body.id), { topic: "named" });
    expect(body).toMatchObject({
      msg: "Only the general chat topic is allowed in this channel.",
      empty_topic_display_name: "general chat",
    });
  });
  test("`subject` is another name of the parameter", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    const { status, body } = await edit(realm, "member", id, { subject: "other" });
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, undefined]);
    expect((await contents(realm, "member", "other"))[0]).toBe("first");
  });
});

describe("§16.8 the checks of a scheduled message", () => {
  const may = "You do not have permission to post in this channel.";
  test.each<[sent: Params, msg: string]>([
    [{ topic: "other" }, ""],
    [{ scheduled_delivery_timestamp: LATER + 9 }, ""],
    [{ topic: "other", scheduled_delivery_timestamp: LATER + 9 }, ""],
    [{ content: "other" }, may],
    [{ to: 3 }, may],
    [{ type: "channel", to: 3, topic: "t" }, may],
  ])("%j of somebody who may no longer post: %j", async (sent, msg) => {
    const realm = testRealm();
    const message = { type: "channel", to: 3, topic: "t", content: "c", scheduled_delivery_timestamp: LATER };
    await realm.call("member", "POST", "/scheduled_messages", message);
    await general(realm, { can_send_message_group: { new: realm.group("role:nobody") } });
    expect((await realm.call("member", "PATCH", "/scheduled_messages/1", sent)).body.msg).toBe(msg);
  });
  test.each<[sent: Params, policy: string, msg: string]>([
    [{ topic: "(no topic)" }, "disable_empty_topic", ""],
    [{ topic: "general chat" }, "disable_empty_topic", ""],
    [
      { topic: "(no topic)", to: 3 },
      "disable_empty_topic",
      "Sending messages to the general chat is not allowed in this channel.",
    ],
    [
      { topic: "general chat", content: "c" },
      "disable_empty_topic",
      "Sending messages to the general chat is not allowed in this channel.",
    ],
  ])("%j if the channel says %s: %j", async (sent, topics_policy, msg) => {
    const realm = testRealm();
    const message = { type: "channel", to: 3, topic: "t", content: "c", scheduled_delivery_timestamp: LATER };
    await realm.call("member", "POST", "/scheduled_messages", message);
    await general(realm, { topics_policy });
    expect((await realm.call("member", "PATCH", "/scheduled_messages/1", sent)).body.msg).toBe(msg);
  });
});

describe("§16.9 the receiver of a scheduled message", () => {
  test.each<[fact: string, to: (realm: TestRealm) => Promise<number>, refusal: JsonObject]>([
    [
      "is unknown",
      async () => 4242,
      { msg: "Channel with ID '4242' does not exist", code: "STREAM_DOES_NOT_EXIST", stream_id: 4242 },
    ],
    [
      "is private",
      (realm) => closed(realm),
      { msg: "Not authorized to send to channel 'closed'", code: "BAD_REQUEST" },
    ],
  ])("%s", async (_fact, to, refusal) => {
    const realm = testRealm();
    const message = { type: "channel", to: 3, topic: "t", content: "c", scheduled_delivery_timestamp: LATER };
    await realm.call("member", "POST", "/scheduled_messages", message);
    const reply = await realm.call("member", "PATCH", "/scheduled_messages/1", { to: await to(realm) });
    expect(reply).toMatchObject({ status: 400, body: refusal });
  });
});

describe("§16.10 objects that do not exist", () => {
  test.each<[method: string, path: string, params: Params, msg: string]>([
    ["PATCH", "/drafts/77", { draft: { type: "", to: [], topic: "", content: "c" } }, "Draft does not exist"],
    ["DELETE", "/drafts/77", {}, "Draft does not exist"],
    ["PATCH", "/scheduled_messages/77", { content: "c" }, "Scheduled message does not exist"],
  ])("%s %s", async (method, path, params, msg) => {
    const reply = await testRealm().call("member", method, path, params);
    expect(reply).toEqual({ status: 404, body: { result: "error", msg, code: "BAD_REQUEST" } });
  });
});

describe("§16.12 empty values of profile fields", () => {
  test.each<[type: number, status: number]>([
    [1, 200],
    [2, 200],
    [3, 400],
    [4, 400],
    [5, 400],
    [8, 200],
  ])("an empty text for type %i: %i", async (field_type, status) => {
    const realm = testRealm();
    const choices = { a: { text: "A", order: "1" } };
    const field = { field_type, name: "x", ...(field_type === 3 ? { field_data: choices } : {}) };
    await realm.call("owner", "POST", "/realm/profile_fields", field);
    const empty = { data: [{ id: 1, value: "" }] };
    expect((await realm.call("member", "PATCH", "/users/me/profile_data", empty)).status).toBe(status);
  });
});

describe("§16.15 reminders", () => {
  const remind = async (realm: TestRealm, params: Params) => {
    const message_id = await say(realm, "member2", "t", "c");
    const sent = { message_id, scheduled_delivery_timestamp: LATER, ...params };
    const known = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    return realm.call("member", "POST", "/reminders", known);
  };
  test("a note of 1,000 characters fits", async () => {
    const { status, body } = await remind(testRealm(), { note: "😀".repeat(1000) });
    expect([status, typeof body.reminder_id]).toEqual([200, "number"]);
  });
  test("notes came at level 415", async () => {
    const { body } = await remind(testRealm(414), { note: "n" });
    expect(body.ignored_parameters_unsupported).toEqual(["note"]);
  });
});

describe("§16.17 attachments", () => {
  test.each([
    [442, 1000],
    [443, 1],
  ])("%i: the messages with their numbers and times", async (level, factor) => {
    const realm = testRealm(level);
    const { url } = (await realm.upload("member", "/user_uploads", "text")).body;
    const id = await say(realm, "member", "t", `[a](${String(url)})`);
    const { attachments } = (await realm.call("member", "GET", "/attachments")).body;
    const [file] = isList(attachments) ? attachments : [];
    expect(file).toMatchObject({
      messages: [{ id, date_sent: realm.now() * factor }],
      create_time: realm.now() * factor,
    });
  });
  test("472: only their ids", async () => {
    const realm = testRealm(472);
    const { url } = (await realm.upload("member", "/user_uploads", "text")).body;
    const id = await say(realm, "member", "t", `[a](${String(url)})`);
    const { attachments } = (await realm.call("member", "GET", "/attachments")).body;
    const [file] = isList(attachments) ? attachments : [];
    expect(file).toMatchObject({ message_ids: [id] });
    expect(file).not.toHaveProperty("messages");
  });
});

describe("§16.20 people follow the topics that they start", () => {
  test("and the account's own topics show this", async () => {
    const realm = testRealm();
    const sent = { type: "channel", to: 3, topic: "new", content: "c" };
    expect((await realm.call("member", "POST", "/messages", sent)).body).toMatchObject({
      automatic_new_visibility_policy: 3,
    });
    const { user_topics } = (await realm.call("member", "POST", "/register", { fetch_event_types: ["user_topic"] }))
      .body;
    expect(user_topics).toMatchObject([{ stream_id: 3, topic_name: "new", visibility_policy: 3 }]);
  });
  test("unless the account switches this off", async () => {
    const realm = testRealm();
    await realm.call("member", "PATCH", "/settings", { automatically_follow_topics_policy: 4 });
    const sent = { type: "channel", to: 3, topic: "new", content: "c" };
    const { body } = await realm.call("member", "POST", "/messages", sent);
    expect(body).not.toHaveProperty("automatic_new_visibility_policy");
  });
});

describe("api.md, rule 9: mentions of all in a topic with many people", () => {
  async function crowded(realm: TestRealm, people: number): Promise<void> {
    for (let n = 0; n < people; n += 1) {
      const { body } = await realm.call("owner", "POST", "/bots", { full_name: `Bot ${n}`, short_name: `n${n}` });
      const email = `n${n}-bot@zulipdev.com`;
      expect(body.msg).toBe("");
      expect(
        (await realm.call(email, "POST", "/messages", { type: "channel", to: 3, topic: "t", content: "c" })).status,
      ).toBe(200);
    }
  }
  test.each([
    [14, "member", undefined],
    [15, "member", "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"],
    [15, "admin", undefined],
  ])("%i others, by the %s: %s", async (people, as, code) => {
    const realm = testRealm();
    const id = await say(realm, as, "t", "c");
    await crowded(realm, people);
    const content = "@**topic** look";
    expect((await edit(realm, as, id, { content })).body.code).toBe(code);
    expect((await realm.call(as, "POST", "/messages", { type: "channel", to: 3, topic: "t", content })).body.code).toBe(
      code,
    );
  });
  test("the realm's group decides", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "t", "c");
    await crowded(realm, 15);
    await set(realm, { can_mention_many_users_group: { new: realm.group("role:members") } });
    expect((await edit(realm, "member", id, { content: "@**topic** look" })).status).toBe(200);
  });
});

describe("api.md, versions", () => {
  test.each([
    [364, { last_edit_timestamp: expect.any(Number) }, "last_moved_timestamp"],
    [365, { last_moved_timestamp: expect.any(Number) }, "last_edit_timestamp"],
  ])("%i: a moved message has %j", async (level, has, hasNot) => {
    const realm = testRealm(level);
    const id = await say(realm, "member", "old", "c");
    realm.advance(5000);
    await edit(realm, "member", id, { topic: "new", send_notification_to_new_thread: false });
    const [message] = await read(realm, "member", "new");
    expect(message).toMatchObject(has);
    expect(message).not.toHaveProperty(hasNot);
  });
  test.each([
    [366, "can_move_messages_between_topics_group"],
    [367, "can_resolve_topics_group"],
  ])("%i: resolving is a matter of %s", async (level, setting) => {
    const realm = testRealm(level);
    const id = await say(realm, "member", "todo", "c");
    await set(realm, { [setting]: { new: realm.group("role:moderators") } });
    expect((await edit(realm, "member", id, { topic: "✔ todo" })).status).toBe(400);
    expect((await edit(realm, "moderator", id, { topic: "✔ todo" })).status).toBe(200);
  });
});

test("the answer to an edit lists the files to which it removed the links, and nothing else", async () => {
  const realm = testRealm();
  const id = await say(realm, "member", "t", "c");
  const { body } = await edit(realm, "member", id, { content: "d" });
  expect(body).toEqual({ result: "success", msg: "", detached_uploads: [] });
  const { url } = (await realm.upload("member", "/user_uploads", "text", { name: "a.txt" })).body;
  const linked = await say(realm, "member", "t", `[a](${String(url)})`);
  const let_go = (await edit(realm, "member", linked, { content: "none" })).body.detached_uploads;
  const [file] = isList(let_go) ? let_go : [];
  expect(isObject(file) && Object.keys(file).sort()).toEqual([
    "create_time",
    "id",
    "messages",
    "name",
    "path_id",
    "size",
  ]);
  expect(file).toMatchObject({ name: "a.txt", size: 4, messages: [] });
});
