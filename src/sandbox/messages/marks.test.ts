import { beforeEach, describe, expect, test } from "vitest";
import { edit, read, say } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** Personal flags of messages (api.md operation 11 and its successors), and mentions of groups. One row per fact. */
let realm: TestRealm;
let ids: readonly number[];
/** Three messages of `member` in the topic "t". */
beforeEach(async () => {
  realm = testRealm();
  ids = [
    await say(realm, "member", "t", "a"),
    await say(realm, "member", "t", "b"),
    await say(realm, "member", "t", "c"),
  ];
});
const unread = async (as: string): Promise<string> =>
  (await read(realm, as, "t"))
    .filter(({ flags }) => Array.isArray(flags) && !flags.includes("read"))
    .map(({ content }) => content)
    .join("");
const narrow = [{ operator: "topic", operand: "t" }];

describe("POST /messages/flags/narrow", () => {
  const ask = async (params: JsonObject) => {
    const sent = { narrow, op: "add", flag: "read", num_before: 0, num_after: 0, ...params };
    return realm.call("member2", "POST", "/messages/flags/narrow", sent);
  };
  test.each<[anchor: string, params: JsonObject, left: string, answer: JsonObject]>([
    [
      "oldest",
      { num_after: 2 },
      "c",
      { processed_count: 2, updated_count: 2, found_oldest: true, found_newest: false },
    ],
    ["oldest", { num_after: 9 }, "", { processed_count: 3, found_oldest: true, found_newest: true }],
    ["newest", { num_before: 1 }, "ab", { processed_count: 1, found_oldest: false, found_newest: true }],
    ["newest", { num_before: 9 }, "", { processed_count: 3, found_oldest: true }],
    ["first_unread", { num_after: 1 }, "c", { processed_count: 2 }],
    ["second", {}, "ac", { processed_count: 1 }],
    ["second", { num_before: 1 }, "c", { processed_count: 2 }],
    ["second", { num_after: 1, include_anchor: false }, "ab", { processed_count: 1 }],
    ["oldest", {}, "abc", { processed_count: 0, first_processed_id: null, last_processed_id: null }],
  ])("around the %s with %j leaves %j unread", async (anchor, params, left, answer) => {
    const at = anchor === "second" ? String(ids[1]) : anchor;
    const { status, body } = await ask({ anchor: at, ...params });
    expect([status, body]).toMatchObject([200, answer]);
    expect(await unread("member2")).toBe(left);
  });
  test("messages that are already read are processed, but not updated; the answer names the processed ones", async () => {
    await ask({ anchor: "oldest", num_after: 1 });
    const { body } = await ask({ anchor: "oldest", num_after: 9 });
    expect(body).toMatchObject({
      processed_count: 3,
      updated_count: 2,
      first_processed_id: ids[0],
      last_processed_id: ids[2],
      ignored_because_not_subscribed_channels: [],
    });
  });
  test.each<[params: JsonObject, msg: string]>([
    [{ anchor: "soon" }, "Invalid anchor"],
    [{}, "Missing 'anchor' argument"],
    [{ anchor: "soon", flag: "mentioned" }, "Invalid anchor"],
    [{ anchor: "oldest", flag: "mentioned" }, "Flag not editable: 'mentioned'"],
    [{ anchor: "oldest", op: "swap" }, "Invalid message flag operation: 'swap'"],
    [{ anchor: "oldest", num_after: -1 }, "num_after is too small"],
    [
      { anchor: "20", num_after: 1, num_before: 1, include_anchor: false },
      "The anchor can only be excluded at an end of the range",
    ],
    [{ anchor: "oldest", flag: "x", narrow: [["is", "x"]] }, "Invalid narrow operator: unknown 'is' operand x"],
    [{ anchor: "oldest", narrow: [["with", "20"]] }, "Invalid narrow operator: unknown operator with"],
  ])("%j: %s", async (params, msg) => {
    expect((await ask(params)).body.msg).toBe(msg);
  });
});

