import { subscribersOf } from "./access.ts";
import type { Call } from "./call.ts";
import { type Channel, type Message, rows, type User } from "./state.ts";

/** A message to be stored: to a channel's topic, or to people (the sender included). */
export type Post =
  | { readonly sender: User; readonly channel: Channel; readonly topic: string; readonly content: string }
  | { readonly sender: User; readonly to: readonly number[]; readonly content: string };

/**
 * Stores a message and keeps the channel's books; whether it may be sent was decided before. Rendering is the caller's,
 * when it wants more than a paragraph.
 */
export function postMessage(call: Call, post: Post, renderedContent = `<p>${post.content}</p>`): Message {
  const { ledger, state } = call;
  const place =
    "channel" in post
      ? { type: "channel" as const, channel_id: post.channel.stream_id, to: [], topic: post.topic }
      : { type: "direct" as const, channel_id: null, to: post.to, topic: "" };
  const receivers = "channel" in post ? subscribersOf(state, post.channel.stream_id) : post.to;
  const message: Message = {
    id: ledger.nextId("message"),
    sender_id: post.sender.user_id,
    ...place,
    content: post.content,
    rendered_content: renderedContent,
    timestamp: call.now,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    edit_history: [],
    client: call.client,
    received_by: receivers,
    // One's own messages are read; nobody else's are.
    flags: receivers.includes(post.sender.user_id) ? { [post.sender.user_id]: ["read"] } : {},
    reactions: [],
    has_attachment: false,
  };
  ledger.put(state.messages, message.id, message);
  if ("channel" in post) {
    if (post.channel.first_message_id === null) ledger.set(post.channel, "first_message_id", message.id);
    if (!post.channel.is_recently_active) ledger.set(post.channel, "is_recently_active", true);
  }
  return message;
}

/** The server's own voice; undefined in realms that were read without it. */
export function notificationBot(call: Call): User | undefined {
  return rows(call.state.users).find((user) => user.is_system_bot && user.email.startsWith("notification-bot@"));
}

/** How a notice names somebody without notifying them. */
export const silentMention = (user: User): string => `@_**${user.full_name}|${user.user_id}**`;
