import type { NoAnswer } from "./diagnostics/no-answer.ts";

/** A request that got no answer. */
export class NoAnswerError extends Error {
  readonly reason: NoAnswer;
  /** What `message` says: one word, unless a program has set the words of reports. Reports never look at it. */
  static messageOf: (reason: NoAnswer) => string = (reason) => ("quoted" in reason ? reason.quoted : reason.is);
  constructor(reason: NoAnswer) {
    super(NoAnswerError.messageOf(reason));
    this.name = "NoAnswerError";
    this.reason = reason;
  }
}
