import { defined } from "../../model/defined.ts";
import type { JsonObject } from "../../model/json.ts";
import type { User } from "../rows/accounts.ts";
import type { Message } from "../rows/messages.ts";
import type { RealmState } from "../state.ts";
import { emptyTopicName } from "./topics.ts";
import { isMutedFor } from "./user-topics.ts";

/** What clients learn about unread messages, for the counts that they show. */

const flagsOf = (message: Message, user: User): readonly string[] => message.flags[user.user_id] ?? [];

/** Muted messages are unread, but do not count. */
export const counts = (state: RealmState, user: User, message: Message): boolean => !isMutedFor(state, user, message);

/** In muted topics, a mention of everybody does not count. */
export function isMention(state: RealmState, user: User, message: Message): boolean {
  const flags = flagsOf(message, user);
  if (flags.includes("mentioned")) return true;
  const wildcard = flags.includes("stream_wildcard_mentioned") || flags.includes("topic_wildcard_mentioned");
  return wildcard && counts(state, user, message);
}

/** `message_details` of an event that marks messages as unread again. */
export function messageDetails(
  state: RealmState,
  user: User,
  messages: readonly Message[],
  allowEmptyTopicName: boolean,
): JsonObject {
  const details = (message: Message): JsonObject => {
    const mentioned = defined({ mentioned: isMention(state, user, message) || undefined });
    if (message.channel_id === null) {
      const user_ids = message.to.filter((id) => id !== user.user_id).sort((a, b) => a - b);
      return { type: "private", user_ids, ...mentioned };
    }
    const topic = message.topic === "" && !allowEmptyTopicName ? emptyTopicName(state) : message.topic;
    const unmuted_stream_msg = counts(state, user, message);
    return { type: "stream", stream_id: message.channel_id, topic, unmuted_stream_msg, ...mentioned };
  };
  return Object.fromEntries(messages.map((message) => [String(message.id), details(message)]));
}
