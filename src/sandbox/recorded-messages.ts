import type { Recording } from "./recording.ts";
import type { Subscription } from "./rows/channels.ts";
import { type Message, NEW_MESSAGE } from "./rows/messages.ts";
import type { Table } from "./rows/values.ts";

/** Recordings show where messages were, not their content. */
export function messageOf(
  message: Recording["messages"][number],
  recording: Recording,
  subscriptions: Table<Table<Subscription>>,
): Message {
  const isChannel = message.type === "channel";
  const content = "x".repeat(message.length);
  const receivers = isChannel
    ? Object.keys(subscriptions[message.to] ?? {}).map(Number)
    : [message.sender_id, message.to];
  return {
    id: message.id,
    sender_id: message.sender_id,
    type: message.type,
    channel_id: isChannel ? message.to : null,
    to: isChannel ? [] : receivers,
    topic: isChannel ? message.topic : "",
    content,
    rendered_content: `<p>${content}</p>`,
    timestamp: recording.streams[0]?.date_created ?? 0,
    ...NEW_MESSAGE,
    client: "Internal",
    received_by: receivers,
    flags: flagsOf(message, recording, receivers),
  };
}

/**
 * The first account created the realm and received its first messages when they were sent. Everybody who joined later received the messages of the
 * channels as history, with the stars that the server gives everybody on its greetings. Other stars belong to the account that recorded.
 */
function flagsOf(
  message: Recording["messages"][number],
  { register, users, messages }: Recording,
  receivers: readonly number[],
): Message["flags"] {
  const isGreeting = register.cross_realm_bots.some((bot) => bot.user_id === message.sender_id);
  const greetings = messages.filter(({ type, sender_id }) => type === "direct" && sender_id === message.sender_id);
  const founder = Math.min(...users.filter((user) => !user.is_bot).map((user) => user.user_id));
  const isStarred = register.starred_messages.includes(message.id);
  const greetingIsStarred = greetings.some(
    ({ id, to }) => to === register.user_id && register.starred_messages.includes(id),
  );
  const flags: { [userId: number]: readonly string[] } = {};
  for (const id of receivers) {
    const starred =
      id === register.user_id
        ? isStarred
        : isGreeting && (message.type === "channel" ? isStarred : id === message.to && greetingIsStarred);
    const own = [
      ...(starred ? ["starred"] : []),
      ...(message.type === "channel" && id !== founder ? ["historical"] : []),
    ];
    if (own.length > 0) flags[id] = own;
  }
  return flags;
}
