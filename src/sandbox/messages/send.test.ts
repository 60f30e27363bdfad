import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import { type TestRealm, testRealm } from "../test-realm.ts";

type Params = { readonly [name: string]: unknown };
type Prepare = (realm: TestRealm) => Promise<unknown>;
const nothing: Prepare = async () => {};

const channelMessage = (params: Params): Params => ({ type: "channel", to: 3, topic: "t", content: "c", ...params });
async function messages(realm: TestRealm, as: string, params: Params): Promise<readonly JsonObject[]> {
  const { body } = await realm.call(as, "GET", "/messages", {
    anchor: "newest",
    num_before: 100,
    apply_markdown: false,
    ...params,
  });
  return Array.isArray(body.messages) ? body.messages : [];
}

describe("POST /messages refuses", () => {
  const closed: Prepare = (realm) =>
    realm.call("owner", "POST", "/channels/create", {
      name: "closed",
      subscribers: [realm.id("owner")],
      invite_only: true,
    });
  const general =
    (params: Params): Prepare =>
    (realm) =>
      realm.call("owner", "PATCH", "/streams/3", params);
  const rows: readonly (readonly [fact: string, as: string, prepare: Prepare, params: Params, message: string])[] = [
    ["an unknown type", "member", nothing, channelMessage({ type: "mail" }), "Invalid type"],
    [
      "a channel by an unknown number",
      "member",
      nothing,
      channelMessage({ to: 99999 }),
      "Channel with ID '99999' does not exist",
    ],
    [
      "a channel by an unknown name, shown as HTML",
      "member",
      nothing,
      channelMessage({ to: "a<b" }),
      "Channel 'a&lt;b' does not exist",
    ],
    [
      "a name that no channel has",
      "member",
      nothing,
      channelMessage({ to: "\u0007" }),
      "Invalid character in channel name, at position 1.",
    ],
    [
      "people as nothing",
      "member",
      nothing,
      { type: "direct", to: [null], content: "x" },
      "Invalid data type for recipients",
    ],
    ["half people", "member", nothing, { type: "direct", to: [9.5], content: "x" }, "Invalid data type for recipients"],
    ["another time", "member", nothing, channelMessage({ forged: "yes" }), "User not authorized for this query"],
    [
      "another time, said otherwise",
      "owner",
      nothing,
      channelMessage({ forged: "true" }),
      "User not authorized for this query",
    ],
    ["another's name", "owner", nothing, channelMessage({ sender: "x@example.org" }), "Invalid mirrored message"],
    ["two channels", "member", nothing, channelMessage({ to: [1, 3] }), "Expected exactly one channel"],
    ["nothing for a channel", "member", nothing, channelMessage({ to: null }), "Invalid data type for channel"],
    ["white space only", "member", nothing, channelMessage({ content: " \n" }), "Message must not be empty"],
    [
      "a topic that does not print",
      "member",
      nothing,
      channelMessage({ topic: "\u0001" }),
      "Invalid character in topic, at position 1!",
    ],
    [
      "a private channel of others",
      "member",
      closed,
      channelMessage({ to: "closed" }),
      "Not authorized to send to channel 'closed'",
    ],
    [
      "a private channel to administrators outside",
      "admin",
      closed,
      channelMessage({ to: "closed" }),
      "Not authorized to send to channel 'closed'",
    ],
    [
      "an archived channel",
      "member",
      (realm) => realm.call("owner", "DELETE", "/streams/3"),
      channelMessage({}),
      "Not authorized to send to channel 'general'",
    ],
    [
      "those who may not post",
      "member",
      (realm) => general({ can_send_message_group: { new: realm.group("role:moderators") } })(realm),
      channelMessage({}),
      "You do not have permission to post in this channel.",
    ],
    [
      "everybody where nobody may post",
      "owner",
      (realm) => general({ can_send_message_group: { new: realm.group("role:nobody") } })(realm),
      channelMessage({}),
      "You do not have permission to post in this channel.",
    ],
    [
      "new topics of those who may start none",
      "member",
      (realm) => general({ can_create_topic_group: { new: realm.group("role:moderators") } })(realm),
      channelMessage({}),
      "You do not have permission to create new topics in this channel.",
    ],
    [
      "the empty topic by policy",
      "member",
      general({ topics_policy: "disable_empty_topic" }),
      channelMessage({ topic: "(no topic)" }),
      "Sending messages to the general chat is not allowed in this channel.",
    ],
    ["nobody to send to", "member", nothing, { type: "direct", to: [], content: "x" }, "Message must have recipients"],
    [
      "an unknown person before empty content",
      "member",
      nothing,
      { type: "direct", to: [99999], content: "" },
      "Invalid user ID 99999",
    ],
    [
      "numbers and addresses together",
      "member",
      nothing,
      { type: "direct", to: [9, "a@example.org"], content: "x" },
      "Recipient lists may contain emails or user IDs, but not both.",
    ],
    [
      "an object of people",
      "member",
      nothing,
      { type: "direct", to: { id: 9 }, content: "x" },
      "Invalid data type for recipients",
    ],
    [
      "direct messages where they are off",
      "member",
      (realm) =>
        realm.call("owner", "PATCH", "/realm", {
          direct_message_permission_group: { new: realm.group("role:nobody") },
        }),
      { type: "direct", to: [10], content: "x" },
      "Direct messages are disabled in this organization.",
    ],
    [
      "conversations that nobody in them may allow",
      "member",
      (realm) =>
        realm.call("owner", "PATCH", "/realm", {
          direct_message_permission_group: { new: realm.group("role:moderators") },
        }),
      { type: "direct", to: [10], content: "x" },
      "This conversation does not include any users who can authorize it.",
    ],
    [
      "to begin a conversation",
      "member",
      (realm) =>
        realm.call("owner", "PATCH", "/realm", {
          direct_message_initiator_group: { new: realm.group("role:moderators") },
        }),
      { type: "direct", to: [10], content: "x" },
      "You do not have permission to initiate direct message conversations.",
    ],
    [
      "an anonymous flag",
      "member",
      nothing,
      channelMessage({ read_by_sender: "maybe" }),
      "read_by_sender is not valid JSON",
    ],
  ];
  test.each(rows)("%s", async (_fact, as, prepare, params, message) => {
    const realm = testRealm();
    await prepare(realm);
    const { status, body } = await realm.call(as, "POST", "/messages", params);
    expect([status, body.msg]).toEqual([400, message]);
  });

  test("whoever may begin conversations does, and others go on with them", async () => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", "/realm", {
      direct_message_initiator_group: { new: realm.group("role:moderators") },
    });
    const write = async (as: string, to: readonly number[]) =>
      (await realm.call(as, "POST", "/messages", { type: "direct", to, content: "x" })).body.msg;
    const refused = "You do not have permission to initiate direct message conversations.";
    expect(await write("member", [realm.id("moderator")])).toBe(refused);
    expect(await write("moderator", [realm.id("member")])).toBe("");
    expect(await write("member", [realm.id("moderator")])).toBe("");
    expect(await write("member", [realm.id("moderator"), realm.id("member2")])).toBe(refused);
    expect(await write("member", [realm.id("bot")])).toBe("");
    expect(await write("member", [realm.id("member")])).toBe("");
  });

  test.each([
    [{ type: "direct", to: [10] }, "content"],
    [{ to: [10], content: "x" }, "type"],
    [{}, "content"],
  ])("%j: the first missing parameter is %s", async (params, name) => {
    const { body } = await testRealm().call("member", "POST", "/messages", params);
    expect(body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: name });
  });
});

