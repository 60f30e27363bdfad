import type { Json, JsonObject } from "../../model/json.ts";
import { subscriberCount, subscribersOf } from "../access.ts";
import { ApiError } from "../errors.ts";
import { shownGroupValue } from "../groups.ts";
import { shownOtherRights } from "../other-rights.ts";
import { CHANNEL_PERMISSIONS } from "../permissions.ts";
import { setOrder } from "../python.ts";
import { CHANNEL_SETTINGS, type Channel, type Subscription } from "../rows/channels.ts";
import type { GroupValue } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

/** The things on which an answer about channels depends, apart from the channel. */
export interface Showing {
  readonly state: RealmState;
  readonly level: number;
}

/** A channel as a level shows it (zulip-api.md §3.1). */
export function shownChannel({ state, level }: Showing, channel: Channel): JsonObject {
  const postPolicy = postPolicyOf(state, channel.can_send_message_group);
  const out: { [key: string]: Json } = {
    ...channel.other_keys,
    stream_id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.rendered_description,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === ONLY_ADMINISTRATORS,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    first_message_id: channel.first_message_id,
    date_created: channel.date_created,
    message_retention_days: channel.message_retention_days,
    stream_weekly_traffic: channel.stream_weekly_traffic,
    creator_id: channel.creator_id,
    is_archived: channel.is_archived,
  };
  for (const setting of CHANNEL_SETTINGS)
    if (level >= CHANNEL_PERMISSIONS[setting].level) out[setting] = shownValue(state, channel[setting]);
  Object.assign(out, shownOtherRights(state, "stream", channel));
  if (level >= 323) out.is_recently_active = channel.is_recently_active;
  if (level >= 389) out.folder_id = channel.folder_id;
  if (level >= 392) out.topics_policy = channel.topics_policy;
  if (level >= 394)
    out.subscriber_count = subscriberCount(state, channel.stream_id) + (channel.subscribers_counted_twice ?? 0);
  if (level >= 507) out.default_push_notifications = channel.default_push_notifications;
  return out;
}
/** The ids of the default channels; below level 330 the channels themselves (§2.2). */
export function shownDefaultChannels(showing: Showing): Json[] {
  const { state, level } = showing;
  if (level >= 330) return setOrder(state.default_channels);
  return state.default_channels.flatMap((id) => {
    const channel = state.channels[id];
    return channel === undefined ? [] : [shownChannel(showing, channel)];
  });
}
export function shownValue(state: RealmState, value: GroupValue): Json {
  const shown = shownGroupValue(state, value);
  return typeof shown === "number"
    ? shown
    : { direct_members: shown.direct_members, direct_subgroups: shown.direct_subgroups };
}

const ANYONE = 1;
const ONLY_ADMINISTRATORS = 2;
const POST_POLICY: { readonly [group: string]: number } = {
  "role:everyone": ANYONE,
  "role:administrators": ONLY_ADMINISTRATORS,
  "role:fullmembers": 3,
  "role:moderators": 4,
};
/** The posting policy as the number that older clients know. */
export function postPolicyOf(state: RealmState, value: GroupValue): number {
  const group = typeof value === "number" ? state.user_groups[value] : undefined;
  return (group?.is_system_group === true ? POST_POLICY[group.name] : undefined) ?? ANYONE;
}

/** A channel with the caller's subscription to it. */
export function shownSubscription(showing: Showing, channel: Channel, subscription: Subscription): JsonObject {
  return { ...shownChannel(showing, channel), ...shownPersonal(subscription) };
}
/** Fields that only the subscriber sees. */
export function shownPersonal(subscription: Subscription): JsonObject {
  return {
    color: subscription.color,
    is_muted: subscription.is_muted,
    in_home_view: !subscription.is_muted,
    pin_to_top: subscription.pin_to_top,
    audible_notifications: subscription.audible_notifications,
    desktop_notifications: subscription.desktop_notifications,
    email_notifications: subscription.email_notifications,
    push_notifications: subscription.push_notifications,
    wildcard_mentions_notify: subscription.wildcard_mentions_notify,
  };
}

/** The byte order of the names, by which the server sorts. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

/** Which subscribers a client wants to see; `partial` since 412. */
export type SubscribersWish = "true" | "false" | "partial";
/** Checks the parameter at levels where it was a boolean, read as JSON. @throws ApiError */
export function checkSubscribersWish(level: number, wish: SubscribersWish): void {
  if (level < 412 && wish === "partial") throw new ApiError("include_subscribers is not valid JSON");
}
/**
 * From this size on, clients that ask for a partial list get only bots and recently active people, under another key. In a sandbox nobody is inactive
 * for long, so the list itself is complete.
 */
const PARTIAL_SIZE = 250;
export function shownSubscribers(state: RealmState, channel: Channel, wish: SubscribersWish): JsonObject {
  if (wish === "false") return {};
  const subscribers = subscribersOf(state, channel.stream_id);
  return wish === "partial" && subscribers.length >= PARTIAL_SIZE
    ? { partial_subscribers: subscribers }
    : { subscribers };
}
