import { isGuest, mayInChannel } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { systemGroup } from "../groups.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { messagesInTopic } from "./topics.ts";

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