describe("POST /messages", () => {
  test.each<readonly [fact: string, to: unknown]>([
    ["a number", 3],
    ["a name", "general"],
    ["a name in other case", "GENERAL"],
    ["a name in quotes", '"general"'],
    ["a list of one name", ["general"]],
  ])("takes a channel as %s", async (_fact, to) => {
    expect((await testRealm().call("member", "POST", "/messages", channelMessage({ to }))).status).toBe(200);
  });

  test("says when sending made the sender follow the topic, and does not when nothing changed (§16.20)", async () => {
    const realm = testRealm();
    const first = await realm.call("member", "POST", "/messages", channelMessage({}));
    const second = await realm.call("member", "POST", "/messages", channelMessage({}));
    const joining = await realm.call("member2", "POST", "/messages", channelMessage({}));
    const bot = await realm.call("bot", "POST", "/messages", channelMessage({ topic: "of a bot" }));
    const policies = [first, second, joining, bot].map(({ body }) => body.automatic_new_visibility_policy);
    expect(policies).toEqual([3, undefined, undefined, undefined]);
  });

  test("incoming webhook bots may send, and do nothing else", async () => {
    const realm = testRealm();
    const { status, body } = await realm.call("webhookbot", "POST", "/messages", channelMessage({}));
    expect(status).toBe(200);
    const edited = await realm.call("webhookbot", "PATCH", `/messages/${body.id}`, { content: "x" });
    expect([edited.status, edited.body.msg]).toEqual([401, "This API is not available to incoming webhook bots."]);
  });

  test.each<readonly [fact: string, to: unknown, told: string]>([
    ["a number", 99999, "channel ID 99999, but there is no channel with that ID."],
    [
      "a name",
      "nowhere",
      "channel #**nowhere**, but that channel does not exist. Click [here](#channels/new) to create it.",
    ],
  ])("a bot's owner is told of a channel that is not there, by %s; once in five minutes", async (_fact, to, told) => {
    const realm = testRealm();
    const notices = async () => {
      const found = await messages(realm, "member", { narrow: [{ operator: "is", operand: "dm" }] });
      return found.map(({ content }) => String(content)).filter((content) => content.startsWith("Your bot"));
    };
    const bot = Object((await realm.call("owner", "GET", `/users/${realm.id("memberbot")}`)).body.user).delivery_email;
    const said = `Your bot \`${bot}\` tried to send a message to ${told}`;
    for (const count of [1, 1, 2]) {
      if (count === 2) realm.advance(301_000);
      expect((await realm.call("memberbot", "POST", "/messages", channelMessage({ to }))).status).toBe(400);
      expect(await notices()).toEqual(new Array(count).fill(said));
    }
  });

  test("a bot's owner is told of a channel without subscribers", async () => {
    const realm = testRealm();
    await realm.call("member", "POST", "/channels/create", { name: "empty", subscribers: [realm.id("member")] });
    await realm.call("member", "DELETE", "/users/me/subscriptions", { subscriptions: ["empty"] });
    expect((await realm.call("memberbot", "POST", "/messages", channelMessage({ to: "empty" }))).status).toBe(200);
    const notices = await messages(realm, "member", { narrow: [{ operator: "is", operand: "dm" }] });
    expect(String(notices.at(-1)?.content)).toContain(
      "#**empty**. The channel exists but does not have any subscribers.",
    );
  });

  test("a bot may post where its owner may", async () => {
    const realm = testRealm();
    const closed = { name: "closed", subscribers: [realm.id("owner")], invite_only: true };
    await realm.call("owner", "POST", "/channels/create", closed);
    const send = (as: string) => realm.call(as, "POST", "/messages", channelMessage({ to: "closed" }));
    expect([(await send("bot")).status, (await send("memberbot")).status]).toEqual([200, 400]);
  });

  test.each([
    ["a mention", `@**Elif Demir** look`, ["mentioned"]],
    ["a mention by number", `@**|10** look`, ["mentioned"]],
    ["a silent mention", `@_**Elif Demir** look`, []],
    ["code", "`@**Elif Demir**`", []],
    ["a quote", "> @**Elif Demir**", []],
    ["a quote's next line", "> a\n@**Elif Demir**", []],
    ["after a quote", "> a\n\n@**Elif Demir**", ["mentioned"]],
    ["a fenced quote", "```quote\n@**Elif Demir**\n```", []],
    ["fenced code", "~~~ js\n@**Elif Demir**\n~~~", []],
    ["after fenced code", "```\na\n```\n@**Elif Demir**", ["mentioned"]],
    ["a spoiler", "```spoiler Guess who\n@**Elif Demir**\n```", ["mentioned"]],
    ["a word before it", "x@**Elif Demir**", []],
    ["brackets around it", "(@**Elif Demir**) [@**Elif Demir**]", ["mentioned"]],
    ["another case", "@**elif demir**", ["mentioned"]],
    ["another's number", "@**Elif Demir|11**", []],
    ["all", "@**all**", ["stream_wildcard_mentioned", "wildcard_mentioned"]],
  ])("%s sets flags on the receivers' copies", async (_fact, content, flags) => {
    const realm = testRealm();
    await realm.call("member", "POST", "/messages", channelMessage({ content }));
    expect((await messages(realm, "member2", {})).at(-1)?.flags).toEqual(flags);
  });

  test("tells receivers, each in their own words", async () => {
    const realm = testRealm();
    const plain = await realm.listen("member2");
    const modern = await realm.listen("member3", ["empty_topic_name"]);
    await realm.call("member", "POST", "/messages", channelMessage({ topic: "" }));
    const subjects = [await plain(), await modern()].map((events) =>
      events.map(({ type, message }) => [type, message]),
    );
    expect(subjects).toEqual([
      [["message", expect.objectContaining({ subject: "general chat", content: "c" })]],
      [["message", expect.objectContaining({ subject: "", content: "c" })]],
    ]);
  });
});