describe("POST /messages/flags", () => {
  const flag = (as: string, op: string, messages: readonly unknown[]) =>
    realm.call(as, "POST", "/messages/flags", { messages, op, flag: "read" });
  test("adds and removes flags, and the account's clients get events", async () => {
    const events = await realm.listen("member2");
    expect((await flag("member2", "add", ids)).body).toMatchObject({ messages: ids });
    expect(await unread("member2")).toBe("");
    await flag("member2", "remove", [ids[2]]);
    expect(await unread("member2")).toBe("c");
    expect((await events()).map(({ op, messages }) => [op, messages])).toEqual([
      ["add", ids],
      ["remove", [ids[2]]],
    ]);
  });
  test("messages that the account cannot see do not exist", async () => {
    for (const [as, id] of [
      ["member2", 99_999],
      ["guest", await secret()],
    ] as const)
      for (const sent of [
        { op: "add", flag: "starred" },
        { op: "add", flag: "collapsed" },
      ])
        expect((await realm.call(as, "POST", "/messages/flags", { messages: [id], ...sent })).body.msg).toBe(
          "Invalid message(s)",
        );
  });
  test("messages in the requested state are not checked: messages without a copy are read, and not starred", async () => {
    for (const sent of [
      { op: "add", flag: "read" },
      { op: "remove", flag: "starred" },
    ])
      expect(
        (await realm.call("member2", "POST", "/messages/flags", { messages: [99_999], ...sent })).body,
      ).toMatchObject({ result: "success", messages: [99_999] });
  });
  test.each<[flagName: string, op: string, flags: readonly string[]]>([
    ["starred", "add", ["read", "starred", "historical"]],
    ["collapsed", "add", ["read", "collapsed", "historical"]],
    ["read", "remove", ["historical"]],
    ["read", "add", ["read", "historical"]],
  ])("history that is marked %s (%s) becomes a copy", async (flagName, op, flags) => {
    const late = { subscriptions: [{ name: "general" }] };
    await realm.call("member2", "DELETE", "/users/me/subscriptions", { subscriptions: ["general"] });
    const id = await say(realm, "member", "t", "late");
    await realm.call("member2", "POST", "/users/me/subscriptions", late);
    await realm.call("member2", "POST", "/messages/flags", { messages: [id], op, flag: flagName });
    expect((await read(realm, "member2", "t")).at(-1)?.flags).toEqual(flags);
  });
  test("messages can be unread only in channels to which the user is subscribed", async () => {
    await flag("member2", "add", ids);
    await realm.call("member2", "DELETE", "/users/me/subscriptions", { subscriptions: ["general"] });
    const { body } = await flag("member2", "remove", ids);
    expect(body).toMatchObject({ messages: ids, ignored_because_not_subscribed_channels: [3] });
    expect(await unread("member2")).toBe("");
  });
  const secret = async (): Promise<number> => {
    const sent = { type: "direct", to: [realm.id("member2")], content: "x" };
    return Number((await realm.call("member", "POST", "/messages", sent)).body.id);
  };
});

describe("which events the account's clients get", () => {
  const heard = async (act: () => Promise<unknown>, capabilities: readonly string[] = []) => {
    const events = await realm.listen("member2", capabilities);
    await act();
    return (await events()).filter(({ type }) => type === "update_message_flags");
  };
  const flag = (op: string, messages: readonly unknown[]) =>
    realm.call("member2", "POST", "/messages/flags", { messages, op, flag: "read" });
  const mark = (path: string, params: JsonObject) => realm.call("member2", "POST", path, params);
  const READ = { type: "update_message_flags", op: "add", operation: "add", flag: "read" };

  test("for listed messages, even if none of them changes", async () => {
    expect(await heard(() => flag("add", ids))).toEqual([{ ...READ, messages: ids, all: false }]);
    expect(await heard(() => flag("add", ids))).toEqual([{ ...READ, messages: [], all: false }]);
  });
  test("for a topic or channel, only if something changes; another channel's topic stays unread", async () => {
    const stream_id = realm.channel("sandbox");
    await realm.call("member", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "sandbox" }] });
    await realm.call("member2", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "sandbox" }] });
    const other = await say(realm, "member", "t", "d", "sandbox");
    const read = () => mark("/mark_topic_as_read", { stream_id: 3, topic_name: "t" });
    expect(await heard(read)).toEqual([{ ...READ, messages: ids, all: false }]);
    expect(await heard(read)).toEqual([]);
    expect(await heard(() => mark("/mark_stream_as_read", { stream_id }))).toMatchObject([
      { messages: expect.arrayContaining([other]) },
    ]);
    expect(await heard(() => mark("/mark_stream_as_read", { stream_id }))).toEqual([]);
  });
  test("for all messages, one event that names none", async () => {
    expect(await heard(() => mark("/mark_all_as_read", {}))).toEqual([{ ...READ, messages: [], all: true }]);
  });
  test.each([
    [["empty_topic_name"], ""],
    [[], "general chat"],
  ])("unread again, with channel and topic: %j", async (capabilities, topic) => {
    const direct = async (...names: readonly string[]) => {
      const to = names.map((name) => realm.id(name));
      return Number((await realm.call("member", "POST", "/messages", { type: "direct", to, content: "x" })).body.id);
    };
    const asked = [
      await say(realm, "member", "", "@**all** look"),
      await say(realm, "member", "t", "@**Elif Demir**"),
      await direct("member2"),
      await direct("member2", "member3"),
    ];
    await mark("/mark_all_as_read", {});
    await realm.call("member2", "POST", "/user_topics", { stream_id: 3, topic: "", visibility_policy: 1 });
    const inChannel = { type: "stream", stream_id: 3 };
    expect(await heard(() => flag("remove", asked), capabilities)).toMatchObject([
      {
        op: "remove",
        messages: asked,
        message_details: {
          // If the topic is muted, a mention of everybody mentions nobody.
          [String(asked[0])]: { ...inChannel, topic, unmuted_stream_msg: false },
          [String(asked[1])]: { ...inChannel, topic: "t", unmuted_stream_msg: true, mentioned: true },
          [String(asked[2])]: { type: "private", user_ids: [realm.id("member")] },
          [String(asked[3])]: { type: "private", user_ids: [realm.id("member"), realm.id("member3")] },
        },
      },
    ]);
    const { body } = await realm.call("member2", "POST", "/register", {
      fetch_event_types: ["message", "update_message_flags"],
      client_capabilities: { notification_settings_null: true, empty_topic_name: capabilities.length > 0 },
    });
    const topics = [
      { topic, unread_message_ids: [asked[0]] },
      { topic: "t", unread_message_ids: [asked[1]] },
    ];
    expect(body.unread_msgs).toMatchObject({ streams: topics, mentions: [asked[1]], count: 3 });
  });
});

