import { defined } from "../../model/defined.ts";
import type { Json } from "../../model/json.ts";
import { among, type Call } from "../call.ts";
import { checkEmoji, emojiNamed, emojiSent } from "../emoji.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { optional, required, text, withDefault } from "../params.ts";
import type { User } from "../rows/accounts.ts";
import type { Message } from "../rows/messages.ts";
import { hasCopy, hearersOf, messageFor } from "./access.ts";
import { HISTORY } from "./flags.ts";
import { takePart } from "./user-topics.ts";

/** Emoji reactions to messages: each person can add each emoji once. */

/** The fields that identify an emoji: reactions with the same code and type are votes for the same one. */
interface Emoji {
  readonly emoji_code: string;
  readonly reaction_type: string;
}
const isOf =
  ({ emoji_code, reaction_type }: Emoji) =>
  (row: { readonly [key: string]: Json }): boolean =>
    row.emoji_code === emoji_code && row.reaction_type === reaction_type;
const byUser = (user: User, emoji: Emoji) => {
  const isSame = isOf(emoji);
  return (row: { readonly [key: string]: Json }): boolean => row.user_id === user.user_id && isSame(row);
};

export const reactionEndpoints = [
  defineEndpoint("POST /messages/{message_id}/reactions", {
    params: { emoji_code: optional(text()), emoji_name: required(text()), reaction_type: optional(text()) },
    handler(call, { message_id, ...sent }) {
      const { state, user, ledger } = call;
      const message = messageFor(call, message_id, "modify");
      const emoji = emojiSent(state, sent.emoji_name, sent);
      if (message.reactions.some(byUser(user, emoji)))
        throw new ApiError("Reaction already exists.", { code: "REACTION_ALREADY_EXISTS" });
      // A vote for an existing reaction works even if the emoji is no longer available, and takes its name.
      const first = message.reactions.find(isOf(emoji));
      if (first === undefined) checkEmoji(state, emoji);
      const emoji_name = typeof first?.emoji_name === "string" ? first.emoji_name : sent.emoji_name;
      const reaction = { ...emoji, emoji_name, user_id: user.user_id };
      ledger.set(message, "reactions", [...message.reactions, reaction]);
      tell(call, "add", message, reaction);
      noteParticipation(call, message);
    },
  }),
  defineEndpoint("DELETE /messages/{message_id}/reactions", {
    params: {
      emoji_code: optional(text()),
      emoji_name: optional(text()),
      reaction_type: withDefault(text(), "unicode_emoji"),
    },
    handler(call, { message_id, emoji_code, emoji_name, reaction_type }) {
      const { state, user, ledger } = call;
      const message = messageFor(call, message_id, "modify");
      if (emoji_code === undefined && emoji_name === undefined)
        throw new ApiError("At least one of the following arguments must be present: emoji_name, emoji_code");
      const emoji = { emoji_code: emoji_code ?? emojiNamed(state, emoji_name ?? "").emoji_code, reaction_type };
      const reaction = message.reactions.find(byUser(user, emoji));
      if (reaction === undefined) throw new ApiError("Reaction doesn't exist.", { code: "REACTION_DOES_NOT_EXIST" });
      ledger.set(
        message,
        "reactions",
        message.reactions.filter((each) => each !== reaction),
      );
      tell(call, "remove", message, reaction);
    },
  }),
];

/** Everybody who gets events about the message; from 328 to 338 the events lacked the full user object. */
function tell(call: Call, op: "add" | "remove", message: Message, reaction: { readonly [key: string]: Json }): void {
  const { user_id, email, full_name } = call.user;
  const isShort = call.level >= 328 && call.level < 339;
  call.emit(among(hearersOf(call.state, message)), {
    type: "reaction",
    op,
    message_id: message.id,
    ...reaction,
    ...defined({ user: isShort ? undefined : { user_id, email, full_name } }),
  });
}

/** A person who reacts takes part: they have a copy of the message from then on, and may follow its topic. */
function noteParticipation(call: Call, message: Message): void {
  const { user, ledger } = call;
  if (!hasCopy(message, user.user_id)) {
    ledger.set(message, "received_by", [...message.received_by, user.user_id]);
    ledger.set(message, "flags", { ...message.flags, [user.user_id]: [...HISTORY] });
  }
  if (message.channel_id !== null && !user.is_bot)
    takePart(call, user, message.channel_id, message.topic, { how: "reacted" });
}
