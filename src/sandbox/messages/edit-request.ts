import type { Channel } from "../rows/channels.ts";

/** What an edit changes, looked up and allowed already. */

export interface Move {
  readonly from: Channel;
  readonly to: Channel;
  readonly before: string;
  readonly after: string;
  /** Asked for, which for the channel may also be the one it is in already. */
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
