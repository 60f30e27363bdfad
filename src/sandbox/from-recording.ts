import * as z from "zod";
import type { Json, JsonObject } from "../model/json.ts";
import { GroupSettingValue, type SnapshotGroup } from "../model/snapshot.ts";
import { channelSettingDefaults, NEW_SUBSCRIPTION, nextIds, realmDefaults, record } from "./defaults.ts";
import { gravatarOf } from "./pictures.ts";
import type { RecordedChannel, RecordedUser, Recording } from "./recording.ts";
import {
  CHANNEL_SETTINGS,
  type Channel,
  GROUP_SETTINGS,
  type GroupValue,
  type Message,
  type RealmState,
  type Subscription,
  type Table,
  type User,
  type UserGroup,
} from "./state.ts";

export function stateFromRecording(recording: Recording): RealmState {
  const { register } = recording;
  const groups = recording.user_groups.map((group) => groupOf(group, recording));
  // Lists leave pictures to the client; everybody's own object has them.
  const avatars = new Map(Object.values(recording.own_user).map((own) => [own.user_id, own.avatar_url]));
  const users = [
    ...recording.users.map((user) =>
      userOf({ ...user, avatar_url: avatars.get(user.user_id) ?? user.avatar_url }, false),
    ),
    ...register.cross_realm_bots.map((user) => userOf(user, true)),
  ];
  const recipients = recipientsOf(recording);
  const channels = recording.streams.map((channel) => channelOf(channel, groups, recipients));
  const subscriptions = subscriptionsOf(recording);
  const messages = recording.messages.map((message) => messageOf(message, recording, subscriptions));
  const settings = splitRegister(register);
  return {
    zulip_version: register.zulip_version,
    zulip_merge_base: register.zulip_merge_base,
    realm: { ...realmDefaults(groups), ...settings.realm },
    server: settings.server,
    user_settings_defaults: register.realm_user_settings_defaults,
    user_settings: register.user_settings,
    users: table(users, (user) => user.user_id),
    user_groups: table(groups, (group) => group.id),
    channels: table(channels, (channel) => channel.stream_id),
    subscriptions,
    default_channels: recording.streams
      .filter((channel) => channel.is_default === true)
      .map((channel) => channel.stream_id)
      .sort((a, b) => a - b),
    default_channel_groups: {},
    // Linkifiers and domains that the recorded answer shows are leftovers: the recorded steps start without them.
    ...emptyAreas(),
    messages: table(messages, (message) => message.id),
    next_id: nextIds({
      user: users.map((user) => user.user_id),
      group: [Math.max(...groups.map((group) => group.id)) + UNNAMED_GROUPS],
      channel: channels.map((channel) => channel.stream_id),
      message: messages.map((message) => message.id),
      recipient: [recipients.last],
    }),
  };
}

/** Numbers that a fresh realm has given to groups without a name, beyond its system groups. */
const UNNAMED_GROUPS = 12;

/** Everything that a fresh realm has none of. */
export function emptyAreas() {
  return {
    channel_folders: {},
    linkifiers: {},
    domains: [],
    navigation_views: {},
    invites: [],
    profile_fields: {},
    playgrounds: {},
    emoji: {},
    messages: {},
    direct_message_groups: {},
    drafts: {},
    scheduled_messages: {},
    reminders: {},
    attachments: {},
    user_topics: {},
    muted_users: {},
  } satisfies Partial<RealmState>;
}

/** Keys of the answer to POST /register that are the caller's, or lists of objects, and no facts of the server. */
const NOT_FACTS = new Set([
  "alert_words",
  "custom_profile_fields",
  "max_message_id",
  "saved_snippets",
  "navigation_views",
  "drafts",
  "scheduled_messages",
  "reminders",
  "muted_topics",
  "muted_users",
  "presences",
  "presence_last_update_id",
  "server_timestamp",
  "cross_realm_bots",
  "avatar_source",
  "avatar_url_medium",
  "avatar_url",
  "can_create_private_streams",
  "can_create_public_streams",
  "can_create_web_public_streams",
  "can_create_streams",
  "can_invite_others_to_realm",
  "is_admin",
  "is_owner",
  "is_moderator",
  "is_guest",
  "user_id",
  "email",
  "delivery_email",
  "full_name",
  "subscriptions",
  "unsubscribed",
  "never_subscribed",
  "channel_folders",
  "starred_messages",
  "streams",
  "user_settings",
  "user_status",
  "user_topics",
  "unread_msgs",
  "recent_private_conversations",
  "last_event_id",
  "queue_id",
  "push_devices",
  "server_supported_permission_settings",
  "zulip_version",
  "zulip_merge_base",
]);
/** `realm_*` keys that are lists of their own and no settings. */
const REALM_LISTS = new Set([
  "realm_user_groups",
  "realm_user_settings_defaults",
  "realm_domains",
  "realm_emoji",
  "realm_linkifiers",
  "realm_filters",
  "realm_playgrounds",
  "realm_users",
  "realm_non_active_users",
  "realm_bots",
  "realm_default_streams",
  "realm_default_stream_groups",
]);

// Made once: making a schema costs a hundred times what reading a value with it does.
const JsonValue = z.json();

