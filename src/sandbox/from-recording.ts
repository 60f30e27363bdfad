import * as z from "zod";
import { defined } from "../model/defined.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { GroupSettingValue, SnapshotGroup } from "../model/snapshot.ts";
import { channelSettingDefaults, NEW_SUBSCRIPTION, nextIds, realmDefaults } from "./defaults.ts";
import { GRAVATAR, gravatarOf } from "./images.ts";
import {
  defaultGroupsIn,
  domainsIn,
  emojiIn,
  foldersIn,
  linkifiersIn,
  mutedUsersIn,
  playgroundsIn,
  profileDataIn,
  profileFieldsIn,
  splitRegister,
  statusesIn,
  userTopicsIn,
  viewsIn,
} from "./read-realm.ts";
import { BOT, NEW_ACCOUNT, SentUser, type User } from "./rows/accounts.ts";
import { CHANNEL_SETTINGS, type Channel, SentChannel, SentSubscription, type Subscription } from "./rows/channels.ts";
import { GROUP_SETTINGS, type UserGroup } from "./rows/groups.ts";
import { type Message, NEW_MESSAGE } from "./rows/messages.ts";
import { record, type Table, table } from "./rows/values.ts";
import { emptyAreas, filledUp, settingsOfNewAccounts, settingsSeen, storedGroup } from "./start.ts";
import type { RealmState } from "./state.ts";

export function stateFromRecording(recording: Recording): RealmState {
  const { register } = recording;
  const groups = recording.user_groups.map((group) =>
    storedGroup(
      group,
      recording.users,
      record(GROUP_SETTINGS, (setting) => GroupSettingValue.parse(group[setting])),
    ),
  );
  const base = settingsForAll(register);
  const channels = channelsOf(recording, groups);
  const users = peopleOf(recording, base, channels.rows);
  const subscriptions = subscriptionsOf(recording);
  const messages = recording.messages.map((message) => messageOf(message, recording, subscriptions));
  const settings = splitRegister(register);
  const state = {
    zulip_version: register.zulip_version,
    zulip_merge_base: register.zulip_merge_base,
    realm: { ...realmDefaults(groups), ...settings.realm },
    server: settings.server,
    user_settings_defaults: register.realm_user_settings_defaults,
    user_settings: base,
    users: table(users, (user) => user.user_id),
    user_groups: table(groups, (group) => group.id),
    channels: table(channels.rows, (channel) => channel.stream_id),
    subscriptions,
    default_channels: recording.streams
      .filter((channel) => channel.is_default === true)
      .map((channel) => channel.stream_id)
      .sort((a, b) => a - b),
    ...emptyAreas(),
    ...areasOf(recording),
    messages: table(messages, (message) => message.id),
  };
  const lastGroup = Math.max(...groups.map((group) => group.id)) + UNNAMED_GROUPS;
  return { ...state, next_id: nextIds(state, { group: [lastGroup], recipient: [channels.lastRecipient] }) };
}

/**
 * The lists of the answer other than people, channels and groups; personal lists belong to the account that recorded. If the file states that nothing
 * is configured, the realm has no linkifiers and domains, whatever the answer shows: at level 384 it was recorded after some steps of the recordings
 * that start from it.
 */
function areasOf({ about, register }: Recording) {
  const isBare = /\bnothing configured\b/.test(about);
  const own = register.user_id;
  return {
    default_channel_groups: defaultGroupsIn(register.realm_default_stream_groups),
    linkifiers: isBare ? {} : linkifiersIn(register.realm_linkifiers),
    domains: isBare ? [] : domainsIn(register.realm_domains),
    channel_folders: foldersIn(register.channel_folders),
    profile_fields: profileFieldsIn(register.custom_profile_fields),
    playgrounds: playgroundsIn(register.realm_playgrounds),
    emoji: emojiIn(register.realm_emoji),
    invites: [],
    navigation_views: personal(own, viewsIn(register.navigation_views)),
    user_topics: personal(own, userTopicsIn(register.user_topics)),
    muted_users: personal(own, mutedUsersIn(register.muted_users)),
  };
}
const personal = <Row>(userId: number, list: readonly Row[]): Table<readonly Row[]> =>
  list.length === 0 ? {} : { [userId]: list };

/** Numbers that a fresh realm has given to unnamed groups, in addition to its system groups. */
const UNNAMED_GROUPS = 12;

/**
 * A fresh realm numbers its conversations in the order of their creation: the server's own bots, the first channels, then everybody else.
 */
