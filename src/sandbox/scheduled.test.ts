import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

/** api.md operation 4 and zulip-api.md §16.3, §16.8–§16.10: one row per fact. */

type Params = { readonly [name: string]: unknown };
const LATER = 4_102_444_800;
const toChannel = { type: "channel", to: 3, topic: "later", content: "text", scheduled_delivery_timestamp: LATER };
const make = async (realm: TestRealm, params: Params = {}): Promise<number> => {
  const { body } = await realm.call("member", "POST", "/scheduled_messages", { ...toChannel, ...params });
  return Number(body.scheduled_message_id);
};
const list = async (realm: TestRealm) => {
  const { body } = await realm.call("member", "GET", "/scheduled_messages");
  return Array.isArray(body.scheduled_messages) ? body.scheduled_messages : [];
};
const edit = (realm: TestRealm, id: number, params: Params, as = "member") =>
  realm.call(as, "PATCH", `/scheduled_messages/${id}`, params);

test.each<readonly [fact: string, params: Params, message: string]>([
  [
    "the type before the time, the time before the receivers",
    { type: "direct", to: "x", scheduled_delivery_timestamp: "x" },
    "scheduled_delivery_timestamp is not valid JSON",
  ],
  [
    "two names for the topic, before the time is checked",
    { topic: "a", subject: "b", scheduled_delivery_timestamp: 5 },
    "Can't decide between 'topic' and 'subject' arguments",
  ],
])("PATCH refuses %s", async (_fact, params, message) => {
  const realm = testRealm();
  const reply = await edit(realm, await make(realm), params);
  expect([reply.status, reply.body.msg]).toEqual([400, message]);
});

describe("when it is due", () => {
  const soon = (realm: TestRealm): Params => ({ scheduled_delivery_timestamp: realm.now() + 60 });
  const inTopic = async (realm: TestRealm) => {
    const narrow = [{ operator: "topic", operand: "later" }];
    const { body } = await realm.call("member2", "GET", "/messages", {
      anchor: "newest",
      num_before: 9,
      narrow,
      apply_markdown: false,
    });
    return Array.isArray(body.messages) ? body.messages.map((message) => message.content) : [];
  };

  test("the message is sent, and is no longer listed", async () => {
    const realm = testRealm();
    const id = await make(realm, soon(realm));
    const events = await realm.listen("member");
    expect(await inTopic(realm)).toEqual([]);
    realm.advance(60_000);
    expect(await inTopic(realm)).toEqual(["text"]);
    expect(await list(realm)).toEqual([]);
    expect(await events()).toContainEqual({ type: "scheduled_messages", op: "remove", scheduled_message_id: id });
    expect((await edit(realm, id, { content: "x" })).body.msg).toBe("Scheduled message was already sent");
  });

  test("a message that may no longer be sent is kept as failed and its sender is notified; an edit needs a new time", async () => {
    const realm = testRealm();
    const id = await make(realm, soon(realm));
    const due = new Date((realm.now() + 60) * 1000).toISOString().slice(0, 19).replace("T", " ");
    await realm.call("owner", "DELETE", "/streams/3");
    const events = await realm.listen("member");
    realm.advance(60_000);
    expect(await list(realm)).toEqual([expect.objectContaining({ scheduled_message_id: id, failed: true })]);
    const received = (await events())
      .filter(({ type }) => type === "message")
      .map(({ message }) => Object(message).content);
    expect(received).toEqual([
      `The message you scheduled for <time:${due}+00:00>  was not sent because of the following error:` +
        "\n\n> Not authorized to send to channel 'general'\n\n[View scheduled messages](#scheduled)",
    ]);
    expect((await edit(realm, id, { content: "x" })).body.msg).toBe("Scheduled delivery time must be in the future.");
    const again = { to: 2, scheduled_delivery_timestamp: LATER };
    expect((await edit(realm, id, again)).status).toBe(200);
    expect(await list(realm)).toEqual([expect.objectContaining({ failed: false, to: 2 })]);
  });
});

test("the list starts with the message that is due first; the current second counts as past", async () => {
  const realm = testRealm();
  const at = (seconds: number) => ({ scheduled_delivery_timestamp: realm.now() + seconds });
  const ids = [];
  for (const seconds of [300, 1, 300, 200]) ids.push(await make(realm, at(seconds)));
  const listed = (await list(realm)).map((message) => Object(message).scheduled_message_id);
  expect(listed).toEqual([ids[1], ids[3], ids[0], ids[2]]);
  const { body } = await realm.call("member", "POST", "/scheduled_messages", { ...toChannel, ...at(0) });
  expect(body.msg).toBe("Scheduled delivery time must be in the future.");
});

test("the sender's clients get an event about each change", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
  const id = await make(realm);
  await edit(realm, id, { content: "other" });
  await realm.call("member", "DELETE", `/scheduled_messages/${id}`);
  expect((await events()).map(({ type, op }) => `${type} ${op}`)).toEqual([
    "scheduled_messages add",
    "scheduled_messages update",
    "scheduled_messages remove",
  ]);
});

test("register contains scheduled messages, reminders and drafts in the form of their lists", async () => {
  const realm = testRealm();
  await make(realm);
  const sent = await realm.call("member2", "POST", "/messages", { type: "direct", to: [9, 11], content: "hi" });
  await realm.call("member", "POST", "/reminders", {
    message_id: Number(sent.body.id),
    scheduled_delivery_timestamp: LATER,
  });
  const draft = (content: string, timestamp: number) => ({ type: "", to: [], topic: "", content, timestamp });
  await realm.call("member", "POST", "/drafts", { drafts: [draft("old", 1), draft("new", 2)] });
  const types = ["scheduled_messages", "reminders", "drafts", "message", "update_message_flags"];
  const { body } = await realm.call("member", "POST", "/register", { fetch_event_types: types });
  const listed = async (path: string, name: string) => (await realm.call("member", "GET", path)).body[name];
  expect(body.scheduled_messages).toEqual(await listed("/scheduled_messages", "scheduled_messages"));
  expect(body.reminders).toEqual(await listed("/reminders", "reminders"));
  expect(body.drafts).toMatchObject([{ content: "new" }, { content: "old" }]);
  expect(body.unread_msgs).toMatchObject({
    huddles: [{ user_ids_string: "9,10,11", unread_message_ids: [sent.body.id] }],
  });
});
