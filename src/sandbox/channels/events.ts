import { defined } from "../../model/defined.ts";
import type { Json } from "../../model/json.ts";
import { hasMetadataAccess, isGuest, isSubscribed, subscribersOf } from "../access.ts";
import { type Call, everybody, only } from "../call.ts";
import type { Audience, RealmEvent } from "../events.ts";
import { setOrder } from "../python.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { shownChannel, shownDefaultChannels } from "./shown.ts";

/**
 * Everybody who gets events about the channel. Guests may see web-public channels, but get events only if they are subscribed. If the channel is
 * private as well (§3.3, quirk 5), only those who may know it as a private channel get them.
 */
export const knowing =
  (call: Call, channel: Channel): Audience =>
  (user) =>
    channel.is_web_public && isGuest(user)
      ? isSubscribed(call.state, channel.stream_id, user.user_id)
      : hasMetadataAccess(call.state, user, asPrivate(channel));
const asPrivate = (channel: Channel): Channel => (channel.invite_only ? { ...channel, is_web_public: false } : channel);
/** Events about the creation and the subscribers of a web-public channel go to everybody. */
const reaching = (call: Call, channel: Channel): Audience =>
  channel.is_web_public && !channel.invite_only ? everybody : knowing(call, channel);

/** `stream`/`update` with the channel's current name (§2.7: on a rename, the old name). */
export function emitUpdate(
  call: Call,
  channel: Channel,
  property: string,
  value: Json,
  extra: { readonly [key: string]: Json } = {},
  audience: Audience = knowing(call, channel),
): void {
  const { stream_id, name } = channel;
  call.emit(audience, { type: "stream", op: "update", property, value, stream_id, name, ...extra });
}

export const createdEvent = (call: Call, channels: readonly Channel[]): RealmEvent => ({
  type: "stream",
  op: "create",
  streams: channels.map((channel) => shownChannel(call, channel)),
});
export function deletedEvent(call: Call, channels: readonly Channel[]): RealmEvent {
  const ids = channels.map((channel) => channel.stream_id);
  const streams = ids.map((stream_id) => ({ stream_id }));
  return { type: "stream", op: "delete", streams, ...defined({ stream_ids: call.level >= 343 ? ids : undefined }) };
}
export function emitCreated(call: Call, channel: Channel, audience: Audience = reaching(call, channel)): void {
  call.emit(audience, createdEvent(call, [channel]));
}
export function emitDeleted(call: Call, channels: readonly Channel[], audience: Audience): void {
  call.emit(audience, deletedEvent(call, channels));
}

/**
 * Events about the membership of others, for everybody who knows the channel but is not concerned. Private channels get one event each; public
 * channels share an event if the same people are concerned and the audience is the same.
 */
export function emitPeers(
  call: Call,
  op: "peer_add" | "peer_remove",
  changes: ReadonlyMap<Channel, readonly number[]>,
): void {
  const tell = (channels: readonly Channel[], userIds: readonly number[]): void => {
    const [first] = channels;
    if (first === undefined) return;
    const concerned = new Set(userIds);
    const visible = reaching(call, first);
    const stream_ids = channels.map((channel) => channel.stream_id);
    call.emit((user) => !concerned.has(user.user_id) && visible(user), {
      type: "subscription",
      op,
      stream_ids,
      user_ids: [...userIds],
    });
  };
  const sameChannels = new Map<string, { readonly userIds: readonly number[]; readonly channels: Channel[] }>();
  for (const [channel, ids] of changes) {
    const userIds = [...new Set(ids)].sort((a, b) => a - b);
    if (userIds.length === 0) continue;
    if (channel.invite_only) {
      tell([channel], userIds);
      continue;
    }
    const key = userIds.join();
    const group = sameChannels.get(key) ?? { userIds: setOrder(userIds), channels: [] };
    group.channels.push(channel);
    sameChannels.set(key, group);
  }
  for (const { userIds, channels } of sameChannels.values()) {
    const ordered = setOrder(channels.map((channel) => channel.stream_id)).flatMap(
      (id) => call.state.channels[id] ?? [],
    );
    const hasGuests = (channel: Channel): boolean =>
      subscribersOf(call.state, channel.stream_id).some((id) => call.state.users[id]?.role === ROLE.guest);
    const byId = [...ordered].sort((a, b) => a.stream_id - b.stream_id);
    for (const channel of ordered) if (!channel.is_web_public && hasGuests(channel)) tell([channel], userIds);
    tell(
      byId.filter((channel) => channel.is_web_public),
      userIds,
    );
    tell(
      byId.filter((channel) => !channel.is_web_public && !hasGuests(channel)),
      userIds,
    );
  }
}

