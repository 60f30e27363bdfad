import { accessibleChannel, subscribersOf } from "./access.ts";
import { among, type Call } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { checkMaySend, messageFor } from "./messages/access.ts";
import { checkMayEditContent } from "./messages/edit.ts";
import { topicParams, topicSent } from "./messages/posting.ts";
import { peopleById } from "./messages/send.ts";
import { namesToEmpty, topicFor } from "./messages/topics.ts";
import { int, json, list, nullable, required, withDefault, word } from "./params.ts";
import type { User } from "./rows/accounts.ts";
import { settingOf } from "./state.ts";

/** Typing notifications for a message (POST /typing) or an edit (api.md operation 14). They are only events; nothing is stored. */

/** In channels with more subscribers, nobody is notified. */
const MAX_CHANNEL_SUBSCRIBERS = 100;
const op = required(word("start", "stop"));

function checkSends(call: Call, kind: "channel" | "direct"): void {
  const setting = kind === "channel" ? "send_stream_typing_notifications" : "send_private_typing_notifications";
  if (settingOf(call.state, call.user, setting) !== true)
    throw new ApiError(`User has disabled typing notifications for ${kind} messages`);
}
/** The accounts among these that want typing notifications. */
function wanting(call: Call, ids: Iterable<number>): ReadonlySet<number> {
  const found = new Set<number>();
  for (const id of ids) {
    const user = call.state.users[id];
    if (user?.is_active === true && settingOf(call.state, user, "receives_typing_notifications") === true)
      found.add(id);
  }
  return found;
}

function typingInChannel(call: Call, operation: "start" | "stop", channelId: number, sentTopic: string): void {
  const { state, user } = call;
  checkSends(call, "channel");
  const channel = accessibleChannel(call, channelId, "content");
  checkMaySend(call, user, channel);
  const topic = namesToEmpty(call, sentTopic);
  call.emit(among(wanting(call, peopleIn(call, channelId))), (client) => ({
    type: "typing",
    op: operation,
    message_type: "stream",
    stream_id: channelId,
    topic: topicFor(state, client, topic),
    sender: { user_id: user.user_id, email: user.email },
  }));
}

function typingToPeople(call: Call, operation: "start" | "stop", ids: readonly number[]): void {
  const { user } = call;
  checkSends(call, "direct");
  const people = new Map<number, User>([[user.user_id, user]]);
  for (const person of peopleById(call, ids)) people.set(person.user_id, person);
  const recipients = [...people.values()].sort((a, b) => a.user_id - b.user_id);
  call.emit(among(wanting(call, people.keys())), {
    type: "typing",
    op: operation,
    message_type: "direct",
    sender: { user_id: user.user_id, email: user.email },
    recipients: recipients.map((each) => ({ user_id: each.user_id, email: each.email })),
  });
}

function typingInEdit(call: Call, messageId: number, operation: "start" | "stop"): void {
  const { user } = call;
  const message = messageFor(call, messageId, "modify");
  checkMayEditContent(call, message, 0);
  const isChannel = message.channel_id !== null;
  checkSends(call, isChannel ? "channel" : "direct");
  const received = wanting(call, message.channel_id === null ? message.to : peopleIn(call, message.channel_id));
  call.emit(among(received), (client) => ({
    type: "typing_edit_message",
    op: operation,
    sender_id: user.user_id,
    message_id: messageId,
    recipient: isChannel
      ? { type: "channel", channel_id: message.channel_id, topic: topicFor(call.state, client, message.topic) }
      : { type: "direct", user_ids: [...received].sort((a, b) => a - b) },
  }));
}

/** All subscribers of the channel, whether or not they see the message. */
function peopleIn({ state }: Call, channelId: number): readonly number[] {
  const subscribers = subscribersOf(state, channelId);
  return subscribers.length > MAX_CHANNEL_SUBSCRIBERS ? [] : subscribers;
}

export const typingEndpoints = [
  defineEndpoint("POST /typing", {
    params: {
      to: withDefault(json(nullable(list(int()))), null),
      op,
      type: withDefault(word("direct", "stream", "channel"), "direct"),
      stream_id: withDefault(json(nullable(int())), null, { level: 215 }),
      ...topicParams,
    },
    handler(call, sent) {
      const { type, op: operation, to, stream_id } = sent;
      const topic = topicSent(sent);
      if (type === "direct") {
        if (to === null) throw new ApiError("Missing 'to' argument");
        if (to.length === 0) throw new ApiError("Empty 'to' list");
        typingToPeople(call, operation, to);
      } else {
        if (stream_id === null) throw new ApiError("Missing 'stream_id' argument");
        if (topic === undefined) throw new ApiError("Missing topic");
        typingInChannel(call, operation, stream_id, topic);
      }
    },
  }),
  defineEndpoint("POST /message_edit_typing", {
    level: 351,
    until: 361,
    params: { message_id: required(json(int({ min: 0 }))), op },
    handler(call, { message_id, op: operation }) {
      typingInEdit(call, message_id, operation);
    },
  }),
  defineEndpoint("POST /messages/{message_id}/typing", {
    level: 361,
    params: { op },
    handler(call, { message_id, op: operation }) {
      typingInEdit(call, message_id, operation);
    },
  }),
];
