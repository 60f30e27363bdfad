import { isList, isObject } from "../../model/json.ts";
import { hasContentAccess, isAdmin, isOwner, mayInRealm } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission, mustBe } from "../errors.ts";
import { int, json, optional, required, type Schema, string, text, withDefault } from "../params.ts";
import { type RealmState, ROLE, type Role, rows, type User } from "../state.ts";
import { isUrl } from "../url-address.ts";
import { checkedFullName } from "../user-settings/full-name.ts";
import { stripped } from "../white-space.ts";
import { roleNumber } from "./access.ts";
import { deactivate } from "./activity.ts";
import { joinRoleGroups, leaveRoleGroups } from "./role-groups.ts";
import { members, shownUser } from "./shown.ts";

const GENERIC = 1;
const INCOMING_WEBHOOK = 2;
const OUTGOING_WEBHOOK = 3;
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
          default_sending_stream: bot.bot.default_sending_stream ?? null,
          default_events_register_stream: null,
          default_all_public_streams: false,
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
      full_name: required(text()),
      interface_type: withDefault(json(int()), 1),
      payload_url: withDefault(json(string()), ""),
      short_name: required(text()),
    },
    handler(call, { bot_type, full_name, interface_type, payload_url, short_name }) {
      const { state, user, ledger } = call;
      const shortName = stripped(short_name);
      if (shortName === "") throw new ApiError("Bad name or username");
      const name = checkedFullName(state, full_name, undefined);
      const email = `${shortName}-bot@${botDomain(state)}`;
      if (rows(state.users).some((each) => each.email.toLowerCase() === email.toLowerCase()))
        throw new ApiError("Email is already in use.");
      checkNameIsFree(state, name);
      checkMayMake(call, bot_type);
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
        bot:
          bot_type === OUTGOING_WEBHOOK
            ? { services: [{ base_url: payload_url, interface: interface_type, token: call.server.keyOf(0) }] }
            : {},
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
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      };
    },
  }),
  defineEndpoint({
    method: "PATCH",
    path: "/bots/{bot_id}",
    who: ["non-guest", "human"],
    params: {
      bot_owner_id: optional(json(int())),
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
      if (sent.role !== undefined && sent.role !== bot.role) changeRole(call, bot, sent.role);
      if (sent.bot_owner_id !== undefined) ledger.set(bot, "bot_owner_id", newOwner(state, sent.bot_owner_id));
      const { default_sending_stream: channel, service_payload_url: base_url, service_interface } = sent;
      if (channel !== undefined)
        ledger.set(bot, "bot", { ...bot.bot, default_sending_stream: channel === "" ? null : named(call, channel) });
      if (base_url !== undefined) changeService(call, bot, { base_url, interface: service_interface });
      return {
        full_name: bot.full_name,
        avatar_url: bot.avatar_url,
        service_interface,
        service_payload_url: base_url ?? null,
        config_data: null,
        default_sending_stream: bot.bot.default_sending_stream ?? null,
        default_events_register_stream: null,
        default_all_public_streams: false,
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
function changeRole(call: Call, bot: User, role: Role): void {
  if ((role === ROLE.owner || isOwner(bot)) && !isOwner(call.user)) throw mustBe("owner");
  if (!isAdmin(call.user)) throw mustBe("administrator");
  leaveRoleGroups(call, bot);
  call.ledger.set(bot, "role", role);
  joinRoleGroups(call, bot);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: bot.user_id, role } });
}
function newOwner(state: RealmState, id: number): number {
  const owner = state.users[id];
  if (owner === undefined || owner.is_system_bot) throw new ApiError("Failed to change owner, no such user");
  if (!owner.is_active) throw new ApiError("Failed to change owner, user is deactivated");
  if (owner.is_bot) throw new ApiError("Failed to change owner, bots can't own other bots");
  return id;
}
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
function checkMayMake({ state, user }: Call, botType: number): void {
  if (![GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK].includes(botType)) throw new ApiError("Invalid bot type");
  const mayAny = mayInRealm(state, user, "can_create_bots_group");
  const mayWriteOnly = botType === INCOMING_WEBHOOK && mayInRealm(state, user, "can_create_write_only_bots_group");
  if (!mayAny && !mayWriteOnly) throw insufficientPermission();
}
/** The domain of the realm's other bots, or of the realm itself. */
function botDomain(state: RealmState): string {
  const known = members(state)
    .find((user) => user.is_bot)
    ?.email.split("@")[1];
  return known ?? (typeof state.realm.bot_domain === "string" ? state.realm.bot_domain : "localhost");
}
