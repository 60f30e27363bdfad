import { ApiError } from "../errors.ts";
import { optional, text } from "../params.ts";
import { stripped } from "../white-space.ts";

/** `topic`, and its older name. Surrounding white space is dropped. */
export const topicParams = { topic: optional(text()), subject: optional(text()) };

/** @throws ApiError if both names are used */
export function topicSent(args: {
  readonly topic: string | undefined;
  readonly subject: string | undefined;
}): string | undefined {
  if (args.topic !== undefined && args.subject !== undefined)
    throw new ApiError("Can't decide between 'topic' and 'subject' arguments", {
      code: "REQUEST_CONFUSING_VAR",
      extra: { var_name1: "topic", var_name2: "subject" },
    });
  const sent = args.topic ?? args.subject;
  return sent === undefined ? undefined : stripped(sent);
}
