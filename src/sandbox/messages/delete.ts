import type { JsonObject } from "../../model/json.ts";
import { mayInChannel } from "../access.ts";
import { dropUploadsOf } from "../attachments.ts";
import { among, type Call } from "../call.ts";
import { emitUpdate } from "../channels/events.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Message } from "../rows/messages.ts";
import { rows } from "../rows/values.ts";
import { channelOf, hearersOf, limitSeconds, mayByRealm, messageFor } from "./access.ts";
import { topicFor } from "./topics.ts";

/** @throws ApiError if the user may not delete the message, or may no longer do so */
function checkMayDelete(call: Call, user: User, message: Message): void {
  const { state } = call;
  const channel = message.channel_id === null ? undefined : channelOf(state, message);
  if (mayByRealm(state, user, "can_delete_any_message_group")) return;
  if (channel !== undefined && mayInChannel(state, user, channel, "can_delete_any_message_group")) return;
  const refused = new ApiError("You don't have permission to delete this message");
  const sender = state.users[message.sender_id];
  if (message.sender_id !== user.user_id && sender?.bot_owner_id !== user.user_id) throw refused;
  const mayOwn =
    mayByRealm(state, user, "can_delete_own_message_group") ||
    (channel !== undefined && mayInChannel(state, user, channel, "can_delete_own_message_group"));
  if (!mayOwn) throw refused;
  const limit = limitSeconds(state, "message_content_delete_limit_seconds");
  if (limit !== null && call.now - message.timestamp > limit)
    throw new ApiError("The time limit for deleting this message has passed");
}

/** Removes a message from the realm, and notifies everybody who had it. */
export function removeMessage(call: Call, message: Message, actor: User): void {
  const { state, ledger } = call;
  const received = hearersOf(state, message).add(actor.user_id);
  const channel = message.channel_id === null ? undefined : channelOf(state, message);
  ledger.remove(state.messages, message.id);
  dropUploadsOf(call, message.id);
  if (channel !== undefined && channel.first_message_id === message.id) {
    const first = rows(state.messages).find((each) => each.channel_id === channel.stream_id);
    ledger.set(channel, "first_message_id", first?.id ?? null);
    emitUpdate(call, channel, "first_message_id", first?.id ?? null, {}, among(received));
  }
  emitDeletion(call, received, [message.id], channel && { channel, topic: message.topic });
}

export interface Place {
  readonly channel: Channel;
  readonly topic: string;
}
/** Messages that are gone for these people: one event, or one for each message if the client does not know that. @param place undefined: a direct conversation */
export function emitDeletion(call: Call, people: ReadonlySet<number>, message_ids: number[], place?: Place): void {
  const tell = (isBulk: boolean, ids: JsonObject): void =>
    call.emit(among(people), (client) => {
      if (client.capabilities.has("bulk_message_deletion") !== isBulk) return undefined;
      if (place === undefined) return { type: "delete_message", ...ids, message_type: "private" };
      const { channel, topic } = place;
      const where = { stream_id: channel.stream_id, topic: topicFor(call.state, client, topic) };
      return { type: "delete_message", ...ids, message_type: "stream", ...where };
    });
  tell(true, { message_ids });
  for (const message_id of message_ids) tell(false, { message_id });
}

export const deleteEndpoints = [
  defineEndpoint("DELETE /messages/{message_id}", {
    params: {},
    handler(call, { message_id }) {
      const message = messageFor(call, message_id, "modify");
      checkMayDelete(call, call.user, message);
      removeMessage(call, message, call.user);
    },
  }),
];
