import { beforeEach, describe, expect, test } from "vitest";
import { messagesAmong, testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** One row per fact of zulip-api.md §3.5.4, §3.6, §3.7, §3.12 and §3.13 that the neighboring files do not cover. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const { create } = testChannels(() => realm);
const patch = async (as: string, id: number, params: object) =>
  (await realm.call(as, "PATCH", `/streams/${id}`, { ...params })).body.msg;
const subscribe = (as: string, params: object) => realm.call(as, "POST", "/users/me/subscriptions", { ...params });
const archive = (id: number) => realm.call("owner", "DELETE", `/streams/${id}`);
const people = (...names: string[]) => ({ direct_members: names.map((name) => realm.id(name)), direct_subgroups: [] });

describe("§3.5.4 notices", () => {
  const rows: readonly (readonly [what: string, sent: JsonObject, word: RegExp])[] = [
    ["the name", { new_name: "y" }, /renamed channel \*\*x\*\* to \*\*y\*\*/],
    ["the description", { description: "d" }, /changed the description/],
    [
      "privacy",
      { is_private: true },
      /changed the \[access permissions\]\(\/help\/channel-permissions\) .* from \*\*Public\*\* to \*\*Private, protected history\*\*\.$/,
    ],
    [
      "who may post",
      { can_send_message_group: { new: 11 } },
      /changed the \[posting permissions\].*:\n\n\* \*\*Old\*\*: @_\*role:everyone\*\n\* \*\*New\*\*: @_\*role:administrators\*$/,
    ],
    [
      "retention",
      { message_retention_days: 7 },
      /\* \*\*Old retention period\*\*: Forever\n\* \*\*New retention period\*\*: 7 days\n\nMessages in this channel will now be automatically deleted 7 days after they are sent\.$/,
    ],
    [
      "the topics policy",
      { topics_policy: "allow_empty_topic" },
      /setting from \*\*Automatic\*\* to \*\*\*general chat\* topic allowed\*\*\.$/,
    ],
  ];
  test.each(rows)("one for %s, in “channel events”", async (_what, sent, word) => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const id = await create("owner", "x");
    const received = await realm.listen("owner");
    expect(await patch("owner", id, sent)).toBe("");
    expect(await messagesAmong(received)).toEqual([["channel events", expect.stringMatching(word)]]);
  });
  test("one for creating, archiving and unarchiving", async () => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const received = await realm.listen("owner", ["archived_channels"]);
    const id = await create("owner", "x");
    await archive(id);
    await patch("owner", id, { is_archived: false });
    expect((await messagesAmong(received)).map(([, text]) => /created by|unarchived|archived/.exec(text)?.[0])).toEqual(
      ["created by", "archived", "unarchived"],
    );
  });
  test.each<[before: unknown, sent: unknown, words: readonly RegExp[]]>([
    [
      '"realm_default"',
      7,
      [/Old retention period\*\*: Forever/, /New retention period\*\*: 7 days/, /deleted 7 days after/],
    ],
    [7, '"unlimited"', [/Old retention period\*\*: 7 days/, /New retention period\*\*: Forever/, /retained forever/]],
    [7, 9, [/: 7 days/, /: 9 days/, /deleted 9 days after/]],
  ])("of retention from %s to %s", async (before, message_retention_days, words) => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const id = await create("owner", "x", { message_retention_days: JSON.parse(JSON.stringify(before)) });
    const received = await realm.listen("owner");
    await patch("owner", id, { message_retention_days });
    const [[, text] = []] = await messagesAmong(received);
    for (const word of words) expect(text).toMatch(word);
  });
  test.each<[state: JsonObject, name: string]>([
    [{}, "Public"],
    [{ is_web_public: true }, "Web-public"],
    [{ invite_only: true }, "Private, protected history"],
    [{ invite_only: true, history_public_to_subscribers: true }, "Private, shared history"],
  ])("a channel made with %j is called %s", async (state, name) => {
    realm = testRealm(442, { realm_send_channel_events_messages: true, realm_enable_spectator_access: true });
    const received = await realm.listen("owner");
    await create("owner", "x", state);
    expect((await messagesAmong(received))[0]?.[1]).toContain(`**${name}** channel created by`);
  });
  test.each<[what: string, sent: JsonObject]>([
    ["the folder", { folder_id: null }],
    ["the default flag", { is_default_stream: true }],
    ["another group setting", { can_remove_subscribers_group: { new: 14 } }],
    ["another group setting still", { can_subscribe_group: { new: 14 } }],
  ])("none for %s", async (_what, sent) => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const id = await create("owner", "x");
    const received = await realm.listen("owner");
    expect(await patch("owner", id, sent)).toBe("");
    expect(await messagesAmong(received)).toEqual([]);
  });
  test.each<[level: number, asked: boolean, count: number]>([
    [442, true, 1],
    [442, false, 0],
    [434, false, 0],
    [433, false, 1],
  ])("level %i, the realm wants them: %s → %i", async (level, asked, count) => {
    realm = testRealm(level, { realm_send_channel_events_messages: asked });
    const id = realm.channel("general");
    const received = await realm.listen("owner");
    await patch("owner", id, { description: "other" });
    expect(await messagesAmong(received)).toHaveLength(count);
  });
  test("§3.13 they also go to the empty topic if the channel allows no other", async () => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const received = await realm.listen("owner", ["empty_topic_name"]);
    const id = await create("owner", "x", { topics_policy: '"empty_topic_only"' });
    await patch("owner", id, { description: "d" });
    expect((await messagesAmong(received)).map(([topic]) => topic)).toEqual(["", ""]);
  });
});

