import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Visibility } from "./user-topics.ts";
import type { Widget } from "./widgets.ts";

/** Where a message goes, looked up and allowed already. */
export type Destination =
  | { readonly kind: "channel"; readonly channel: Channel; readonly topic: string }
  /** Everybody in the conversation, the sender included. */
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

export interface Posting {
  readonly sender: User;
  readonly to: Destination;
  /** As `normalizedContent` gave it */
  readonly content: string;
  readonly client: string;
  /** Instead of what the content asks for. */
  readonly widget?: Widget | undefined;
  /** For whom it is read from the start. */
  readonly readBy?: readonly number[];
  /** When given, it is read from the start for everybody else. */
  readonly unreadFor?: ReadonlySet<number>;
  readonly isResolveNotice?: boolean;
}
export interface Posted {
  readonly id: number;
  /** What became of the sender's visibility of the topic, when that changed. */
  readonly visibility: Visibility | undefined;
}
