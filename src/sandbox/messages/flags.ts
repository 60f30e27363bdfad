import { defined } from "../../model/defined.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Call, only } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import type { Message } from "../rows/messages.ts";
import type { RealmState } from "../state.ts";
import { hasCopy } from "./access.ts";
import { shownTopic } from "./topics.ts";
import { isMutedFor } from "./user-topics.ts";

/** The flags of one person's copy of a message. */
export const FLAGS = [
  "read",
  "starred",
  "collapsed",
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
  "group_mentioned",
  "force_expand",
  "force_collapse",
  "has_alert_word",
  "historical",
] as const;
export type Flag = (typeof FLAGS)[number];

const sortedFlags = (flags: Iterable<string>): string[] => {
  const set = new Set(flags);
  return FLAGS.filter((flag) => set.has(flag));
};
/** The flags of a message of which the user has no copy. */
export const HISTORY: ReadonlySet<Flag> = new Set(["read", "historical"] as const);
export const storedFlags = (message: Message, userId: number): readonly string[] => message.flags[userId] ?? [];

/** The flags as answers show them; people without a copy read the message as history. */
export function shownFlags(message: Message, userId: number): string[] {
  if (!hasCopy(message, userId)) return [...HISTORY];
  const flags = sortedFlags(storedFlags(message, userId));
  const wildcard = flags.includes("stream_wildcard_mentioned") || flags.includes("topic_wildcard_mentioned");
  return wildcard ? [...flags, "wildcard_mentioned"] : flags;
}

export function flagsWith(flags: readonly string[], flag: Flag, on: boolean): string[] {
  return sortedFlags(on ? [...flags, flag] : flags.filter((each) => each !== flag));
}

/** Adds or removes a flag of the user's copies. @returns the messages that changed */
export function writeFlag(
  call: Call,
  userId: number,
  messages: readonly Message[],
  flag: Flag,
  on: boolean,
): Message[] {
  const changed: Message[] = [];
  for (const message of messages) {
    // Creates a copy if the user sets a flag on a message without having one.
    const flags = hasCopy(message, userId) ? storedFlags(message, userId) : [...HISTORY];
    if (flags.includes(flag) === on) continue;
    if (!hasCopy(message, userId)) call.ledger.set(message, "received_by", [...message.received_by, userId]);
    call.ledger.set(message, "flags", { ...message.flags, [userId]: flagsWith(flags, flag, on) });
    changed.push(message);
  }
  return changed;
}

/** `all`: every message is now read, so the event lists none. */
export function emitFlag(call: Call, user: User, changed: readonly Message[] | "all", flag: Flag, on: boolean): void {
  const op = on ? "add" : "remove";
  const messages = changed === "all" ? [] : changed;
  const shared = { op, operation: op, flag, messages: messages.map(({ id }) => id), all: changed === "all" };
  call.emit(only(user.user_id), ({ capabilities }) => ({
    type: "update_message_flags",
    ...shared,
    ...defined({
      message_details:
        flag === "read" && !on
          ? messageDetails(call.state, user, messages, capabilities.has("empty_topic_name"))
          : undefined,
    }),
  }));
}

/** The person's clients get an event if the channel or topic contained unread messages. */
export function markRead(call: Call, user: User, messages: readonly Message[]): void {
  const changed = writeFlag(call, user.user_id, messages, "read", true);
  if (changed.length > 0) emitFlag(call, user, changed, "read", true);
}

/** What clients learn about unread messages, for the counts that they show. */

/** Muted messages are unread, but do not count. */
export const counts = (state: RealmState, user: User, message: Message): boolean => !isMutedFor(state, user, message);

/** In muted topics, a mention of everybody does not count. */
export function isMention(state: RealmState, user: User, message: Message): boolean {
  const flags = storedFlags(message, user.user_id);
  if (flags.includes("mentioned")) return true;
  const wildcard = flags.includes("stream_wildcard_mentioned") || flags.includes("topic_wildcard_mentioned");
  return wildcard && counts(state, user, message);
}

/** `message_details` of an event that marks messages as unread again. */
function messageDetails(
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
    const topic = shownTopic(state, message.topic, allowEmptyTopicName);
    const unmuted_stream_msg = counts(state, user, message);
    return { type: "stream", stream_id: message.channel_id, topic, unmuted_stream_msg, ...mentioned };
  };
  return Object.fromEntries(messages.map((message) => [String(message.id), details(message)]));
}
