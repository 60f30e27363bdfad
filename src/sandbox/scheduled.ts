import { defined } from "../model/defined.ts";
import { isList, type JsonObject } from "../model/json.ts";
import { type Call, only } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError, notFound } from "./errors.ts";
import type { Destination } from "./messages/access.ts";
import { rendered } from "./messages/markdown.ts";
import { keepingNotices } from "./messages/notices.ts";
import { checkMentions, mentionsIn, post, postDirectNotice } from "./messages/post.ts";
import { normalizedContent, topicParams, topicSent } from "./messages/posting.ts";
import {
  channelById,
  channelDestination,
  directDestination,
  idOrIds,
  isChannelType,
  isHumanClient,
  MESSAGE_TYPES,
  type MessageType,
  peopleById,
} from "./messages/send.ts";
import { checkTopicCharacters, topicToSendTo, truncateTopic } from "./messages/topics.ts";
import { bool, checkInCalendar, int, json, optional, possible, required, string, text } from "./params.ts";
import type { User } from "./rows/accounts.ts";
import type { ScheduledMessage } from "./rows/messages.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

/** Scheduled messages (api.md operation 4, zulip-api.md §16.3, §16.8–§16.10). */

const messageType = possible(string(), ...MESSAGE_TYPES);

/** @throws ApiError */
export function checkInFuture(call: Call, timestamp: number): void {
  checkInCalendar(timestamp);
  if (timestamp * 1000 <= call.server.clock.now()) throw notInFuture();
}
const notInFuture = (): ApiError => new ApiError("Scheduled delivery time must be in the future.");

interface Draft {
  readonly isChannel: boolean;
  readonly to: number | readonly number[];
  readonly topic: string | undefined;
  readonly content: string;
}
/**
 * Checks everything for which sending the message now would be refused.
 * @throws ApiError in the server's order: receivers, topic, content, rights
 */
function checkSendable(call: Call, sender: User, draft: Draft): { readonly to: Destination; readonly content: string } {
  const destination = draft.isChannel ? toChannel(call, sender, draft) : toPeople(call, sender, draft);
  const content = normalizedContent(draft.content);
  checkMentions(call, sender, destination, mentionsIn(call, content));
  return { to: destination, content };
}
function toChannel(call: Call, sender: User, { to, topic, content }: Draft): Destination {
  if (typeof to !== "number") throw new ApiError("Invalid data type for channel ID");
  if (topic === undefined) throw new ApiError("Missing topic");
  const named = topicToSendTo(call, topic);
  normalizedContent(content);
  return channelDestination(call, sender, channelById(call, sender, to), named);
}
function toPeople(call: Call, sender: User, { to, content }: Draft): Destination {
  if (typeof to === "number") throw new ApiError("Invalid data type for recipients");
  const people = peopleById(call, to);
  normalizedContent(content);
  return directDestination(call, sender, people);
}

/** The receivers in the form that a row stores: the other people of a conversation, or the sender alone. */
function stored(sender: User, to: Destination): Pick<ScheduledMessage, "type" | "to" | "topic"> {
  if (to.kind === "channel") return { type: "stream", to: to.channel.stream_id, topic: to.topic };
  const others = to.userIds.filter((id) => id !== sender.user_id).sort((a, b) => a - b);
  return { type: "private", to: others.length === 0 ? [sender.user_id] : others, topic: null };
}

function shown(message: ScheduledMessage): JsonObject {
  const { id, to, type, content, rendered_content, topic, scheduled_delivery_timestamp, failed } = message;
  return {
    scheduled_message_id: id,
    to: typeof to === "number" ? to : [...to],
    type,
    content,
    rendered_content,
    ...defined({ topic: topic === null ? undefined : topic }),
    scheduled_delivery_timestamp,
    failed,
  };
}

/** The user's scheduled messages that were not sent yet, in the order in which they are due. */
export function shownScheduledMessages(state: RealmState, user: User): JsonObject[] {
  return rows(state.scheduled_messages)
    .filter((message) => message.sender_id === user.user_id && message.is_delivered !== true)
    .sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.id - b.id)
    .map(shown);
}

function ownMessage({ state, user }: Call, id: number): ScheduledMessage {
  const message = state.scheduled_messages[id];
  if (message?.sender_id !== user.user_id) throw notFound("Scheduled message does not exist");
  return message;
}