function channelsOf(recording: Recording, groups: readonly UserGroup[]) {
  const systemBots = Math.min(...recording.users.map((user) => user.user_id)) - 1;
  const ids = recording.streams.map((channel) => channel.stream_id).sort((a, b) => a - b);
  return {
    rows: recording.streams.map((channel) =>
      channelOf(channel, groups, systemBots + ids.indexOf(channel.stream_id) + 1),
    ),
    lastRecipient: systemBots + ids.length + recording.users.length,
  };
}

function channelOf(
  { is_default: _, ...channel }: RecordedChannel,
  groups: readonly UserGroup[],
  recipient_id: number,
): Channel {
  return { ...channelSettingDefaults(groups), ...channel, default_push_notifications: false, recipient_id };
}

function subscriptionsOf(recording: Recording): Table<Table<Subscription>> {
  const out: { [channelId: number]: { [userId: number]: Subscription } } = {};
  for (const channel of recording.streams) out[channel.stream_id] = {};
  for (const [name, list] of Object.entries(recording.subscriptions)) {
    const userId = recording.accounts[name]?.user_id;
    if (userId === undefined) continue;
    for (const { stream_id, ...own } of list) {
      const ofChannel = out[stream_id] ?? {};
      out[stream_id] = ofChannel;
      ofChannel[userId] = { ...NEW_SUBSCRIPTION, ...own };
    }
  }
  return out;
}

/** Recordings show where messages were, not their content. */
function messageOf(
  message: Recording["messages"][number],
  recording: Recording,
  subscriptions: Table<Table<Subscription>>,
): Message {
  const isChannel = message.type === "channel";
  const content = "x".repeat(message.length);
  const receivers = isChannel
    ? Object.keys(subscriptions[message.to] ?? {}).map(Number)
    : [message.sender_id, message.to];
  return {
    id: message.id,
    sender_id: message.sender_id,
    type: message.type,
    channel_id: isChannel ? message.to : null,
    to: isChannel ? [] : receivers,
    topic: isChannel ? message.topic : "",
    content,
    rendered_content: `<p>${content}</p>`,
    timestamp: recording.streams[0]?.date_created ?? 0,
    ...NEW_MESSAGE,
    client: "Internal",
    received_by: receivers,
    flags: flagsOf(message, recording, receivers),
  };
}

/**
 * The first account created the realm and received its first messages when they were sent. Everybody who joined later received the messages of the
 * channels as history, with the stars that the server gives everybody on its greetings. Other stars belong to the account that recorded.
 */
function flagsOf(
  message: Recording["messages"][number],
  { register, users, messages }: Recording,
  receivers: readonly number[],
): Message["flags"] {
  const isGreeting = register.cross_realm_bots.some((bot) => bot.user_id === message.sender_id);
  const greetings = messages.filter(({ type, sender_id }) => type === "direct" && sender_id === message.sender_id);
  const founder = Math.min(...users.filter((user) => !user.is_bot).map((user) => user.user_id));
  const isStarred = register.starred_messages.includes(message.id);
  const greetingIsStarred = greetings.some(
    ({ id, to }) => to === register.user_id && register.starred_messages.includes(id),
  );
  const flags: { [userId: number]: readonly string[] } = {};
  for (const id of receivers) {
    const starred =
      id === register.user_id
        ? isStarred
        : isGreeting && (message.type === "channel" ? isStarred : id === message.to && greetingIsStarred);
    const own = [
      ...(starred ? ["starred"] : []),
      ...(message.type === "channel" && id !== founder ? ["historical"] : []),
    ];
    if (own.length > 0) flags[id] = own;
  }
  return flags;
}

/**
 * Everybody's settings, unless more is known about an account: those of a new account. Settings that this code does not know get the value of the
 * account that recorded.
 */
function settingsForAll({ user_settings, ...register }: Recording["register"]): JsonObject {
  const usual = settingsOfNewAccounts(register.realm_user_settings_defaults, register.realm_default_language);
  return filledUp(usual, user_settings);
}

