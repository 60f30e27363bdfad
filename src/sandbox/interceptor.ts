import type { ParsedRequest } from "./request.ts";
import type { User } from "./rows/accounts.ts";

/** Thrown by an interceptor: the caller's connection ends without an answer (in the process, `fetch` rejects with it). */
export class ConnectionDropped extends Error {
  constructor() {
    super("the connection was dropped");
    this.name = "ConnectionDropped";
  }
}

/** An answer whose body ends in {@link ConnectionDropped} before it is complete. */
export class CutResponse extends Response {}

/** What an interceptor may ask about the request. */
export interface Interception {
  /** Whose credentials it carries; undefined for none or bad ones. */
  caller(): User | undefined;
  /** The recording's name of an account: `owner`, … */
  nameOf(userId: number): string | undefined;
  /** Fires when the caller has gone. */
  signal(): AbortSignal;
}

/** A place for faults: each may return an answer of its own, or throw {@link ConnectionDropped}. */
export interface Interceptor {
  /** The call has not happened yet; an answer here means that it never will. */
  before?(request: ParsedRequest, interception: Interception): Promise<Response | undefined>;
  /** The call has been carried out; an answer here replaces the real one. */
  after?(request: ParsedRequest, response: Response, interception: Interception): Promise<Response | undefined>;
}