describe("mentions of groups", () => {
  test.each<[as: string, content: string, refused: boolean]>([
    ["member2", "@*crew* look", true],
    ["member", "@*crew* look", false],
    ["member2", "@_*crew* look", false],
    ["member2", "`@*crew*` look", false],
    ["member2", "@*nobody* look", false],
  ])("by the %s: %s", async (as, content, refused) => {
    const only = { direct_members: [realm.id("member")], direct_subgroups: [] };
    const crew = { name: "crew", description: "", members: [realm.id("member3")], can_mention_group: only };
    await realm.call("owner", "POST", "/user_groups/create", crew);
    const msg = refused ? "You are not allowed to mention user group 'crew'." : "";
    const message = { type: "channel", to: 3, topic: "t", content };
    expect((await realm.call(as, "POST", "/messages", message)).body.msg).toBe(msg);
    expect((await edit(realm, as, await say(realm, as, "t", "x"), { content })).body.msg).toBe(msg);
  });
  test("the members' copies have the flag", async () => {
    const crew = { name: "crew", description: "", members: [realm.id("member3")] };
    await realm.call("owner", "POST", "/user_groups/create", crew);
    await say(realm, "member", "u", "@*crew* look");
    const flags = async (as: string) => (await read(realm, as, "u"))[0]?.flags;
    expect([await flags("member3"), await flags("member2")]).toEqual([["mentioned"], []]);
  });
});

describe("mentioned people follow the topic", () => {
  const followed = async (content: string, prepare: () => Promise<unknown>) => {
    await prepare();
    await say(realm, "member", "t", content);
    const { body } = await realm.call("member2", "POST", "/register", { fetch_event_types: ["user_topic"] });
    const rows = Array.isArray(body.user_topics) ? body.user_topics : [];
    return rows.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]);
  };
  const decide = (visibility_policy: number) => () =>
    realm.call("member2", "POST", "/user_topics", { stream_id: 3, topic: "t", visibility_policy });
  const wish = (is: boolean) => () =>
    realm.call("member2", "PATCH", "/settings", { automatically_follow_topics_where_mentioned: is });
  test.each<[content: string, prepare: () => () => Promise<unknown>, expected: unknown]>([
    ["@**Elif Demir**", () => wish(true), [["t", 3]]],
    ["@**Elif Demir**", () => wish(false), []],
    ["@_**Elif Demir**", () => wish(true), []],
    ["@**all**", () => wish(true), []],
    ["@**Elif Demir**", () => decide(1), [["t", 1]]],
    ["@**Elif Demir**", () => decide(2), [["t", 3]]],
  ])("%s, %s: %j", async (content, prepare, expected) => {
    expect(await followed(content, prepare())).toEqual(expected);
  });
  test("but only in channels to which they are subscribed", async () => {
    const leave = () => realm.call("member2", "DELETE", "/users/me/subscriptions", { subscriptions: ["general"] });
    expect(await followed("@**Elif Demir**", leave)).toEqual([]);
  });
});
