import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Visibility } from "./user-topics.ts";
import type { Widget } from "./widgets.ts";

/** The destination of a message, already looked up and allowed. */
export type Destination =
  | { readonly kind: "channel"; readonly channel: Channel; readonly topic: string }
  /** Everybody in the conversation, including the sender. */
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

export interface Posting {
  readonly sender: User;
  readonly to: Destination;
  /** The result of `normalizedContent`. */
  readonly content: string;
  readonly client: string;
  /** Replaces the widget that the content asks for. */
  readonly widget?: Widget | undefined;
  /** The people for whom the message is read from the start. */
  readonly readBy?: readonly number[];
  /** If present, the message is read from the start for everybody else. */
  readonly unreadFor?: ReadonlySet<number>;
  readonly isResolveNotice?: boolean;
}
export interface Posted {
  readonly id: number;
  /** The sender's new visibility policy for the topic, if it changed. */
  readonly visibility: Visibility | undefined;
}
