import { hasMetadataAccess, isSubscribed, subscribersOf } from "../access.ts";
import { type Call, only } from "../call.ts";
import { emitCreated, emitDeleted, emitPeers } from "../channels/events.ts";
import { shownSubscription } from "../channels/shown.ts";
import { NEW_SUBSCRIPTION } from "../defaults.ts";
import { setOrder } from "../set-order.ts";
import type { Channel, User } from "../state.ts";

/** Channels that each user was newly subscribed to, or was before; in the order in which the server lists them. */
export interface Subscribed {
  readonly user: User;
  readonly subscribed: readonly Channel[];
  readonly already: readonly Channel[];
}

/** Subscribes everybody to every channel; what they are subscribed to already stays as it is. */
export function subscribe(call: Call, people: readonly User[], channels: readonly Channel[]): Subscribed[] {
  const { state } = call;
  const inSetOrder = bySet(channels);
  const results = distinct(people).map((user) => {
    const has = (channel: Channel): boolean => isSubscribed(state, channel.stream_id, user.user_id);
    const fresh = inSetOrder.filter((channel) => !has(channel) && !wasSubscribed(call, channel, user));
    const again = channels.filter((channel) => !has(channel) && wasSubscribed(call, channel, user)).sort(byId);
    return { user, subscribed: [...fresh, ...again], already: channels.filter(has).sort(byId) };
  });
  for (const channel of [...channels].sort(byId)) {
    const joining = results.filter(({ subscribed }) => subscribed.includes(channel)).map(({ user }) => user);
    if (joining.length > 0) join(call, channel, joining);
  }
  return results;
}

function join(call: Call, channel: Channel, people: readonly User[]): void {
  const { state, ledger } = call;
  const table = state.subscriptions[channel.stream_id] ?? {};
  const strangers = new Set(people.filter((user) => !hasMetadataAccess(state, user, channel)).map(idOf));
  const color = NEW_SUBSCRIPTION.color;
  const shown = shownSubscription(call, channel, { ...NEW_SUBSCRIPTION, color });
  for (const { user_id } of people) {
    const before = table[user_id];
    ledger.put(table, user_id, before === undefined ? NEW_SUBSCRIPTION : { ...before, active: true });
  }
  if (state.subscriptions[channel.stream_id] === undefined) ledger.put(state.subscriptions, channel.stream_id, table);
  if (strangers.size > 0) emitCreated(call, [channel], (user) => strangers.has(user.user_id));
  const subscribers = setOrder(subscribersOf(state, channel.stream_id));
  for (const { user_id } of people)
    call.emit(only(user_id), { type: "subscription", op: "add", subscriptions: [{ ...shown, subscribers }] });
  emitPeers(call, "peer_add", channel, people.map(idOf));
}

/** Unsubscribes one user of one channel. */
export function unsubscribe(call: Call, channel: Channel, people: readonly User[]): void {
  const { state, ledger } = call;
  const table = state.subscriptions[channel.stream_id] ?? {};
  for (const { user_id } of people) {
    const before = table[user_id];
    if (before !== undefined) ledger.put(table, user_id, { ...before, active: false });
  }
  const { stream_id, name } = channel;
  for (const user of people) {
    call.emit(only(user.user_id), { type: "subscription", op: "remove", subscriptions: [{ name, stream_id }] });
    if (!hasMetadataAccess(state, user, channel)) emitDeleted(call, [channel], only(user.user_id));
  }
  emitPeers(call, "peer_remove", channel, people.map(idOf));
}

const idOf = (user: User): number => user.user_id;
const byId = (a: Channel, b: Channel): number => a.stream_id - b.stream_id;
const distinct = (people: readonly User[]): User[] => [...new Map(people.map((user) => [user.user_id, user])).values()];
const wasSubscribed = ({ state }: Call, channel: Channel, user: User): boolean =>
  state.subscriptions[channel.stream_id]?.[user.user_id] !== undefined;

/** The server walks over a set of conversation numbers. */
function bySet(channels: readonly Channel[]): Channel[] {
  const byRecipient = new Map(channels.map((channel) => [channel.recipient_id, channel]));
  return setOrder([...byRecipient.keys()]).flatMap((id) => byRecipient.get(id) ?? []);
}
