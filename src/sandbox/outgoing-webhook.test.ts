import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import type { PostWebhook, WebhookRequest } from "./call.ts";
import type { Clock } from "./clock.ts";
import { isLoopback, postToLoopback } from "./outgoing-webhook.ts";
import { createSandbox } from "./sandbox.ts";

/** api.md operation 21 and zulip-api.md §16.19: one row per fact. */

const RECORDED = JSON.parse(readFileSync(new URL("../../test/recordings/realm.json", import.meta.url), "utf8"));
/** A clock with which nobody waits for a second attempt. */
const clock: Clock = { now: () => Date.UTC(2027, 0, 1), sleep: () => Promise.resolve() };

async function realmWithBot(postWebhook: PostWebhook, featureLevel = 442, interface_type = 1) {
  const sandbox = createSandbox({ from: RECORDED, featureLevel, clock, postWebhook });
  async function call(as: string, method: string, path: string, params: { readonly [name: string]: unknown } = {}) {
    const account = sandbox.accounts[as];
    if (account === undefined) throw new Error(`no account ${as}`);
    const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}`;
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    const url = `http://localhost/api/v1${path}${method === "GET" ? `?${form}` : ""}`;
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    const request = new Request(url, { method, headers, body: method === "GET" ? null : form.toString() });
    const body: JsonObject = JSON.parse(await (await sandbox.fetch(request)).text());
    return body;
  }
  const bot = {
    full_name: "Echo Bot",
    short_name: "echo",
    bot_type: 3,
    payload_url: '"http://127.0.0.1:1/hook"',
    interface_type,
  };
  const made = await call("owner", "POST", "/bots", bot);
  const botId = Number(made.user_id);
  const inChannel = (content: string, as = "member", topic = "builds") =>
    call(as, "POST", "/messages", { type: "channel", to: 3, topic, content });
  const direct = (content: string, others: readonly number[] = [], as = "member") =>
    call(as, "POST", "/messages", { type: "direct", to: [botId, ...others], content });
  /** The bot's messages, once there are as many as expected. */
  async function saidByBot(as: string, count: number): Promise<unknown[]> {
    for (;;) {
      const narrow = [{ operator: "sender", operand: botId }];
      const params = { anchor: "newest", num_before: 50, narrow, apply_markdown: false };
      const { messages } = await call(as, "GET", "/messages", params);
      const said = Array.isArray(messages) ? messages.map((message) => message.content) : [];
      if (said.length >= count) return said;
    }
  }
  return { botId, call, inChannel, direct, saidByBot };
}
/** Records the requests, and gives all of them the same answer. */
function receiver(body: string, status = 200) {
  const requests: WebhookRequest[] = [];
  const post: PostWebhook = async (request) => {
    requests.push(request);
    return { status, body };
  };
  return { requests, post, payloads: (): JsonObject[] => requests.map((request) => JSON.parse(request.body)) };
}

test.each<readonly [fact: string, content: string, as: string, triggers: readonly string[]]>([
  ["a mention", "@**Echo Bot** status?", "member", ["mention"]],
  ["no mention", "status?", "member", []],
  ["a silent mention", "@_**Echo Bot** status?", "member", []],
  ["a mention in code", "`@**Echo Bot**`", "member", []],
  ["a mention of all", "@**all** status?", "owner", []],
  ["a mention by a bot", "@**Echo Bot** status?", "bot", []],
])("in a channel, %s", async (_fact, content, as, triggers) => {
  const { requests, post, payloads } = receiver("{}");
  const { inChannel } = await realmWithBot(post);
  expect((await inChannel(content, as)).result).toBe("success");
  expect(payloads().map(({ trigger }) => trigger)).toEqual(triggers);
  expect(requests.map(({ url }) => url)).toEqual(triggers.map(() => "http://127.0.0.1:1/hook"));
});

