import { describe, expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { channelMessage, messages } from "../../../test/support/sandbox/sending.ts";

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

  test("the answer reports if the sender now follows the topic, but not if nothing changed (§16.20)", async () => {
    const realm = testRealm();
    const first = await realm.call("member", "POST", "/messages", channelMessage({}));
    const second = await realm.call("member", "POST", "/messages", channelMessage({}));
    const joining = await realm.call("member2", "POST", "/messages", channelMessage({}));
    const bot = await realm.call("bot", "POST", "/messages", channelMessage({ topic: "of a bot" }));
    const policies = [first, second, joining, bot].map(({ body }) => body.automatic_new_visibility_policy);
    expect(policies).toEqual([3, undefined, undefined, undefined]);
  });

  test("incoming webhook bots may only send", async () => {
    const realm = testRealm();
    const { status, body } = await realm.call("webhookbot", "POST", "/messages", channelMessage({}));
    expect(status).toBe(200);
    const edited = await realm.call("webhookbot", "PATCH", `/messages/${body.id}`, { content: "x" });
    expect([edited.status, edited.body.msg]).toEqual([401, "This API is not available to incoming webhook bots."]);
  });

  test.each<readonly [fact: string, to: unknown, received: string]>([
    ["a number", 99999, "channel ID 99999, but there is no channel with that ID."],
    [
      "a name",
      "nowhere",
      "channel #**nowhere**, but that channel does not exist. Click [here](#channels/new) to create it.",
    ],
  ])("a bot's owner is notified of a missing channel, by %s; once in five minutes", async (_fact, to, received) => {
    const realm = testRealm();
    const notices = async () => {
      const found = await messages(realm, "member", { narrow: [{ operator: "is", operand: "dm" }] });
      return found.map(({ content }) => String(content)).filter((content) => content.startsWith("Your bot"));
    };
    const bot = Object((await realm.call("owner", "GET", `/users/${realm.id("memberbot")}`)).body.user).delivery_email;
    const said = `Your bot \`${bot}\` tried to send a message to ${received}`;
    for (const count of [1, 1, 2]) {
      if (count === 2) realm.advance(301_000);
      expect((await realm.call("memberbot", "POST", "/messages", channelMessage({ to }))).status).toBe(400);
      expect(await notices()).toEqual(new Array(count).fill(said));
    }
  });

  test("a bot's owner is notified of a channel without subscribers", async () => {
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

  test("receivers get events, in the form that each client asked for", async () => {
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
