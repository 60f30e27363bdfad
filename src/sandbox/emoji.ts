import { defined } from "../model/defined.ts";
import { emojiCode, isBuiltIn, isEmojiCode } from "../model/emoji-names.ts";
import type { JsonObject } from "../model/json.ts";
import { isAdmin, mayInRealm } from "./access.ts";
import { type Call, everybody } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError, insufficientPermission, notFound } from "./errors.ts";
import { checkFileSize, onlyFile, pictureOf } from "./images.ts";
import { stripped } from "./python.ts";
import type { UserStatus } from "./rows/accounts.ts";
import type { Emoji } from "./rows/organization.ts";
import type { RealmState } from "./state.ts";

/** All emoji, also deactivated ones, because messages still show them. */
export function shownEmoji(state: RealmState): JsonObject {
  return Object.fromEntries(Object.entries(state.emoji).map(([id, emoji]) => [id, { ...emoji }]));
}
const tell = (call: Call): void =>
  call.emit(everybody, { type: "realm_emoji", op: "update", realm_emoji: shownEmoji(call.state) });

/** @throws ApiError with the server's words (zulip-api.md §12.4) */
function checkName(name: string): void {
  if (name === "") throw new ApiError("Emoji name is missing");
  if (!/^[0-9a-z_-]+$/.test(name))
    throw new ApiError(
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
    );
  if (/[_-]$/.test(name)) throw new ApiError("Emoji names must end with either a letter or digit.");
}

/** Custom emoji (zulip-api.md §12.4). Of an image, only the headers are read, to find out its type. */
export const emojiEndpoints = [
  defineEndpoint("GET /realm/emoji", {
    handler: ({ state }) => ({ emoji: shownEmoji(state) }),
  }),
  defineEndpoint("POST /realm/emoji/{emoji_name:path}", {
    who: ["non-guest", "human"],
    params: {},
    handler(call, { emoji_name }) {
      const { state, user, ledger } = call;
      const name = stripped(emoji_name).replaceAll(" ", "_");
      checkName(name);
      if (!mayInRealm(state, user, "can_add_custom_emoji_group")) throw insufficientPermission();
      if (activeEmoji(state, name) !== undefined) throw new ApiError("A custom emoji with this name already exists.");
      const file = onlyFile(call, "file");
      if (isBuiltIn(name) && !isAdmin(user)) throw new ApiError("Only administrators can override default emoji.");
      checkFileSize(call, file, "emoji");
      const { extension, isAnimated } = pictureOf(file);
      const id = String(ledger.nextId("emoji"));
      const emoji: Emoji = {
        id,
        name,
        source_url: `/user_avatars/2/emoji/images/${id}.${extension}`,
        still_url: isAnimated ? `/user_avatars/2/emoji/images/still/${id}.png` : null,
        deactivated: false,
        author_id: user.user_id,
      };
      ledger.assign(state, { emoji: { ...state.emoji, [id]: emoji } });
      tell(call);
    },
  }),
  defineEndpoint("DELETE /realm/emoji/{emoji_name:path}", {
    handler(call, { emoji_name }) {
      const emoji = activeEmoji(call.state, emoji_name);
      if (emoji === undefined) throw notFound(`Emoji '${emoji_name}' does not exist`);
      if (!isAdmin(call.user) && emoji.author_id !== call.user.user_id)
        throw new ApiError("Must be an organization administrator or emoji author");
      call.ledger.set(emoji, "deactivated", true);
      tell(call);
    },
  }),
];

/** Finds the emoji that a request names, for statuses and reactions. */

/** The only emoji that Zulip itself adds. */
const EXTRA_EMOJI = "zulip";
export type EmojiFields = Required<Pick<UserStatus, "emoji_name" | "emoji_code" | "reaction_type">>;

/** The custom emoji with this name, unless it was deactivated. */
const activeEmoji = (state: RealmState, name: string): Emoji | undefined =>
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

/** The emoji of a request, which may leave out the code and the type: those of the emoji with this name. @throws ApiError if there is none */
export function emojiSent(
  state: RealmState,
  name: string,
  { emoji_code, reaction_type }: { readonly [field in "emoji_code" | "reaction_type"]: string | undefined },
): EmojiFields {
  const isWhole = emoji_code !== undefined && reaction_type !== undefined;
  const found = isWhole ? { emoji_code, reaction_type } : emojiNamed(state, name);
  return { emoji_name: name, ...found, ...defined({ emoji_code, reaction_type }) };
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