/** Sends the complete list, except to guests, who get no events about default channels. */
export function emitDefaultChannels(call: Call): void {
  const isNoGuest: Audience = (user) => user.role !== ROLE.guest;
  call.emit(isNoGuest, { type: "default_streams", default_streams: shownDefaultChannels(call) });
}

/**
 * Changes one of the groups that let people know of a channel, and notifies both sides: for those who now see the channel it appears as created, for
 * those who no longer see it as deleted.
 */
export function changeVisibility(
  call: Call,
  channel: Channel,
  change: () => void,
  update: (still: Audience) => void,
): void {
  const before = new Set(everyoneKnowing(call, channel));
  change();
  const after = new Set(everyoneKnowing(call, channel));
  update((user) => before.has(user.user_id) && after.has(user.user_id));
  tellBothSides(call, channel, before, after);
}
function tellBothSides(call: Call, channel: Channel, before: ReadonlySet<number>, after: ReadonlySet<number>): void {
  const gained = [...after].filter((id) => !before.has(id));
  if (gained.length > 0) emitAppeared(call, channel, only(...gained));
  const lost = [...before].filter((id) => !after.has(id));
  if (lost.length > 0) emitDeleted(call, [channel], only(...lost));
}

/**
 * Changes the privacy. Only a private channel that becomes public appears as created, and only to non-guests. Everybody else who knows the channel
 * afterwards gets the update; those who no longer know it get no event.
 */
export function changePrivacyOf(
  call: Call,
  channel: Channel,
  change: () => void,
  update: (others: Audience) => void,
): void {
  const before = new Set(everyoneKnowing(call, channel));
  const wasPrivate = channel.invite_only;
  change();
  const appears: Audience = (user) =>
    wasPrivate && !channel.invite_only && user.role !== ROLE.guest && !before.has(user.user_id);
  emitAppeared(call, channel, appears);
  const knows = knowing(call, channel);
  update((user) => knows(user) && !appears(user));
}

function emitAppeared(call: Call, channel: Channel, audience: Audience): void {
  emitCreated(call, channel, audience);
  emitSubscribers(call, channel.stream_id, audience);
}
/** The subscribers of a channel that appeared. */
export function emitSubscribers(call: Call, channelId: number, audience: Audience): void {
  const user_ids = subscribersOf(call.state, channelId);
  call.emit(audience, { type: "subscription", op: "peer_add", stream_ids: [channelId], user_ids });
}

/**
 * Records who knows which private channels. Call the result after the members of groups change: people who know more channels get them as created,
 * and people who know fewer get them as deleted.
 */
export function watchVisibility(call: Call): () => void {
  const listening = listenersTo(call);
  const watched = rows(call.state.channels)
    .filter((channel) => channel.invite_only && listening.length > 0)
    .map((channel) => ({ channel, before: new Set(everyoneKnowing(call, channel, listening)) }));
  return () => {
    for (const { channel, before } of watched)
      tellBothSides(call, channel, before, new Set(everyoneKnowing(call, channel, listening)));
  };
}

/** The accounts with an event queue; all others read the state when they register. */
const listenersTo = ({ server, state }: Call): readonly User[] =>
  [...server.queues.listeners()].flatMap((id) => state.users[id] ?? []);

function everyoneKnowing(
  call: Call,
  channel: Channel,
  listening: readonly User[] = listenersTo(call),
): readonly number[] {
  return listening.flatMap((user) => (hasMetadataAccess(call.state, user, channel) ? [user.user_id] : []));
}