export const scheduledEndpoints = [
  defineEndpoint("GET /scheduled_messages", {
    params: {},
    handler: ({ state, user }) => ({ scheduled_messages: shownScheduledMessages(state, user) }),
  }),
  defineEndpoint("POST /scheduled_messages", {
    params: {
      content: required(text()),
      read_by_sender: optional(json(bool), { level: 236 }),
      to: required(json(idOrIds)),
      type: required(messageType),
      scheduled_delivery_timestamp: required(json(int())),
      ...topicParams,
    },
    handler(call, args) {
      const { user, ledger, state } = call;
      const topic = topicSent(args);
      checkInFuture(call, args.scheduled_delivery_timestamp);
      const isChannel = isChannelType(args.type);
      const draft = { isChannel, to: args.to, topic, content: args.content };
      const { to, content } = keepingNotices(call, () => checkSendable(call, user, draft));
      const toSelf = to.kind === "direct" && to.userIds.length === 1;
      const message: ScheduledMessage = {
        id: ledger.nextId("scheduled"),
        sender_id: user.user_id,
        ...stored(user, to),
        content,
        rendered_content: rendered(content, call),
        scheduled_delivery_timestamp: args.scheduled_delivery_timestamp,
        failed: false,
        read_by_sender: args.read_by_sender ?? (isHumanClient(call.client) && !toSelf),
      };
      ledger.put(state.scheduled_messages, message.id, message);
      call.emit(only(user.user_id), { type: "scheduled_messages", op: "add", scheduled_messages: [shown(message)] });
      return { scheduled_message_id: message.id };
    },
  }),
  defineEndpoint("DELETE /scheduled_messages/{scheduled_message_id}", {
    params: {},
    handler(call, { scheduled_message_id }) {
      ownMessage(call, scheduled_message_id);
      call.ledger.remove(call.state.scheduled_messages, scheduled_message_id);
      call.emit(only(call.user.user_id), { type: "scheduled_messages", op: "remove", scheduled_message_id });
    },
  }),
  defineEndpoint("PATCH /scheduled_messages/{scheduled_message_id}", {
    level: 184,
    params: {
      content: optional(text()),
      type: optional(messageType),
      scheduled_delivery_timestamp: optional(json(int())),
      to: optional(json(idOrIds)),
      ...topicParams,
    },
    handler(call, args) {
      const { type, to, content, scheduled_delivery_timestamp: time } = args;
      const topic = topicSent(args);
      if ([type, to, topic, content, time].every((each) => each === undefined)) throw new ApiError("Nothing to change");
      if (type !== undefined && to === undefined)
        throw new ApiError("Recipient required when updating type of scheduled message.");
      if (type !== undefined && isChannelType(type) && topic === undefined)
        throw new ApiError("Topic required when updating scheduled message type to channel.");
      if (time !== undefined) checkInFuture(call, time);
      const message = ownMessage(call, args.scheduled_message_id);
      if (message.is_delivered === true) throw new ApiError("Scheduled message was already sent");
      if (message.failed && time === undefined) throw notInFuture();
      change(call, message, { type, to, topic, content, time });
      call.emit(only(call.user.user_id), {
        type: "scheduled_messages",
        op: "update",
        scheduled_message: shown(message),
      });
    },
  }),
];

interface Changes {
  readonly type: MessageType | undefined;
  readonly to: number | readonly number[] | undefined;
  readonly topic: string | undefined;
  readonly content: string | undefined;
  readonly time: number | undefined;
}
/** If only the topic or the time changes, neither the right to post nor the topics policy is checked (§16.8). */
function change(call: Call, message: ScheduledMessage, { type, to, topic, content, time }: Changes): void {
  const { ledger, user } = call;
  const wasChannel = message.type === "stream";
  if (type !== undefined || to !== undefined || content !== undefined) {
    const isChannel = type === undefined ? wasChannel : isChannelType(type);
    const sendable = checkSendable(call, user, {
      isChannel,
      to: to ?? message.to,
      topic: topic ?? message.topic ?? undefined,
      content: content ?? message.content,
    });
    if (type !== undefined || to !== undefined) ledger.assign(message, stored(user, sendable.to));
    else if (topic !== undefined && wasChannel) ledger.set(message, "topic", topicAlone(call, topic));
    if (content !== undefined)
      ledger.assign(message, { content: sendable.content, rendered_content: rendered(sendable.content, call) });
  } else if (topic !== undefined && wasChannel) ledger.set(message, "topic", topicAlone(call, topic));
  if (time !== undefined) ledger.set(message, "scheduled_delivery_timestamp", time);
  if (message.failed) ledger.set(message, "failed", false);
}
function topicAlone(call: Call, topic: string): string {
  checkTopicCharacters(call, topic);
  return truncateTopic(topic);
}

/** Sends the messages that are due. If a message may no longer be sent, it is kept as failed and its sender is notified. */
export function sendDue(call: Call): void {
  const { state, ledger } = call;
  const due = rows(state.scheduled_messages)
    .filter((message) => message.is_delivered !== true && !message.failed)
    .filter((message) => message.scheduled_delivery_timestamp <= call.now)
    .sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.id - b.id);
  for (const message of due) {
    const sender = state.users[message.sender_id];
    try {
      if (sender?.is_active !== true) throw new ApiError("Account is deactivated");
      const { to, content } = checkSendable(call, sender, {
        isChannel: message.type === "stream",
        to: isList(message.to) ? message.to.filter((id) => typeof id === "number") : message.to,
        topic: message.topic ?? undefined,
        content: message.content,
      });
      const readBy = message.read_by_sender === true ? [sender.user_id] : [];
      post(call, { sender, to, content, client: "Internal", readBy });
      ledger.set(message, "is_delivered", true);
      call.emit(only(sender.user_id), { type: "scheduled_messages", op: "remove", scheduled_message_id: message.id });
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      ledger.set(message, "failed", true);
      if (sender?.is_active === true) tellFailure(call, sender, message, refusal.message);
    }
  }
}
function tellFailure(call: Call, sender: User, message: ScheduledMessage, reason: string): void {
  call.emit(only(sender.user_id), { type: "scheduled_messages", op: "update", scheduled_message: shown(message) });
  const time = new Date(message.scheduled_delivery_timestamp * 1000).toISOString().replace("T", " ");
  postDirectNotice(
    call,
    sender.user_id,
    // The server really sends two spaces here.
    `The message you scheduled for <time:${time.replace(".000Z", "+00:00")}>  was not sent because of the following error:\n\n> ${reason}\n\n[View scheduled messages](#scheduled)`,
  );
}
