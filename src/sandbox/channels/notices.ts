import { defined } from "../../model/defined.ts";
import type { Call } from "../call.ts";
import { internalError } from "../errors.ts";
import { shownGroupValue } from "../groups.ts";
import { channelLink, silentMention } from "../messages/links.ts";
import { postAsBot } from "../messages/post.ts";
import { normalizedContent } from "../messages/posting.ts";
import { emptyTopicName } from "../messages/topics.ts";
import type { Channel } from "../rows/channels.ts";
import type { GroupValue } from "../rows/values.ts";
import { isPolicy } from "./params.ts";

interface Details {
  /** Whether the message is read from the start for everybody. */
  readonly isRead?: boolean;
  /** The person who causes the message has already read it. */
  readonly isReadByCaller?: boolean;
  /** Archived channels accept only some of these messages. */
  readonly notWhenArchived?: boolean;
}
/**
 * A message in which the Notification Bot reports changes of the channel (zulip-api.md §3.5.4): always below level 434, later only if the realm
 * asks for it. It is a real message: it creates a topic, and can be the channel's first message.
 */
function notice(call: Call, channel: Channel, content: string, details: Details = {}): void {
  if (call.level >= 434 && call.state.realm.send_channel_events_messages !== true) return;
  if (details.notWhenArchived === true && channel.is_archived) return;
  const topic = channel.topics_policy === "empty_topic_only" ? "" : "channel events";
  const read = defined({
    unreadFor: details.isRead === true ? new Set<number>() : undefined,
    readBy: details.isReadByCaller === true ? [call.user.user_id] : undefined,
  });
  postAsBot(call, { kind: "channel", channel, topic }, normalizedContent(content), read);
}

const who = (call: Call): string => silentMention(call.user);
const described = (text: string): string => `\n\`\`\`\` quote\n${text === "" ? "*No description.*" : text}\n\`\`\`\``;

export function noticeCreated(call: Call, channel: Channel): void {
  const content = `**${policyName(channel)}** channel created by ${who(call)}. **Description:**${described(channel.description)}`;
  notice(call, channel, content, { isReadByCaller: true });
}
export function noticeRename(call: Call, channel: Channel, before: string): void {
  notice(call, channel, `${who(call)} renamed channel **${before}** to **${channel.name}**.`);
}
export function noticeDescription(call: Call, channel: Channel, before: string): void {
  const old = `* **Old description:**${described(before)}`;
  const now = `* **New description:**${described(channel.description)}`;
  notice(call, channel, `${who(call)} changed the description for this channel.\n\n${old}\n${now}`);
}
export function noticePrivacy(call: Call, channel: Channel, before: Channel): void {
  const change = `from **${policyName(before)}** to **${policyName(channel)}**`;
  const link = "[access permissions](/help/channel-permissions)";
  notice(call, channel, `${who(call)} changed the ${link} for this channel ${change}.`);
}
export function noticeRetention(call: Call, channel: Channel, before: number | null): void {
  const days = (own: number | null): number => own ?? Number(call.state.realm.message_retention_days ?? FOREVER);
  const old = days(before);
  const now = days(channel.message_retention_days);
  const turnsForever = old !== FOREVER && now === FOREVER;
  const summary = turnsForever
    ? "Messages in this channel will now be retained forever."
    : `Messages in this channel will now be automatically deleted ${now} days after they are sent.`;
  const period = (which: string, words: string): string => `* **${which} retention period**: ${words}\n`;
  notice(
    call,
    channel,
    `${who(call)} has changed the [message retention period](/help/message-retention-policy) for this channel:\n` +
      period("Old", old === FOREVER ? "Forever" : `${old} days`) +
      period("New", turnsForever ? "Forever" : `${now} days`) +
      `\n${summary}`,
  );
}
const FOREVER = -1;

export function noticeTopicsPolicy(call: Call, channel: Channel, before: string): void {
  const empty = emptyTopicName(call.state);
  const words: { readonly [policy: string]: string } = {
    inherit: "Automatic",
    allow_empty_topic: `*${empty}* topic allowed`,
    disable_empty_topic: `No *${empty}* topic`,
    empty_topic_only: `Only *${empty}* topic allowed`,
  };
  const change = `from **${words[before]}** to **${words[channel.topics_policy]}**`;
  notice(call, channel, `${who(call)} changed the "Allow posting to the *general chat* topic?" setting ${change}.`, {
    notWhenArchived: true,
  });
}
export function noticePosting(call: Call, channel: Channel, before: GroupValue): void {
  const { state } = call;
  const group = (id: number): string => `@_*${state.user_groups[id]?.name ?? id}*`;
  const words = (value: GroupValue): string => {
    const shown = shownGroupValue(state, value);
    if (typeof shown === "number") return group(shown);
    const people = shown.direct_members.flatMap((id) => state.users[id] ?? []);
    return [...shown.direct_subgroups.map(group), ...people.map(silentMention)].join(", ");
  };
  const lines = `* **Old**: ${words(before)}\n* **New**: ${words(channel.can_send_message_group)}\n`;
  const link = "[posting permissions](/help/channel-posting-policy)";
  notice(call, channel, `${who(call)} changed the ${link} for this channel:\n\n${lines}`);
}
export function noticeArchived(call: Call, channel: Channel): void {
  notice(call, channel, `Channel #**${channel.name}** has been archived.`, { isRead: true });
}
export function noticeUnarchived(call: Call, channel: Channel): void {
  notice(call, channel, `Channel #**${channel.name}** has been unarchived.`);
}

/** @throws ApiError 500 for the one state that has no name, but that creation allows (§3.3, quirk 5) */
function policyName(channel: Channel): string {
  if (!isPolicy(channel)) throw internalError();
  const { invite_only, is_web_public, history_public_to_subscribers } = channel;
  if (is_web_public) return "Web-public";
  if (!invite_only) return "Public";
  return history_public_to_subscribers ? "Private, shared history" : "Private, protected history";
}

/** One message about all new channels of a call, if the realm announces them (§3.15). */
export function announce(call: Call, channels: readonly Channel[]): void {
  const target = call.state.channels[Number(call.state.realm.new_stream_announcements_stream_id)];
  if (target === undefined || channels.length === 0) return;
  const names = channels.map(channelLink);
  const content =
    names.length === 1
      ? `${who(call)} created a new channel ${names[0]}.`
      : `${who(call)} created the following channels: ${names.join(", ")}.`;
  const topic = target.topics_policy === "empty_topic_only" ? "" : "new channels";
  const to = { kind: "channel", channel: target, topic } as const;
  postAsBot(call, to, normalizedContent(content), { readBy: [call.user.user_id] });
}
