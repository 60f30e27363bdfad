import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import { asRecord, resolveChannels, resolveGroups } from "../invited-to.ts";
import { liveLinks, minutesUntil, NEVER, noonOf } from "./live.ts";
import type { InviteLink } from "./schema.ts";

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
  const creation: { [field: string]: Json } = {};
  if (item.channels !== undefined) creation.channels = resolveChannels(item.channels, named);
  if (item.groups !== undefined) creation.groups = resolveGroups(item.groups, named);
  if (item.include_realm_default_subscriptions !== undefined)
    creation.include_realm_default_subscriptions = item.include_realm_default_subscriptions;
  if (item.welcome_message_custom_text !== undefined)
    creation.welcome_message_custom_text = item.welcome_message_custom_text;
  return { absent: false, fields: { invite_as: item.invite_as ?? "member", expires_on }, creation };
}