test("a payload contains the message as Markdown and as HTML, and the empty topic as it is (§16.19)", async () => {
  const { requests, post, payloads } = receiver("{}");
  const { inChannel, call } = await realmWithBot(post);
  await inChannel("@**Echo Bot** **hi**", "member", "");
  const [payload] = payloads();
  const content = "@**Echo Bot** **hi**";
  expect(payload).toMatchObject({ data: content, bot_full_name: "Echo Bot", trigger: "mention" });
  const own = await call("member", "GET", "/users/me");
  expect(payload?.message).toMatchObject({
    content,
    content_type: "text/x-markdown",
    rendered_content: expect.stringContaining("<strong>hi</strong>"),
    subject: "",
    type: "stream",
    stream_id: 3,
    sender_id: own.user_id,
    avatar_url: expect.any(String),
  });
  expect(Object.keys(Object(payload?.message))).not.toContain("flags");
  expect(requests[0]?.headers).toMatchObject({
    "Content-Type": "application/json",
    "User-Agent": expect.stringMatching(/^ZulipOutgoingWebhook\//),
  });
});

test.each([
  ["one to one", [], 442, "direct_message"],
  ["in a group", [10], 442, "direct_message"],
  ["below level 201", [], 200, "private_message"],
])("direct messages %s", async (_fact, others, level, trigger) => {
  const { post, payloads } = receiver("{}");
  const { direct } = await realmWithBot(post, level);
  await direct("@**Echo Bot** hello", others);
  const [payload] = payloads();
  expect(payload).toMatchObject({ trigger, message: { type: "private", subject: "" } });
  expect(payload?.message).not.toHaveProperty("stream_id");
});

test.each<readonly [fact: string, body: string, said: readonly string[]]>([
  ["content", '{"content": "fine"}', ["fine"]],
  ["the older word", '{"response_string": "fine"}', ["fine"]],
  ["both words", '{"content": "new", "response_string": "old"}', ["old"]],
  ["the older word, and nothing in it", '{"content": "new", "response_string": ""}', []],
  ["no text", '{"content": [1, null, {"a": true}]}', ["[1, None, {'a': True}]"]],
  ["null", '{"content": null}', ["None"]],
  ["an answer requested after all", '{"response_not_required": 0, "content": "fine"}', ["fine"]],
  ["no answer requested, in other words", '{"response_not_required": "yes", "content": "fine"}', []],
  ["no answer requested", '{"response_not_required": true}', []],
  ["an empty object", "{}", []],
  ["an empty text", '""', []],
  ["empty content", '{"content": " "}', []],
])("an answer with %s", async (_fact, body, said) => {
  const answers = [body, '{"content": "second"}'];
  const { direct, saidByBot } = await realmWithBot(async () => ({ status: 200, body: answers.shift() ?? "{}" }));
  await direct("hello");
  await direct("again");
  // The second answer has arrived, so the effects of the first have as well.
  expect(await saidByBot("member", said.length + 1)).toEqual([...said, "second"]);
});

test("the answer to a mention goes to the same topic", async () => {
  const { post } = receiver('{"content": "fine"}');
  const { inChannel, saidByBot, call, botId } = await realmWithBot(post);
  await inChannel("@**Echo Bot** status?");
  await saidByBot("member", 1);
  const narrow = [{ operator: "topic", operand: "builds" }];
  const { messages } = await call("member2", "GET", "/messages", { anchor: "newest", num_before: 9, narrow });
  expect(Array.isArray(messages) && messages.map(({ sender_id }) => sender_id)).toEqual([9, botId]);
});

const refusedAnswer = (why: string, payload: string): string =>
  `\nThe outgoing webhook server attempted to send a message in Zulip, but that request resulted in the following error:\n> ${why}\nThe response contains the following payload:\n\`\`\`\n${payload}\n\`\`\``;
test.each<readonly [fact: string, body: string, status: number, failure: string, toOwner: string]>([
  ["not JSON", "<it's>", 200, "Invalid JSON in response", refusedAnswer("Invalid JSON in response", `"<it's>"`)],
  [
    "nothing at all",
    "",
    200,
    "Invalid JSON in response",
    refusedAnswer("Invalid JSON in response", "").split("\nThe response")[0] ?? "",
  ],
  ["not an object", "[1]\n", 200, "Invalid response format", refusedAnswer("Invalid response format", "'[1]\\n'")],
  [
    "a message that cannot be posted",
    '{"content": "a\\u0000"}',
    200,
    "Message must not contain null bytes",
    refusedAnswer("Message must not contain null bytes", `'{"content": "a\\\\u0000"}'`),
  ],
  [
    "another status",
    "gone é",
    410,
    "Third party responded with 410",
    "\nThe webhook got a response with status code *410*.\nThe response contains the following payload:\n```\nb'gone \\xc3\\xa9'\n```",
  ],
  [
    "another status alone",
    "",
    500,
    "Third party responded with 500",
    "\nThe webhook got a response with status code *500*.",
  ],
  [
    "a proxy that refuses",
    "",
    407,
    "Third party responded with 407",
    "\nThe URL configured for the webhook is for a private or disallowed network.",
  ],
])("%s is reported in the conversation and to the owner", async (_fact, body, status, failure, detail) => {
  const { post } = receiver(body, status);
  const { direct, saidByBot } = await realmWithBot(post);
  await direct("hello");
  expect(await saidByBot("member", 1)).toEqual([`Failure! ${failure}`]);
  const [toOwner] = await saidByBot("owner", 1);
  expect(String(toOwner).replace(/^.*(?= to your bot)/, "")).toBe(
    ` to your bot @_**Echo Bot** triggered an outgoing webhook.${detail}`,
  );
});

test.each([
  ["no connection", new Error("refused"), "A connection error occurred. Is my bot server down?"],
  ["no answer in time", new DOMException("late", "TimeoutError"), "Request timed out after 10 seconds."],
])("%s: three attempts, then a message", async (_, error, why) => {
  let tries = 0;
  const { direct, saidByBot } = await realmWithBot(async () => {
    tries += 1;
    throw error;
  });
  await direct("hello");
  expect(await saidByBot("member", 1)).toEqual(["Failure! Bot is unavailable"]);
  expect((await saidByBot("owner", 1))[0]).toMatch(new RegExp(`webhook\\.\n${why.replace(/[.?]/g, "\\$&")}$`));
  expect(tries).toBe(3);
});

test("the Slack interface gets form fields, and no direct messages", async () => {
  const { requests, post } = receiver('{"text": "fine"}');
  const { direct, inChannel, saidByBot } = await realmWithBot(post, 442, 2);
  await direct("hello");
  await inChannel("@**Echo Bot** hi");
  expect(await saidByBot("member", 2)).toEqual([
    "Failure! Slack outgoing webhooks don't support direct messages.",
    "fine",
  ]);
  expect(requests.map(({ body }) => new URLSearchParams(body).get("text"))).toEqual(["@**Echo Bot** hi"]);
});

test.each([
  ["http://127.0.0.1:9000/x", true],
  ["http://localhost/x", true],
  ["http://[::1]:9000/x", true],
  ["https://bots.example.org/x", false],
  ["http://127.0.0.1.example.org/x", false],
  ["http://10.0.0.1/x", false],
  ["file:///etc/passwd", false],
  ["nowhere", false],
])("%s is on this machine: %s", async (url, isLocal) => {
  expect(isLoopback(url)).toBe(isLocal);
  if (!isLocal) await expect(postToLoopback({ url, headers: {}, body: "" })).rejects.toThrow("not on this machine");
});

test("over HTTP", async () => {
  const server = createServer((request, response) => {
    request.on("data", (chunk) => response.write(`${request.method} ${chunk}`));
    request.on("end", () => response.end());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const reply = await postToLoopback({ url: `http://127.0.0.1:${port}/`, headers: {}, body: "hello" });
  server.closeAllConnections();
  server.close();
  expect(reply).toEqual({ status: 200, body: "POST hello" });
});
