import { defined } from "../../model/defined.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import { isAdmin, isOwner, mayInRealm } from "../access.ts";
import { isEmailAddress, isUrl } from "../addresses.ts";
import { type Call, everybody } from "../call.ts";
import { readableChannelNamed } from "../channels/names.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission, internalError, mustBe, valueError } from "../errors.ts";
import { fileOrNone, gravatarOf, pictureOf } from "../images.ts";
import {
  type Args,
  bool,
  checkBotConfigFits,
  dictionary,
  int,
  json,
  optional,
  required,
  type Schema,
  string,
  text,
  withDefault,
} from "../params.ts";
import { stripped } from "../python.ts";
import { BOT, NEW_ACCOUNT, ROLE, type Role, type User } from "../rows/accounts.ts";
import type { RealmState } from "../state.ts";
import { changeFullName, checkedFullName } from "../user-settings/endpoints.ts";
import { accountWithAddress, noteAccount, roleNumber } from "./access.ts";
import { changeRole, deactivate, joinRoleGroups } from "./activity.ts";
import { changePicture, newPictureUrl, tellPicture } from "./avatar.ts";
import { members, shownUser, tellPerson } from "./shown.ts";
import {
  changeOwner,
  type DefaultChannel,
  shownDefault,
  shownDefaults,
  tellBotChange,
  tellBotMade,
} from "./shown-bots.ts";

/** The formats of the messages that an outgoing webhook gets: the server's own, and Slack's. */
const FORMATS: readonly number[] = [1, 2];
const MAX_ADDRESS_LENGTH = 254;

const url: Schema<string> = (value, path) => {
  const sent = string()(value, path);
  if (!isUrl(sent)) throw valueError(path, "Not a URL");
  return sent;
};
/** What POST /bots reads. */
const botParams = {
  bot_type: withDefault(json(int()), BOT.generic),
  config_data: optional(json(dictionary(string()))),
  default_all_public_streams: withDefault(json(bool), false),
  default_events_register_stream: optional(text()),
  default_sending_stream: optional(text()),
  full_name: required(text()),
  interface_type: withDefault(json(int()), 1),
  payload_url: withDefault(json(url), ""),
  service_name: optional(text()),
  short_name: required(text()),
};
type SentBot = Args<typeof botParams>;

/** Everything is checked in the server's order before the bot is created, except whether the picture is an image, which is checked afterwards. */
function makeBot(call: Call, sent: SentBot): User {
  const { state, user } = call;
  const shortName = stripped(sent.short_name);
  if (shortName === "") throw badName();
  // The name is compared with those of all other accounts; the caller's own name is found by a later check.
  const full_name = checkedFullName(state, sent.full_name, user);
  const email = addressOf(state, shortName);
  const serviceName = sent.bot_type === BOT.incomingWebhook ? sent.service_name : sent.service_name || shortName;
  if (sent.bot_type === BOT.embedded) checkEmbedded(state, serviceName);
  checkAddress(state, email);
  checkNameIsFree(state, full_name);
  checkMayMake(call, sent.bot_type);
  if (!typesOf(state).includes(sent.bot_type)) throw new ApiError("Invalid bot type");
  checkFormat(sent.interface_type);
  const file = fileOrNone(call);
  const named = (name: string | undefined) => (name === undefined ? null : readableChannelNamed(call, name).stream_id);
  const defaults: JsonObject = {
    default_sending_stream: named(sent.default_sending_stream),
    default_events_register_stream: named(sent.default_events_register_stream),
    default_all_public_streams: sent.default_all_public_streams,
  };
  if (serviceName) checkConfiguration(sent.bot_type, serviceName);
  const bot: User = {
    ...NEW_ACCOUNT,
    user_id: call.ledger.nextId("user"),
    email,
    delivery_email: email,
    full_name,
    role: ROLE.member,
    is_bot: true,
    bot_type: sent.bot_type,
    bot_owner_id: user.user_id,
    date_joined: `${new Date(call.server.clock.now()).toISOString().slice(0, 16)}+00:00`,
    avatar_source: file === undefined ? "G" : "U",
    avatar_url: file === undefined ? gravatarOf(email, 1) : newPictureUrl(),
    bot: { ...defaults, ...serviceOf(call, sent, serviceName) },
  };
  add(call, bot);
  if (file !== undefined) {
    // The bot already exists, and is not removed.
    call.commit();
    pictureOf(file);
  }
  tellBotMade(call, bot);
  return bot;
}
const badName = (): ApiError => new ApiError("Bad name or username");

function add(call: Call, bot: User): void {
  const { state, ledger, level, user } = call;
  ledger.nextId("recipient");
  noteAccount(state, bot);
  ledger.put(state.users, bot.user_id, bot);
  const wish = { state, level, viewer: user, profile: false, clientGravatar: false };
  call.emit(everybody, { type: "realm_user", op: "add", person: shownUser(wish, bot) });
  joinRoleGroups(call, bot);
}

