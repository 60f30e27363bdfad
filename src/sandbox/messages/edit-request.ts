import type { Channel } from "../rows/channels.ts";

/** The changes of an edit, already looked up and allowed. */

export interface Move {
  readonly from: Channel;
  readonly to: Channel;
  readonly before: string;
  readonly after: string;
  /** The requested value; for the channel this may be the current one. */
  readonly topicChanged: boolean;
  readonly channelChanged: boolean;
  readonly isResolved: boolean;
  readonly isUnresolved: boolean;
}
export interface Edit {
  readonly content: string | undefined;
  readonly move: Move | undefined;
  readonly propagateMode: "change_one" | "change_later" | "change_all";
}