describe("GET /messages", () => {
  async function three(realm: TestRealm): Promise<number[]> {
    const ids: number[] = [];
    for (const content of ["a", "b", "c"])
      ids.push(
        Number((await realm.call("member", "POST", "/messages", channelMessage({ topic: "range", content }))).body.id),
      );
    return ids;
  }
  const narrow = [{ operator: "topic", operand: "range" }];
  test.each<readonly [anchor: string, params: Params, contents: string, found: string]>([
    ["newest", { num_before: 2 }, "bc", "newest"],
    ["oldest", { num_after: 2 }, "ab", "oldest"],
    ["the second", { num_before: 1, num_after: 1 }, "abc", "anchor"],
    ["the second", { num_before: 5, num_after: 5 }, "abc", "anchor oldest newest"],
    ["the second", { num_after: 1, include_anchor: false }, "c", ""],
    ["the second", {}, "b", "anchor"],
  ])("around %s with %j", async (anchor, params, contents, found) => {
    const realm = testRealm();
    const ids = await three(realm);
    const at = anchor === "the second" ? String(ids[1]) : anchor;
    const { body } = await realm.call("member", "GET", "/messages", {
      anchor: at,
      narrow,
      apply_markdown: false,
      ...params,
    });
    const texts = Array.isArray(body.messages) ? body.messages.map((message) => message.content).join("") : "";
    const said = ["anchor", "oldest", "newest"].filter((each) => body[`found_${each}`] === true).join(" ");
    expect([texts, said]).toEqual([contents, found]);
  });

  test.each<readonly [fact: string, params: Params, message: string]>([
    ["no anchor", { num_before: 1 }, "Missing 'anchor' argument."],
    ["a word for an anchor", { anchor: "soon" }, "Invalid anchor"],
    ["too many", { anchor: "newest", num_before: 5001 }, "Too many messages requested (maximum 5000)."],
    [
      "an unknown channel",
      { anchor: "newest", narrow: [{ operator: "stream", operand: 77 }] },
      "Invalid narrow operator: unknown channel 77",
    ],
    [
      "an unknown operator",
      { anchor: "newest", narrow: [{ operator: "colour", operand: "red" }] },
      "Invalid narrow operator: unknown operator colour",
    ],
    [
      "an unknown person",
      { anchor: "newest", narrow: [{ operator: "dm", operand: [99] }] },
      "Invalid narrow operator: unknown user in [99]",
    ],
    [
      "a term without operand",
      { anchor: "newest", narrow: [{ operator: "is" }] },
      "Invalid narrow[0]: Value error, operand is missing",
    ],
    [
      "a number for a topic",
      { anchor: "newest", narrow: [{ operator: "topic", operand: 3 }] },
      "operand is not a string",
    ],
    ["a narrow that is no list", { anchor: "newest", narrow: "x" }, "narrow is not valid JSON"],
    ["a negative number", { anchor: "newest", num_before: -1 }, "num_before is too small"],
  ])("refuses %s", async (_fact, params, message) => {
    expect((await testRealm().call("member", "GET", "/messages", params)).body.msg).toBe(message);
  });

  test("whoever joins a public channel later reads its history as history", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/channels/create", { name: "new", subscribers: [realm.id("owner")] });
    await realm.call("owner", "POST", "/messages", channelMessage({ to: "new" }));
    const inChannel = { narrow: [{ operator: "channel", operand: "new" }] };
    expect((await messages(realm, "member", inChannel)).map(({ flags }) => flags)).toEqual([["read", "historical"]]);
    expect(await messages(realm, "guest", inChannel)).toEqual([]);
  });

  test.each([
    ["a direct message is numbered by its other end", "direct", [10]],
    ["a conversation of three has a number of its own", "direct", [10, 11]],
  ])("%s", async (_fact, type, to) => {
    const realm = testRealm();
    for (const content of ["a", "b"]) await realm.call("member", "POST", "/messages", { type, to, content });
    const seen = await messages(realm, "member", { narrow: [{ operator: "is", operand: "dm" }] });
    const [first, second] = seen.slice(-2).map(({ recipient_id }) => recipient_id);
    expect(first).toBe(second);
    expect(first).not.toBe(seen[0]?.recipient_id);
  });
});

