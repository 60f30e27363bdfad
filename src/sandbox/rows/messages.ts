import * as z from "zod";
import type { JsonObject } from "../../model/json.ts";

/** A topic for which a user has a visibility policy. */
export const UserTopic = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.number(),
  visibility_policy: z.int(),
});
export type UserTopic = Readonly<z.infer<typeof UserTopic>>;

export const MutedUser = z.object({ id: z.int(), timestamp: z.number() });
export type MutedUser = Readonly<z.infer<typeof MutedUser>>;

export interface Message {
  readonly id: number;
  readonly sender_id: number;
  readonly type: "channel" | "direct";
  /** The channel; null for direct messages. */
  readonly channel_id: number | null;
  /** Everybody in a direct conversation, including the sender; empty for channel messages. */
  readonly to: readonly number[];
  /** The topic; "" is the general chat topic. */
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  /** The time in UNIX seconds. */
  readonly timestamp: number;
  readonly last_edit_timestamp: number | null;
  readonly last_moved_timestamp: number | null;
  readonly edit_history: readonly JsonObject[];
  readonly client: string;
  /** Who received a copy when the message was sent: the subscribers at that moment. */
  readonly received_by: readonly number[];
  /** User id → the flags of that user's copy ("read", "starred", …). */
  readonly flags: { readonly [userId: number]: readonly string[] };
  readonly reactions: readonly JsonObject[];
  readonly has_attachment: boolean;
  /** The data that makes the message a poll or a to-do list; absent for all other messages. */
  readonly submessages?: readonly JsonObject[];
  /** The Notification Bot's notice that the topic was resolved or unresolved. */
  readonly is_resolve_notice?: boolean;
}

/** What no message has before somebody edits it, moves it or reacts to it. */
export const NEW_MESSAGE = {
  last_edit_timestamp: null,
  last_moved_timestamp: null,
  edit_history: [],
  reactions: [],
  has_attachment: false,
} satisfies Partial<Message>;

export interface Draft {
  readonly id: number;
  readonly user_id: number;
  readonly type: "" | "stream" | "private";
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
}

export interface ScheduledMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly type: "stream" | "private";
  /** The destination: a channel id, or user ids. */
  readonly to: number | readonly number[];
  readonly topic: string | null;
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  /** Whether the message was sent; the row then only keeps its id in use. */
  readonly is_delivered?: boolean;
  readonly read_by_sender?: boolean;
}

export interface Reminder {
  readonly id: number;
  readonly user_id: number;
  readonly reminder_target_message_id: number;
  readonly note: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

export interface Attachment {
  readonly id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly message_ids: readonly number[];
  /** The bytes, in base64. */
  readonly data: string;
  readonly content_type: string;
}
