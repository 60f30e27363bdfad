import { defined } from "../model/defined.ts";
import type { Call } from "./call.ts";
import { normalizedContent } from "./messages/content.ts";
import { post } from "./messages/post.ts";
import type { Posting } from "./messages/posting.ts";
import type { User } from "./rows/accounts.ts";
import type { Channel } from "./rows/channels.ts";

export { notificationBot } from "./messages/bot.ts";
export { silentMention } from "./messages/links.ts";

/** A message that the server itself sends: to a topic of a channel, or to people (including the sender). */
type Post = { readonly sender: User; readonly content: string } & Pick<Posting, "readBy" | "unreadFor"> &
  ({ readonly channel: Channel; readonly topic: string } | { readonly to: readonly number[] });

/** Stores a message, updates the channel's data and notifies clients. The caller has already checked that it may be sent. */
export function postMessage(call: Call, message: Post): void {
  const { sender, readBy, unreadFor } = message;
  const to =
    "channel" in message
      ? ({ kind: "channel", channel: message.channel, topic: message.topic } as const)
      : ({ kind: "direct", userIds: message.to } as const);
  const read = { ...defined({ readBy, unreadFor }) };
  post(call, { sender, to, content: normalizedContent(message.content), client: "Internal", ...read });
}
