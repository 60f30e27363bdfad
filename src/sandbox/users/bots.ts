import { isAdmin, isOwner, mayInRealm } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission, mustBe } from "../errors.ts";
import { int, json, optional, required, string, text, withDefault } from "../params.ts";
import { type RealmState, ROLE, rows, type User } from "../state.ts";
import { checkedFullName } from "../user-settings/full-name.ts";
import { joinRoleGroups, leaveRoleGroups } from "./role-groups.ts";
import { members, shownUser } from "./shown.ts";

const GENERIC = 1;
const INCOMING_WEBHOOK = 2;
const OUTGOING_WEBHOOK = 3;

/** Bots: people make them and look after their own; bots may do neither (zulip-api.md §1.5). */
export const botEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/bots",
    who: ["human"],
    params: {},
    handler({ state, user, server, level }) {
      const own = members(state).filter((bot) => bot.is_bot && bot.is_active && bot.bot_owner_id === user.user_id);
      return {
        bots: own.map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          ...(level < 474 ? { api_key: server.keyOf(bot.user_id) } : {}),
          avatar_url: bot.avatar_url,
          default_sending_stream: null,
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
      const name = checkedFullName(state, full_name, undefined);
      const shortName = short_name.trim();
      if (shortName === "") throw new ApiError("Bad name or username");
      const email = `${shortName}-bot@${botDomain(state)}`;
      if (rows(state.users).some((each) => each.email.toLowerCase() === email.toLowerCase()))
        throw new ApiError("Email is already in use.");
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
    who: ["human"],
    params: { full_name: optional(text()), role: optional(json(int())) },
    handler(call, { bot_id, full_name, role }) {
      const bot = botToAdminister(call, bot_id);
      if (role !== undefined && role !== bot.role) {
        if (role !== 100 && role !== 200 && role !== 300 && role !== 400 && role !== 600)
          throw new ApiError("Invalid role");
        if (!isAdmin(call.user)) throw mustBe("administrator");
        if ((role === ROLE.owner || isOwner(bot)) && !isOwner(call.user)) throw mustBe("owner");
        leaveRoleGroups(call, bot);
        call.ledger.set(bot, "role", role);
        joinRoleGroups(call, bot);
        call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: bot_id, role } });
      }
      if (full_name !== undefined) call.ledger.set(bot, "full_name", checkedFullName(call.state, full_name, bot));
      return {
        full_name: bot.full_name,
        avatar_url: bot.avatar_url,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        bot_owner: call.state.users[bot.bot_owner_id ?? 0]?.email ?? "",
      };
    },
  }),
];

/** @throws ApiError "No such bot" */
function botToAdminister({ state, user }: Call, botId: number): User {
  const bot = state.users[botId];
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw new ApiError("No such bot");
  if (!isAdmin(user) && bot.bot_owner_id !== user.user_id) throw insufficientPermission();
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
