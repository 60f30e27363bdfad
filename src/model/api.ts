import type { Answer, WireCall } from "./journal.ts";
import type { ReadUpload } from "./repository-file.ts";
import type { Snapshot } from "./snapshot.ts";

export interface SnapshotRequest {
  /** Also GET /invites (a person's key; bots are refused by the server). */
  readonly invites: boolean;
  /** Also the subscribers of every channel, at the price of a larger answer. */
  readonly subscribers: boolean;
}

/** The half of the API that cannot change anything: all that plan and drift are ever handed. */
export interface ZulipReader {
  /**
   * @param signal ends the reading early
   * @throws Failure when the server cannot be reached, refuses the credentials or is too old, and when the signal fires
   */
  snapshot(request: SnapshotRequest, signal?: AbortSignal): Promise<Snapshot>;
}

/** The half that writes. Only apply is ever handed one. */
export interface ZulipWriter {
  /** Waits for the rate limit, so that what is checked afterwards is checked right before writing. Ends early when the signal fires. */
  ready?(signal?: AbortSignal): Promise<void>;
  /** Waits a time that chance decides, so that another run of the same plan does not do the same at the same moment. Ends early when the signal fires. */
  standApart?(signal?: AbortSignal): Promise<void>;
  /**
   * Never throws for what the server or the network does: the fate of a call is a value.
   * @param signal ends the request that is on its way, too
   * @param sendNoMore ends waiting for the rate limit, before or after the server turned the request away
   * @param readUpload gives out the files that the call sends
   */
  send(call: WireCall, signal?: AbortSignal, sendNoMore?: AbortSignal, readUpload?: ReadUpload): Promise<Answer>;
}
