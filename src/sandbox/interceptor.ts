import type { ParsedRequest } from "./request.ts";
import type { User } from "./rows/accounts.ts";

/** Thrown by an interceptor: the caller's connection ends without an answer (inside the process, `fetch` rejects with it). */
export class ConnectionDropped extends Error {
  constructor() {
    super("the connection was dropped");
    this.name = "ConnectionDropped";
  }
}

/** An answer whose body ends with {@link ConnectionDropped} before it is complete. */
export class CutResponse extends Response {}

/** The questions that an interceptor may ask about the request. */
export interface Interception {
  /** The account of the credentials; undefined if the request has none, or wrong ones. */
  caller(): User | undefined;
  /** The account's name in the recording: `owner`, … */
  nameOf(userId: number): string | undefined;
  /** Fires when the caller has disconnected. */
  signal(): AbortSignal;
}

/** The hook for faults: each method may return an answer of its own, or throw {@link ConnectionDropped}. */
export interface Interceptor {
  /** Is called before the call is executed; if it returns an answer, the call is never executed. */
  before?(request: ParsedRequest, interception: Interception): Promise<Response | undefined>;
  /** Is called after the call was executed; an answer from here replaces the real one. */
  after?(request: ParsedRequest, response: Response, interception: Interception): Promise<Response | undefined>;
}
