import { isList, isObject, type JsonObject } from "../model/json.ts";
import { isLoopbackUrl } from "../model/loopback.ts";
import type { Call, PostWebhook, Server, WebhookRequest } from "./call.ts";
import { ApiError } from "./errors.ts";
import type { Destination } from "./messages/access.ts";
import { destinationOf } from "./messages/access.ts";
import { messageUrl } from "./messages/links.ts";
import { normalizedContent, type Posting } from "./messages/posting.ts";
import { messageObject } from "./messages/render.ts";
import { asText, isTruthy, jsonIn, shown, shownBytes, stripped } from "./python.ts";
import { BOT, type User } from "./rows/accounts.ts";
import type { Message } from "./rows/messages.ts";
import { versionOf } from "./start.ts";

/** What the server posts to outgoing webhook bots, and how it handles their answers (api.md operation 21). */

const SLACK = 2;
const TIMEOUT_MS = 10_000;
const TRIES = 3;

/** Posts over HTTP, but only to this machine: the bots of a sandbox must not reach anything else. */
export const postToLoopback: PostWebhook = async ({ url, headers, body }) => {
  if (!isLoopback(url)) throw new Error(`${url} is not on this machine`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  return { status: response.status, body: await response.text() };
};
export const isLoopback = (url: string): boolean => /^https?:/i.test(url) && isLoopbackUrl(url);

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

/** Everything needed to post a message to a bot, as of the time when the message was sent. */
interface Delivery {
  readonly bot: User;
  readonly service: Service;
  readonly request: WebhookRequest;
  readonly to: Destination;
  readonly messageUrl: string;
  readonly post: Post;
}
/** Posts a message; used for messages and for the answers of bots. */
type Post = (call: Call, posting: Posting) => void;

/**
 * Posts the message, once the call has committed, to the bots that it mentions in a channel or, for a direct message, to those that receive it. Bots
 * get only messages from people, so that two bots cannot talk to each other forever.
 */
export function deliverToBots(call: Call, message: Message, mentioned: ReadonlySet<number>, post: Post): void {
  const { state, server } = call;
  if (state.users[message.sender_id]?.is_bot !== false) return;
  const received = message.channel_id === null ? message.to : mentioned;
  for (const id of received) {
    const bot = state.users[id];
    if (bot?.bot_type !== BOT.outgoingWebhook || !bot.is_active) continue;
    const service = serviceOf(bot);
    if (service === undefined) continue;
    const delivery = { ...deliveryOf(call, message, bot, service), post };
    const cannotBeAsked = service.isSlack && message.channel_id === null;
    call.afterCommit(() => {
      if (cannotBeAsked) server.act((later) => sayFailure(later, delivery, NO_SLACK_DIRECT));
      else void deliver(server, delivery);
    });
  }
}

function deliveryOf(call: Call, message: Message, bot: User, service: Service): Omit<Delivery, "post"> {
  const { state, server } = call;
  const body = service.isSlack
    ? slackForm(call, message, bot, service)
    : JSON.stringify(payload(call, message, bot, service));
  const headers = {
    "Content-Type": service.isSlack ? "application/x-www-form-urlencoded" : "application/json",
    "User-Agent": `ZulipOutgoingWebhook/${versionOf(state, call.level)}`,
    Accept: "*/*",
    "Accept-Encoding": "gzip, deflate",
  };
  const request = { url: service.url, headers, body };
  return {
    bot,
    service,
    request,
    to: destinationOf(call, message),
    messageUrl: messageUrl(server.url, state, message),
  };
}

/** The empty topic stays empty, and the payload contains both Markdown and HTML (§16.19). */
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

function slackForm(call: Call, message: Message, bot: User, service: Service): string {
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
    service_id: String(bot.user_id),
  }).toString();
}

interface Reply {
  readonly status: number;
  readonly body: string;
}
const NO_SLACK_DIRECT = "Slack outgoing webhooks don't support direct messages.";

