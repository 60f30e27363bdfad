import { describe, expect, test } from "vitest";
import { edit, read, say, set } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** api.md operation 1: the effects of an edit, and who gets events. One row per fact. */
const quiet = { send_notification_to_new_thread: false };
const history = (message: JsonObject | undefined): readonly string[][] =>
  Array.isArray(message?.edit_history) ? message.edit_history.map((entry: object) => Object.keys(entry).sort()) : [];

describe("GET /messages/{message_id}/history", () => {
  const versions = async (realm: TestRealm, id: number) => {
    const { body } = await realm.call("member2", "GET", `/messages/${id}/history`);
    return Array.isArray(body.message_history) ? body.message_history : [];
  };
  test.each<[policy: string, expected: readonly (readonly [topic: string, content: string])[]]>([
    [
      "all",
      [
        ["t", "first"],
        ["t", "second"],
        ["u", "second"],
        ["u", "third"],
      ],
    ],
    // Each version has its own data; edits that changed only the content are omitted.
    [
      "moves",
      [
        ["t", "first"],
        ["u", "second"],
      ],
    ],
  ])("where %s is shown", async (policy, expected) => {
    const realm = testRealm();
    const id = await say(realm, "member", "t", "first");
    for (const change of [{ content: "second" }, { topic: "u" }, { content: "third" }])
      await edit(realm, "member", id, change);
    await set(realm, { message_edit_history_visibility_policy: policy });
    const shown = await versions(realm, id);
    expect(shown.map(({ topic, content }) => [topic, content])).toEqual(expected);
    if (policy === "moves") for (const entry of shown) expect(Object.keys(entry)).not.toContain("prev_content");
  });
  test("direct messages have no topic, which differs from the empty topic", async () => {
    const realm = testRealm();
    const sent = { type: "direct", to: [realm.id("member2")], content: "x" };
    const id = Number((await realm.call("member", "POST", "/messages", sent)).body.id);
    expect((await versions(realm, id)).map(({ topic }) => topic)).toEqual([""]);
  });
});

describe("the history of a message", () => {
  test("of an edit of the content alone", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "t", "a");
    await edit(realm, "member", id, { content: "b" });
    const [message] = await read(realm, "member2", "t");
    expect(message?.edit_history).toMatchObject([
      { user_id: realm.id("member"), prev_content: "a", timestamp: realm.now() },
    ]);
    expect(history(message)).toEqual([["prev_content", "prev_rendered_content", "timestamp", "user_id"]]);
    expect(message).toMatchObject({ last_edit_timestamp: realm.now() });
    expect(message).not.toHaveProperty("last_moved_timestamp");
  });
  test("of a move, for all messages that moved; the content only for the one that was edited", async () => {
    const realm = testRealm();
    const first = await say(realm, "member", "t", "a");
    await say(realm, "member2", "t", "b");
    await edit(realm, "member", first, { content: "c", topic: "u", propagate_mode: "change_all", ...quiet });
    const [edited, along] = await read(realm, "member3", "u");
    const place = ["prev_topic", "timestamp", "topic", "user_id"];
    expect(history(edited)).toEqual([["prev_content", "prev_rendered_content", ...place]]);
    expect(history(along)).toEqual([place]);
    expect(along).not.toHaveProperty("last_edit_timestamp");
    expect([edited?.last_moved_timestamp, along?.last_moved_timestamp]).toEqual([realm.now(), realm.now()]);
  });
  test.each<[policy: string, edited: number, moved: number]>([["moves", 0, 1]])(
    "where the realm shows %s: %i of an edit, %i of a move",
    async (policy, edited, moved) => {
      const realm = testRealm();
      await edit(realm, "member", await say(realm, "member", "t", "a"), { content: "b" });
      await edit(realm, "member", await say(realm, "member", "s", "a"), { topic: "u", ...quiet });
      await set(realm, { message_edit_history_visibility_policy: policy });
      const entries = async (topic: string) => history((await read(realm, "member2", topic))[0]).length;
      expect([await entries("t"), await entries("u")]).toEqual([edited, moved]);
    },
  );
});