describe("§3.6 who may do what", () => {
  test("a bot that became an administrator administers every channel", async () => {
    const id = await create("member", "x", { invite_only: true });
    expect(await patch("bot", id, { description: "d" })).toBe("Invalid channel ID");
    await realm.call("owner", "PATCH", `/bots/${realm.id("bot")}`, { role: 200 });
    expect(await patch("bot", id, { description: "d" })).toBe("");
  });

  test.each<[setting: string, knows: boolean, reads: boolean]>([
    ["can_administer_channel_group", true, false],
    ["can_add_subscribers_group", true, true],
    ["can_subscribe_group", true, true],
    ["can_remove_subscribers_group", false, false],
    ["can_send_message_group", false, false],
  ])("%s of a private channel: knows it %s, reads it %s", async (setting, knows, reads) => {
    const id = await create("member", "x", { invite_only: true, [setting]: people("member", "member2", "guest") });
    const { streams } = (await realm.call("member2", "GET", "/streams", { include_all: true })).body;
    const names = (isList(streams) ? streams : []).map((each) => (isObject(each) ? each.name : undefined));
    expect(names.includes("x")).toBe(knows);
    expect((await realm.call("member2", "GET", "/get_stream_id", { stream: "x" })).status).toBe(reads ? 200 : 400);
    expect((await realm.call("member2", "GET", `/streams/${id}/members`)).status).toBe(knows ? 200 : 400);
    expect((await realm.call("guest", "GET", `/streams/${id}/members`)).status).toBe(400);
    expect((await subscribe("member2", { subscriptions: [{ name: "x" }] })).status).toBe(reads ? 200 : 400);
  });

  test("such an owner cannot add anybody either, but archiving and unarchiving is allowed", async () => {
    const id = await create("member", "x", { invite_only: true });
    for (const principals of [undefined, [realm.id("owner")], [realm.id("member2")]])
      expect((await subscribe("owner", { subscriptions: [{ name: "x" }], principals })).body.msg).toBe(
        "Unable to access channel (x).",
      );
    expect((await archive(id)).body.msg).toBe("");
    expect(await patch("owner", id, { is_archived: false })).toBe("");
  });
  test("an owner who was put into can_add_subscribers_group before may do all of it", async () => {
    const id = await create("member", "x", { invite_only: true, can_add_subscribers_group: people("owner") });
    expect(await patch("owner", id, { is_private: false })).toBe("");
  });
});

