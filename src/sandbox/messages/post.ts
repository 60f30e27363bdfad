import { defined } from "../../model/defined.ts";
import { subscribersOf } from "../access.ts";
import { claimUploads } from "../attachments.ts";
import { among, type Call } from "../call.ts";
import { emitUpdate } from "../channels/events.ts";
import { ApiError } from "../errors.ts";
import { isIn, membersOf } from "../groups.ts";
import { deliverToBots } from "../outgoing-webhook.ts";
import { BOT, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { type Message, NEW_MESSAGE } from "../rows/messages.ts";
import { settingOf } from "../state.ts";
import { type Destination, hasCopy, mayByRealm, seesMessage } from "./access.ts";
import { type Flag, shownFlags } from "./flags.ts";
import { rendered } from "./markdown.ts";
import { type Mentions, mentionsOf } from "./mentions.ts";
import { linkedUploads, normalizedContent, type Posted, type Posting, systemBot } from "./posting.ts";
import { messageObject } from "./render.ts";
import { fitsTopicsPolicy, messagesInTopic, topicToSendTo } from "./topics.ts";
import { setVisibility, takePart, VISIBILITY, type Visibility, visibilityOf } from "./user-topics.ts";
import { submessage, widgetOf } from "./widgets.ts";

/** Outgoing webhook bots and embedded bots get messages in another way, without copies. */
const isServiceBot = (user: User): boolean =>
  user.is_bot && (user.bot_type === BOT.outgoingWebhook || user.bot_type === BOT.embedded);

/** The maximum number of receivers whom everybody may mention at once. */
const WILDCARD_THRESHOLD = 15;

/** The people whom a text mentions, in the current realm. */
export function mentionsIn(call: Call, content: string): Mentions {
  return mentionsOf(call.state, content, (groupId) => membersOf(call.state, groupId));
}

/** The paths of this server's uploaded files to which a text links. */
export function uploadsIn({ server, state }: Call, content: string): string[] {
  const addresses = [server.url, state.realm.url].filter((url) => typeof url === "string");
  return linkedUploads(content, server.url, new Set(addresses.map((url) => new URL(url).host)));
}

/** @throws ApiError if the sender may not mention so many people, or a group */
export function checkMentions(call: Call, sender: User, to: Destination, mentions: Mentions): void {
  const { state } = call;
  if (to.kind === "channel") {
    const mayMentionMany = () => mayByRealm(state, sender, "can_mention_many_users_group");
    const subscribers = () => subscribersOf(state, to.channel.stream_id).length;
    if (mentions.wholeChannel && subscribers() > WILDCARD_THRESHOLD && !mayMentionMany())
      throw new ApiError("You do not have permission to use channel wildcard mentions in this channel.", {
        code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
      });
    if (
      mentions.wholeTopic &&
      participants(call, to).add(sender.user_id).size > WILDCARD_THRESHOLD &&
      !mayMentionMany()
    )
      throw new ApiError("You do not have permission to use topic wildcard mentions in this topic.", {
        code: "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
      });
  }
  for (const id of mentions.groups) {
    const group = state.user_groups[id];
    if (group === undefined || sender.is_system_bot) continue;
    if (!isIn(state, group.can_mention_group, sender.user_id))
      throw new ApiError(`You are not allowed to mention user group '${group.name}'.`);
  }
}

/** People who sent messages to the topic or reacted to one. */
export function participants(call: Call, to: { readonly channel: Channel; readonly topic: string }): Set<number> {
  const found = new Set<number>();
  for (const message of messagesInTopic(call.state, to.channel.stream_id, to.topic)) {
    found.add(message.sender_id);
    for (const { user_id } of message.reactions) if (typeof user_id === "number") found.add(user_id);
  }
  return found;
}

/** Stores the message, gives everybody a copy and notifies their clients. Checks nothing. */
export function post(call: Call, posting: Posting): Posted {
  const { state, ledger } = call;
  const { sender, to, content } = posting;
  const mentions = mentionsIn(call, content);
  const receivers = receiversOf(call, to, mentions);
  // Only people follow the topics that they start.
  const startsTopic =
    to.kind === "channel" &&
    !sender.is_bot &&
    !messagesInTopic(state, to.channel.stream_id, to.topic).some((message) => seesMessage(state, sender, message));
  const id = ledger.nextId("message");
  const widget = posting.widget ?? widgetOf(content);
  ledger.put(state.messages, id, {
    id,
    sender_id: sender.user_id,
    type: to.kind,
    channel_id: to.kind === "channel" ? to.channel.stream_id : null,
    to: to.kind === "channel" ? [] : conversation(call, to.userIds),
    topic: to.kind === "channel" ? to.topic : "",
    content,
    rendered_content: rendered(content, call),
    timestamp: call.now,
    ...NEW_MESSAGE,
    client: posting.client,
    received_by: receivers,
    flags: flagsOfCopies(call, posting, mentions, receivers),
    ...defined({
      submessages: widget === undefined ? undefined : [submessage(state, id, sender.user_id, widget)],
      is_resolve_notice: posting.isResolveNotice === true ? true : undefined,
    }),
  });
  const message = state.messages[id];
  if (message === undefined) throw new Error("the message was not stored");
  claimUploads(call, sender, message, uploadsIn(call, content));
  const visibility = to.kind === "channel" ? afterSending(call, sender, to, startsTopic, mentions) : undefined;
  if (to.kind === "channel") noteActivity(call, to.channel, id);
  emitMessage(call, message);
  deliverToBots(call, message, mentions.users, post);
  return { id, visibility };
}

/**
 * A message from the Notification Bot in a channel, sent like any other: "(no topic)" means the empty topic, and a message that the channel's policy
 * refuses is dropped.
 * @returns its id, if it was sent
 */
export function postNotice(
  call: Call,
  channel: Channel,
  topic: string,
  content: string,
  details: NoticeDetails,
): number | undefined {
  if (channel.is_archived) return undefined;
  const named = topicToSendTo(call, topic);
  if (!fitsTopicsPolicy(call.state, channel, named)) return undefined;
  return postAsBot(call, { kind: "channel", channel, topic: named }, content, details);
}
/** A direct message from the Notification Bot. */
export function postDirectNotice(call: Call, userId: number, content: string): void {
  postAsBot(call, { kind: "direct", userIds: [userId] }, normalizedContent(content));
}
type NoticeDetails = Pick<Posting, "readBy" | "unreadFor" | "isResolveNotice">;
/** Posts as one of the server's bots, which takes part in a direct conversation. @returns the id; undefined in a realm that was read without the bot */
export function postAsBot(
  call: Call,
  to: Destination,
  content: string,
  details: NoticeDetails = {},
  bot: Parameters<typeof systemBot>[1] = "notification-bot",
): number | undefined {
  const sender = systemBot(call.state, bot);
  if (sender === undefined) return undefined;
  const withBot = to.kind === "direct" ? { ...to, userIds: [sender.user_id, ...to.userIds] } : to;
  return post(call, { sender, to: withBot, content, client: "Internal", ...details }).id;
}

/** Mentioned bots get the message in every public channel, subscribed or not. */
function receiversOf(call: Call, to: Destination, mentions: Mentions): number[] {
  const { state } = call;
  const called =
    to.kind === "channel" && !to.channel.invite_only
      ? [...mentions.users].filter((id) => state.users[id]?.bot_type === BOT.generic)
      : [];
  const ids =
    to.kind === "channel"
      ? [...new Set([...subscribersOf(state, to.channel.stream_id), ...called])]
      : [...new Set(to.userIds)];
  return ids.filter((id) => {
    const user = state.users[id];
    return user?.is_active === true && !isServiceBot(user);
  });
}

/** The people of a direct conversation, ascending. Group conversations are stored, so that they have an id. */
function conversation(call: Call, userIds: readonly number[]): readonly number[] {
  const people = [...new Set(userIds)].sort((a, b) => a - b);
  if (people.length <= 2) return people;
  const key = people.join(",");
  const known = Object.values(call.state.direct_message_groups);
  if (!known.some((each) => each.join(",") === key))
    call.ledger.put(call.state.direct_message_groups, known.length + 1, people);
  return people;
}

function flagsOfCopies(
  call: Call,
  posting: Posting,
  mentions: Mentions,
  receivers: readonly number[],
): Message["flags"] {
  const { to } = posting;
  const inTopic = to.kind === "channel" && mentions.wholeTopic ? participants(call, to) : new Set<number>();
  const flags: { [userId: number]: readonly Flag[] } = {};
  const read = new Set(posting.readBy);
  for (const id of receivers) {
    const own: Flag[] = [];
    const muted = (call.state.muted_users[id] ?? []).some((each) => each.id === posting.sender.user_id);
    if (read.has(id) || muted || (posting.unreadFor !== undefined && !posting.unreadFor.has(id))) own.push("read");
    if (mentions.users.has(id)) own.push("mentioned");
    if (mentions.wholeChannel) own.push("stream_wildcard_mentioned");
    if (mentions.wholeTopic && (inTopic.has(id) || id === posting.sender.user_id)) own.push("topic_wildcard_mentioned");
    if (own.length > 0) flags[id] = own;
  }
  return flags;
}

function afterSending(
  call: Call,
  sender: User,
  to: { readonly channel: Channel; readonly topic: string },
  startsTopic: boolean,
  mentions: Mentions,
): Visibility | undefined {
  const { state } = call;
  const channelId = to.channel.stream_id;
  const changed = sender.is_bot ? undefined : takePart(call, sender, channelId, to.topic, { how: "sent", startsTopic });
  for (const id of mentions.users) {
    const user = state.users[id];
    if (user === undefined || user.is_bot || state.subscriptions[channelId]?.[id]?.active !== true) continue;
    if (settingOf(state, user, "automatically_follow_topics_where_mentioned") !== true) continue;
    const current = visibilityOf(state, id, channelId, to.topic);
    if (current !== VISIBILITY.muted && current !== VISIBILITY.followed)
      setVisibility(call, id, channelId, to.topic, VISIBILITY.followed);
  }
  return changed;
}

function noteActivity(call: Call, channel: Channel, messageId: number): void {
  if (channel.first_message_id === null) call.ledger.set(channel, "first_message_id", messageId);
  if (channel.is_recently_active) return;
  call.ledger.set(channel, "is_recently_active", true);
  const subscribers = new Set(subscribersOf(call.state, channel.stream_id));
  emitUpdate(call, channel, "is_recently_active", true, {}, among(subscribers));
}

function emitMessage(call: Call, message: Message): void {
  const { state, level } = call;
  call.emit(among(new Set(message.received_by)), (client) => ({
    type: "message",
    message: messageObject(state, message, {
      viewerId: client.userId,
      level,
      applyMarkdown: client.applyMarkdown,
      clientGravatar: client.clientGravatar,
      allowEmptyTopicName: client.capabilities.has("empty_topic_name"),
    }),
    flags: hasCopy(message, client.userId) ? shownFlags(message, client.userId) : [],
  }));
}
