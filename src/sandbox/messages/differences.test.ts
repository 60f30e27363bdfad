import { describe, expect, test } from "vitest";
import { edit, type Params, read, say, set } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList } from "../../model/json.ts";

/** zulip-api.md §16, the facts that the neighboring files do not cover: one row each, with the number of its section. */
const LATER = 4_102_444_800;
const general = (realm: TestRealm, params: Params) => realm.call("owner", "PATCH", "/streams/3", params);

describe("§16.2 the hash of the former content", () => {
  test("is unknown below level 379", async () => {
    const realm = testRealm(378);
    const id = await say(realm, "member", "plans", "first");
    const { status, body } = await edit(realm, "member", id, { content: "new", prev_content_sha256: "00" });
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ["prev_content_sha256"]]);
  });
});

test("§16.3 a draft may have 10,000 characters", async () => {
  const realm = testRealm();
  const draft = { type: "stream", to: [3], topic: "t", content: "c" };
  await realm.call("member", "POST", "/drafts", { drafts: [draft] });
  const content = "c".repeat(10_000);
  await realm.call("member", "PATCH", "/drafts/1", { draft: { ...draft, content } });
  expect((await realm.call("member", "GET", "/drafts")).body.drafts).toMatchObject([{ content }]);
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
});

describe("§16.12 empty values of profile fields", () => {
  test.each<[type: number, status: number]>([
    [3, 400],
    [4, 400],
    [5, 400],
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
  test.each([[443, 1]])("%i: the messages with their numbers and times", async (level, factor) => {
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
