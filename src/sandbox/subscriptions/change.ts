import type { JsonObject } from "../../model/json.ts";
import { hasMetadataAccess, isSubscribed, subscribersOf } from "../access.ts";
import { among, type Call, only } from "../call.ts";
import { emitDeleted, emitPeers } from "../channels/events.ts";
import { shownChannel, shownPersonal } from "../channels/shown.ts";
import { NEW_SUBSCRIPTION } from "../defaults.ts";
import { hasCopy } from "../messages/access.ts";
import { markRead } from "../messages/flags.ts";
import { setOrder } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { noteSubscription, pickColors, subscriptionsOf } from "./properties.ts";

/**
 * Subscribes everybody to every channel; existing subscriptions do not change.
 * @param colors by channel name, for people who were never subscribed to the channel
 * @returns for each user the channels to which the user was newly subscribed, and those to which the user already was, in the server's order
 */
export function subscribe(
  call: Call,
  people: readonly User[],
  channels: readonly Channel[],
  colors: ReadonlyMap<string, string> = new Map(),
) {
  const { state } = call;
  const inSetOrder = bySet(channels);
  const results = distinct(people).map((user) => {
    const has = (channel: Channel): boolean => isSubscribed(state, channel.stream_id, user.user_id);
    const fresh = inSetOrder.filter((channel) => !has(channel) && !wasSubscribed(call, channel, user));
    const again = channels.filter((channel) => !has(channel) && wasSubscribed(call, channel, user)).sort(byId);
    return { user, fresh, again, already: channels.filter(has).sort(byId) };
  });
  join(call, results, colors);
  return results.map(({ fresh, again, ...each }) => ({ ...each, subscribed: [...fresh, ...again] }));
}

/** Uses the requested colors; other channels get colors that neither these nor the user's past or present subscriptions use. */
function newColors(
  { state }: Call,
  { user_id }: User,
  fresh: readonly Channel[],
  asked: ReadonlyMap<string, string>,
): ReadonlyMap<number, string> {
  const own = fresh.flatMap(({ stream_id, name }): readonly (readonly [number, string])[] => {
    const color = asked.get(name);
    return color === undefined ? [] : [[stream_id, color]];
  });
  const others = fresh.filter(({ name }) => !asked.has(name));
  const had = others.length === 0 ? [] : subscriptionsOf(state, user_id).map(([, { color }]) => color);
  return new Map([...own, ...pickColors([...had, ...own.map(([, color]) => color)], others)]);
}

/** People who did not know a channel first see it created; then each person gets their own new list, then the others are notified. */
function join(call: Call, results: readonly Joined[], colors: ReadonlyMap<string, string>): void {
  const { state, ledger } = call;
  const joining = byChannel([
    ...results.map(({ user, fresh }) => ({ user, channels: fresh })),
    ...results.map(({ user, again }) => ({ user, channels: again })),
  ]);
  const picked = new Map(results.map(({ user, fresh }) => [user.user_id, newColors(call, user, fresh, colors)]));
  const shown = new Map<Channel, JsonObject>();
  const strangers = new Map<Channel, ReadonlySet<number>>();
  for (const [channel, ids] of joining) {
    const unknowing = (id: number): boolean => {
      const user = state.users[id];
      return user !== undefined && !hasMetadataAccess(state, user, channel);
    };
    strangers.set(channel, new Set(ids.filter(unknowing)));
    // The number of subscribers in this event is the one from before the change.
    shown.set(channel, shownChannel(call, channel));
    const table = state.subscriptions[channel.stream_id] ?? {};
    for (const id of ids) {
      const before = table[id];
      const color = picked.get(id)?.get(channel.stream_id) ?? NEW_SUBSCRIPTION.color;
      noteSubscription(state, channel.stream_id, id);
      ledger.put(table, id, before === undefined ? { ...NEW_SUBSCRIPTION, color } : { ...before, active: true });
    }
  }
  for (const [channel, ids] of strangers)
    if (ids.size > 0)
      call.emit(among(ids), {
        type: "stream",
        op: "create",
        streams: [shown.get(channel) ?? shownChannel(call, channel)],
      });
  const subscribers = new Map<Channel, readonly number[]>();
  const subscribersIn = (channel: Channel): readonly number[] => {
    const found = subscribers.get(channel) ?? setOrder(subscribersOf(state, channel.stream_id));
    subscribers.set(channel, found);
    return found;
  };
  for (const { user, fresh, again } of results) {
    if (fresh.length + again.length === 0) continue;
    // This is computed only for people whose clients listen.
    call.emit(only(user.user_id), () => ({
      type: "subscription",
      op: "add",
      subscriptions: [...fresh, ...again].map((channel) => ({
        ...shown.get(channel),
        ...shownPersonal(state.subscriptions[channel.stream_id]?.[user.user_id] ?? NEW_SUBSCRIPTION),
        subscribers: subscribersIn(channel),
      })),
    }));
  }
  emitPeers(call, "peer_add", joining);
}
interface Joined {
  readonly user: User;
  readonly fresh: readonly Channel[];
  readonly again: readonly Channel[];
}