describe("flags are updated with the new content", () => {
  test.each<[content: string, member2: readonly string[], member3: readonly string[]]>([
    ["@**topic** look", ["topic_wildcard_mentioned", "wildcard_mentioned"], []],
    [
      "@**all** look",
      ["stream_wildcard_mentioned", "wildcard_mentioned"],
      ["stream_wildcard_mentioned", "wildcard_mentioned"],
    ],
    ["plain", [], []],
  ])("%s", async (content, member2, member3) => {
    const realm = testRealm();
    const id = await say(realm, "member", "t", "@**all** first");
    await say(realm, "member2", "t", "mine");
    await edit(realm, "member", id, { content });
    const flags = async (as: string) => {
      const [message] = await read(realm, as, "t");
      return Array.isArray(message?.flags) ? message.flags.filter((flag) => flag !== "read") : [];
    };
    expect([await flags("member2"), await flags("member3")]).toEqual([member2, member3]);
  });
});

describe("who gets events about an edit", () => {
  test.each([
    ["a public channel: also people who came later", {}, 1],
    ["protected history: not people who came later", { invite_only: true, history_public_to_subscribers: false }, 0],
    ["shared history: also people who came later", { invite_only: true, history_public_to_subscribers: true }, 1],
  ])("%s", async (_fact, state, count) => {
    const realm = testRealm();
    const sent = { name: "x", subscribers: [realm.id("member")], ...state };
    const to = Number((await realm.call("member", "POST", "/channels/create", sent)).body.id);
    const id = await (async () =>
      Number(
        (await realm.call("member", "POST", "/messages", { type: "channel", to, topic: "t", content: "a" })).body.id,
      ))();
    await realm.call("member", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "x" }],
      principals: [realm.id("member2")],
    });
    const late = await realm.listen("member2");
    await edit(realm, "member", id, { content: "b" });
    expect((await late()).filter(({ type }) => type === "update_message")).toHaveLength(count);
  });
});

describe("who gets events about a move between channels", () => {
  test.each([
    ["shared history: also people who are only in the new channel", true, 1],
    ["protected history: only people who had it", false, 0],
  ])("%s", async (_fact, history_public_to_subscribers, count) => {
    const realm = testRealm();
    const own = { name: "a", subscribers: [realm.id("member")], invite_only: true, history_public_to_subscribers };
    const to = Number((await realm.call("member", "POST", "/channels/create", own)).body.id);
    const sent = await realm.call("member", "POST", "/messages", { type: "channel", to, topic: "t", content: "c" });
    const other = await realm.listen("member2");
    const move = { stream_id: realm.channel("sandbox"), ...quiet };
    expect((await edit(realm, "member", Number(sent.body.id), move)).status).toBe(200);
    expect((await other()).filter(({ type }) => type === "update_message")).toHaveLength(count);
  });
  test.each([
    ["with", ["bulk_message_deletion"], { message_ids: 2 }],
    ["without", [], { message_id: 1 }],
  ])("people who lose the message are sent a deletion, %s bulk_message_deletion", async (_fact, capabilities, has) => {
    const realm = testRealm();
    const own = { name: "a", subscribers: [realm.id("member")], invite_only: true };
    const stream_id = Number((await realm.call("member", "POST", "/channels/create", own)).body.id);
    const id = await say(realm, "member", "t", "a");
    await say(realm, "member", "t", "b");
    const other = await realm.listen("member2", capabilities);
    await edit(realm, "member", id, { stream_id, propagate_mode: "change_all", ...quiet });
    const gone = (await other()).filter(({ type }) => type === "delete_message");
    expect(gone).toHaveLength("message_ids" in has ? 1 : 2);
    for (const event of gone) expect(Object.keys(event)).toEqual(expect.arrayContaining(Object.keys(has)));
  });
});

test("a guest cannot move messages between channels, even if the setting names the guest", async () => {
  const realm = testRealm();
  const sent = { subscriptions: [{ name: "general" }, { name: "sandbox" }], principals: [realm.id("guest")] };
  await realm.call("owner", "POST", "/users/me/subscriptions", sent);
  const named = { direct_members: [realm.id("guest"), realm.id("member")], direct_subgroups: [] };
  await set(realm, { can_move_messages_between_channels_group: { new: named } });
  const move = async (as: string) =>
    (await edit(realm, as, await say(realm, as, "t", "a"), { stream_id: realm.channel("sandbox"), ...quiet })).status;
  expect([await move("member"), await move("guest")]).toEqual([200, 400]);
});
