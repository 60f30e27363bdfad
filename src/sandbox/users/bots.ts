import { defined } from "../../model/defined.ts";
import { isList, isObject } from "../../model/json.ts";
import { isAdmin, isOwner } from "../access.ts";
import type { Call } from "../call.ts";
import { readableChannelNamed } from "../channels/names.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission, internalError, mustBe } from "../errors.ts";
import { fileOrNone, gravatarOf } from "../images.ts";
import {
  type Args,
  bool,
  checkBotConfigFits,
  dictionary,
  int,
  json,
  optional,
  string,
  text,
  withDefault,
} from "../params.ts";
import { stripped } from "../python.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import { changeFullName, checkedFullName } from "../user-settings/endpoints.ts";
import { noteAccount, roleNumber } from "./access.ts";
import { changeRole, deactivate } from "./activity.ts";
import { changePicture, tellPicture } from "./avatar.ts";
import {
  changeOwner,
  type DefaultChannel,
  EMBEDDED,
  OUTGOING_WEBHOOK,
  shownDefault,
  shownDefaults,
  tellBotChange,
} from "./bot-events.ts";
import { addressOf, botParams, checkAddress, checkFormat, checkNameIsFree, makeBot, url } from "./make-bot.ts";
import { members, tellPerson } from "./shown.ts";

const changes = {
  bot_owner_id: optional(json(int())),
  config_data: optional(json(dictionary(string()))),
  default_all_public_streams: optional(json(bool)),
  default_events_register_stream: optional(text()),
  default_sending_stream: optional(text()),
  full_name: optional(text()),
  role: optional(json(roleNumber)),
  service_interface: withDefault(json(int()), 1),
  service_payload_url: optional(json(url)),
  short_name: optional(text(), { level: 447 }),
};
const people = ["non-guest", "human"] as const;

/** Bots: people create them and manage their own; bots can do neither (zulip-api.md §18). */
export const botEndpoints = [
  defineEndpoint("GET /bots", {
    who: people,
    handler({ state, user, server, level }) {
      const own = members(state).filter((bot) => bot.is_bot && bot.is_active && bot.bot_owner_id === user.user_id);
      return {
        bots: own.map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          ...defined({ api_key: level < 474 ? server.keyOf(bot.user_id) : undefined }),
          avatar_url: bot.avatar_url,
          ...shownDefaults(state, bot),
        })),
      };
    },
  }),
  defineEndpoint("POST /bots", {
    who: people,
    params: botParams,
    handler(call, sent) {
      const bot = makeBot(call, sent);
      return {
        user_id: bot.user_id,
        api_key: call.server.keyOf(bot.user_id),
        avatar_url: bot.avatar_url,
        ...shownDefaults(call.state, bot),
      };
    },
  }),
  defineEndpoint("PATCH /bots/{bot_id}", {
    who: people,
    params: changes,
    handler(call, { bot_id, ...sent }) {
      const bot = botToAdminister(call, bot_id);
      change(call, bot, sent);
      return {
        full_name: bot.full_name,
        avatar_url: bot.avatar_url,
        service_interface: sent.service_interface,
        service_payload_url: sent.service_payload_url ?? null,
        config_data: sent.config_data ?? null,
        ...shownDefaults(call.state, bot),
        // One of the server's own bots has no owner, so the answer has no owner field.
        ...defined({
          bot_owner: bot.bot_owner_id === null ? undefined : (call.state.users[bot.bot_owner_id]?.email ?? ""),
        }),
      };
    },
  }),
  defineEndpoint("DELETE /bots/{bot_id}", {
    handler(call, { bot_id }) {
      deactivate(call, botToAdminister(call, bot_id));
    },
  }),
  defineEndpoint("GET /bots/{bot_id}/api_key", {
    level: 463,
    who: people,
    handler: (call, { bot_id }) => ({ api_key: call.server.keyOf(botToAdminister(call, bot_id).user_id) }),
  }),
  defineEndpoint("POST /bots/{bot_id}/api_key/regenerate", {
    who: people,
    handler(call, { bot_id }) {
      const bot = botToAdminister(call, bot_id);
      call.ledger.assign(bot, { keys_before: (bot.keys_before ?? 0) + 1 });
      const api_key = call.server.keyOf(bot.user_id);
      tellBotChange(call, bot, { api_key });
      return { api_key };
    },
  }),
];

/** One step after the other: if a later step is refused, earlier ones stay done. */
function change(call: Call, bot: User, sent: Args<typeof changes>): void {
  const { config_data, default_all_public_streams, service_payload_url: base_url } = sent;
  const steps = [
    () => rename(call, bot, sent.full_name),
    () => giveRole(call, bot, sent.role),
    () => giveAway(call, bot, sent.bot_owner_id),
    () => changeDefault(call, bot, "default_sending_stream", sent.default_sending_stream),
    () => changeDefault(call, bot, "default_events_register_stream", sent.default_events_register_stream),
    () => changeAllPublic(call, bot, default_all_public_streams),
    () => changeService(call, bot, base_url, sent.service_interface),
    () => changeConfiguration(call, bot, config_data),
    () => changePictureOf(call, bot),
    () => changeAddress(call, bot, sent.short_name),
  ];
  for (const step of steps) {
    step();
    call.commit();
  }
}

