import type { JsonObject } from "../model/json.ts";
import { isList, isObject } from "../model/json.ts";
import type { Call, Server } from "./call.ts";
import { ApiError } from "./errors.ts";
import { normalizedContent } from "./messages/content.ts";
import { channelMessageUrl, messageUrl } from "./messages/links.ts";
import { type Destination, post } from "./messages/post.ts";
import { messageObject } from "./messages/render.ts";
import type { Message, User } from "./state.ts";

/** What the server posts to outgoing webhook bots, and what it makes of their answers (api.md operation 21). */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}
/** Posts one request. Rejects when there is no connection, or no answer in time. */
export type PostWebhook = (request: WebhookRequest) => Promise<{ readonly status: number; readonly body: string }>;

const OUTGOING_WEBHOOK = 3;
const SLACK = 2;
const TIMEOUT_MS = 10_000;
const TRIES = 3;

/** Over HTTP, but never away from this machine: a sandbox's bots must not reach anybody. */
export const postToLoopback: PostWebhook = async ({ url, headers, body }) => {
  if (!isLoopback(url)) throw new Error(`${url} is not on this machine`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  return { status: response.status, body: await response.text() };
};
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

interface Service {
  readonly url: string;
  readonly token: string;
  readonly isSlack: boolean;
}
function serviceOf(bot: User): Service | undefined {
  const { services } = bot.bot;
  const [first] = isList(services) ? services : [];
  if (!isObject(first) || typeof first.base_url !== "string") return undefined;
  return { url: first.base_url, token: String(first.token ?? ""), isSlack: first.interface === SLACK };
}

/** Everything needed to post a message to a bot, as it was when the message was sent. */
interface Delivery {
  readonly bot: User;
  readonly service: Service;
  readonly request: WebhookRequest;
  readonly to: Destination;
  readonly messageUrl: string;
}

/**
 * Tells the bots that were mentioned in a channel or that a direct message went to, once the call has committed. Bots are
 * told of people's messages only, so that two of them cannot talk for ever.
 */
export function deliverToBots(call: Call, message: Message, mentioned: ReadonlySet<number>): void {
  const { state, server } = call;
  if (state.users[message.sender_id]?.is_bot !== false) return;
  const told = message.channel_id === null ? message.to : mentioned;
  for (const id of told) {
    const bot = state.users[id];
    if (bot?.bot_type !== OUTGOING_WEBHOOK || !bot.is_active) continue;
    const service = serviceOf(bot);
    const delivery = service === undefined ? undefined : deliveryOf(call, message, bot, service);
    if (delivery !== undefined) call.afterCommit(() => void deliver(server, delivery));
  }
}

function deliveryOf(call: Call, message: Message, bot: User, service: Service): Delivery | undefined {
  const { state, server } = call;
  const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
  if (service.isSlack && channel === undefined) return undefined;
  const to: Destination =
    channel === undefined
      ? { kind: "direct", userIds: message.to }
      : { kind: "channel", channel, topic: message.topic };
  const url =
    channel === undefined
      ? messageUrl(server.url, state, message)
      : channelMessageUrl(server.url, channel, message.topic, message.id);
  const body = service.isSlack
    ? slackForm(call, message, service)
    : JSON.stringify(payload(call, message, bot, service));
  const headers = {
    "Content-Type": service.isSlack ? "application/x-www-form-urlencoded" : "application/json",
    "User-Agent": `ZulipOutgoingWebhook/${state.zulip_version}`,
    Accept: "*/*",
    "Accept-Encoding": "gzip, deflate",
  };
  return { bot, service, request: { url: service.url, headers, body }, to, messageUrl: url };
}

/** The empty topic stays empty, and Markdown and HTML both go along (§16.19). */
function payload(call: Call, message: Message, bot: User, service: Service): JsonObject {
  const object = messageObject(call.state, message, {
    viewerId: bot.user_id,
    level: call.level,
    applyMarkdown: false,
    clientGravatar: false,
    allowEmptyTopicName: true,
  });
  const direct = call.level >= 201 ? "direct_message" : "private_message";
  return {
    data: message.content,
    message: { ...object, rendered_content: message.rendered_content },
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    token: service.token,
    trigger: message.channel_id === null ? direct : "mention",
  };
}

function slackForm(call: Call, message: Message, service: Service): string {
  const channel = message.channel_id === null ? undefined : call.state.channels[message.channel_id];
  const sender = call.state.users[message.sender_id];
  return new URLSearchParams({
    token: service.token,
    team_id: "T2",
    team_domain: new URL(call.server.url).host,
    channel_id: `C${message.channel_id ?? ""}`,
    channel_name: channel?.name ?? "",
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${message.sender_id}`,
    user_name: sender?.full_name ?? "",
    text: message.content,
    trigger_word: "mention",
    service_id: "1",
  }).toString();
}

async function deliver(server: Server, delivery: Delivery): Promise<void> {
  const reply = await tried(server, delivery.request);
  server.act((call) => {
    if (reply === undefined) fail(call, delivery, "Bot is unavailable", "");
    else answered(call, delivery, reply.status, reply.body);
  });
}
/** undefined: no answer, however often it was tried. */
async function tried(
  server: Server,
  request: WebhookRequest,
): Promise<{ readonly status: number; readonly body: string } | undefined> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      return await server.postWebhook(request);
    } catch {
      if (attempt < TRIES) await server.clock.sleep(attempt * 1000, new AbortController().signal);
    }
  }
  return undefined;
}

function answered(call: Call, delivery: Delivery, status: number, body: string): void {
  if (status < 200 || status >= 300) {
    const told = `\nThe webhook got a response with status code *${status}*.${shownBody(body)}`;
    fail(call, delivery, `Third party responded with ${status}`, told);
    return;
  }
  const answer = contentOfAnswer(body, delivery.service);
  if ("failure" in answer) fail(call, delivery, answer.failure, `\n${answer.failure}${shownBody(body)}`);
  else if (answer.content.trim() !== "") say(call, delivery.bot, delivery.to, answer.content);
}
const shownBody = (body: string): string =>
  body === "" ? "" : `\nThe response contains the following payload:\n\`\`\`\n${body}\n\`\`\``;

/** Nothing to say is "". */
function contentOfAnswer(body: string, service: Service): { readonly content: string } | { readonly failure: string } {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return { failure: "Invalid JSON in response" };
  }
  if (answer === "") return { content: "" };
  if (!isObject(answer)) return { failure: "Invalid response format" };
  if (service.isSlack) return { content: typeof answer.text === "string" ? answer.text : "" };
  if (answer.response_not_required === true) return { content: "" };
  // `response_string` is the older word.
  const content = answer.content ?? answer.response_string ?? "";
  return typeof content === "string" ? { content } : { failure: "Invalid response format" };
}

/** Says in the conversation that it went wrong, and tells the owner why. */
function fail(call: Call, { bot, to, messageUrl: url }: Delivery, failure: string, detail: string): void {
  say(call, bot, to, `Failure! ${failure}`);
  if (bot.bot_owner_id === null || call.state.users[bot.bot_owner_id]?.is_active !== true) return;
  const intro = `[A message](${url}) to your bot @_**${bot.full_name}** triggered an outgoing webhook.`;
  say(
    call,
    bot,
    { kind: "direct", userIds: [bot.user_id, bot.bot_owner_id] },
    intro + (detail === "" ? `\n${failure}` : detail),
  );
}

/** Bots answer where they were asked, without being subscribed there. */
function say(call: Call, bot: User, to: Destination, text: string): void {
  if (to.kind === "channel" && call.state.channels[to.channel.stream_id]?.is_archived !== false) return;
  try {
    post(call, { sender: bot, to, content: normalizedContent(text), client: "OutgoingWebhookResponse" });
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal;
  }
}
