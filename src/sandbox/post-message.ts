import { defined } from "../model/defined.ts";
import type { Call } from "./call.ts";
import { normalizedContent } from "./messages/content.ts";
import { post } from "./messages/post.ts";
import type { Posting } from "./messages/posting.ts";
import type { User } from "./rows/accounts.ts";
import type { Channel } from "./rows/channels.ts";

export { notificationBot } from "./messages/bot.ts";
export { silentMention } from "./messages/links.ts";

/** A message of the server's own: to a channel's topic, or to people (the sender included). */
type Post = { readonly sender: User; readonly content: string } & Pick<Posting, "readBy" | "unreadFor"> &
  ({ readonly channel: Channel; readonly topic: string } | { readonly to: readonly number[] });

/** Stores a message, keeps the channel's books and tells clients; whether it may be sent was decided before. */
export function postMessage(call: Call, message: Post): void {
  const { sender, readBy, unreadFor } = message;
  const to =
    "channel" in message
      ? ({ kind: "channel", channel: message.channel, topic: message.topic } as const)
      : ({ kind: "direct", userIds: message.to } as const);
  const read = { ...defined({ readBy, unreadFor }) };
  post(call, { sender, to, content: normalizedContent(message.content), client: "Internal", ...read });
}
