import { defined } from "../model/defined.ts";
import type { JsonObject } from "../model/json.ts";
import { memberById } from "./access.ts";
import { type Call, only } from "./call.ts";
import { checkEmoji, type EmojiFields, emojiSent } from "./emoji.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { type Args, bool, checkNoNullBytes, int, json, optional, required, text, withDefault } from "./params.ts";
import type { Presence, User, UserStatus } from "./rows/accounts.ts";
import { type RealmState, settingOf } from "./state.ts";
import { activeTarget, known, memberByAddress, toAdminister } from "./users/access.ts";
import { knowing, mayKnowOf, members } from "./users/shown.ts";

/** Who is online: each person as their clients last told it. People who do not show their presence are not recorded. */

const ACTIVE_SECONDS = 120;
const OFFLINE_SECONDS = 200;
/** How far back the presences of everybody go, unless the client asks for other days. */
const DAYS = 14;
const CLIENT = "website";

type Times = Pick<Presence, "active" | "connected">;
/** When the person was last active, or joined; and last connected. */
const timesOf = (user: User, { active, connected }: Presence): Times => ({
  active: active ?? Math.floor(Date.parse(user.date_joined) / 1000),
  connected,
});
const modern = (user: User, presence: Presence): JsonObject => {
  const { active, connected } = timesOf(user, presence);
  return { active_timestamp: active, idle_timestamp: connected };
};
/** The form for clients that know one state of each client: here, one client. */
function legacy(call: Call, user: User, presence: Presence) {
  const { active, connected } = timesOf(user, presence);
  const isActive = active !== null && call.now - active <= ACTIVE_SECONDS;
  return { status: isActive ? "active" : "idle", timestamp: isActive ? active : connected };
}

interface Wanted {
  readonly slim?: boolean;
  /** Only what changed after this update. */
  readonly after?: number | undefined;
  readonly days?: number | undefined;
}
/** The presences that the caller may know, and the number of the last update. */
export function presences(call: Call, { slim = false, after = -1, days = DAYS }: Wanted) {
  const shown: { [key: string]: JsonObject } = {};
  let last = -1;
  if (call.state.realm.presence_disabled === true) return { shown, last };
  for (const user of members(call.state)) {
    const { presence } = user;
    if (presence === undefined || !user.is_active || !mayKnowOf(call.state, call.user, user)) continue;
    last = Math.max(last, presence.update);
    if (presence.update <= after || presence.connected < call.now - days * 86_400) continue;
    const state = legacy(call, user, presence);
    if (slim) shown[user.user_id] = modern(user, presence);
    else
      shown[user.email] = {
        aggregated: { client: CLIENT, ...state },
        [CLIENT]: { client: CLIENT, ...state, pushable: false },
      };
  }
  return { shown, last };
}

function update(call: Call, isActive: boolean): void {
  const { state, user, now } = call;
  if (settingOf(state, user, "presence_enabled") === false) return;
  const before = user.presence;
  const last = Math.max(-1, ...members(state).flatMap(({ presence }) => presence?.update ?? []));
  const presence = { active: isActive ? now : (before?.active ?? null), connected: now, update: last + 1 };
  call.ledger.assign(user, { presence });
  const wasOnline = before !== undefined && now - before.connected <= OFFLINE_SECONDS;
  if (wasOnline || state.realm.presence_disabled === true) return;
  const { user_id, email } = user;
  const website = { client: CLIENT, ...legacy(call, user, presence), pushable: false };
  call.emit(knowing(state, user), ({ capabilities }) =>
    capabilities.has("simplified_presence_events") && call.level >= 419
      ? { type: "presence", presences: { [user_id]: modern(user, presence) } }
      : { type: "presence", email, user_id, server_timestamp: now, presence: { [CLIENT]: website } },
  );
}

/** @throws ApiError "No such user" for whoever is not active, too */
function targetOf(call: Call, who: string): User {
  const user = /^\d+$/.test(who) ? memberById(call.state, Number(who)) : memberByAddress(call.state, call.user, who);
  if (!user.is_active) throw new ApiError("No such user");
  if (user.is_bot) throw new ApiError("Presence is not supported for bot users.");
  return known(call, user);
}

export const presenceEndpoints = [
  defineEndpoint("POST /users/me/presence", {
    who: ["human"],
    params: {
      history_limit_days: optional(json(int({ min: 0 }))),
      last_update_id: optional(json(int({ min: -1 })), { level: 263 }),
      new_user_input: withDefault(json(bool), false),
      ping_only: withDefault(json(bool), false),
      slim_presence: withDefault(json(bool), false),
      status: required(text()),
    },
    handler(call, { history_limit_days: days, last_update_id: after, ping_only, slim_presence, status }) {
      if (status !== "active" && status !== "idle") throw new ApiError(`Invalid status: ${status}`);
      update(call, status === "active");
      if (ping_only) return {};
      const { shown, last } = presences(call, { slim: slim_presence || after !== undefined, after, days });
      const answer = { presences: shown, server_timestamp: call.server.clock.now() / 1000 };
      return after === undefined ? answer : { ...answer, presence_last_update_id: last };
    },
  }),
  defineEndpoint("GET /users/{who:str}/presence", {
    handler(call, { who }) {
      const user = targetOf(call, who);
      if (user.presence === undefined) throw new ApiError(`No presence data for ${who}`);
      const state = legacy(call, user, user.presence);
      const isOffline = call.now - (state.timestamp ?? 0) > OFFLINE_SECONDS;
      return { presence: { aggregated: isOffline ? { ...state, status: "offline" } : state, [CLIENT]: state } };
    },
  }),
  defineEndpoint("GET /realm/presence", {
    handler: (call) => ({ presences: presences(call, {}).shown, server_timestamp: call.server.clock.now() / 1000 }),
  }),
];

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
  const emoji = emojiSent(state, name, { emoji_code: code, reaction_type: type });
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
  const isWhole = emoji_name !== undefined && emoji_code !== undefined && reaction_type !== undefined;
  return {
    // Switched-off presence does not appear here until a status has been set once.
    ...defined({
      away:
        user.status.away !== undefined && settingOf(call.state, user, "presence_enabled") === false ? true : undefined,
      status_text: status_text === undefined || status_text === "" ? undefined : status_text,
    }),
    ...(isWhole ? { emoji_name, emoji_code, reaction_type } : undefined),
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