/** Settings of the realm (without `realm_`) and facts of the server. */
export function splitRegister(register: { readonly [key: string]: unknown }): {
  readonly realm: JsonObject;
  readonly server: JsonObject;
} {
  const realm: { [key: string]: Json } = {};
  const server: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(register)) {
    if (NOT_FACTS.has(key) || REALM_LISTS.has(key)) continue;
    const json = JsonValue.parse(value);
    if (key.startsWith("realm_")) realm[key.slice("realm_".length)] = json;
    else server[key] = json;
  }
  return { realm, server };
}

function userOf(user: RecordedUser, isSystemBot: boolean): User {
  return {
    user_id: user.user_id,
    email: user.email,
    delivery_email: user.delivery_email ?? user.email,
    full_name: user.full_name,
    role: user.role,
    is_active: user.is_active ?? true,
    is_bot: user.is_bot,
    bot_type: user.bot_type ?? null,
    bot_owner_id: user.bot_owner_id ?? null,
    is_system_bot: isSystemBot,
    is_imported_stub: user.is_imported_stub ?? false,
    timezone: user.timezone,
    date_joined: user.date_joined,
    avatar_source: isSystemBot ? "U" : "G",
    avatar_url: user.avatar_url ?? gravatarOf(user.delivery_email ?? user.email, user.avatar_version),
    avatar_version: user.avatar_version,
    profile_data: {},
    settings: {},
    status: {},
    bot: {},
  };
}

/** The lists show active people only; the server remembers the roles of the others. */
function groupOf(group: SnapshotGroup, recording: Recording): UserGroup {
  const hidden = recording.users
    .filter((user) => user.is_active === false && group.is_system_group && isDirectlyIn(group.name, user.role))
    .map((user) => user.user_id);
  return {
    ...record(GROUP_SETTINGS, (setting) => readGroupValue(group[setting])),
    id: group.id,
    name: group.name,
    description: group.description,
    members: [...new Set([...group.members, ...hidden])].sort((a, b) => a - b),
    direct_subgroup_ids: group.direct_subgroup_ids,
    is_system_group: group.is_system_group,
    deactivated: group.deactivated,
    creator_id: group.creator_id,
    date_created: group.date_created,
  };
}
/** Whom a role puts into a group of the system. */
export function isDirectlyIn(group: string, role: number): boolean {
  if (group === "role:fullmembers" || group === "role:members") return role === 400;
  return (
    { "role:owners": 100, "role:administrators": 200, "role:moderators": 300, "role:everyone": 600 }[group] === role
  );
}
function readGroupValue(value: unknown): GroupValue {
  return GroupSettingValue.parse(value);
}

/**
 * A fresh realm numbers its conversations in the order in which they came to be: the server's own bots, the first
 * channels, then everybody else.
 */
function recipientsOf(recording: Recording) {
  const systemBots = Math.min(...recording.users.map((user) => user.user_id)) - 1;
  const channels = recording.streams.map((channel) => channel.stream_id).sort((a, b) => a - b);
  return {
    ofChannel: (id: number): number => systemBots + channels.indexOf(id) + 1,
    last: systemBots + channels.length + recording.users.length,
  };
}

function channelOf(
  channel: RecordedChannel,
  groups: readonly UserGroup[],
  recipients: ReturnType<typeof recipientsOf>,
): Channel {
  const defaults = channelSettingDefaults(groups);
  return {
    ...record(CHANNEL_SETTINGS, (setting) =>
      channel[setting] === undefined ? defaults[setting] : readGroupValue(channel[setting]),
    ),
    stream_id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.rendered_description,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    is_archived: channel.is_archived,
    creator_id: channel.creator_id,
    date_created: channel.date_created,
    message_retention_days: channel.message_retention_days,
    folder_id: channel.folder_id ?? null,
    topics_policy: channel.topics_policy ?? "inherit",
    first_message_id: channel.first_message_id,
    stream_weekly_traffic: channel.stream_weekly_traffic,
    is_recently_active: channel.is_recently_active,
    default_push_notifications: false,
    recipient_id: recipients.ofChannel(channel.stream_id),
  };
}

function subscriptionsOf(recording: Recording): Table<Table<Subscription>> {
  const out: { [channelId: number]: { [userId: number]: Subscription } } = {};
  for (const channel of recording.streams) out[channel.stream_id] = {};
  for (const [name, list] of Object.entries(recording.subscriptions)) {
    const userId = recording.accounts[name]?.user_id;
    if (userId === undefined) continue;
    for (const each of list) {
      const ofChannel = out[each.stream_id] ?? {};
      out[each.stream_id] = ofChannel;
      ofChannel[userId] = {
        ...NEW_SUBSCRIPTION,
        color: each.color,
        is_muted: each.is_muted,
        pin_to_top: each.pin_to_top,
        audible_notifications: each.audible_notifications,
        desktop_notifications: each.desktop_notifications,
        email_notifications: each.email_notifications,
        push_notifications: each.push_notifications,
        wildcard_mentions_notify: each.wildcard_mentions_notify,
      };
    }
  }
  return out;
}

/** Recordings say where messages were, not what they said. */
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
  const owner = recording.accounts.owner?.user_id;
  const starred = owner !== undefined && recording.register.starred_messages.includes(message.id);
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
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    edit_history: [],
    client: "Internal",
    received_by: receivers,
    flags: starred ? { [owner]: ["starred"] } : {},
    reactions: [],
    has_attachment: false,
  };
}

export function table<Row>(list: readonly Row[], idOf: (row: Row) => number): Table<Row> {
  const out: { [id: number]: Row } = {};
  for (const row of list) out[idOf(row)] = row;
  return out;
}
