import { defined } from "../../model/defined.ts";
import { isList, type JsonObject } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import { subscriberCount } from "../access.ts";
import type { Call } from "../call.ts";
import { channelNamed, checkChannelName } from "../channels/names.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, int, json, optional, required, type Schema, text, word } from "../params.ts";
import { jsonIn, readStrictJsonText, setOrder, stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { accountShownAs } from "../users/access.ts";
import { mayKnowOf } from "../users/shown.ts";
import { checkMayPost, type Destination, mayByRealm } from "./access.ts";
import { escaped } from "./html-diff.ts";
import { channelLink } from "./links.ts";
import { rendered } from "./markdown.ts";
import { keepingNotices, tellOwner } from "./notices.ts";
import { checkMentions, mentionsIn, post } from "./post.ts";
import { normalizedContent, topicParams, topicSent } from "./posting.ts";
import { checkTopicsPolicy, topicToSendTo } from "./topics.ts";
import { sentWidget } from "./widgets.ts";

/** Resolves `to` to people or a channel, with all possible errors. */

export const MESSAGE_TYPES = ["direct", "private", "stream", "channel"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
export const isChannelType = (type: MessageType): boolean => type === "channel" || type === "stream";

/** A number or a list of numbers; for anything else, the error is that for a number. */
export const idOrIds: Schema<number | readonly number[]> = (value, path) => {
  const asInt = int();
  if (Array.isArray(value) && value.every((each) => Number.isInteger(each)))
    return value.map((each) => asInt(each, path));
  return asInt(value, `${path}["int"]`);
};

/**
 * A channel to which the sender may send. `topic` comes from `topicToSendTo`: the server checks its characters before the content, and the content
 * before the channel.
 * @throws ApiError
 */
export function channelDestination(call: Call, sender: User, channel: Channel, topic: string): Destination {
  checkMayPost(call, sender, channel, topic);
  checkTopicsPolicy(call, channel, topic);
  return { kind: "channel", channel, topic };
}
/** @throws ApiError STREAM_DOES_NOT_EXIST */
export function channelById(call: Call, sender: User, id: number): Channel {
  const channel = call.state.channels[id];
  if (channel === undefined) {
    tellOwner(call, sender, `channel ID ${id}, but there is no channel with that ID.`);
    throw noChannel(`Channel with ID '${id}' does not exist`, { stream_id: id });
  }
  noteNobody(call, sender, channel);
  return channel;
}
const noChannel = (message: string, extra: JsonObject): ApiError =>
  new ApiError(message, { code: "STREAM_DOES_NOT_EXIST", extra });
function noteNobody(call: Call, sender: User, channel: Channel): void {
  if (subscriberCount(call.state, channel.stream_id) > 0) return;
  tellOwner(call, sender, `channel ${channelLink(channel)}. The channel exists but does not have any subscribers.`);
}
/** @throws ApiError STREAM_DOES_NOT_EXIST */
function channelByName(call: Call, sender: User, sent: string): Channel {
  const name = stripped(sent);
  checkChannelName(name);
  const channel = channelNamed(call.state, name);
  if (channel === undefined) {
    const advice = "Click [here](#channels/new) to create it.";
    tellOwner(call, sender, `channel #**${name}**, but that channel does not exist. ${advice}`);
    throw noChannel(`Channel '${escaped(name)}' does not exist`, { stream: escaped(name) });
  }
  noteNobody(call, sender, channel);
  return channel;
}
/**
 * A conversation to which the sender may write.
 * @throws ApiError for unknown, deactivated and forbidden people
 */
export function directDestination(call: Call, sender: User, people: readonly User[]): Destination {
  if (people.some((person) => !mayKnowOf(call.state, sender, person)))
    throw new ApiError("You do not have permission to access some of the recipients.");
  checkActive(people);
  const to = {
    kind: "direct",
    userIds: [...new Set([sender.user_id, ...people.map((user) => user.user_id)])],
  } as const;
  checkMayWriteTo(call, sender, people, to.userIds);
  return to;
}
/** @throws ApiError if one of them is deactivated */
export function checkActive(people: readonly User[]): void {
  for (const user of people) if (!user.is_active) throw new ApiError(`'${user.email}' is no longer using Zulip.`);
}
/** @throws ApiError "Invalid user ID 7", or if the list is empty */
export function peopleById(call: Call, ids: readonly number[]): User[] {
  if (ids.length === 0) throw new ApiError("Message must have recipients");
  return setOrder(ids).map((id) => {
    const user = call.state.users[id];
    if (user === undefined) throw new ApiError(`Invalid user ID ${id}`);
    return user;
  });
}
/** Accepts only addresses that the API shows. @throws ApiError "Invalid email '…'" */
function peopleByEmail(call: Call, emails: readonly string[]): User[] {
  const wanted = [...new Set(emails.map(stripped))].filter((email) => email !== "");
  if (wanted.length === 0) throw new ApiError("Message must have recipients");
  return wanted.map((email) => {
    const user = accountShownAs(call.state, email);
    if (user === undefined) throw new ApiError(`Invalid email '${email}'`);
    return user;
  });
}

function checkMayWriteTo(call: Call, sender: User, people: readonly User[], everybody: readonly number[]): void {
  const { state } = call;
  if (sender.is_bot || people.every((user) => user.is_bot || user.user_id === sender.user_id)) return;
  const authorizes = (user: User | undefined) =>
    user !== undefined && mayByRealm(state, user, "direct_message_permission_group");
  if (!everybody.some((id) => authorizes(state.users[id]))) {
    const setting = state.realm.direct_message_permission_group;
    const nobody = typeof setting === "number" && state.user_groups[setting]?.name === "role:nobody";
    throw new ApiError(
      nobody
        ? "Direct messages are disabled in this organization."
        : "This conversation does not include any users who can authorize it.",
    );
  }
  if (mayByRealm(state, sender, "direct_message_initiator_group")) return;
  const key = [...everybody].sort((a, b) => a - b).join(",");
  const begun = rows(state.messages).some(
    (message) => message.channel_id === null && [...message.to].sort((a, b) => a - b).join(",") === key,
  );
  if (!begun) throw new ApiError("You do not have permission to initiate direct message conversations.");
}

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