function serviceOf(call: Call, { bot_type, ...sent }: SentBot, name: string | undefined): JsonObject {
  const service = { base_url: sent.payload_url, interface: sent.interface_type, token: call.server.keyOf(0) };
  if (bot_type === BOT.outgoingWebhook) return { services: [service] };
  const config = sent.config_data ?? {};
  if (bot_type === BOT.embedded) return { services: [service], service_name: name ?? "", config };
  if (bot_type !== BOT.incomingWebhook) return {};
  return { config: name ? { integration_id: name, ...config } : config };
}

/** Characters for which the name part of an address is put into quotation marks. */
const TO_BE_QUOTED = /[()<>@,:;[\]"\\ \t]/;
/** @throws ApiError for an empty name, and for line breaks, which no address may contain */
function addressOf(state: RealmState, shortName: string): string {
  const name = `${shortName}-bot`;
  if (shortName === "" || /[\r\n]/.test(name)) throw badName();
  const quoted = TO_BE_QUOTED.test(name) ? `"${name.replace(/[\\"]/g, "\\$&")}"` : name;
  return `${quoted}@${botDomain(state)}`;
}
/** @throws ApiError if it is no address, or another account's than the bot's */
function checkAddress(state: RealmState, email: string, bot?: User): void {
  if (email.length > MAX_ADDRESS_LENGTH || !isEmailAddress(email)) throw badName();
  const owner = accountWithAddress(state, email);
  if (owner !== undefined && owner !== bot) throw new ApiError("Email is already in use.");
}
/** The domain that the realm specifies, or the domain of its other bots. */
function botDomain(state: RealmState): string {
  if (typeof state.realm.bot_domain === "string") return state.realm.bot_domain;
  const known = members(state)
    .find((user) => user.is_bot)
    ?.email.split("@")
    .at(-1);
  return known ?? "localhost";
}

/** The names of the server's own bots; none if it does not run them. */
const embeddedBots = ({ realm }: RealmState): readonly unknown[] =>
  isList(realm.embedded_bots) ? realm.embedded_bots.map((bot) => (isObject(bot) ? bot.name : undefined)) : [];
function checkEmbedded(state: RealmState, name: string | undefined): void {
  const known = embeddedBots(state);
  if (known.length === 0) throw new ApiError("Embedded bots are not enabled.");
  if (!known.includes(name)) throw new ApiError("Invalid embedded bot name.");
}
const typesOf = (state: RealmState): readonly number[] => [
  BOT.generic,
  BOT.incomingWebhook,
  BOT.outgoingWebhook,
  ...(embeddedBots(state).length > 0 ? [BOT.embedded] : []),
];
/** The bot whose key must be checked by another service, which the sandbox cannot ask. */
const NEEDS_KEY = "giphy";
function checkConfiguration(botType: number, serviceName: string): void {
  if (botType === BOT.incomingWebhook && !isIntegration(serviceName))
    throw new ApiError(`Invalid integration '${serviceName}'.`);
  if (botType === BOT.embedded && serviceName === NEEDS_KEY) throw new ApiError("Invalid configuration data!");
}
function checkFormat(format: number): void {
  if (!FORMATS.includes(format)) throw new ApiError("Invalid interface type");
}

/** Names of deactivated accounts are available. */
const isTaken = (state: RealmState, name: string): boolean =>
  members(state).some((each) => each.is_active && each.full_name === name);
function checkNameIsFree(state: RealmState, name: string): void {
  if (isTaken(state, name)) throw new ApiError("Name is already in use.");
}
function checkMayMake({ state, user }: Call, botType: number | null): void {
  const mayAny = mayInRealm(state, user, "can_create_bots_group");
  const mayWriteOnly = botType === BOT.incomingWebhook && mayInRealm(state, user, "can_create_write_only_bots_group");
  if (!mayAny && !mayWriteOnly) throw insufficientPermission();
}
/** @throws ApiError unless the caller may create such a bot and the name is still available */
export function checkMayReactivateBot(call: Call, bot: User): void {
  checkMayMake(call, bot.bot_type);
  if (isTaken(call.state, bot.full_name))
    throw new ApiError(
      `There is already an active bot named "${bot.full_name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
    );
}

/** The services for which the recorded server can create incoming webhook bots; other releases have more. */
export const INTEGRATIONS: ReadonlySet<string> = new Set(
  words(
    "airbrake airbyte alertmanager ansibletower appfollow appveyor azuredevops basecamp beanstalk beeminder bitbucket",
    "bitbucket2 bitbucket3 buildbot canarytoken circleci clickup clubhouse codeship crashlytics delighted dialogflow",
    "dropbox errbit flock freshdesk freshping freshstatus front gitea github githubsponsors gitlab gocd gogs",
    "gosquared grafana greenhouse groove harbor hellosign helloworld heroku homeassistant ifttt insping intercom jira",
    "jotform json librato lidarr linear mention netlify newrelic nextcloud notion opbeat opencollective openproject",
    "opensearch opsgenie pagerduty papertrail patreon pingdom pivotal radarr raygun redmine reviewboard rhodecode",
    "rundeck semaphore sentry shortcut slack slack_incoming sonarqube sonarr splunk statuspage stripe taiga teamcity",
    "thinkst transifex travis trello updown uptimerobot wekan wordpress zabbix zapier zendesk",
  ),
);
const isIntegration = (name: string): boolean => INTEGRATIONS.has(name);

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
  const defaultTo = (which: DefaultChannel) => call.step(sent[which], (name) => changeDefault(call, bot, which, name));
  call.step(sent.full_name, (name) => rename(call, bot, name));
  call.step(sent.role, (role) => giveRole(call, bot, role));
  call.step(sent.bot_owner_id, (id) => giveAway(call, bot, id));
  defaultTo("default_sending_stream");
  defaultTo("default_events_register_stream");
  call.step(sent.default_all_public_streams, (all) => changeAllPublic(call, bot, all));
  call.step(sent.service_payload_url, (url) => changeService(call, bot, url, sent.service_interface));
  call.step(sent.config_data, (config) => changeConfiguration(call, bot, config));
  call.step(fileOrNone(call), (file) => changePicture(call, bot, file));
  call.step(sent.short_name, (name) => changeAddress(call, bot, name));
}

/** @throws ApiError if another account has the name; the bot may keep its own */
function rename(call: Call, bot: User, sent: string): void {
  const name = checkedFullName(call.state, sent, bot);
  if (name === bot.full_name) return;
  checkNameIsFree(call.state, name);
  changeFullName(call, bot, sent);
}
/** The new address follows the rules of new bots; in which words the server refuses one is not known. @throws ApiError */
function changeAddress(call: Call, bot: User, sent: string): void {
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
function giveRole(call: Call, bot: User, role: Role): void {
  if (role === (bot.unknown_role ?? bot.role)) return;
  if ((role === ROLE.owner || isOwner(bot)) && !isOwner(call.user)) throw mustBe("owner");
  if (!isAdmin(call.user)) throw mustBe("administrator");
  changeRole(call, bot, role);
}
function giveAway(call: Call, bot: User, id: number): void {
  if (id === bot.bot_owner_id) return;
  const owner = call.state.users[id];
  if (owner === undefined || owner.is_system_bot) throw new ApiError("Failed to change owner, no such user");
  if (!owner.is_active) throw new ApiError("Failed to change owner, user is deactivated");
  if (owner.is_bot) throw new ApiError("Failed to change owner, bots can't own other bots");
  changeOwner(call, bot, owner);
}
/** An empty name changes nothing. Every name that is sent causes an event, changed or not. */
function changeDefault(call: Call, bot: User, which: DefaultChannel, name: string): void {
  const id = name === "" ? null : readableChannelNamed(call, name).stream_id;
  call.ledger.set(bot, "bot", { ...bot.bot, [which]: id });
  tellBotChange(call, bot, { [which]: shownDefault(call.state, bot, which) });
}
function changeAllPublic(call: Call, bot: User, default_all_public_streams: boolean): void {
  call.ledger.set(bot, "bot", { ...bot.bot, default_all_public_streams });
  tellBotChange(call, bot, { default_all_public_streams });
}
function changeService(call: Call, bot: User, base_url: string, format: number): void {
  checkFormat(format);
  // The server takes the first service of any bot, and has no error for a bot without one.
  if (bot.bot_type !== BOT.outgoingWebhook && bot.bot_type !== BOT.embedded) throw internalError();
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
function changeConfiguration(call: Call, bot: User, sent: { readonly [key: string]: string }): void {
  const before = bot.bot.config;
  const config = { ...(isObject(before) ? before : undefined), ...sent };
  checkBotConfigFits(config);
  // The server reads the whole configuration again, and fails if there is none.
  if (Object.keys(config).length === 0) throw internalError();
  call.ledger.set(bot, "bot", { ...bot.bot, config });
  tellBotChange(call, bot, { services: [{ config_data: config }] });
}

/** @throws ApiError "No such bot" */
function botToAdminister({ state, user }: Call, botId: number): User {
  const bot = state.users[botId];
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw new ApiError("No such bot");
  if (!isAdmin(user) && bot.bot_owner_id !== user.user_id) throw insufficientPermission();
  return bot;
}
