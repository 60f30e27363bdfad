import type { NoAnswer } from "./diagnostics/no-answer.ts";

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