test("every conversation has a recipient_id of its own", async () => {
  const realm = testRealm();
  const recipient = async (as: string, ...names: readonly string[]) => {
    const to = names.map((name) => realm.id(name));
    const { id } = (await realm.call(as, "POST", "/messages", { type: "direct", to, content: "x" })).body;
    const { message } = (await realm.call(as, "GET", `/messages/${String(id)}`)).body;
    return typeof message === "object" && message !== null && "recipient_id" in message ? message.recipient_id : null;
  };
  const first = await recipient("member", "member2", "member3");
  const second = await recipient("member", "member2", "member4");
  expect(new Set([first, second, await recipient("member", "member2")]).size).toBe(3);
  expect(await recipient("member3", "member2", "member")).toBe(first);
  expect(await recipient("member2", "member4", "member")).toBe(second);
});

describe("DELETE /messages/{message_id}", () => {
  const rows: readonly (readonly [fact: string, as: string, prepare: Prepare, message: string | null])[] = [
    ["one's own", "member", nothing, null],
    ["another's", "member2", nothing, "You don't have permission to delete this message"],
    ["moderators are in no such group", "moderator", nothing, "You don't have permission to delete this message"],
    ["administrators are", "admin", nothing, null],
    [
      "too late",
      "member",
      async (realm) => realm.advance(601_000),
      "The time limit for deleting this message has passed",
    ],
    ["at the last moment", "member", async (realm) => realm.advance(600_000), null],
    ["never too late for administrators", "admin", async (realm) => realm.advance(601_000), null],
    [
      "own ones forbidden",
      "member",
      (realm) =>
        realm.call("owner", "PATCH", "/realm", { can_delete_own_message_group: { new: realm.group("role:nobody") } }),
      "You don't have permission to delete this message",
    ],
    [
      "the channel allows any",
      "member2",
      (realm) =>
        realm.call("owner", "PATCH", "/streams/3", {
          can_delete_any_message_group: { new: realm.group("role:members") },
        }),
      null,
    ],
    [
      "archived channels stay as they are",
      "admin",
      (realm) => realm.call("owner", "DELETE", "/streams/3"),
      "Invalid message(s)",
    ],
  ];
  test.each(rows)("%s", async (_fact, as, prepare, message) => {
    const realm = testRealm();
    const sent = await realm.call("member", "POST", "/messages", channelMessage({}));
    await prepare(realm);
    const { body } = await realm.call(as, "DELETE", `/messages/${Number(sent.body.id)}`);
    expect(body.result === "success" ? null : body.msg).toBe(message);
  });

  test("a channel tells which of its messages is the first now", async () => {
    const realm = testRealm();
    const made = { name: "x", subscribers: [realm.id("member")] };
    const to = Number((await realm.call("member", "POST", "/channels/create", made)).body.id);
    const ids = [];
    for (const content of ["a", "b", "c"])
      ids.push((await realm.call("member", "POST", "/messages", channelMessage({ to, content }))).body.id);
    const told = async (id: unknown) => {
      const events = await realm.listen("member");
      await realm.call("owner", "DELETE", `/messages/${String(id)}`);
      return (await events()).filter(({ type }) => type === "stream");
    };
    const change = { op: "update", property: "first_message_id", stream_id: to, name: "x" };
    expect(await told(ids[1])).toEqual([]);
    expect(await told(ids[0])).toMatchObject([{ ...change, value: ids[2] }]);
    expect(await told(ids[2])).toMatchObject([{ ...change, value: null }]);
  });
  test("a bot's owner may delete what it sent", async () => {
    const realm = testRealm();
    const sent = await realm.call("memberbot", "POST", "/messages", channelMessage({}));
    expect((await realm.call("member", "DELETE", `/messages/${Number(sent.body.id)}`)).status).toBe(200);
  });
});

