import { describe, expect, test } from "vitest";
import { contents, edit, type Params, read, say, set } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

/** Who may edit what, for how long, and who gets events: one row per fact (zulip-api.md §16.5–§16.7). */

describe("resolving", () => {
  test.each(["change_all"])("%s is accepted, and no notice reports a move (§16.5)", async (propagate_mode) => {
    const realm = testRealm();
    const id = await say(realm, "member", "todo", "x");
    expect((await edit(realm, "member", id, { topic: "✔ todo", propagate_mode })).status).toBe(200);
    const [message, notice] = await read(realm, "member2", "✔ todo");
    expect(notice?.content).toMatch(/ has marked this topic as resolved\.$/);
    expect(message?.last_moved_timestamp).toBeUndefined();
  });

  test.each([
    ["at once removes the notice", 0, ["x"]],
    ["a minute later adds another notice", 61_000, ["x", "resolved", "unresolved"]],
  ])("unresolving %s (§16.5)", async (_fact, waitMs, left) => {
    const realm = testRealm();
    const id = await say(realm, "member", "todo", "x");
    await edit(realm, "member", id, { topic: "✔ todo", propagate_mode: "change_all" });
    realm.advance(waitMs);
    await edit(realm, "member", id, { topic: "todo", propagate_mode: "change_all" });
    const found = (await contents(realm, "member", "todo")).map(
      (content) => /(un)?resolved/.exec(String(content))?.[0] ?? content,
    );
    expect(found).toEqual(left);
  });

  test("the notice is unread for people who follow the topic, and read for the others", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "todo", "x");
    await edit(realm, "member2", id, { topic: "✔ todo", propagate_mode: "change_all" });
    const flags = async (as: string) => (await read(realm, as, "✔ todo")).at(-1)?.flags;
    expect([await flags("member"), await flags("member2"), await flags("member3")]).toEqual([[], ["read"], ["read"]]);
  });

  test.each<[change: string, topics: readonly string[], refused: boolean]>([
    ["resolving", ["✔ todo"], false],
    ["unresolving", ["✔ todo", "todo"], false],
    ["a check mark on another name", ["✔ done"], true],
    ["another name", ["done"], true],
  ])("who may not start topics: %s", async (_change, topics, isRefused) => {
    const realm = testRealm();
    const id = await say(realm, "member", "todo", "x");
    const general = `/streams/${realm.channel("general")}`;
    await realm.call("owner", "PATCH", general, { can_create_topic_group: { new: realm.group("role:nobody") } });
    const answers: unknown[] = [];
    for (const topic of topics)
      answers.push((await edit(realm, "member", id, { topic, propagate_mode: "change_all" })).body.msg);
    const refusal = "You do not have permission to create new topics in this channel.";
    expect(answers).toEqual(topics.map(() => (isRefused ? refusal : "")));
  });
});

describe("time limits have 20 seconds of grace (§16.5, §16.6)", () => {
  const limits = {
    message_content_edit_limit_seconds: 10,
    move_messages_within_stream_limit_seconds: 10,
    move_messages_between_streams_limit_seconds: 10,
  };
  const rows: readonly (readonly [string, string, Params, number, string | null])[] = [
    ["topic in grace", "member", { topic: "new" }, 30, null],
    ["moves of moderators have none", "moderator", { topic: "new", stream_id: 2 }, 99, null],
    [
      "channel after it",
      "member",
      { stream_id: 2 },
      31,
      "The time limit for editing this message's channel has passed",
    ],
  ];
  test.each(rows)("%s", async (_fact, as, params, seconds, message) => {
    const realm = testRealm();
    const id = await say(realm, "member", "old", "a");
    await set(realm, limits);
    realm.advance(seconds * 1000);
    const { body } = await edit(realm, as, id, params);
    expect(body.result === "success" ? null : body.msg).toBe(message);
  });
});