async function deliver(server: Server, delivery: Delivery): Promise<void> {
  const reply = await tried(server, delivery.request);
  server.act((call) => {
    if ("failure" in reply) {
      sayFailure(call, delivery, "Bot is unavailable");
      tellOwner(call, delivery, reply.failure);
    } else answered(call, delivery, reply);
  });
}
/** The answer, or why there is none after the last attempt. */
async function tried(server: Server, request: WebhookRequest): Promise<Reply | { readonly failure: string }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await server.postWebhook(request);
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      if (attempt === TRIES)
        return {
          failure: isTimeout
            ? `Request timed out after ${TIMEOUT_MS / 1000} seconds.`
            : "A connection error occurred. Is my bot server down?",
        };
      await server.clock.sleep(attempt * 1000, new AbortController().signal);
    }
  }
}

function answered(call: Call, delivery: Delivery, { status, body }: Reply): void {
  if (status < 200 || status >= 300) {
    const about =
      status === 407
        ? "The URL configured for the webhook is for a private or disallowed network."
        : `The webhook got a response with status code *${status}*.`;
    sayFailure(call, delivery, `Third party responded with ${status}`);
    tellOwner(call, delivery, about, body === "" ? "" : shownBytes(body));
    return;
  }
  const answer = contentOfAnswer(body, delivery.service);
  const failure = "failure" in answer ? answer.failure : said(call, delivery, delivery.to, answer.content);
  if (failure === undefined) return;
  sayFailure(call, delivery, failure);
  const intro =
    "The outgoing webhook server attempted to send a message in Zulip, but that request resulted in the following error:";
  tellOwner(call, delivery, `${intro}\n> ${failure}`, body === "" ? "" : shown(body));
}

/** An answer of "" means that the bot says nothing. */
function contentOfAnswer(body: string, service: Service): { readonly content: string } | { readonly failure: string } {
  const answer = jsonIn(body);
  if (answer === undefined) return { failure: "Invalid JSON in response" };
  if (answer === "") return { content: "" };
  if (!isObject(answer)) return { failure: "Invalid response format" };
  if (service.isSlack) return { content: typeof answer.text === "string" ? answer.text : "" };
  if (isTruthy(answer.response_not_required)) return { content: "" };
  // `response_string` is the older name, and takes precedence.
  const content = "response_string" in answer ? answer.response_string : answer.content;
  return { content: "response_string" in answer || "content" in answer ? asText(content) : "" };
}
const sayFailure = (call: Call, delivery: Delivery, failure: string): void =>
  void said(call, delivery, delivery.to, `Failure! ${failure}`);

/** Tells the bot's owner why the request failed. */
function tellOwner(call: Call, delivery: Delivery, why: string, answer = ""): void {
  const { bot, messageUrl: url } = delivery;
  if (bot.bot_owner_id === null || call.state.users[bot.bot_owner_id]?.is_active !== true) return;
  const intro = `[A message](${url}) to your bot @_**${bot.full_name}** triggered an outgoing webhook.`;
  const shownAnswer = answer === "" ? "" : `\nThe response contains the following payload:\n\`\`\`\n${answer}\n\`\`\``;
  const to: Destination = { kind: "direct", userIds: [bot.user_id, bot.bot_owner_id] };
  said(call, delivery, to, `${intro}\n${why}${shownAnswer}`);
}

/** Posts the bot's answer where the message was; the bot need not be subscribed there. @returns why it could not be posted */
function said(call: Call, { bot, post }: Delivery, to: Destination, text: string): string | undefined {
  if (stripped(text) === "") return undefined;
  if (to.kind === "channel" && call.state.channels[to.channel.stream_id]?.is_archived !== false) return undefined;
  try {
    post(call, { sender: bot, to, content: normalizedContent(text), client: "OutgoingWebhookResponse" });
    return undefined;
  } catch (refusal) {
    if (refusal instanceof ApiError) return refusal.message;
    throw refusal;
  }
}
