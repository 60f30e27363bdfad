import { emojiCode, isEmojiCode } from "../model/emoji-names.ts";
import { ApiError } from "./errors.ts";
import type { UserStatus } from "./rows/accounts.ts";
import type { Emoji } from "./rows/organization.ts";
import type { RealmState } from "./state.ts";

/** Which emoji somebody means, for statuses and reactions. */

/** The one emoji of the server's own. */
const EXTRA_EMOJI = "zulip";
export type EmojiFields = Required<Pick<UserStatus, "emoji_name" | "emoji_code" | "reaction_type">>;

const activeEmoji = (state: RealmState, name: string): Emoji | undefined =>
  Object.values(state.emoji).find((emoji) => emoji.name === name && !emoji.deactivated);

/** Code and type of an emoji by its name. @throws ApiError when nothing is called so */
export function emojiNamed(state: RealmState, name: string): EmojiFields {
  const custom = activeEmoji(state, name);
  if (custom !== undefined) return { emoji_name: name, emoji_code: custom.id, reaction_type: "realm_emoji" };
  if (name === EXTRA_EMOJI) return { emoji_name: name, emoji_code: EXTRA_EMOJI, reaction_type: "zulip_extra_emoji" };
  const code = emojiCode(name);
  if (code === undefined) throw new ApiError(`Emoji '${name}' does not exist`);
  return { emoji_name: name, emoji_code: code, reaction_type: "unicode_emoji" };
}

/** @throws ApiError when name, code and type do not belong together */
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
