import * as z from "zod";
import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { once } from "../../model/lazy.ts";
import { ROLE_WORDS } from "../../model/roles.ts";
import { asRecord, resolveTerms } from "../invited-to.ts";
import { optional } from "../optional.ts";
import { liveLinks, minutesUntil, NEVER, noonOf } from "./live.ts";

export const inviteLinkForm = once(() =>
  z.strictObject({
    expires_on: z
      .string()
      .describe(
        "The day on which the link ends, at noon (UTC): `2026-12-31`; or `never`. After that day, realmctl does nothing for the entry.",
      ),
    invite_as: optional(z.enum(ROLE_WORDS), "The role that people join with (default: member)."),
    channels: optional(z.array(z.string()), "Channels that they are subscribed to when they join."),
    groups: optional(z.array(z.string()), "Groups that they become members of. Feature level 322."),
    include_realm_default_subscriptions: optional(z.boolean(), "Whether they get the default channels too."),
    welcome_message_custom_text: optional(
      z.string().max(8000),
      "The text that welcomes them. An empty text means none. Feature level 416.",
    ),
    absent: optional(z.boolean(), "`true` revokes the link under any policy."),
  }),
);
export type InviteLink = z.infer<ReturnType<typeof inviteLinkForm>>;

/** For an existing link, only what the server shows is known, and that is its name; the other values matter only at creation. */
export function decodeLink(item: InviteLink, own: string, context: DecodeContext): Decoded {
  const { expires_on } = item;
  if (expires_on !== NEVER && noonOf(expires_on) === undefined)
    context.report(["expires_on"], finding("invite_links/expires-on", { text: quote(expires_on) }));
  if (item.absent === true) return { absent: true, fields: {} };
  const minutes = context.realm === undefined ? null : minutesUntil(expires_on, context.realm);
  const isOver = minutes !== null && minutes < 1;
  // Channels and groups of a link that is already there may no longer exist: that is not an error.
  if (isOver) return { absent: true, settled: true, fields: {} };
  const isThere = context.realm !== undefined && liveLinks(context.realm)?.some(({ name }) => name === own) === true;
  const named = isThere ? asRecord(context) : context;
  return {
    absent: false,
    fields: { invite_as: item.invite_as ?? "member", expires_on },
    creation: resolveTerms(item, named),
  };
}
