import { subscriberCount } from "../access.ts";
import type { Call } from "../call.ts";
import { channelNamed, checkChannelName } from "../channels/names.ts";
import { ApiError } from "../errors.ts";
import { int, type Schema } from "../params.ts";
import { setOrder, stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { mayKnowOf } from "../users/shown.ts";
import { checkMayPost, mayByRealm } from "./access.ts";
import { escaped } from "./html-diff.ts";
import { channelLink } from "./links.ts";
import { tellOfNobody, tellOfUnknownId, tellOfUnknownName } from "./notices.ts";
import type { Destination } from "./posting.ts";
import { checkTopicsPolicy } from "./topics.ts";

/** Resolves `to` to people or a channel, with all possible errors. */

export const MESSAGE_TYPES = ["direct", "private", "stream", "channel"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
export const isChannelType = (type: MessageType): boolean => type === "channel" || type === "stream";

/** A number or a list of numbers; for anything else, the error is that for a number. */
export const idOrIds: Schema<number | readonly number[]> = (value, path) => {
  const asInt = int();
  if (Array.isArray(value) && value.every((each) => Number.isInteger(each)))
    return value.map((each) => asInt(each, path));
  return asInt(value, `${path}["int"]`);
};

/**
 * A channel to which the sender may send. `topic` comes from `topicToSendTo`: the server checks its characters before the content, and the content
 * before the channel.
 * @throws ApiError
 */
export function channelDestination(call: Call, sender: User, channel: Channel, topic: string): Destination {
  checkMayPost(call, sender, channel, topic);
  checkTopicsPolicy(call, channel, topic);
  return { kind: "channel", channel, topic };
}
/** @throws ApiError STREAM_DOES_NOT_EXIST */
export function channelById(call: Call, sender: User, id: number): Channel {
  const channel = call.state.channels[id];
  if (channel === undefined) {
    tellOfUnknownId(call, sender, id);
    throw new ApiError(`Channel with ID '${id}' does not exist`, {
      code: "STREAM_DOES_NOT_EXIST",
      extra: { stream_id: id },
    });
  }
  noteNobody(call, sender, channel);
  return channel;
}
function noteNobody(call: Call, sender: User, channel: Channel): void {
  if (subscriberCount(call.state, channel.stream_id) === 0) tellOfNobody(call, sender, channelLink(channel));
}
/** @throws ApiError STREAM_DOES_NOT_EXIST */
export function channelByName(call: Call, sender: User, sent: string): Channel {
  const name = stripped(sent);
  checkChannelName(name);
  const channel = channelNamed(call.state, name);
  if (channel === undefined) {
    tellOfUnknownName(call, sender, name);
    const shown = escaped(name);
    throw new ApiError(`Channel '${shown}' does not exist`, {
      code: "STREAM_DOES_NOT_EXIST",
      extra: { stream: shown },
    });
  }
  noteNobody(call, sender, channel);
  return channel;
}
/**
 * A conversation to which the sender may write.
 * @throws ApiError for unknown, deactivated and forbidden people
 */
export function directDestination(call: Call, sender: User, people: readonly User[]): Destination {
  if (people.some((person) => !mayKnowOf(call.state, sender, person)))
    throw new ApiError("You do not have permission to access some of the recipients.");
  checkActive(people);
  const to = {
    kind: "direct",
    userIds: [...new Set([sender.user_id, ...people.map((user) => user.user_id)])],
  } as const;
  checkMayWriteTo(call, sender, people, to.userIds);
  return to;
}
/** @throws ApiError if one of them is deactivated */
export function checkActive(people: readonly User[]): void {
  for (const user of people) if (!user.is_active) throw new ApiError(`'${user.email}' is no longer using Zulip.`);
}
/** @throws ApiError "Invalid user ID 7", or if the list is empty */
export function peopleById(call: Call, ids: readonly number[]): User[] {
  if (ids.length === 0) throw new ApiError("Message must have recipients");
  return setOrder(ids).map((id) => {
    const user = call.state.users[id];
    if (user === undefined) throw new ApiError(`Invalid user ID ${id}`);
    return user;
  });
}
/** Accepts only addresses that the API shows. @throws ApiError "Invalid email '…'" */
export function peopleByEmail(call: Call, emails: readonly string[]): User[] {
  const wanted = [...new Set(emails.map(stripped))].filter((email) => email !== "");
  if (wanted.length === 0) throw new ApiError("Message must have recipients");
  return wanted.map((email) => {
    const user = rows(call.state.users).find((each) => each.email.toLowerCase() === email.toLowerCase());
    if (user === undefined) throw new ApiError(`Invalid email '${email}'`);
    return user;
  });
}

function checkMayWriteTo(call: Call, sender: User, people: readonly User[], everybody: readonly number[]): void {
  const { state } = call;
  if (sender.is_bot || people.every((user) => user.is_bot || user.user_id === sender.user_id)) return;
  const authorizes = (user: User | undefined) =>
    user !== undefined && mayByRealm(state, user, "direct_message_permission_group");
  if (!everybody.some((id) => authorizes(state.users[id]))) {
    const setting = state.realm.direct_message_permission_group;
    const nobody = typeof setting === "number" && state.user_groups[setting]?.name === "role:nobody";
    throw new ApiError(
      nobody
        ? "Direct messages are disabled in this organization."
        : "This conversation does not include any users who can authorize it.",
    );
  }
  if (mayByRealm(state, sender, "direct_message_initiator_group")) return;
  const key = [...everybody].sort((a, b) => a - b).join(",");
  const begun = rows(state.messages).some(
    (message) => message.channel_id === null && [...message.to].sort((a, b) => a - b).join(",") === key,
  );
  if (!begun) throw new ApiError("You do not have permission to initiate direct message conversations.");
}
