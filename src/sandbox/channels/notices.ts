import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { notificationBot, postMessage, silentMention } from "../post-message.ts";
import type { Channel, GroupValue } from "../state.ts";
import { isPolicy } from "./rules.ts";

/**
 * What the Notification Bot says in a channel about its own changes (zulip-api.md §3.5.4): always below level 434, later
 * only when the realm asks for it. They are real messages: they count as topics and as the channel's first message.
 */
function notice(call: Call, channel: Channel, content: string): void {
  if (call.level >= 434 && call.state.realm.send_channel_events_messages !== true) return;
  const sender = notificationBot(call);
  if (sender === undefined) return;
  const topic = channel.topics_policy === "empty_topic_only" ? "" : "channel events";
  postMessage(call, { sender, channel, topic, content });
}

const who = (call: Call): string => silentMention(call.user);
const change = (before: string, after: string): string => `\n\n* **Old**: ${before}\n* **New**: ${after}\n`;
const quoted = (text: string): string => (text === "" ? "*No description.*" : `\`\`\` quote\n${text}\n\`\`\``);

/** The server has no name for a channel that is private and web-public, and trips over it (§3.3, quirk 5). */
export function noticeCreated(call: Call, channel: Channel): void {
  if (!isPolicy(channel)) throw new ApiError("Internal server error", { status: 500, code: null });
  const kind = channel.is_web_public ? "Web-public" : channel.invite_only ? "Private" : "Public";
  notice(call, channel, `${kind} channel created by ${who(call)}. **Description:**\n${quoted(channel.description)}`);
}
export function noticeRename(call: Call, channel: Channel, before: string): void {
  notice(call, channel, `${who(call)} renamed channel **${before}** to **${channel.name}**.`);
}
export function noticeDescription(call: Call, channel: Channel, before: string): void {
  notice(
    call,
    channel,
    `${who(call)} changed the description for this channel.${change(quoted(before), quoted(channel.description))}`,
  );
}
export function noticePrivacy(call: Call, channel: Channel, before: Channel): void {
  notice(
    call,
    channel,
    `${who(call)} changed the access permissions for this channel from **${policyName(before)}** to **${policyName(channel)}**.`,
  );
}
export function noticeRetention(call: Call, channel: Channel, before: number | null): void {
  const words = (days: number | null): string =>
    days === null ? "as in the organization" : days === -1 ? "forever" : `${days} days`;
  notice(
    call,
    channel,
    `${who(call)} has changed the message retention period for this channel:${change(words(before), words(channel.message_retention_days))}`,
  );
}
export function noticeTopicsPolicy(call: Call, channel: Channel, before: string): void {
  notice(
    call,
    channel,
    `${who(call)} changed the "Allow posting to the empty topic?" setting for this channel:${change(before, channel.topics_policy)}`,
  );
}
export function noticePosting(call: Call, channel: Channel, before: GroupValue): void {
  const words = (value: GroupValue): string =>
    typeof value === "number" ? (call.state.user_groups[value]?.name ?? String(value)) : "selected people and groups";
  notice(
    call,
    channel,
    `${who(call)} changed the posting permissions for this channel:${change(words(before), words(channel.can_send_message_group))}`,
  );
}
export function noticeArchived(call: Call, channel: Channel): void {
  notice(call, channel, `Channel ${channel.name} has been archived.`);
}
export function noticeUnarchived(call: Call, channel: Channel): void {
  notice(call, channel, `Channel ${channel.name} un-archived.`);
}

function policyName({ invite_only, is_web_public, history_public_to_subscribers }: Channel): string {
  if (is_web_public) return "Web-public";
  if (!invite_only) return "Public";
  return history_public_to_subscribers ? "Private, shared history" : "Private, protected history";
}

/** One post for all new channels of a call, where the realm announces them (§3.15). */
export function announce(call: Call, channels: readonly Channel[]): void {
  const target = call.state.channels[Number(call.state.realm.new_stream_announcements_stream_id)];
  const sender = notificationBot(call);
  if (target === undefined || sender === undefined || channels.length === 0) return;
  const names = channels.map((channel) => `#**${channel.name}**`);
  const content =
    names.length === 1
      ? `${who(call)} created a new channel ${names[0]}.`
      : `${who(call)} created the following channels: ${names.join(", ")}.`;
  postMessage(call, { sender, channel: target, topic: "new channels", content });
}