/** @throws ApiError if another account has the name; the bot may keep its own */
function rename(call: Call, bot: User, sent: string | undefined): void {
  if (sent === undefined) return;
  const name = checkedFullName(call.state, sent, bot);
  if (name === bot.full_name) return;
  checkNameIsFree(call.state, name);
  changeFullName(call, bot, sent);
}
/** The new address follows the rules of new bots; in which words the server refuses one is not known. @throws ApiError */
function changeAddress(call: Call, bot: User, sent: string | undefined): void {
  if (sent === undefined) return;
  const { avatar_source, avatar_version } = bot;
  const email = addressOf(call.state, stripped(sent));
  if (email === bot.delivery_email) return;
  checkAddress(call.state, email, bot);
  const isGravatar = avatar_source === "G";
  const avatar_url = isGravatar ? gravatarOf(email, avatar_version) : bot.avatar_url;
  call.ledger.assign(bot, { email, delivery_email: email, avatar_url });
  noteAccount(call.state, bot);
  tellPerson(call, bot, { delivery_email: email });
  tellPerson(call, bot, { new_email: email });
  if (call.level >= 461) tellBotChange(call, bot, { email });
  if (isGravatar) tellPicture(call, bot);
}
/** @throws ApiError unless the caller may change the bot's role to this one */
function giveRole(call: Call, bot: User, role: Role | undefined): void {
  if (role === undefined || role === (bot.unknown_role ?? bot.role)) return;
  if ((role === ROLE.owner || isOwner(bot)) && !isOwner(call.user)) throw mustBe("owner");
  if (!isAdmin(call.user)) throw mustBe("administrator");
  changeRole(call, bot, role);
}
function giveAway(call: Call, bot: User, id: number | undefined): void {
  if (id === undefined || id === bot.bot_owner_id) return;
  const owner = call.state.users[id];
  if (owner === undefined || owner.is_system_bot) throw new ApiError("Failed to change owner, no such user");
  if (!owner.is_active) throw new ApiError("Failed to change owner, user is deactivated");
  if (owner.is_bot) throw new ApiError("Failed to change owner, bots can't own other bots");
  changeOwner(call, bot, owner);
}
/** An empty name changes nothing. Every name that is sent causes an event, changed or not. */
function changeDefault(call: Call, bot: User, which: DefaultChannel, name: string | undefined): void {
  if (name === undefined) return;
  const id = name === "" ? null : readableChannelNamed(call, name).stream_id;
  call.ledger.set(bot, "bot", { ...bot.bot, [which]: id });
  tellBotChange(call, bot, { [which]: shownDefault(call.state, bot, which) });
}
function changeAllPublic(call: Call, bot: User, default_all_public_streams: boolean | undefined): void {
  if (default_all_public_streams === undefined) return;
  call.ledger.set(bot, "bot", { ...bot.bot, default_all_public_streams });
  tellBotChange(call, bot, { default_all_public_streams });
}
function changeService(call: Call, bot: User, base_url: string | undefined, format: number): void {
  if (base_url === undefined) return;
  checkFormat(format);
  // The server takes the first service of any bot, and has no error for a bot without one.
  if (bot.bot_type !== OUTGOING_WEBHOOK && bot.bot_type !== EMBEDDED) throw internalError();
  const { services } = bot.bot;
  const [first] = isList(services) ? services : [];
  // A bot from a snapshot has no services: this becomes its first one.
  const known = isObject(first) ? first : { token: call.server.keyOf(0) };
  if (known.base_url === base_url && known.interface === format) return;
  const service = { ...known, base_url, interface: format };
  call.ledger.set(bot, "bot", { ...bot.bot, services: [service] });
  tellBotChange(call, bot, { services: [service] });
}
/** Added to the existing configuration. */
function changeConfiguration(call: Call, bot: User, sent: { readonly [key: string]: string } | undefined): void {
  if (sent === undefined) return;
  const before = bot.bot.config;
  const config = { ...(isObject(before) ? before : undefined), ...sent };
  checkBotConfigFits(config);
  // The server reads the whole configuration again, and fails if there is none.
  if (Object.keys(config).length === 0) throw internalError();
  call.ledger.set(bot, "bot", { ...bot.bot, config });
  tellBotChange(call, bot, { services: [{ config_data: config }] });
}
function changePictureOf(call: Call, bot: User): void {
  const file = fileOrNone(call);
  if (file !== undefined) changePicture(call, bot, file);
}

/** @throws ApiError "No such bot" */
function botToAdminister({ state, user }: Call, botId: number): User {
  const bot = state.users[botId];
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw new ApiError("No such bot");
  if (!isAdmin(user) && bot.bot_owner_id !== user.user_id) throw insufficientPermission();
  return bot;
}
