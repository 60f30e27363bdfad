import type { NoAnswer } from "./diagnostics/calls.ts";
import type { Answer, WireCall } from "./journal.ts";
import type { ReadUpload } from "./repository-file.ts";
import type { Snapshot } from "./snapshot.ts";

export interface SnapshotRequest {
  /** Whether to read the invitations, too (GET /invites, with a person's key: the server refuses bots). */
  readonly invites: boolean;
  /** Whether to read the subscribers of every channel, too; the answer is larger. */
  readonly subscribers: boolean;
}

/** The half of the API that cannot change anything: `plan` and `drift` get only this half. */
export interface ZulipReader {
  /**
   * @param signal ends the reading early
   * @throws Failure if the server cannot be reached, refuses the credentials or is too old, and when the signal fires
   */
  snapshot(request: SnapshotRequest, signal?: AbortSignal): Promise<Snapshot>;
}

/**
 * The code of a text, made with a key that is derived from the account's API key: who does not have that key can neither make nor check one. The key
 * itself stays in the client.
 */
export type CodeOf = (text: string) => string;

/** The half that writes. Only apply gets it. */
export interface ZulipWriter {
  /** Signs the journals of this account's runs. Without it, they have no codes, and no later run continues them. */
  readonly codeOf?: CodeOf;
  /** Waits for the rate limit, so that checks can be made right before writing. Ends early when the signal fires. */
  ready?(signal?: AbortSignal): Promise<void>;
  /** Waits for a random time, so that two runs of the same plan do not act at the same moment. Ends early when the signal fires. */
  waitRandomTime?(signal?: AbortSignal): Promise<void>;
  /**
   * Never throws for failures of the server or the network: the result of a call is a value.
   * @param signal also ends the current request
   * @param sendNoMore ends waiting for the rate limit, before or after the server refused the request
   * @param readUpload provides the files that the call sends
   */
  send(call: WireCall, signal?: AbortSignal, sendNoMore?: AbortSignal, readUpload?: ReadUpload): Promise<Answer>;
}

/** A request that got no answer. */
export class NoAnswerError extends Error {
  readonly reason: NoAnswer;
  /** Returns the content of `message`: one word, unless a program has installed the sentences of reports. Reports never use it. */
  static messageOf: (reason: NoAnswer) => string = (reason) => ("quoted" in reason ? reason.quoted : reason.is);
  constructor(reason: NoAnswer) {
    super(NoAnswerError.messageOf(reason));
    this.name = "NoAnswerError";
    this.reason = reason;
  }
}
