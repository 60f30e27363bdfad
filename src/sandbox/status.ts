import { defined } from "../model/defined.ts";
import { type Call, only } from "./call.ts";
import { checkEmoji, type EmojiFields, emojiNamed } from "./emoji.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { type Args, bool, checkNoNullBytes, json, optional, text } from "./params.ts";
import type { User, UserStatus } from "./rows/accounts.ts";
import { type RealmState, settingOf } from "./state.ts";
import { activeTarget, toAdminister } from "./users/access.ts";
import { knowing } from "./users/shown.ts";

/** The statuses that people set (api.md operation 8, zulip-api.md §16.13). */

const MAX_TEXT_LENGTH = 60;
const statusParams = {
  away: optional(json(bool)),
  emoji_code: optional(text()),
  emoji_name: optional(text()),
  reaction_type: optional(text()),
  status_text: optional(text({ strip: true, maxLength: MAX_TEXT_LENGTH })),
};

/** The new emoji; undefined: it stays as it is; null: it is removed. @throws ApiError */
function newEmoji(
  state: RealmState,
  { emoji_name: name, emoji_code: code, reaction_type: type }: Args<typeof statusParams>,
): EmojiFields | null | undefined {
  if (name === "") return null;
  if (name === undefined) {
    if (code !== undefined && code !== "") throw emojiNameNeeded();
    if (type !== undefined && type !== "") throw emojiNameNeeded();
    return undefined;
  }
  const found = code === undefined || type === undefined ? emojiNamed(state, name) : undefined;
  const emoji = {
    emoji_name: name,
    emoji_code: code ?? found?.emoji_code ?? "",
    reaction_type: type ?? found?.reaction_type ?? "",
  };
  checkEmoji(state, emoji);
  return emoji;
}
const emojiNameNeeded = (): ApiError =>
  new ApiError("Client must pass emoji_name if they pass either emoji_code or reaction_type.");

/** `away` is the old name for switched-off presence; only values that are set are shown. */
export function shownStatus(call: Call, userId: number): UserStatus {
  const user = call.state.users[userId];
  if (user === undefined) return {};
  const { status_text, emoji_name, emoji_code, reaction_type } = user.status;
  return {
    // Switched-off presence does not appear here until a status has been set once.
    ...defined({
      away:
        user.status.away !== undefined && settingOf(call.state, user, "presence_enabled") === false ? true : undefined,
      status_text: status_text === undefined || status_text === "" ? undefined : status_text,
      emoji_name:
        emoji_name === undefined || emoji_code === undefined || reaction_type === undefined ? undefined : emoji_name,
      emoji_code:
        emoji_name === undefined || emoji_code === undefined || reaction_type === undefined ? undefined : emoji_code,
      reaction_type:
        emoji_name === undefined || emoji_code === undefined || reaction_type === undefined ? undefined : reaction_type,
    }),
  };
}

/** @throws ApiError */
function changeStatus(call: Call, user: User, sent: Args<typeof statusParams>): void {
  const { state, ledger } = call;
  const { status_text, away, emoji_name } = sent;
  if (status_text === undefined && away === undefined && emoji_name === undefined)
    throw new ApiError("Client did not pass any new values.");
  const emoji = newEmoji(state, sent);
  checkNoNullBytes(status_text);
  if (away !== undefined) {
    ledger.set(user, "settings", { ...user.settings, presence_enabled: !away });
    const event = { type: "user_settings", op: "update", property: "presence_enabled", value: !away };
    call.emit(only(user.user_id), event);
  }
  const { emoji_name: _, emoji_code: __, reaction_type: ___, ...withoutEmoji } = user.status;
  ledger.set(user, "status", {
    ...(emoji === undefined ? user.status : withoutEmoji),
    ...emoji,
    ...defined({ status_text }),
    away: away ?? user.status.away ?? false,
  });
  call.emit(knowing(state, user), {
    type: "user_status",
    user_id: user.user_id,
    ...defined({ away, status_text }),
    ...(emoji === null ? { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" } : emoji),
  });
}

export const statusEndpoints = [
  defineEndpoint("POST /users/{user_id}/status", {
    level: 407,
    // Bots that are administrators may since 473.
    who: (level) => (level >= 473 ? [] : ["human"]),
    params: statusParams,
    handler(call, { user_id, ...sent }) {
      changeStatus(call, toAdminister(call, user_id, { bots: false, deactivated: false }), sent);
    },
  }),
  defineEndpoint("POST /users/me/status", {
    who: ["human"],
    params: statusParams,
    handler(call, sent) {
      changeStatus(call, call.user, sent);
    },
  }),
  defineEndpoint("GET /users/{user_id}/status", {
    level: 262,
    handler(call, { user_id }) {
      activeTarget(call, user_id, false);
      return { status: { ...shownStatus(call, user_id) } };
    },
  }),
];
