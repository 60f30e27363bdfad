import { emojiCode, isEmojiCode } from "../model/emoji-names.ts";
import { ApiError } from "./errors.ts";
import type { UserStatus } from "./rows/accounts.ts";
import type { Emoji } from "./rows/organization.ts";
import type { RealmState } from "./state.ts";

/** Finds the emoji that a request names, for statuses and reactions. */

/** The only emoji that Zulip itself adds. */
const EXTRA_EMOJI = "zulip";
export type EmojiFields = Required<Pick<UserStatus, "emoji_name" | "emoji_code" | "reaction_type">>;

/** The custom emoji with this name, unless it was deactivated. */
export const activeEmoji = (state: RealmState, name: string): Emoji | undefined =>
  Object.values(state.emoji).find((emoji) => emoji.name === name && !emoji.deactivated);

/** The code and type of the emoji with this name. @throws ApiError if no emoji has it */
export function emojiNamed(state: RealmState, name: string): EmojiFields {
  const custom = activeEmoji(state, name);
  if (custom !== undefined) return { emoji_name: name, emoji_code: custom.id, reaction_type: "realm_emoji" };
  if (name === EXTRA_EMOJI) return { emoji_name: name, emoji_code: EXTRA_EMOJI, reaction_type: "zulip_extra_emoji" };
  const code = emojiCode(name);
  if (code === undefined) throw new ApiError(`Emoji '${name}' does not exist`);
  return { emoji_name: name, emoji_code: code, reaction_type: "unicode_emoji" };
}

/** @throws ApiError if name, code and type do not match */
export function checkEmoji(
  state: RealmState,
  { emoji_name: name, emoji_code: code, reaction_type: type }: EmojiFields,
): void {
  switch (type) {
    case "realm_emoji": {
      const emoji = state.emoji[code];
      if (emoji === undefined) throw new ApiError("Invalid custom emoji.");
      if (emoji.name !== name) throw new ApiError("Invalid custom emoji name.");
      if (emoji.deactivated) throw new ApiError("This custom emoji has been deactivated.");
      return;
    }
    case "zulip_extra_emoji":
      if (code !== EXTRA_EMOJI) throw new ApiError("Invalid emoji code.");
      if (name !== code) throw new ApiError("Invalid emoji name.");
      return;
    case "unicode_emoji":
      if (!isEmojiCode(code)) throw new ApiError("Invalid emoji code.");
      if (emojiCode(name) !== code) throw new ApiError("Invalid emoji name.");
      return;
    default:
      throw new ApiError("Invalid emoji type.");
  }
}
