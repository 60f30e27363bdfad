import * as z from "zod";
import type { JsonObject } from "../model/json.ts";
import type { Snapshot, SnapshotChannel, SnapshotGroup, SnapshotUser } from "../model/snapshot.ts";
import { GroupSettingValue } from "../model/snapshot.ts";
import {
  channelSettingDefaults,
  groupSettingDefaults,
  NEW_SUBSCRIPTION,
  nextIds,
  realmDefaults,
  record,
} from "./defaults.ts";
import { emptyAreas, splitRegister, table } from "./from-recording.ts";
import {
  CHANNEL_SETTINGS,
  type Channel,
  GROUP_SETTINGS,
  type RealmState,
  type Subscription,
  type User,
  type UserGroup,
} from "./state.ts";

const UserSettings = z.record(z.string(), z.json()).catch({});

/** A realm as somebody's account saw it; what a snapshot does not hold (messages, other people's views) starts empty. */
export function stateFromSnapshot(snapshot: Snapshot): RealmState {
  const defaults = groupSettingDefaults(
    snapshot.user_groups.map((group) => ({ ...group, ...record(GROUP_SETTINGS, () => 0) })),
  );
  const groups = snapshot.user_groups.map((group) => groupOf(group, defaults));
  const people = snapshot.users.map(userOf);
  const users = [...people, notificationBot(people.reduce((last, { user_id }) => Math.max(last, user_id), 0) + 1)];
  const channels = snapshot.channels.map((channel) => channelOf(channel, groups));
  const folders = (snapshot.channel_folders ?? []).map((folder, place) => ({
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.description === "" ? "" : `<p>${folder.description}</p>`,
    order: typeof folder.order === "number" ? folder.order : place,
    creator_id: typeof folder.creator_id === "number" ? folder.creator_id : null,
    date_created: typeof folder.date_created === "number" ? folder.date_created : 0,
    is_archived: folder.is_archived,
  }));
  const linkifiers = (snapshot.linkifiers ?? []).map((linkifier, order) => ({
    id: linkifier.id,
    pattern: linkifier.pattern,
    url_template: linkifier.url_template,
    example_input: typeof linkifier.example_input === "string" ? linkifier.example_input : null,
    reverse_template: typeof linkifier.reverse_template === "string" ? linkifier.reverse_template : null,
    alternative_url_templates: textsOf(linkifier.alternative_url_templates),
    order,
  }));
  const invites = (snapshot.invites ?? []).map((invite) => ({
    ...invite,
    invited_by_user_id: invite.invited_by_user_id ?? snapshot.account.user_id,
    notify_referrer_on_join: invite.notify_referrer_on_join ?? true,
    link_url: null,
    stream_ids: [],
    group_ids: [],
    include_realm_default_subscriptions: true,
    welcome_message_custom_text: null,
  }));
  const { realm } = splitRegister(
    Object.fromEntries(Object.entries(snapshot.settings).map(([key, value]) => [keyInRegister(key), value])),
  );
  const { server } = splitRegister(snapshot.settings);
  return {
    ...emptyAreas(),
    zulip_version: snapshot.server.zulip_version,
    zulip_merge_base: "",
    realm: { ...realmDefaults(groups), ...realm, name: snapshot.realm.name },
    server: { ...onlyFacts(server), zulip_feature_level: snapshot.server.feature_level },
    user_settings_defaults: UserSettings.parse(snapshot.settings.user_settings_defaults),
    user_settings: {},
    users: table(users, (user) => user.user_id),
    user_groups: table(groups, (group) => group.id),
    channels: table(channels, (channel) => channel.stream_id),
    subscriptions: subscriptionsOf(snapshot),
    default_channels: [...(snapshot.default_channels ?? [])],
    default_channel_groups: {},
    channel_folders: table(folders, (folder) => folder.id),
    linkifiers: table(linkifiers, (linkifier) => linkifier.id),
    domains: snapshot.domains ?? [],
    navigation_views: { [snapshot.account.user_id]: snapshot.navigation_views ?? [] },
    invites,
    next_id: nextIds({
      user: users.map((user) => user.user_id),
      group: groups.map((group) => group.id),
      channel: channels.map((channel) => channel.stream_id),
      recipient: channels.map((channel) => channel.recipient_id),
      folder: folders.map((folder) => folder.id),
      linkifier: linkifiers.map((linkifier) => linkifier.id),
      invite: invites.filter((invite) => !invite.is_multiuse).map((invite) => invite.id),
      invite_link: invites.filter((invite) => invite.is_multiuse).map((invite) => invite.id),
    }),
  };
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** Snapshots name realm settings without `realm_`; facts of the server keep their names. */
const keyInRegister = (key: string): string => (/^(max_|server_)/.test(key) ? key : `realm_${key}`);
const onlyFacts = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => /^(max_|server_)/.test(key)));

/** Snapshots hold people; the server's own voice, which posts the notices, comes with every realm. */
function notificationBot(user_id: number): User {
  const email = "notification-bot@zulip.com";
  const bot = { bot_type: 1, bot_owner_id: null, is_active: true, is_bot: true, role: 400 } as const;
  return {
    ...userOf({ ...bot, user_id, email, delivery_email: email, full_name: "Notification Bot" }),
    is_system_bot: true,
  };
}

function userOf(user: SnapshotUser): User {
  return {
    ...user,
    delivery_email: user.delivery_email ?? user.email,
    is_system_bot: false,
    is_imported_stub: false,
    timezone: "",
    date_joined: "2020-01-01T00:00+00:00",
    avatar_source: "G",
    avatar_url: null,
    avatar_version: 1,
    profile_data: {},
    settings: {},
    status: {},
    bot: {},
  };
}

function groupOf(group: SnapshotGroup, defaults: ReturnType<typeof groupSettingDefaults>): UserGroup {
  return {
    ...record(GROUP_SETTINGS, (setting) =>
      group[setting] === undefined ? defaults[setting] : GroupSettingValue.parse(group[setting]),
    ),
    id: group.id,
    name: group.name,
    description: group.description,
    members: group.members,
    direct_subgroup_ids: group.direct_subgroup_ids,
    is_system_group: group.is_system_group,
    deactivated: group.deactivated,
    creator_id: group.creator_id,
    date_created: group.date_created,
  };
}

function channelOf(channel: SnapshotChannel, groups: readonly UserGroup[]): Channel {
  const defaults = channelSettingDefaults(groups);
  return {
    ...record(CHANNEL_SETTINGS, (setting) =>
      channel[setting] === undefined ? defaults[setting] : GroupSettingValue.parse(channel[setting]),
    ),
    stream_id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.description === "" ? "" : `<p>${channel.description}</p>`,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    is_archived: channel.is_archived,
    creator_id: channel.creator_id,
    date_created: channel.date_created,
    message_retention_days: channel.message_retention_days,
    folder_id: channel.folder_id ?? null,
    topics_policy: channel.topics_policy ?? "inherit",
    first_message_id: null,
    stream_weekly_traffic: null,
    is_recently_active: true,
    default_push_notifications: false,
    recipient_id: channel.stream_id,
  };
}

function subscriptionsOf(snapshot: Snapshot): { [channelId: number]: { [userId: number]: Subscription } } {
  const out: { [channelId: number]: { [userId: number]: Subscription } } = {};
  for (const channel of snapshot.channels) {
    const ofChannel: { [userId: number]: Subscription } = {};
    for (const id of snapshot.subscribers?.[String(channel.stream_id)] ?? []) ofChannel[id] = NEW_SUBSCRIPTION;
    out[channel.stream_id] = ofChannel;
  }
  return out;
}
