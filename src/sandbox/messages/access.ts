import { hasContentAccess, isGuest, isSubscribed, mayInChannel, mayInRealm, subscribersOf } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { setOf, systemGroup } from "../groups.ts";
import { REALM_PERMISSIONS } from "../permissions.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Message } from "../rows/messages.ts";
import type { RealmState } from "../state.ts";
import { messagesInTopic } from "./topics.ts";

/** Who sees which messages, and what the settings of realm and channel let people do with them. */

/** Whether the user received a copy of the message. */
export const hasCopy = (message: Message, userId: number): boolean => setOf(message.received_by).has(userId);

/** The channel of a channel message. @throws Error for direct messages */
export function channelOf(state: RealmState, message: Message): Channel {
  const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
  if (channel === undefined) throw new Error(`message ${message.id} is in no channel`);
  return channel;
}

/** The destination of a message, already looked up and allowed. */
export type Destination =
  | { readonly kind: "channel"; readonly channel: Channel; readonly topic: string }
  /** Everybody in the conversation, including the sender. */
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

/** The destination of a stored message. */
export function destinationOf({ state }: Call, message: Message): Destination {
  if (message.channel_id === null) return { kind: "direct", userIds: message.to };
  return { kind: "channel", channel: channelOf(state, message), topic: message.topic };
}

/**
 * Whether a search finds messages of the channel of which the user has no copy. In an archived channel it does so only if anybody may read: neither a
 * subscription nor a right to subscribe or to add others gives the history, until the channel comes back (§16.21).
 */
export function seesHistory(state: RealmState, user: User, channel: Channel): boolean {
  if (!channel.history_public_to_subscribers || !hasContentAccess(state, user, channel)) return false;
  return !channel.is_archived || channel.is_web_public || (!channel.invite_only && !isGuest(user));
}

/** Guests see messages only in channels to which they are subscribed, even if these are web-public. */
export function seesMessage(state: RealmState, user: User, message: Message): boolean {
  if (message.channel_id === null) return hasCopy(message, user.user_id);
  const channel = state.channels[message.channel_id];
  if (channel === undefined || !hasContentAccess(state, user, channel)) return false;
  if (isGuest(user) && !isSubscribed(state, channel.stream_id, user.user_id)) return false;
  return channel.history_public_to_subscribers || hasCopy(message, user.user_id);
}

/** The people whose clients get events about a message: those who see it and may already have it. */
export function hearersOf(state: RealmState, message: Message): Set<number> {
  if (message.channel_id === null) return new Set(message.received_by);
  const channel = channelOf(state, message);
  const subscribers = subscribersOf(state, channel.stream_id);
  if (!channel.history_public_to_subscribers) return new Set(subscribers.filter((id) => hasCopy(message, id)));
  if (channel.invite_only) return new Set(subscribers);
  return new Set([...subscribers, ...message.received_by.filter((id) => state.users[id]?.role !== ROLE.guest)]);
}

/**
 * People who may not see a message must not learn that it exists. Messages of archived channels can be read, but not changed.
 * @throws ApiError "Invalid message(s)"
 */
export function messageFor(
  call: { readonly state: RealmState; readonly user: User },
  id: number,
  use: "read" | "modify",
): Message {
  const { state, user } = call;
  const message = state.messages[id];
  if (message === undefined || !seesMessage(state, user, message)) throw invalidMessage();
  if (use === "modify" && message.channel_id !== null && channelOf(state, message).is_archived) throw invalidMessage();
  return message;
}
const invalidMessage = (): ApiError => new ApiError("Invalid message(s)");

/** A realm setting about messages; each setting's own rule decides whether it can apply to guests. */
export function mayByRealm(state: RealmState, user: User, setting: string): boolean {
  return mayInRealm(state, user, setting, REALM_PERMISSIONS[setting]?.allow_everyone_group === true);
}
/** The time limit in seconds; null: no limit. */
export function limitSeconds(state: RealmState, setting: string): number | null {
  const value = state.realm[setting];
  return typeof value === "number" ? value : null;
}

/** Who may send messages to a channel, and who may create topics in it. */

/** @throws ApiError if the sender may not post in the channel, or may not create the topic */
export function checkMayPost(call: Call, sender: User, channel: Channel, topic: string): void {
  if (sender.is_system_bot) return;
  checkMaySend(call, sender, channel);
  checkMayCreateTopic(call, sender, channel, topic);
}
/** @throws ApiError if the sender may not post in the channel at all */
export function checkMaySend(call: Call, sender: User, channel: Channel): void {
  checkSendPermission(call, sender, channel);
  checkReachesChannel(call, sender, channel);
}

/** Whether the sender or, for a bot, its owner is allowed: bots may post where their owners may. */
function botOrOwner(call: Call, sender: User, allowed: (user: User) => boolean): boolean {
  if (allowed(sender)) return true;
  const owner = sender.is_bot && sender.bot_owner_id !== null ? call.state.users[sender.bot_owner_id] : undefined;
  return owner !== undefined && allowed(owner);
}

export function checkSendPermission(call: Call, sender: User, channel: Channel, withOwner = true): void {
  const allowed = (user: User) =>
    isOpen(call, channel) || mayInChannel(call.state, user, channel, "can_send_message_group");
  if (!(withOwner ? botOrOwner(call, sender, allowed) : allowed(sender)))
    throw new ApiError("You do not have permission to post in this channel.");
}
const isOpen = (call: Call, channel: Channel): boolean =>
  channel.can_send_message_group === systemGroup(call.state, "role:everyone").id;

function checkReachesChannel(call: Call, sender: User, channel: Channel): void {
  const { state } = call;
  const refused = new ApiError(`Not authorized to send to channel '${channel.name}'`);
  if (channel.is_archived) throw refused;
  if (channel.is_web_public) return;
  if (!channel.invite_only && !isGuest(sender)) return;
  const subscribed = (id: number | null) =>
    id !== null && state.subscriptions[channel.stream_id]?.[id]?.active === true;
  if (subscribed(sender.user_id) || (sender.is_bot && subscribed(sender.bot_owner_id))) return;
  if (
    channel.history_public_to_subscribers &&
    (mayInChannel(state, sender, channel, "can_add_subscribers_group") ||
      mayInChannel(state, sender, channel, "can_subscribe_group"))
  )
    return;
  throw refused;
}

/** A topic exists as long as it has messages. @throws ApiError */
export function checkMayCreateTopic(call: Call, sender: User, channel: Channel, topic: string): void {
  const { state } = call;
  if (sender.is_system_bot || channel.can_create_topic_group === systemGroup(state, "role:everyone").id) return;
  if (messagesInTopic(state, channel.stream_id, topic).length > 0) return;
  if (!botOrOwner(call, sender, (user) => mayInChannel(state, user, channel, "can_create_topic_group")))
    throw new ApiError("You do not have permission to create new topics in this channel.");
}
