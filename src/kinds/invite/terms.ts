import { canonicalJson, type Json } from "../../model/json.ts";
import type { Change, Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, ROLE } from "../../model/roles.ts";
import { listed } from "../../model/texts.ts";
import { groupId } from "../group-params.ts";
import { channelId } from "../invitation-terms.ts";
import { parseDuration } from "./duration.ts";

/** The wanted values of an invitation, in the words of the file; values that the file leaves out stay as they were if it is replaced. */
export function wantedOf({ address }: Change, context: PlanContext): { readonly [field: string]: Json } {
  const pair = context.pair(address);
  return { ...pair?.live?.fields, ...pair?.declared?.fields, ...pair?.declared?.creation };
}

/** Everything that POST /invites takes except the addresses (zulip-api.md §9.2): invitations with equal values are sent in one request. */
export function termsOf(change: Change, context: PlanContext): { readonly [name: string]: Param } {
  const wanted = wantedOf(change, context);
  const terms: { [name: string]: Param } = {
    stream_ids: listed(wanted.channels).map((name) => channelId(name, context)),
    invite_as: ROLE[isRole(wanted.invite_as) ? wanted.invite_as : "member"],
  };
  const minutes = minutesOf(wanted);
  if (minutes !== undefined) terms.invite_expires_in_minutes = minutes;
  // The server's defaults are left out, so that as many as possible are equal.
  const groups = listed(wanted.groups).map((name) => groupId(name, context));
  if (groups.length > 0) terms.group_ids = groups;
  if (wanted.include_realm_default_subscriptions === true) terms.include_realm_default_subscriptions = true;
  if (wanted.notify_referrer_on_join === false) terms.notify_referrer_on_join = false;
  const { welcome_message_custom_text: welcome } = wanted;
  if (typeof welcome === "string") terms.welcome_message_custom_text = welcome;
  return terms;
}

/** Equal for changes that one request can carry out. */
export function termsKey(change: Change, context: PlanContext): string {
  return canonicalJson(termsOf(change, context));
}

/** null: never; undefined: the server's default (10 days). */
function minutesOf(wanted: { readonly [field: string]: Json }): number | null | undefined {
  if (typeof wanted.expires_in === "string") return parseDuration(wanted.expires_in);
  return wanted.expires === "never" ? null : undefined;
}
