import { beforeEach, describe, expect, test } from "vitest";
import { say } from "../../../test/support/sandbox/messages.ts";
import { type Reply, type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** What GET /messages finds among a few named messages, and the server's own words for invalid terms. */
let realm: TestRealm;
let names: ReadonlyMap<number, string>;
// For each test, since some of them send messages or mute channels.
beforeEach(async () => {
  realm = testRealm();
  const direct = async (to: readonly number[], content: string) =>
    Number((await realm.call("member", "POST", "/messages", { type: "direct", to, content })).body.id);
  names = new Map([
    [await say(realm, "member", "alpha", "hello @**Elif Demir**"), "alpha 1"],
    [await say(realm, "member2", "alpha", "Walking there, see https://example.com"), "alpha 2"],
    [await say(realm, "guest", "beta", "walks <b> the `dog`"), "beta"],
    [await direct([10], "to one"), "one"],
    [await direct([10, 11], "to two"), "two"],
  ]);
});
type Term = readonly [operator: string, operand: unknown, negated?: boolean];
const get = (terms: readonly Term[], params: object = {}, as = "member2"): Promise<Reply> => {
  const narrow = terms.map(([operator, operand, negated]) => ({ operator, operand, negated }));
  return realm.call(as, "GET", "/messages", { anchor: 23, num_before: 0, num_after: 50, narrow, ...params });
};
const found = ({ body }: Reply): unknown =>
  Array.isArray(body.messages) ? body.messages.map(({ id }) => names.get(Number(id))) : body.msg;
const ALL = ["alpha 1", "alpha 2", "beta", "one", "two"];
const without = (...some: string[]) => ALL.filter((name) => !some.includes(name));

describe("terms find", () => {
  test.each<readonly [terms: readonly Term[], expected: readonly string[]]>([
    [[["channel", 3]], ["alpha 1", "alpha 2", "beta"]],
    [[["stream", "GENERAL"]], ["alpha 1", "alpha 2", "beta"]],
    [[["channel", 3, true]], ["one", "two"]],
    [[["channels", "public"]], ["alpha 1", "alpha 2", "beta"]],
    [[["streams", "public", true]], ["one", "two"]],
    [[["channels", "web-public"]], []],
    [[["topic", "ALPHA"]], ["alpha 1", "alpha 2"]],
    [[["topic", "alpha", true]], without("alpha 1", "alpha 2")],
    [[["sender", 9]], ["alpha 1", "one", "two"]],
    [[["sender", "user9@zulipdev.com"]], ["alpha 1", "one", "two"]],
    [[["dm", [9]]], ["one"]],
    [[["dm", [9, 10]]], ["one"]],
    [[["dm", "user9@zulipdev.com"]], ["one"]],
    [[["pm_with", "user9@zulipdev.com,user11@zulipdev.com"]], ["two"]],
    [[["dm", [9], true]], without("one")],
    // An empty list of people does not mean the conversation with oneself.
    [[["dm", []]], []],
    [[["dm", [], true]], ALL],
    [[["dm-including", 9]], ["one", "two"]],
    [[["dm-including", 10]], ["one", "two"]],
    [[["dm-including", 12]], []],
    [[["group-pm-with", 9]], ["two"]],
    [[["group_pm_with", "user9@zulipdev.com"]], ["two"]],
    [[["is", "mentioned"]], ["alpha 1"]],
    [[["is", "private"]], ["one", "two"]],
    [[["is", "dm", true]], without("one", "two")],
    [[["in", "all"]], ALL],
    // Negating "anywhere" has no effect.
    [[["in", "all", true]], ALL],
    [[["in", "home", true]], []],
    [[["near", "whatever"]], ALL],
    [[["has", "link"]], ["alpha 2"]],
    // Whole words with any ending; all of them must occur; quoted text must occur exactly.
    [[["search", "WALK"]], ["alpha 2", "beta"]],
    [[["search", "wal"]], []],
    [[["search", "walk", true]], ["alpha 2", "beta"]],
    [[["search", "walk dog"]], ["beta"]],
    [[["search", '"see https"']], ["alpha 2"]],
    [[["search", "alpha"]], ["alpha 1", "alpha 2"]],
  ])("%j: %j", async (terms, expected) => {
    expect(found(await get(terms))).toEqual(expected);
  });
  test("a message by its id", async () => {
    for (const [id, name] of names)
      for (const operand of [id, `${id}`]) expect(found(await get([["id", operand]]))).toEqual([name]);
  });
});

const NEITHER = "No message can be both a channel message and direct message";
describe("terms are refused: BAD_NARROW", () => {
  test.each<readonly [terms: readonly Term[], desc: string]>([
    [[["Channel", "general"]], "unknown operator Channel"],
    [[["date", "today"]], "unknown operator date"],
    [[["channel", "3"]], "unknown channel 3"],
    [[["channel", 99]], "unknown channel 99"],
    [[["channels", "private"]], "unknown channels operand private"],
    [[["sender", "nobody@example.org"]], "unknown user nobody@example.org"],
    [
      [["dm-including", "user9@zulipdev.com,user11@zulipdev.com"]],
      "unknown user user9@zulipdev.com,user11@zulipdev.com",
    ],
    [[["dm", [99]]], "unknown user in [99]"],
    [[["dm", ""]], "unknown user in "],
    [[["is", "great"]], "unknown 'is' operand great"],
    [[["has", "poll"]], "unknown 'has' operand poll"],
    [[["in", "town"]], "unknown 'in' operand town"],
    [[["id", "x"]], "Invalid message ID"],
    [[["id", -1]], "Invalid message ID"],
    [[["id", 2_147_483_648]], "Invalid message ID"],
    [[["with", "x"]], "Invalid 'with' operator"],
    [[["with", 99_999]], "Invalid 'with' operator"],
    [
      [
        ["channel", 3],
        ["dm", [9]],
      ],
      NEITHER,
    ],
    [
      [
        ["is", "dm"],
        ["topic", "alpha"],
      ],
      NEITHER,
    ],
    [
      [
        ["is", "private", true],
        ["dm-including", 9],
      ],
      NEITHER,
    ],
    [
      [
        ["channels", "public"],
        ["group-pm-with", 9],
      ],
      NEITHER,
    ],
  ])("%j: %s", async (terms, desc) => {
    const { status, body } = await get(terms);
    expect([status, body.code, body.desc, body.msg]).toEqual([
      400,
      "BAD_NARROW",
      desc,
      `Invalid narrow operator: ${desc}`,
    ]);
  });
  test.each<readonly [terms: readonly Term[], expected: readonly string[]]>([
    [
      [
        ["channel", 3, true],
        ["dm", [9]],
      ],
      ["one"],
    ],
    [
      [
        ["topic", "beta", true],
        ["is", "dm"],
      ],
      ["one", "two"],
    ],
  ])("%j is no contradiction", async (terms, expected) => {
    expect(found(await get(terms))).toEqual(expected);
  });
});

describe("with: the conversation that contains a message now", () => {
  const idOf = (name: string) => Number([...names].find(([, each]) => each === name)?.[0]);
  test.each<readonly [name: string, others: readonly Term[], expected: readonly string[]]>([
    ["alpha 1", [], ["alpha 1", "alpha 2"]],
    [
      "alpha 1",
      [
        ["channel", 2],
        ["topic", "elsewhere"],
      ],
      ["alpha 1", "alpha 2"],
    ],
    ["alpha 1", [["dm", [9]]], ["alpha 1", "alpha 2"]],
    ["alpha 1", [["sender", 10]], ["alpha 2"]],
    [
      "two",
      [
        ["channel", 3],
        ["topic", "alpha"],
      ],
      ["two"],
    ],
    // Somebody else's conversation: the other terms decide, if they name one.
    [
      "one",
      [
        ["channel", 3],
        ["topic", "beta"],
      ],
      ["beta"],
    ],
  ])("%s beside %j: %j", async (name, others, expected) => {
    const as = name === "one" ? "member4" : "member2";
    expect(found(await get([...others, ["with", idOf(name)]], {}, as))).toEqual(expected);
  });
  test("a topic alone is not a conversation", async () => {
    const { body } = await get(
      [
        ["topic", "beta"],
        ["with", idOf("one")],
      ],
      {},
      "member4",
    );
    expect(body.msg).toBe("Invalid narrow operator: Invalid 'with' operator");
  });
  test("only one `with` is allowed", async () => {
    const { body } = await get([
      ["with", 1],
      ["with", 2],
    ]);
    const desc = "Duplicate 'with' operators.";
    expect(body).toEqual({
      result: "error",
      msg: `Invalid narrow operator combination: ${desc}`,
      desc,
      code: "BAD_NARROW",
    });
  });
});

test("searches highlight what they found", async () => {
  const { body } = await get([["search", "walks dog beta"]], { apply_markdown: false });
  expect(body.messages).toMatchObject([
    {
      content: "walks <b> the `dog`",
      match_content: expect.stringMatching(
        /<span class="highlight">walks<\/span>.*<span class="highlight">dog<\/span>/,
      ),
      match_subject: '<span class="highlight">beta</span>',
    },
  ]);
});
test("other requests do not", async () => {
  const { body } = await get([["topic", "beta"]]);
  const [message] = Array.isArray(body.messages) ? body.messages : [];
  expect(Object.keys(message)).not.toContain("match_content");
});

describe("muted topics and channels", () => {
  const mute = (topic: string, visibility_policy: number) =>
    realm.call("member2", "POST", "/user_topics", { stream_id: 3, topic, visibility_policy });
  const muteChannel = (value: boolean) =>
    realm.call("member2", "POST", "/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: 3, property: "is_muted", value }],
    });
  test.each<readonly [fact: string, channelMuted: boolean, policy: number, seen: readonly string[]]>([
    ["a muted topic", false, 1, without("beta")],
    ["a muted channel, but for topics that are unmuted", true, 2, ["beta", "one", "two"]],
    ["or followed", true, 3, ["beta", "one", "two"]],
    ["a muted channel", true, 0, ["one", "two"]],
  ])("%s", async (_fact, is_muted, policy, seen) => {
    // The server made member2 follow the topic to which they sent a message.
    await mute("alpha", 0);
    await mute("beta", policy);
    await muteChannel(is_muted);
    expect(found(await get([["in", "home"]]))).toEqual(seen);
    expect(found(await get([["is", "muted"]]))).toEqual(without(...seen));
    expect(found(await get([["is", "muted", true]]))).toEqual(seen);
  });
  test("do not contain the first unread message", async () => {
    await muteChannel(true);
    await realm.call("member2", "POST", "/mark_all_as_read");
    const id = await say(realm, "member", "gamma", "unread");
    const first = async () => (await get([["topic", "gamma"]], { anchor: "first_unread" })).body.anchor;
    expect(await first()).toBe(10_000_000_000_000_000);
    await mute("gamma", 2);
    expect(await first()).toBe(id);
  });
});

describe("in channels to which the user is not subscribed", () => {
  const before = async () => {
    const subscriptions = ["general"];
    await realm.call("owner", "DELETE", "/users/me/subscriptions", {
      subscriptions,
      principals: [realm.id("member4")],
    });
    return say(realm, "member", "delta", "while away");
  };
  test.each<readonly [terms: readonly Term[], isFound: boolean]>([
    [[], false],
    [[["topic", "delta"]], false],
    [[["channel", 3]], true],
    [[["channel", 3, true]], false],
    [[["channels", "public"]], true],
    [[["channels", "web-public"]], false],
    [[["channels", "public", true]], false],
    [
      [
        ["channel", 3],
        ["is", "unread"],
      ],
      false,
    ],
    [
      [
        ["channel", 3],
        ["is", "resolved", true],
      ],
      true,
    ],
  ])("%j: found %j", async (terms, isFound) => {
    const id = await before();
    const { body } = await get(terms, { anchor: id, num_after: 1 }, "member4");
    expect(Array.isArray(body.messages) && body.messages.some((message) => message.id === id)).toBe(isFound);
  });
});