describe("POST /mark_topic_as_read (§16.14)", () => {
  test.each([
    ["a topic, in any case", "ALPHA", [["read"], []]],
    ["the empty string: the whole channel", "", [["read"], ["read"]]],
    ["the display name of the empty topic: likewise", "general chat", [["read"], ["read"], ["read"]]],
  ])("%s", async (_fact, topic_name, flags) => {
    const realm = testRealm();
    // A name has to be that of a topic; the empty string is none.
    const topics = topic_name === "general chat" ? ["alpha", "beta", ""] : ["alpha", "beta"];
    for (const topic of topics) await realm.call("member", "POST", "/messages", channelMessage({ topic }));
    expect((await realm.call("member2", "POST", "/mark_topic_as_read", { stream_id: 3, topic_name })).status).toBe(200);
    const seen = await messages(realm, "member2", { narrow: [{ operator: "sender", operand: realm.id("member") }] });
    expect(seen.map((message) => message.flags)).toEqual(flags);
  });

  test.each<readonly [Params, string]>([
    [{ stream_id: 3, topic_name: "nothing" }, "No such topic 'nothing'"],
    [{ stream_id: 3, topic_name: "general chat" }, "No such topic ''"],
    [{ stream_id: "x" }, "Missing 'topic_name' argument"],
    [{ stream_id: 77, topic_name: "x" }, "Invalid channel ID"],
    [{ stream_id: "three", topic_name: "x" }, "stream_id is not valid JSON"],
    [{ topic_name: "x" }, "Missing 'stream_id' argument"],
    [{ stream_id: 3 }, "Missing 'topic_name' argument"],
  ])("%j is refused", async (params, message) => {
    expect((await testRealm().call("member", "POST", "/mark_topic_as_read", params)).body.msg).toBe(message);
  });
});