/** Unsubscribes everybody from every channel to which they are subscribed; their unread messages there become read. */
export function unsubscribe(call: Call, people: readonly User[], channels: readonly Channel[]) {
  const { state, ledger } = call;
  const byRecipient = [...channels].sort((a, b) => a.recipient_id - b.recipient_id);
  const inSetOrder = setOrder(channels.map((channel) => channel.stream_id));
  const results = setOrder(people.map(idOf)).flatMap((id) => {
    const user = state.users[id];
    if (user === undefined) return [];
    const removed = byRecipient.filter((channel) => isSubscribed(state, channel.stream_id, id));
    const others = setOrder(inSetOrder.filter((channelId) => !isSubscribed(state, channelId, id)));
    return [{ user, removed, notRemoved: others.flatMap((channelId) => state.channels[channelId] ?? []) }];
  });
  for (const { user, removed } of results)
    for (const channel of removed) {
      const table = state.subscriptions[channel.stream_id] ?? {};
      const before = table[user.user_id];
      if (before !== undefined) ledger.put(table, user.user_id, { ...before, active: false });
    }
  emitPeers(call, "peer_remove", byChannel(results.map(({ user, removed }) => ({ user, channels: removed }))));
  for (const { user, removed } of results) {
    if (removed.length === 0) continue;
    const subscriptions = removed.map(({ name, stream_id }) => ({ name, stream_id }));
    call.emit(only(user.user_id), { type: "subscription", op: "remove", subscriptions });
    const lost = removed.filter((channel) => !hasMetadataAccess(state, user, channel));
    if (lost.length > 0) emitDeleted(call, lost, only(user.user_id));
  }
  for (const { user, removed } of results)
    for (const { stream_id } of removed) {
      const messages = rows(state.messages).filter(({ channel_id }) => channel_id === stream_id);
      markRead(
        call,
        user,
        messages.filter((message) => hasCopy(message, user.user_id)),
      );
    }
  return results;
}

/** The people concerned by each channel, in order of their appearance. */
function byChannel(
  pairs: readonly { readonly user: User; readonly channels: readonly Channel[] }[],
): Map<Channel, number[]> {
  const found = new Map<Channel, number[]>();
  for (const { user, channels } of pairs)
    for (const channel of channels) {
      const ids = found.get(channel);
      if (ids === undefined) found.set(channel, [user.user_id]);
      else ids.push(user.user_id);
    }
  return found;
}

const idOf = (user: User): number => user.user_id;
const byId = (a: Channel, b: Channel): number => a.stream_id - b.stream_id;
const distinct = (people: readonly User[]): User[] => [...new Map(people.map((user) => [user.user_id, user])).values()];
const wasSubscribed = ({ state }: Call, channel: Channel, user: User): boolean =>
  state.subscriptions[channel.stream_id]?.[user.user_id] !== undefined;

/** The server iterates over a set of conversation numbers. */
function bySet(channels: readonly Channel[]): Channel[] {
  const byRecipient = new Map(channels.map((channel) => [channel.recipient_id, channel]));
  return setOrder([...byRecipient.keys()]).flatMap((id) => byRecipient.get(id) ?? []);
}
