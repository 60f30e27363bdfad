import { defined } from "../../model/defined.ts";
import type { JsonObject } from "../../model/json.ts";
import {
  administers,
  hasContentAccess,
  hasMetadataAccess,
  isAdmin,
  isGuest,
  isSubscribed,
  mayAddSubscribers,
  mayInChannel,
  mayInRealm,
} from "../access.ts";
import { checkGates } from "../auth.ts";
import type { Call } from "../call.ts";
import {
  checkMayCreate,
  createChannels,
  GROUPS_LATE_LEVEL,
  groupSettings,
  preparedChannel,
  type Wanted,
} from "../channels/create.ts";
import { channelNamed, channelsNamed, checkChannelName, foldName } from "../channels/names.ts";
import { announce, noticeCreated } from "../channels/notices.ts";
import {
  bulkGroupValueParams,
  checkMaySetTopicsPolicy,
  checkTopicsPolicyLevel,
  flag,
  folderById,
  MAX_DESCRIPTION_LENGTH,
  postersOf,
  postPolicy,
  pushAtCreation,
  retention,
  retentionDays,
  topicsPolicyJson,
} from "../channels/params.ts";
import {
  byName,
  checkSubscribersWish,
  type SubscribersWish,
  shownSubscribers,
  shownSubscription,
} from "../channels/shown.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { silentMention } from "../messages/links.ts";
import { postDirectNotice } from "../messages/post.ts";
import {
  type Args,
  int,
  json,
  list,
  maybe,
  nullable,
  object,
  optional,
  required,
  string,
  union,
  withDefault,
  word,
} from "../params.ts";
import { stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { subscribe, unsubscribe } from "./change.ts";
import { checkColor, membersByPrincipals } from "./properties.ts";

const addition = object(
  {
    name: string(),
    description: maybe(nullable(string({ maxLength: MAX_DESCRIPTION_LENGTH }))),
    color: maybe(nullable(string())),
  },
  { otherwise: (path) => `Invalid ${path}: Input should be a valid dictionary or instance of AddSubscriptionData` },
);
const subscriptionList = json(
  list((value, path) => {
    const sent = addition(value, path);
    if (typeof sent.color === "string") checkColor(sent.color, "add.color", path);
    return sent;
  }),
);
const nameList = json(list(string()));
/** A list of ids or a list of addresses; a mixture gets the error for addresses. */
const principalList = json(union(["list[str]", list(string())], ["list[int]", list(int())]));

/** The parameters that both subscribing calls share, in the order in which they are read: before and after the list of channels. */
const beforeList = {
  announce: withDefault(flag, false),
  authorization_errors_fatal: withDefault(flag, true),
  ...bulkGroupValueParams,
  default_push_notifications: pushAtCreation,
  folder_id: optional(json(int()), { level: 389 }),
  history_public_to_subscribers: optional(flag),
  invite_only: withDefault(flag, false),
  is_default_stream: withDefault(flag, false),
  is_web_public: withDefault(flag, false),
  message_retention_days: withDefault(retention, "realm_default"),
  principals: optional(principalList),
  send_new_subscription_messages: withDefault(flag, true, { level: 397 }),
  stream_post_policy: optional(postPolicy, { until: 333 }),
};
const afterList = { topics_policy: optional(topicsPolicyJson, { level: 392 }) };

/** Subscribing and unsubscribing (zulip-api.md §3.4, §5). */
export const subscriptionEndpoints = [
  defineEndpoint("GET /users/me/subscriptions", {
    params: { include_subscribers: withDefault(word("true", "false", "partial"), "false") },
    handler(call, { include_subscribers }) {
      const { state, user } = call;
      checkSubscribersWish(call.level, include_subscribers);
      const channels = rows(state.channels)
        .filter((channel) => !channel.is_archived && isSubscribed(state, channel.stream_id, user.user_id))
        .sort(byName);
      return {
        subscriptions: channels.map((channel) => withSubscribers(call, channel, include_subscribers)),
      };
    },
  }),
  defineEndpoint("POST /users/me/subscriptions", {
    who: ["non-guest"],
    params: { ...beforeList, subscriptions: required(subscriptionList), ...afterList },
    handler: (call, { subscriptions, ...sent }) => add(call, subscriptions, sent),
  }),
  defineEndpoint("PATCH /users/me/subscriptions", {
    until: 512,
    params: {
      add: withDefault(subscriptionList, []),
      delete: withDefault(nameList, []),
      ...beforeList,
      ...afterList,
    },
    // Both calls in one, with the parameters and the answers of both.
    handler(call, { add: wanted, delete: unwanted, ...sent }) {
      if (wanted.length + unwanted.length === 0)
        throw new ApiError('Nothing to do. Specify at least one of "add" or "delete".');
      checkGates(call.user, ["non-guest"]);
      return { ...add(call, wanted, sent), ...remove(call, unwanted, sent.principals ?? []) };
    },
  }),
  defineEndpoint("DELETE /users/me/subscriptions", {
    params: { principals: optional(principalList), subscriptions: required(nameList) },
    handler: (call, { subscriptions, principals }) => remove(call, subscriptions, principals ?? []),
  }),
];

/** Older servers notify any number of people. */
const BULK_LIMIT_LEVEL = 397;
const MAX_BULK_MESSAGES = 100;

type Principals = readonly (number | string)[];
/** Creates the missing channels and subscribes everybody to all channels. */
function add(
  call: Call,
  subscriptions: readonly SentName[],
  sent: Args<typeof beforeList & typeof afterList>,
): JsonObject {
  const { state, user } = call;
  checkTopicsPolicyLevel(call.level, sent.topics_policy);
  const { principals = [], announce: announced, stream_post_policy: policy, ...wanted } = sent;
  const can_send_message_group = policy === undefined ? wanted.can_send_message_group : postersOf(state, policy);
  const all = { ...wanted, groups: { ...wanted, can_send_message_group } };
  // Older servers look up the groups first, even for channels that already exist.
  const early = call.level < GROUPS_LATE_LEVEL ? groupSettings(call, all) : undefined;
  if (typeof wanted.folder_id === "number") folderById(state, wanted.folder_id);
  // Read with every name, so an invalid value is refused even if nothing is created.
  const days = subscriptions.length > 0 ? retentionDays(wanted.message_retention_days) : null;
  if (subscriptions.length > 0 && wanted.topics_policy !== undefined && wanted.topics_policy !== "inherit")
    checkMaySetTopicsPolicy(state, user);
  const { existing, missing, repeated } = sortNames(call, subscriptions);
  const created = missing.length > 0 ? createMissing(call, missing, all, early, days) : [];
  // A repeated name is looked up when its channel already exists, and nobody is subscribed to the channel yet.
  const again = repeated.flatMap((name) => created.filter((channel) => foldName(channel.name) === name));
  // Callers who name themselves by address count as somebody else.
  const forOthers = principals.some((principal) => principal !== user.user_id);
  const { allowed, unauthorized } = authorized(
    call,
    [...existing, ...again],
    forOthers,
    wanted.authorization_errors_fatal,
  );
  const people = forOthers ? membersByPrincipals(state, principals) : [user];
  const colors = new Map(
    subscriptions.flatMap(({ name, color }) => (typeof color === "string" ? [[name, color]] : [])),
  );
  const results = subscribe(call, people, [...new Set([...allowed, ...created])], colors);
  const joined = results.filter(({ subscribed }) => subscribed.length > 0);
  const areTold = call.level < BULK_LIMIT_LEVEL || joined.length <= MAX_BULK_MESSAGES;
  if (wanted.send_new_subscription_messages && areTold) tellNewSubscribers(call, joined, created);
  if (announced) announce(call, created);
  for (const channel of created) noticeCreated(call, channel);
  return {
    subscribed: namesByUser(joined.map((each) => [each.user, each.subscribed])),
    already_subscribed: namesByUser(results.map((each) => [each.user, each.already])),
    ...defined({
      new_subscription_messages_sent: call.level >= 397 && wanted.send_new_subscription_messages ? areTold : undefined,
      unauthorized: wanted.authorization_errors_fatal ? undefined : unauthorized.map((channel) => channel.name),
    }),
  };
}

function createMissing(
  call: Call,
  missing: readonly NewName[],
  wanted: Wanted,
  early: ReturnType<typeof groupSettings> | undefined,
  days: number | null,
): readonly Channel[] {
  const groups = early ?? groupSettings(call, wanted);
  // Newer servers look up the same groups again for each further channel.
  if (early === undefined) for (const _ of missing.slice(1)) groupSettings(call, wanted);
  checkMayCreate(call, wanted, days);
  return createChannels(call, preparedChannel(wanted, groups, days), missing);
}
/** The level of POST /channels/create, which took over the checks of created channels. */
const CREATE_LEVEL = 417;

function remove(call: Call, subscriptions: readonly string[], principals: Principals): JsonObject {
  const { state, user } = call;
  const people = principals.length === 0 ? [user] : membersByPrincipals(state, principals);
  const names = subscriptions.map((name) => stripped(name));
  const existing = [
    ...new Set(
      sortNames(
        call,
        names.map((name) => ({ name })),
      ).existing,
    ),
  ];
  if (!mayRemove(call, people, existing)) throw insufficientPermission();
  // A missing name that was sent twice is listed twice.
  const named = names.length === 0 ? undefined : channelsNamed(state);
  const missing = names.filter((name) => named?.(name) === undefined);
  if (missing.length > 0) {
    // Older servers checked the right to create the channels at this point.
    if (call.level < CREATE_LEVEL && !mayInRealm(state, user, "can_create_public_channel_group"))
      throw insufficientPermission();
    throw new ApiError(`Channel(s) (${missing.join(", ")}) do not exist`);
  }
  const results = unsubscribe(call, people, existing);
  const removed = results.flatMap((each) => each.removed.map((channel) => channel.name));
  const notRemoved = results.flatMap((each) => each.notRemoved.map((channel) => channel.name));
  return { removed, not_removed: notRemoved };
}

interface SentName {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly color?: string | null | undefined;
}
interface NewName {
  readonly name: string;
  readonly description: string;
}
/** The names of a request, divided into existing and missing channels. */
interface SortedNames {
  /** The existing channels: one entry per name, including repetitions. */
  readonly existing: readonly Channel[];
  /** The names without a channel, without repetitions. */
  readonly missing: readonly NewName[];
  /** The repeated names among the missing ones, in folded form. */
  readonly repeated: readonly string[];
}
/** @throws ApiError for a name that is not valid for a channel */
function sortNames({ state }: Call, sent: readonly SentName[]): SortedNames {
  const list = sent.map((each) => ({ ...each, name: stripped(each.name) }));
  // Empty names first: the server looks for them in the whole list before it checks any single name.
  for (const { name } of list) if (name === "") checkChannelName(name);
  for (const { name } of list) checkChannelName(name);
  const existing: Channel[] = [];
  const missing = new Map<string, NewName>();
  const repeated: string[] = [];
  const named = list.length > 1 ? channelsNamed(state) : (name: string) => channelNamed(state, name);
  for (const { name, description } of list) {
    const channel = named(name);
    const folded = foldName(name);
    if (channel !== undefined) existing.push(channel);
    else if (missing.has(folded)) repeated.push(folded);
    else missing.set(folded, { name, description: description ?? "" });
  }
  return { existing, missing: [...missing.values()], repeated };
}

/** The existing channels to which the caller may subscribe these people. @throws ApiError */
function authorized(
  { state, user }: Call,
  channels: readonly Channel[],
  forOthers: boolean,
  isFatal: boolean,
): { readonly allowed: readonly Channel[]; readonly unauthorized: readonly Channel[] } {
  const allowed = channels.filter((channel) => hasContentAccess(state, user, channel));
  const unauthorized = channels.filter((channel) => !allowed.includes(channel));
  const [first] = unauthorized;
  if (first !== undefined && isFatal) throw new ApiError(`Unable to access channel (${first.name}).`);
  if (forOthers && !allowed.every((channel) => mayAddSubscribers(state, user, channel))) throw insufficientPermission();
  return { allowed, unauthorized };
}

/**
 * Callers may always unsubscribe themselves and their own bots; others may be unsubscribed by administrators, and by those whom the channels allow
 * (§5.1).
 */
function mayRemove({ state, user, level }: Call, people: readonly User[], channels: readonly Channel[]): boolean {
  if (isAdmin(user) || people.every((each) => each.user_id === user.user_id || each.bot_owner_id === user.user_id))
    return true;
  if (isGuest(user)) return false;
  // The two rights do not combine: callers who administer some of the channels and may remove people from the others are refused.
  return (
    (level >= 349 && channels.every((channel) => administers(state, user, channel))) ||
    channels.every(
      (channel) =>
        hasMetadataAccess(state, user, channel) && mayInChannel(state, user, channel, "can_remove_subscribers_group"),
    )
  );
}

function withSubscribers(call: Call, channel: Channel, wish: SubscribersWish) {
  const subscription = call.state.subscriptions[channel.stream_id]?.[call.user.user_id];
  if (subscription === undefined) throw new Error("a subscription disappeared");
  return { ...shownSubscription(call, channel, subscription), ...shownSubscribers(call.state, channel, wish) };
}

function namesByUser(pairs: readonly (readonly [User, readonly Channel[]])[]): { [userId: string]: string[] } {
  const out: { [userId: string]: string[] } = {};
  for (const [user, channels] of pairs)
    if (channels.length > 0) out[user.user_id] = channels.map((channel) => channel.name);
  return out;
}

/** Notifies new subscribers, but only people, never the caller, and never about channels that this call created. */
function tellNewSubscribers(
  call: Call,
  joined: readonly { readonly user: User; readonly subscribed: readonly Channel[] }[],
  created: readonly Channel[],
): void {
  for (const { user, subscribed } of joined) {
    const names = subscribed.filter((channel) => !created.includes(channel)).map((channel) => `#**${channel.name}**`);
    if (names.length === 0 || user.is_bot || user.user_id === call.user.user_id) continue;
    const caller = silentMention(call.user);
    const content =
      names.length === 1
        ? `${caller} subscribed you to ${names[0]}.`
        : `${caller} subscribed you to the following channels:\n\n${names
            .sort()
            .map((name) => `* ${name}\n`)
            .join("")}`;
    postDirectNotice(call, user.user_id, content);
  }
}