describe("POST /messages/flags", () => {
  test.each<readonly [Params, string]>([
    [{ flag: "purple", op: "paint" }, "Invalid flag: 'purple'"],
    [{ flag: "mentioned", op: "add" }, "Flag not editable: 'mentioned'"],
    [{ flag: "read", op: "paint" }, "Invalid message flag operation: 'paint'"],
  ])("%j is refused", async (params, message) => {
    const { body } = await testRealm().call("member", "POST", "/messages/flags", { messages: [1], ...params });
    expect(body.msg).toBe(message);
  });

  test("starring a message that one never got makes a copy of it", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/channels/create", { name: "new", subscribers: [realm.id("owner")] });
    const sent = await realm.call("owner", "POST", "/messages", channelMessage({ to: "new" }));
    const params = { messages: [Number(sent.body.id)], op: "add", flag: "starred" };
    const events = await realm.listen("member");
    expect((await realm.call("member", "POST", "/messages/flags", params)).status).toBe(200);
    // The server's greetings are starred for everybody.
    const starred = await messages(realm, "member", { narrow: [{ operator: "is", operand: "starred" }] });
    expect(starred.at(-1)).toMatchObject({ id: sent.body.id, flags: ["read", "starred", "historical"] });
    expect(await events()).toMatchObject([{ type: "update_message_flags", op: "add", flag: "starred" }]);
  });
});