function peopleOf(recording: Recording, base: JsonObject, channels: readonly Channel[]): readonly User[] {
  const { register } = recording;
  // Lists leave pictures to the client; everybody's own user object contains them.
  const avatars = new Map(Object.values(recording.own_user).map((own) => [own.user_id, own.avatar_url]));
  const statuses = statusesIn(register.user_status);
  const profiles = new Map(
    [register.realm_users, register.realm_non_active_users]
      .flatMap(peopleIn)
      .map(({ user_id, profile_data }) => [user_id, profileDataIn(profile_data)]),
  );
  const bots = new Map(botsIn(register.realm_bots).map((bot) => [bot.user_id, botDetails(bot, channels)]));
  const people = recording.users.map((user): User => {
    const known = userOf({ ...user, avatar_url: avatars.get(user.user_id) ?? user.avatar_url }, false);
    const own = user.user_id === register.user_id ? differing(register.user_settings, base) : undefined;
    return {
      ...known,
      settings: own ?? settingsSeen(user, base),
      status: statuses[user.user_id] ?? {},
      profile_data: profiles.get(user.user_id) ?? {},
      bot: bots.get(user.user_id) ?? {},
    };
  });
  return [...people, ...register.cross_realm_bots.map((user) => userOf(user, true))];
}
const differing = (settings: JsonObject, base: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => JSON.stringify(base[key]) !== JSON.stringify(value)),
  );

/** The person's channels by id, as the server stores them. */
function botDetails(bot: ReturnType<typeof botsIn>[number], channels: readonly Channel[]): JsonObject {
  const idOf = (name: string | null): number | null =>
    channels.find((channel) => channel.name === name)?.stream_id ?? null;
  const [service] = bot.services;
  const isEmbedded = bot.bot_type === BOT.embedded && isObject(service);
  return {
    default_sending_stream: idOf(bot.default_sending_stream),
    default_events_register_stream: idOf(bot.default_events_register_stream),
    default_all_public_streams: bot.default_all_public_streams,
    ...defined({
      services: bot.services.length === 0 ? undefined : bot.services,
      service_name: isEmbedded ? (service.service_name ?? "") : undefined,
      config: isEmbedded ? (service.config_data ?? {}) : undefined,
    }),
  };
}

function userOf(user: SentUser, is_system_bot: boolean): User {
  const delivery_email = user.delivery_email ?? user.email;
  return {
    ...NEW_ACCOUNT,
    ...user,
    delivery_email,
    is_system_bot,
    avatar_source: is_system_bot || isOwnPicture(user.avatar_url) ? "U" : "G",
    avatar_url: user.avatar_url ?? gravatarOf(delivery_email, user.avatar_version),
  };
}

const isOwnPicture = (url: string | null | undefined): boolean => typeof url === "string" && !url.startsWith(GRAVATAR);

const RecordedChannel = SentChannel.extend({
  ...record(CHANNEL_SETTINGS, () => GroupSettingValue.exactOptional()),
  is_default: z.boolean().optional(),
});
type RecordedChannel = z.infer<typeof RecordedChannel>;
const RecordedSubscription = SentSubscription.extend({ stream_id: z.int() });
const JsonRecord = z.record(z.string(), z.json());

/** The state from which recordings start, in the server's own words (an owner's answer to POST /register, and lists). */
export const Recording = z.object({
  /** A description of the recording. */
  about: z.string().default(""),
  accounts: z.record(z.string(), z.object({ user_id: z.int(), delivery_email: z.string() })),
  register: z.looseObject({
    /** The account that received this answer. */
    user_id: z.int(),
    zulip_version: z.string(),
    zulip_feature_level: z.int(),
    zulip_merge_base: z.string(),
    cross_realm_bots: z.array(SentUser),
    realm_user_settings_defaults: JsonRecord,
    user_settings: JsonRecord,
    starred_messages: z.array(z.int()),
  }),
  streams: z.array(RecordedChannel),
  user_groups: z.array(SnapshotGroup),
  users: z.array(SentUser),
  subscriptions: z.record(z.string(), z.array(RecordedSubscription)),
  own_user: z.record(z.string(), z.object({ user_id: z.int(), avatar_url: z.string().nullish() })),
  messages: z.array(
    z.object({
      id: z.int(),
      sender_id: z.int(),
      type: z.enum(["channel", "direct"]),
      to: z.int(),
      topic: z.string(),
      length: z.int(),
    }),
  ),
});
export type Recording = z.infer<typeof Recording>;

const RecordedBots = z
  .array(
    z.looseObject({
      user_id: z.int(),
      bot_type: z.int().nullish(),
      default_sending_stream: z.string().nullable().default(null),
      default_events_register_stream: z.string().nullable().default(null),
      default_all_public_streams: z.boolean().default(false),
      services: z.array(z.json()).default([]),
    }),
  )
  .catch([]);
/** The fields of bots that only people who may administer them see. */
const botsIn = (value: unknown) => RecordedBots.parse(value);

const RecordedPeople = z.array(z.looseObject({ user_id: z.int(), profile_data: z.unknown().optional() })).catch([]);
/** People with their values of profile fields, which only POST /register and one's own user object show. */
const peopleIn = (value: unknown) => RecordedPeople.parse(value);
