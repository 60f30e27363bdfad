import { accessibleChannel } from "../access.ts";
import { defineEndpoint } from "../endpoint.ts";
import { seesMessage } from "../messages/access.ts";
import { emptyTopicName } from "../messages/topics.ts";
import { bool, json, withDefault } from "../params.ts";
import { rows } from "../rows/values.ts";

/** The topics of a channel in which the caller sees messages, the latest first; each has the name that its last message uses. */
export const channelTopicEndpoints = [
  defineEndpoint("GET /users/me/{stream_id}/topics", {
    params: { allow_empty_topic_name: withDefault(json(bool), false, { level: 334 }) },
    handler(call, { stream_id, allow_empty_topic_name }) {
      const { state, user } = call;
      accessibleChannel(call, stream_id, "content", call.level >= 480);
      const topics = new Map<string, { name: string; max_id: number }>();
      for (const message of rows(state.messages)) {
        if (message.channel_id !== stream_id || !seesMessage(state, user, message)) continue;
        const name = message.topic === "" && !allow_empty_topic_name ? emptyTopicName(state) : message.topic;
        topics.set(message.topic.toLowerCase(), { name, max_id: message.id });
      }
      return { topics: [...topics.values()].sort((a, b) => b.max_id - a.max_id) };
    },
  }),
];
