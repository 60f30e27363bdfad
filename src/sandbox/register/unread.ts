import type { JsonObject } from "../../model/json.ts";
import type { Call } from "../call.ts";
import type { SubscribersWish } from "../channels/shown.ts";
import { topicFor } from "../messages/topics.ts";
import { counts, isMention } from "../messages/unread.ts";
import { rows } from "../rows/values.ts";

/** The things for which one call of POST /register asked. */
export interface Asked {
  readonly call: Call;
  readonly capabilities: ReadonlySet<string>;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly subscribers: SubscribersWish;
}

/** `unread_msgs`: conversations with their unread messages. */
export function unread({ call: { state, user }, capabilities }: Asked): JsonObject {
  const unreads = rows(state.messages).filter(
    (message) => message.received_by.includes(user.user_id) && message.flags[user.user_id]?.includes("read") !== true,
  );
  const topics = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>();
  const conversations = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>();
  const groups = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>();
  for (const message of unreads) {
    if (message.channel_id !== null) {
      const name = topicFor(state, { capabilities }, message.topic);
      const key = `${message.channel_id} ${name.toLowerCase()}`;
      const topic = topics.get(key) ?? { stream_id: message.channel_id, topic: name, unread_message_ids: [] };
      topic.unread_message_ids.push(message.id);
      topics.set(key, topic);
    } else if (message.to.length <= 2) {
      const other = message.to.find((id) => id !== user.user_id) ?? user.user_id;
      const conversation = conversations.get(other) ?? {
        other_user_id: other,
        sender_id: other,
        unread_message_ids: [],
      };
      conversation.unread_message_ids.push(message.id);
      conversations.set(other, conversation);
    } else {
      const user_ids_string = [...message.to].sort((a, b) => a - b).join();
      const group = groups.get(user_ids_string) ?? { user_ids_string, unread_message_ids: [] };
      group.unread_message_ids.push(message.id);
      groups.set(user_ids_string, group);
    }
  }
  return {
    unread_msgs: {
      pms: [...conversations.values()].sort((a, b) => a.other_user_id - b.other_user_id),
      streams: [...topics.values()].sort(
        (a, b) => a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1),
      ),
      huddles: [...groups.values()].sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
      mentions: unreads.filter((message) => isMention(state, user, message)).map((message) => message.id),
      count: unreads.filter((message) => counts(state, user, message)).length,
      old_unreads_missing: false,
    },
  };
}

/** Direct conversations, sorted by their last message; the caller is not listed among the people. */
export function recentConversations({ call: { state, user } }: Asked): JsonObject {
  const last = new Map<string, { max_message_id: number; user_ids: number[] }>();
  for (const message of rows(state.messages)) {
    if (message.channel_id !== null || !message.received_by.includes(user.user_id)) continue;
    const user_ids = message.to.filter((id) => id !== user.user_id).sort((a, b) => a - b);
    last.set(user_ids.join(), { max_message_id: message.id, user_ids });
  }
  return { recent_private_conversations: [...last.values()] };
}
