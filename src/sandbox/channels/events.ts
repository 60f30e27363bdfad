import type { Json } from "../../model/json.ts";
import { hasMetadataAccess, subscribersOf } from "../access.ts";
import type { Call } from "../call.ts";
import type { Audience, RealmEvent } from "../events.ts";
import { type Channel, ROLE, type User } from "../state.ts";
import { shownChannel, shownDefaultChannels } from "./shown.ts";

/** Everybody who may know of the channel. */
export const knowing =
  (call: Call, channel: Channel): Audience =>
  (user) =>
    hasMetadataAccess(call.state, user, channel);

/** `stream`/`update` with the name that the channel has now (§2.7: the old one on a rename). */
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
  return { type: "stream", op: "delete", streams, ...(call.level >= 343 ? { stream_ids: ids } : {}) };
}
export function emitCreated(call: Call, channels: readonly Channel[], audience: Audience): void {
  call.emit(audience, createdEvent(call, channels));
}
export function emitDeleted(call: Call, channels: readonly Channel[], audience: Audience): void {
  call.emit(audience, deletedEvent(call, channels));
}

/** Others' membership: told to who knows the channel and is not concerned. */
export function emitPeers(
  call: Call,
  op: "peer_add" | "peer_remove",
  channel: Channel,
  userIds: readonly number[],
): void {
  if (userIds.length === 0) return;
  const concerned = new Set(userIds);
  call.emit((user) => !concerned.has(user.user_id) && hasMetadataAccess(call.state, user, channel), {
    type: "subscription",
    op,
    stream_ids: [channel.stream_id],
    user_ids: [...userIds].sort((a, b) => a - b),
  });
}

/** The complete list; guests are not told of default channels. */
export function emitDefaultChannels(call: Call): void {
  const isNoGuest: Audience = (user) => user.role !== ROLE.guest;
  call.emit(isNoGuest, { type: "default_streams", default_streams: shownDefaultChannels(call) });
}

/**
 * Runs a change that may move the line between who knows the channel and who does not, and tells both sides: a channel that
 * becomes visible looks created, one that disappears looks deleted.
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
  const gained = [...after].filter((id) => !before.has(id));
  if (gained.length > 0) {
    const newcomers = new Set(gained);
    const isNew: Audience = (user) => newcomers.has(user.user_id);
    emitCreated(call, [channel], isNew);
    const subscribers = subscribersOf(call.state, channel.stream_id);
    if (subscribers.length > 0)
      call.emit(isNew, {
        type: "subscription",
        op: "peer_add",
        stream_ids: [channel.stream_id],
        user_ids: subscribers,
      });
  }
  const lost = new Set([...before].filter((id) => !after.has(id)));
  if (lost.size > 0) emitDeleted(call, [channel], (user) => lost.has(user.user_id));
}

/** Only accounts with an event queue matter; everybody else reads the state when they come. */
function everyoneKnowing(call: Call, channel: Channel): number[] {
  const found: number[] = [];
  for (const id of call.server.queues.listeners()) {
    const user: User | undefined = call.state.users[id];
    if (user !== undefined && hasMetadataAccess(call.state, user, channel)) found.push(id);
  }
  return found;
}
