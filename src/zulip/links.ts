import type { WireCall } from "../model/journal.ts";
import type { Reply } from "./reply.ts";
import { Secret } from "./secret.ts";

/** The maximum length of a link, more than any server uses. */
const LONGEST_LINK = 2_000;

/** The invitation link in the answer to its creation. Everybody who has it can join, so it is passed only to the caller that asked for it. */
export function invitationLinkIn({ operation }: WireCall, reply: Reply): Secret | undefined {
  if (operation !== "create-invite-link" || reply.kind !== "envelope" || reply.body.result !== "success")
    return undefined;
  const { invite_link: link } = reply.body;
  return typeof link === "string" && link.length <= LONGEST_LINK ? new Secret(link) : undefined;
}