describe("§3.7 group values", () => {
  test.each([
    ["an unknown id", { direct_members: [4242], direct_subgroups: [] }],
    ["somebody deactivated", { direct_members: [15], direct_subgroups: [] }],
  ])("%s in old is only a mismatch", async (_fact, old) => {
    const { body } = await realm.call("owner", "PATCH", `/streams/${realm.channel("general")}`, {
      can_send_message_group: { new: realm.group("role:members"), old },
    });
    expect(body).toMatchObject({ code: "EXPECTATION_MISMATCH", field_name: "old" });
  });
});

describe("§3.12 while archived", () => {
  test.each([
    ["GET", "/streams/{id}", 479, 400],
    ["GET", "/streams/{id}", 480, 200],
    ["GET", "/get_stream_id?stream=sandbox", 442, 400],
    ["DELETE", "/users/me/subscriptions", 442, 200],
  ])("%s %s at %i: %i", async (method, path, level, status) => {
    realm = testRealm(level);
    const id = realm.channel("sandbox");
    await archive(id);
    const sent = method === "DELETE" ? { subscriptions: ["sandbox"] } : {};
    expect((await realm.call("owner", method, path.replace("{id}", String(id)), sent)).status).toBe(status);
  });
});

describe("§3.13 topics_policy", () => {
  test.each([
    ["no_such_policy", "topics_policy is not valid JSON"],
    ['"no_such_policy"', "Invalid topics_policy"],
    ["null", "Invalid topics_policy"],
    ["5", "topics_policy is not a string"],
  ])("creation with %s: %s", async (topics_policy, msg) => {
    const { body } = await realm.call("owner", "POST", "/channels/create", {
      name: "x",
      subscribers: [],
      topics_policy,
    });
    expect(body.msg).toBe(msg);
    expect((await subscribe("owner", { subscriptions: [{ name: "x" }], topics_policy })).body.msg).toBe(msg);
  });
  test("creation with another value than inherit requires the realm's right", async () => {
    await realm.call("owner", "PATCH", "/realm", { can_set_topics_policy_group: { new: realm.group("role:nobody") } });
    for (const [policy, msg] of [
      ["inherit", ""],
      ["disable_empty_topic", "Insufficient permission"],
    ]) {
      const sent = { name: policy, subscribers: [], topics_policy: JSON.stringify(policy) };
      expect((await realm.call("member", "POST", "/channels/create", sent)).body.msg).toBe(msg);
    }
  });
  test.each<[realms: string, policy: string, empty: number, named: number]>([
    ["allow_empty_topic", "inherit", 200, 200],
    ["disable_empty_topic", "inherit", 400, 200],
    ["disable_empty_topic", "allow_empty_topic", 200, 200],
    ["allow_empty_topic", "disable_empty_topic", 400, 200],
    ["allow_empty_topic", "empty_topic_only", 200, 400],
    ["disable_empty_topic", "empty_topic_only", 200, 400],
  ])("in a realm with %s, %s: the empty topic %i, another %i", async (realms, policy, empty, named) => {
    await realm.call("owner", "PATCH", "/realm", { topics_policy: realms });
    const to = await create("owner", "x", { topics_policy: JSON.stringify(policy) });
    const say = async (topic: string) =>
      (await realm.call("owner", "POST", "/messages", { type: "channel", to, topic, content: "c" })).status;
    expect([await say(""), await say("named")]).toEqual([empty, named]);
  });
  test("empty_topic_only, once the named topics no longer exist", async () => {
    const id = await create("owner", "x");
    const say = (topic: string) =>
      realm.call("owner", "POST", "/messages", { type: "channel", to: id, topic, content: "c" });
    await say("");
    expect(await patch("owner", id, { topics_policy: "empty_topic_only" })).toBe("");
    await patch("owner", id, { topics_policy: "inherit" });
    const named = Number((await say("named")).body.id);
    expect(await patch("owner", id, { topics_policy: "empty_topic_only" })).toMatch(/^To enable this configuration/);
    await realm.call("owner", "DELETE", `/messages/${named}`);
    expect(await patch("owner", id, { topics_policy: "empty_topic_only" })).toBe("");
  });
});
