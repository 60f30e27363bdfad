import { isList, isObject, type Json, type JsonObject } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import { isAdmin } from "../access.ts";
import { type Call, everybody, only } from "../call.ts";
import type { Audience } from "../events.ts";
import { BOT, type User } from "../rows/accounts.ts";
import type { RealmState } from "../state.ts";
import { tellPerson } from "./shown.ts";

/** The additional fields of bots, and who gets events about them (zulip-api.md §18). */

/** The fields that are stored as channel ids and shown as names. */
const DEFAULT_CHANNELS = ["default_sending_stream", "default_events_register_stream"] as const;
export type DefaultChannel = (typeof DEFAULT_CHANNELS)[number];

export function shownDefault(state: RealmState, { bot }: User, which: DefaultChannel): string | null {
  const id = bot[which];
  return typeof id === "number" ? (state.channels[id]?.name ?? null) : null;
}
export const shownDefaults = (state: RealmState, bot: User) => ({
  default_sending_stream: shownDefault(state, bot, "default_sending_stream"),
  default_events_register_stream: shownDefault(state, bot, "default_events_register_stream"),
  default_all_public_streams: bot.bot.default_all_public_streams === true,
});

/** The services of outgoing webhook bots unchanged; of embedded bots the configuration, if there is one. */
function shownServices({ bot, bot_type }: User): readonly Json[] {
  if (bot_type === BOT.outgoingWebhook && isList(bot.services)) return bot.services;
  if (bot_type !== BOT.embedded || !isObject(bot.config) || Object.keys(bot.config).length === 0) return [];
  return [{ config_data: bot.config, service_name: bot.service_name ?? "" }];
}

/** The bot as seen by people who may administer it, including its API key (§2.2). */
export function shownBot({ state, server, level }: Pick<Call, "state" | "server" | "level">, bot: User): JsonObject {
  return ofBots(level, {
    email: bot.email,
    user_id: bot.user_id,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    api_key: server.keyOf(bot.user_id),
    ...shownDefaults(state, bot),
    owner_id: bot.bot_owner_id,
    avatar_url: bot.avatar_url,
    services: shownServices(bot),
  });
}
/** Since 474, `realm_bots` and its events lack the key, and what accounts show as well. */
const ofBots = (level: number, fields: JsonObject): JsonObject =>
  level < 474 ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => !OF_ACCOUNTS.has(name)));
const OF_ACCOUNTS: ReadonlySet<string> = new Set(
  words("api_key avatar_url bot_type email full_name is_active owner_id"),
);

/** The owner and human administrators; only the owner if a default channel of the bot is private. */
function concerned(state: RealmState, bot: User): Audience {
  const isPrivate = DEFAULT_CHANNELS.some((which) => {
    const id = bot.bot[which];
    return typeof id === "number" && state.channels[id]?.invite_only === true;
  });
  return (user) => user.user_id === bot.bot_owner_id || (!isPrivate && user.is_active && !user.is_bot && isAdmin(user));
}
export function tellBotChange(
  call: Call,
  bot: User,
  changed: JsonObject,
  audience: Audience = concerned(call.state, bot),
): void {
  const fields = ofBots(call.level, changed);
  if (Object.keys(fields).length === 0) return;
  call.emit(audience, { type: "realm_bot", op: "update", bot: { user_id: bot.user_id, ...fields } });
}
export function tellBotMade(call: Call, bot: User, audience: Audience = concerned(call.state, bot)): void {
  call.emit(audience, { type: "realm_bot", op: "add", bot: shownBot(call, bot) });
}

/** Administrators always see every bot; for others, the bot appears and disappears as its owner changes. */
export function changeOwner(call: Call, bot: User, owner: User): void {
  const { state } = call;
  const before = state.users[bot.bot_owner_id ?? 0];
  const { user_id } = bot;
  call.ledger.set(bot, "bot_owner_id", owner.user_id);
  const received = new Set<number>();
  if (before !== undefined && !isAdmin(before)) {
    call.emit(only(before.user_id), { type: "realm_bot", op: "delete", bot: { user_id } });
    received.add(before.user_id);
  }
  if (!isAdmin(owner)) {
    tellBotMade(call, bot, only(owner.user_id));
    received.add(owner.user_id);
  }
  const others = concerned(state, bot);
  tellBotChange(call, bot, { owner_id: owner.user_id }, (user) => !received.has(user.user_id) && others(user));
  tellPerson(call, bot, { bot_owner_id: owner.user_id }, everybody);
}
