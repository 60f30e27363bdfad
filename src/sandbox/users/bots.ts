import { isList, isObject } from "../../model/json.ts";
import { hasContentAccess, isAdmin, isOwner, mayInRealm } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { isEmailAddress } from "../email-address.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission, mustBe } from "../errors.ts";
import { bool, dictionary, int, json, optional, required, type Schema, string, text, withDefault } from "../params.ts";
import { type RealmState, ROLE, type Role, rows, type User } from "../state.ts";
import { isUrl } from "../url-address.ts";
import { checkedFullName } from "../user-settings/full-name.ts";
import { stripped } from "../white-space.ts";
import { roleNumber } from "./access.ts";
import { deactivate } from "./activity.ts";
import { changeRole, joinRoleGroups } from "./role-groups.ts";
import { members, shownUser } from "./shown.ts";

const GENERIC = 1;
const INCOMING_WEBHOOK = 2;
const OUTGOING_WEBHOOK = 3;
const EMBEDDED = 4;
/** Of the messages that an outgoing webhook is sent: the server's own, and Slack's. */
const FORMATS: readonly [number, number] = [1, 2];
const url: Schema<string> = (value, path) => {
  const sent = string()(value, path);
  if (!isUrl(sent)) throw new ApiError(`Invalid ${path}: Value error, Not a URL`);
  return sent;
};

/** Bots: people make them and look after their own; bots may do neither (zulip-api.md §1.5). */
export const botEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/bots",
    who: ["non-guest", "human"],
    reportsIgnored: false,
    params: {},
    handler({ state, user, server, level }) {
      const own = members(state).filter((bot) => bot.is_bot && bot.is_active && bot.bot_owner_id === user.user_id);
      return {
        bots: own.map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          ...(level < 474 ? { api_key: server.keyOf(bot.user_id) } : {}),
          avatar_url: bot.avatar_url,
          ...defaultsOf(bot),
        })),
      };
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/bots",
    who: ["non-guest", "human"],
    params: {
      bot_type: withDefault(json(int()), GENERIC),
      config_data: optional(json(dictionary(string()))),
      default_all_public_streams: withDefault(json(bool), false),
      default_events_register_stream: optional(text()),
      default_sending_stream: optional(text()),
      full_name: required(text()),
      interface_type: withDefault(json(int()), FORMATS[0]),
      payload_url: withDefault(json(url), ""),
      service_name: optional(text()),
      short_name: required(text()),
    },
    handler(call, { bot_type, full_name, interface_type, payload_url, short_name, ...sent }) {
      const { state, user, ledger } = call;
      const shortName = stripped(short_name);
      if (shortName === "") throw new ApiError("Bad name or username");
      const name = checkedFullName(state, full_name, undefined);
      if (bot_type === EMBEDDED) throw new ApiError("Embedded bots are not enabled.");
      if (!isEmailAddress(`${shortName}-bot@example.org`)) throw new ApiError("Bad name or username");
      const email = `${shortName}-bot@${botDomain(state)}`;
      if (rows(state.users).some((each) => each.email.toLowerCase() === email.toLowerCase()))
        throw new ApiError("Email is already in use.");
      checkNameIsFree(state, name);
      checkMayMake(call, bot_type);
      if (![GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK].includes(bot_type)) throw new ApiError("Invalid bot type");
      if (!FORMATS.includes(interface_type)) throw new ApiError("Invalid interface type");
      const defaults = {
        default_sending_stream: namedIfAny(call, sent.default_sending_stream),
        default_events_register_stream: namedIfAny(call, sent.default_events_register_stream),
        default_all_public_streams: sent.default_all_public_streams,
      };
      const bot: User = {
        user_id: ledger.nextId("user"),
        email,
        delivery_email: email,
        full_name: name,
        role: ROLE.member,
        is_active: true,
        is_bot: true,
        bot_type,
        bot_owner_id: user.user_id,
        is_system_bot: false,
        is_imported_stub: false,
        timezone: "",
        date_joined: `${new Date(call.server.clock.now()).toISOString().slice(0, 16)}+00:00`,
        avatar_source: "G",
        avatar_url: `https://secure.gravatar.com/avatar/${email.length}?d=identicon&version=1`,
        avatar_version: 1,
        profile_data: {},
        settings: {},
        status: {},
        bot: {
          ...defaults,
          ...(bot_type === OUTGOING_WEBHOOK
            ? { services: [{ base_url: payload_url, interface: interface_type, token: call.server.keyOf(0) }] }
            : {}),
        },
      };
      ledger.nextId("recipient");
      ledger.put(state.users, bot.user_id, bot);
      joinRoleGroups(call, bot);
      const wish = { state, level: call.level, viewer: user, profile: false, clientGravatar: true };
      call.emit(everybody, { type: "realm_user", op: "add", person: shownUser(wish, bot) });
      return {
        user_id: bot.user_id,
        api_key: call.server.keyOf(bot.user_id),
        avatar_url: bot.avatar_url,
        ...defaults,
      };
    },
  }),
  defineEndpoint({
    method: "PATCH",
    path: "/bots/{bot_id}",
    who: ["non-guest", "human"],
    params: {
      bot_owner_id: optional(json(int())),
      config_data: optional(json(dictionary(string()))),
      default_all_public_streams: optional(json(bool)),
      default_events_register_stream: optional(text()),
      default_sending_stream: optional(text()),
      full_name: optional(text()),
      role: optional(json(roleNumber)),
      service_interface: withDefault(json(int()), 1),
      service_payload_url: optional(json(url)),
    },
    handler(call, sent) {
      const { ledger, state } = call;
      const bot = botToAdminister(call, sent.bot_id);
      if (sent.full_name !== undefined) rename(call, bot, sent.full_name);
      if (sent.role !== undefined && sent.role !== bot.role) {
        checkMayGiveRole(call, bot, sent.role);
        changeRole(call, bot, sent.role);
      }
      if (sent.bot_owner_id !== undefined) ledger.set(bot, "bot_owner_id", newOwner(state, sent.bot_owner_id));
      const { default_all_public_streams, service_payload_url: base_url, service_interface } = sent;
      for (const which of ["default_sending_stream", "default_events_register_stream"] as const)
        if (sent[which] !== undefined)
          ledger.set(bot, "bot", { ...bot.bot, [which]: sent[which] === "" ? null : named(call, sent[which]) });
      if (default_all_public_streams !== undefined) ledger.set(bot, "bot", { ...bot.bot, default_all_public_streams });
      if (base_url !== undefined) changeService(call, bot, { base_url, interface: service_interface });
      return {
        full_name: bot.full_name,
        avatar_url: bot.avatar_url,
        service_interface,
        service_payload_url: base_url ?? null,
        config_data: sent.config_data ?? null,
        ...defaultsOf(bot),
        bot_owner: call.state.users[bot.bot_owner_id ?? 0]?.email ?? "",
      };
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/bots/{bot_id}",
    reportsIgnored: false,
    params: {},
    handler(call, { bot_id }) {
      deactivate(call, botToAdminister(call, bot_id));
      return {};
    },
  }),
];

