import * as z from "zod";
import type { Topic } from "../model/facets.ts";
import type { Connection } from "./connection.ts";

const Message = z.object({
  type: z.literal("stream"),
  stream_id: z.int(),
  subject: z.string(),
  sender_id: z.int(),
  timestamp: z.int(),
  content: z.string(),
});
type TopicMessage = z.infer<typeof Message>;

/** Enough for the fields of one channel; older changes are old news. */
const MOST_MESSAGES = 50;

/**
 * The newest messages of one account in a topic, oldest first: one request. Empty if the account that reads may not read them. Anybody can write into the topic, or
 * make somebody else's message look similar: only the sender's id counts, and the server's filter is checked.
 */
export async function readTopic(
  connection: Connection,
  { channel, topic, sender }: Topic,
): Promise<readonly TopicMessage[]> {
  const reply = await connection.exchange({
    operation: "get-messages",
    path: {},
    params: {
      anchor: "newest",
      num_before: MOST_MESSAGES,
      num_after: 0,
      narrow: [
        { operator: "stream", operand: channel },
        { operator: "topic", operand: topic },
        { operator: "sender", operand: sender },
      ],
      apply_markdown: false,
      allow_empty_topic_name: true,
    },
  });
  if (reply.kind !== "envelope") return [];
  const found = z.object({ messages: z.array(z.unknown()) }).safeParse(reply.body);
  const messages = found.success ? found.data.messages : [];
  return messages.flatMap((each) => {
    const { data } = Message.safeParse(each);
    const isOwn = data?.sender_id === sender && data.stream_id === channel && data.subject === topic;
    return data !== undefined && isOwn ? [data] : [];
  });
}
