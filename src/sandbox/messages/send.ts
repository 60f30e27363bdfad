import { defined } from "../../model/defined.ts";
import { isList } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, json, optional, required, type Schema, text, word } from "../params.ts";
import { jsonIn, readStrictJsonText } from "../python.ts";
import { rendered } from "./markdown.ts";
import { keepingNotices } from "./notices.ts";
import { checkMentions, mentionsIn, post } from "./post.ts";
import { type Destination, normalizedContent, topicParams, topicSent } from "./posting.ts";
import {
  channelById,
  channelByName,
  channelDestination,
  directDestination,
  isChannelType,
  MESSAGE_TYPES,
  peopleByEmail,
  peopleById,
} from "./recipients.ts";
import { topicToSendTo } from "./topics.ts";
import { sentWidget } from "./widgets.ts";

/** Clients that a person uses: the sender has read what they send. */
const HUMAN_CLIENTS: ReadonlySet<string> = new Set(
  words("zulipandroid zulipios zulipdesktop zulipmobile zulipelectron zulipterminal snipe website ios android"),
);
export const isHumanClient = (client: string): boolean =>
  HUMAN_CLIENTS.has(client.toLowerCase()) || client.toLowerCase().includes("desktop app");

const float: Schema<number> = (value, path) => {
  if (typeof value !== "number") throw new ApiError(`${path} is not a float`);
  return value;
};

export const sendEndpoints = [
  defineEndpoint("POST /messages", {
    incomingWebhooks: true,
    params: {
      forged: optional(text()),
      local_id: optional(text()),
      content: required(text()),
      queue_id: optional(text()),
      read_by_sender: optional(json(bool), { level: 236 }),
      sender: optional(text()),
      to: optional(text()),
      type: required(word(...MESSAGE_TYPES)),
      time: optional(json(float)),
      ...topicParams,
      widget_content: optional(text()),
    },
    handler(call, args) {
      const { type, to, content: sent, read_by_sender } = args;
      const { user, client, level } = call;
      const sentTopic = topicSent(args);
      const indicator = to === undefined ? undefined : isChannelType(type) ? channelIndicator(to) : peopleIndicator(to);
      checkSendsOwn(args);
      if (isChannelType(type) && indicator === undefined && defaultChannel(call) === undefined)
        throw new ApiError("Missing channel");
      if (isChannelType(type) && sentTopic === undefined) throw new ApiError("Missing topic");
      const destination = keepingNotices(call, () =>
        isChannelType(type) ? toChannel(call, indicator, sentTopic ?? "", sent) : toPeople(call, indicator, sent),
      );
      const content = normalizedContent(sent);
      const widget = args.widget_content === undefined ? undefined : sentWidget(args.widget_content);
      checkMentions(call, user, destination, mentionsIn(call, content));
      const readBy = (read_by_sender ?? isHumanClient(client)) ? [user.user_id] : [];
      const posted = post(call, { sender: user, to: destination, content, client, readBy, widget });
      return defined({
        id: posted.id,
        automatic_new_visibility_policy: level >= 218 ? posted.visibility : undefined,
      });
    },
  }),
  defineEndpoint("POST /messages/render", {
    params: { content: required(text()) },
    handler: (call, { content }) => ({ rendered: rendered(content, call) }),
  }),
];

/** Only bridges to other services may send messages in others' names, and here there are none. @throws ApiError */
function checkSendsOwn(sent: { readonly forged: string | undefined; readonly sender: string | undefined }): void {
  if (sent.forged === "yes" || sent.forged === "true") throw new ApiError("User not authorized for this query");
  if (sent.sender !== undefined) throw new ApiError("Invalid mirrored message");
}

/** An id, or a name that may be JSON text; clients of different ages send either. */
function channelIndicator(to: string): number | string {
  const value = jsonIn(to, readStrictJsonText);
  if (value === undefined) return to;
  const one = isList(value) ? value[0] : value;
  if (isList(value) && value.length !== 1) throw new ApiError("Expected exactly one channel");
  if (typeof one === "string" || isWhole(one)) return typeof one === "string" ? one : Number(one);
  throw new ApiError("Invalid data type for channel");
}
/** Ids or addresses, but not both. */
function peopleIndicator(to: string): readonly number[] | readonly string[] {
  const value = jsonIn(to, readStrictJsonText) ?? to;
  const list = typeof value === "string" ? value.split(",") : value;
  if (!isList(list)) throw new ApiError("Invalid data type for recipients");
  const [first] = list;
  if (first === undefined) return [];
  const mixed = new ApiError("Recipient lists may contain emails or user IDs, but not both.");
  if (typeof first === "string") return list.map((each) => (typeof each === "string" ? each : fail(mixed)));
  if (!isWhole(first)) throw new ApiError("Invalid data type for recipients");
  return list.map((each) => (isWhole(each) ? Number(each) : fail(mixed)));
}
/** In the server's language, true and false are the integers 1 and 0. */
const isWhole = (value: unknown): boolean => typeof value === "boolean" || Number.isInteger(value);
function fail(error: ApiError): never {
  throw error;
}
type Indicator = number | string | readonly number[] | readonly string[] | undefined;
function toChannel(call: Call, indicator: Indicator, sentTopic: string, content: string): Destination {
  const topic = topicToSendTo(call, sentTopic);
  normalizedContent(content);
  const wanted = indicator ?? defaultChannel(call);
  const channel =
    typeof wanted === "number" ? channelById(call, call.user, wanted) : channelByName(call, call.user, String(wanted));
  return channelDestination(call, call.user, channel, topic);
}
function toPeople(call: Call, indicator: Indicator, content: string): Destination {
  const list = isList(indicator) ? indicator : [];
  const ids = list.filter((each) => typeof each === "number");
  const people = ids.length > 0 ? peopleById(call, ids) : peopleByEmail(call, list.map(String));
  normalizedContent(content);
  return directDestination(call, call.user, people);
}
/** Bots can have a default channel for sending. */
function defaultChannel(call: Call): number | string | undefined {
  const { default_sending_stream: name } = call.user.bot;
  return typeof name === "string" || typeof name === "number" ? name : undefined;
}
