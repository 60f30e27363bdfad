import { defined } from "../model/defined.ts";
import { type Dependency, written } from "../model/dependency.ts";
import type { Fields } from "../model/objects.ts";
import type { Change, Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { FieldSecrecy } from "../model/secrecy.ts";
import type { SnapshotInvite } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import { groupExists, groupId } from "./permissions.ts";

/** Feature levels of fields that are sent with an invitation or a link and cannot be read back (zulip-api.md §14.2). */
export const TERM_LEVELS: { readonly [field: string]: number } = { groups: 322, welcome_message_custom_text: 416 };

/** What the terms of an invitation, or of an invitation link, reveal. */
export const termsSecrecy: { readonly [term: string]: FieldSecrecy } = {
  invite_as: "word",
  expires: "word",
  expires_in: "word",
  expires_on: "word",
  channels: { of: "channel" },
  groups: "groups",
};

/** The wanted values of an invitation, in the words of the file; values that the file leaves out stay as they were if it is replaced. */
export function wantedOf({ address }: Change, context: PlanContext): Fields {
  const pair = context.pair(address);
  return { ...pair?.live?.fields, ...pair?.declared?.fields, ...pair?.declared?.creation };
}

/** The terms of which requests leave out the server's defaults, so that as many invitations as possible are equal. */
export function termParams(wanted: Fields, context: PlanContext): { readonly [name: string]: Param } {
  const terms: { [name: string]: Param } = {};
  const groups = listed(wanted.groups).map((name) => groupId(name, context));
  if (groups.length > 0) terms.group_ids = groups;
  if (wanted.include_realm_default_subscriptions === true) terms.include_realm_default_subscriptions = true;
  if (wanted.notify_referrer_on_join === false) terms.notify_referrer_on_join = false;
  const { welcome_message_custom_text: welcome } = wanted;
  if (typeof welcome === "string") terms.welcome_message_custom_text = welcome;
  return terms;
}

/** A channel or group that is reactivated, or opens, changes before anybody is invited to it. */
export const namedAsWanted = ({ channels, groups }: Fields, context: PlanContext): readonly Dependency[] => [
  ...listed(channels).flatMap((name) => context.whole(`channel:${name}`)),
  ...listed(groups).flatMap((name) => [groupExists(name), written(`user_group:${name}`)]),
];

/** The account that made an invitation, unless it is the one that runs the plan. */
export function madeBy(invite: SnapshotInvite | undefined, { realm, snapshot }: PlanContext): { readonly by?: Maker } {
  const user_id = invite?.invited_by_user_id ?? null;
  if (user_id === null || user_id === snapshot.account.user_id) return {};
  return { by: { user_id, ...defined({ full_name: realm.user(user_id)?.full_name }) } };
}

interface Maker {
  readonly user_id: number;
  readonly full_name?: string;
}

/** The first moment of a day (UTC) in milliseconds; undefined if it is not a day. */
export function startOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const start = Date.parse(`${text}T00:00:00Z`);
  // February 30 is not a day, though it is parsed as one of March.
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== text ? undefined : start;
}
