import { isList, isObject, type JsonObject } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import { mayInRealm } from "../access.ts";
import { isEmailAddress, isUrl } from "../addresses.ts";
import { type Call, everybody } from "../call.ts";
import { readableChannelNamed } from "../channels/names.ts";
import { ApiError, insufficientPermission, valueError } from "../errors.ts";
import { fileOrNone, gravatarOf, pictureOf } from "../images.ts";
import {
  type Args,
  bool,
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
import { NEW_ACCOUNT, ROLE, type User } from "../rows/accounts.ts";
import type { RealmState } from "../state.ts";
import { checkedFullName } from "../user-settings/endpoints.ts";
import { accountWithAddress, noteAccount } from "./access.ts";
import { joinRoleGroups } from "./activity.ts";
import { newPictureUrl } from "./avatar.ts";
import { EMBEDDED, GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK, tellBotMade } from "./bot-events.ts";
import { members, shownUser } from "./shown.ts";

/** The formats of the messages that an outgoing webhook gets: the server's own, and Slack's. */
const FORMATS: readonly number[] = [1, 2];
const MAX_ADDRESS_LENGTH = 254;

export const url: Schema<string> = (value, path) => {
  const sent = string()(value, path);
  if (!isUrl(sent)) throw valueError(path, "Not a URL");
  return sent;
};
/** What POST /bots reads. */
export const botParams = {
  bot_type: withDefault(json(int()), GENERIC),
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
export function makeBot(call: Call, sent: SentBot): User {
  const { state, user } = call;
  const shortName = stripped(sent.short_name);
  if (shortName === "") throw badName();
  // The name is compared with those of all other accounts; the caller's own name is found by a later check.
  const full_name = checkedFullName(state, sent.full_name, user);
  const email = addressOf(state, shortName);
  const serviceName = sent.bot_type === INCOMING_WEBHOOK ? sent.service_name : sent.service_name || shortName;
  if (sent.bot_type === EMBEDDED) checkEmbedded(state, serviceName);
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
  if (bot_type === OUTGOING_WEBHOOK) return { services: [service] };
  const config = sent.config_data ?? {};
  if (bot_type === EMBEDDED) return { services: [service], service_name: name ?? "", config };
  if (bot_type !== INCOMING_WEBHOOK) return {};
  return { config: name ? { integration_id: name, ...config } : config };
}

/** Characters for which the name part of an address is put into quotation marks. */
const TO_BE_QUOTED = /[()<>@,:;[\]"\\ \t]/;
/** @throws ApiError for an empty name, and for line breaks, which no address may contain */
export function addressOf(state: RealmState, shortName: string): string {
  const name = `${shortName}-bot`;
  if (shortName === "" || /[\r\n]/.test(name)) throw badName();
  const quoted = TO_BE_QUOTED.test(name) ? `"${name.replace(/[\\"]/g, "\\$&")}"` : name;
  return `${quoted}@${botDomain(state)}`;
}
/** @throws ApiError if it is no address, or another account's than the bot's */
export function checkAddress(state: RealmState, email: string, bot?: User): void {
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
  GENERIC,
  INCOMING_WEBHOOK,
  OUTGOING_WEBHOOK,
  ...(embeddedBots(state).length > 0 ? [EMBEDDED] : []),
];
/** The bot whose key must be checked by another service, which the sandbox cannot ask. */
const NEEDS_KEY = "giphy";
function checkConfiguration(botType: number, serviceName: string): void {
  if (botType === INCOMING_WEBHOOK && !isIntegration(serviceName))
    throw new ApiError(`Invalid integration '${serviceName}'.`);
  if (botType === EMBEDDED && serviceName === NEEDS_KEY) throw new ApiError("Invalid configuration data!");
}
export function checkFormat(format: number): void {
  if (!FORMATS.includes(format)) throw new ApiError("Invalid interface type");
}

/** Names of deactivated accounts are available. */
const isTaken = (state: RealmState, name: string): boolean =>
  members(state).some((each) => each.is_active && each.full_name === name);
export function checkNameIsFree(state: RealmState, name: string): void {
  if (isTaken(state, name)) throw new ApiError("Name is already in use.");
}
function checkMayMake({ state, user }: Call, botType: number | null): void {
  const mayAny = mayInRealm(state, user, "can_create_bots_group");
  const mayWriteOnly = botType === INCOMING_WEBHOOK && mayInRealm(state, user, "can_create_write_only_bots_group");
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