test.each([
  [504, "The time limit for editing this message's topic has passed."],
  [505, "You only have permission to move the 1/2 most recent messages in this topic."],
])("%i: an old message of a topic that has a young one", async (level, msg) => {
  const realm = testRealm(level);
  const old = await say(realm, "member", "old", "a");
  await set(realm, { move_messages_within_stream_limit_seconds: 10 });
  realm.advance(31_000);
  await say(realm, "member", "old", "b");
  const params = { topic: "new", propagate_mode: "change_all" };
  expect((await edit(realm, "member2", old, params)).body.msg).toBe(msg);
});

test.each([
  [508, "Cannot change message content while changing channel"],
  [509, ""],
])("%i: the channel that the message is in", async (level, msg) => {
  const realm = testRealm(level);
  const id = await say(realm, "member", "old", "a");
  const stream_id = realm.channel("general");
  expect((await edit(realm, "member", id, { stream_id, content: "b" })).body.msg).toBe(msg);
});

test("administrators may always move messages between topics", async () => {
  const realm = testRealm();
  const id = await say(realm, "member", "old", "a");
  await set(realm, { can_move_messages_between_topics_group: { new: realm.group("role:nobody") } });
  expect((await edit(realm, "admin", id, { topic: "x" })).status).toBe(200);
});

describe("events", () => {
  test("everybody with a copy gets an event with the changes of an edit", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "old", "a");
    const events = await realm.listen("member2");
    await edit(realm, "member", id, { content: "b", topic: "new", send_notification_to_new_thread: false });
    expect(await events()).toEqual([
      expect.objectContaining({
        type: "update_message",
        user_id: realm.id("member"),
        message_id: id,
        message_ids: [id],
        rendering_only: false,
        orig_content: "a",
        content: "b",
        orig_subject: "old",
        subject: "new",
        propagate_mode: "change_one",
        stream_id: realm.channel("general"),
        flags: [],
      }),
    ]);
  });

  test("for people who lose the message, a move is a deletion", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "old", "a");
    const made = await realm.call("owner", "POST", "/channels/create", {
      name: "closed",
      subscribers: [realm.id("owner")],
      invite_only: true,
    });
    const events = await realm.listen("member2", ["bulk_message_deletion"]);
    await edit(realm, "owner", id, { stream_id: Number(made.body.id), send_notification_to_new_thread: false });
    const place = { message_type: "stream", stream_id: realm.channel("general"), topic: "old" };
    expect(await events()).toEqual([{ type: "delete_message", message_ids: [id], ...place }]);
  });

  test("older clients get an event for each message", async () => {
    const realm = testRealm();
    const ids = [await say(realm, "member", "old", "a"), await say(realm, "member", "old", "b")];
    const made = await realm.call("owner", "POST", "/channels/create", {
      name: "closed",
      subscribers: [realm.id("owner")],
      invite_only: true,
    });
    const events = await realm.listen("member2");
    const change = {
      stream_id: Number(made.body.id),
      propagate_mode: "change_all",
      send_notification_to_new_thread: false,
    };
    await edit(realm, "owner", Number(ids[0]), change);
    const place = { message_type: "stream", stream_id: realm.channel("general"), topic: "old" };
    expect(await events()).toEqual(ids.map((message_id) => ({ type: "delete_message", message_id, ...place })));
  });

  test("guests of the new channel who were not in the old one get no event about a move", async () => {
    const realm = testRealm();
    const subscribers = [realm.id("owner")];
    const made = await realm.call("owner", "POST", "/channels/create", { name: "narrow", subscribers });
    const { body } = await realm.call("owner", "POST", "/messages", {
      type: "channel",
      to: Number(made.body.id),
      topic: "t",
      content: "c",
    });
    const guest = await realm.listen("guest");
    const member = await realm.listen("member");
    await edit(realm, "owner", Number(body.id), {
      stream_id: realm.channel("general"),
      send_notification_to_new_thread: false,
    });
    expect((await guest()).filter(({ type }) => type === "update_message")).toEqual([]);
    expect((await member()).map(({ type }) => type)).toContain("update_message");
  });
});