/** @throws ApiError where the name is taken; the name it has is none */
function rename(call: Call, bot: User, sent: string): void {
  const name = checkedFullName(call.state, sent, bot);
  if (name === bot.full_name) return;
  checkNameIsFree(call.state, name);
  call.ledger.set(bot, "full_name", name);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: bot.user_id, full_name: name } });
}
function checkNameIsFree(state: RealmState, name: string): void {
  if (members(state).some((each) => each.is_active && each.full_name === name))
    throw new ApiError("Name is already in use!");
}
/** @throws ApiError unless the caller may give a bot this role instead of its own */
function checkMayGiveRole({ user }: Call, bot: User, role: Role): void {
  if ((role === ROLE.owner || isOwner(bot)) && !isOwner(user)) throw mustBe("owner");
  if (!isAdmin(user)) throw mustBe("administrator");
}
function newOwner(state: RealmState, id: number): number {
  const owner = state.users[id];
  if (owner === undefined || owner.is_system_bot) throw new ApiError("Failed to change owner, no such user");
  if (!owner.is_active) throw new ApiError("Failed to change owner, user is deactivated");
  if (owner.is_bot) throw new ApiError("Failed to change owner, bots can't own other bots");
  return id;
}
/** Names of channels, whatever those are called now. */
const defaultsOf = ({ bot }: User) => ({
  default_sending_stream: bot.default_sending_stream ?? null,
  default_events_register_stream: bot.default_events_register_stream ?? null,
  default_all_public_streams: bot.default_all_public_streams === true,
});
const namedIfAny = (call: Call, name: string | undefined): string | null =>
  name === undefined ? null : named(call, name);
/** @throws ApiError unless the caller may read the channel */
function named({ state, user }: Call, name: string): string {
  const channel = rows(state.channels).find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (channel === undefined || channel.is_archived || !hasContentAccess(state, user, channel))
    throw new ApiError(`Invalid channel name '${name}'`);
  return channel.name;
}
function changeService(
  call: Call,
  bot: User,
  service: { readonly base_url: string; readonly interface: number },
): void {
  const { services } = bot.bot;
  const [first] = isList(services) ? services : [];
  if (!isObject(first)) return;
  call.ledger.set(bot, "bot", { ...bot.bot, services: [{ ...first, ...service }] });
}

/** @throws ApiError "No such bot" */
function botToAdminister({ state, user }: Call, botId: number): User {
  const bot = state.users[botId];
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw new ApiError("No such bot");
  if (!isAdmin(user) && bot.bot_owner_id !== user.user_id) throw insufficientPermission();
  if (isOwner(bot) && !isOwner(user)) throw mustBe("owner");
  return bot;
}
function checkMayMake({ state, user }: Call, botType: number | null): void {
  const mayAny = mayInRealm(state, user, "can_create_bots_group");
  const mayWriteOnly = botType === INCOMING_WEBHOOK && mayInRealm(state, user, "can_create_write_only_bots_group");
  if (!mayAny && !mayWriteOnly) throw insufficientPermission();
}
/** @throws ApiError unless the caller might make such a bot, and nobody took its name meanwhile */
export function checkMayReactivateBot(call: Call, bot: User): void {
  checkMayMake(call, bot.bot_type);
  if (members(call.state).some((each) => each.is_active && each.full_name === bot.full_name))
    throw new ApiError(
      `There is already an active bot named "${bot.full_name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
    );
}
/** The domain of the realm's other bots, or of the realm itself. */
function botDomain(state: RealmState): string {
  const known = members(state)
    .find((user) => user.is_bot)
    ?.email.split("@")[1];
  return known ?? (typeof state.realm.bot_domain === "string" ? state.realm.bot_domain : "localhost");
}
