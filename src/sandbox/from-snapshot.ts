import * as z from "zod";
import { defined } from "../model/defined.ts";
import type { JsonObject } from "../model/json.ts";
import type { RightScope } from "../model/permission-settings.ts";
import {
  GroupSettingValue,
  type Snapshot,
  SnapshotChannel,
  SnapshotGroup,
  type SnapshotSystemBot,
  type SnapshotUser,
} from "../model/snapshot.ts";
import { rendered } from "./channels/params.ts";
import {
  channelSettingDefaults,
  groupSettingDefaults,
  NEW_SUBSCRIPTION,
  nextIds,
  ratingOptions,
  realmDefaults,
  realmFacts,
  serverFacts,
} from "./defaults.ts";
import { gravatarOf } from "./images.ts";
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, REALM_PERMISSIONS } from "./permissions.ts";
import { FIELD_TYPE } from "./profile/profile.ts";
import { emojiIn, foldersIn, hasTable, linkifiersIn, playgroundsIn, profileFieldsIn } from "./read-realm.ts";
import { NEW_ACCOUNT, type ProfileField, type ProfileValue, type User } from "./rows/accounts.ts";
import { CHANNEL_SETTINGS, type Channel, type Subscription } from "./rows/channels.ts";
import { GROUP_SETTINGS, type OtherKeys, type OtherRules, type OtherValues, type UserGroup } from "./rows/groups.ts";
import { record, rows, table } from "./rows/values.ts";
import { emptyAreas, settingsOfNewAccounts, settingsSeen, storedGroup, userDefaultsOf } from "./start.ts";
import type { RealmState } from "./state.ts";
import { pickColors } from "./subscriptions/properties.ts";

const UserSettings = z.record(z.string(), z.json()).catch({});

/** A realm as one account saw it. `test/support/snapshot-gaps.ts` lists the start values for what a snapshot does not contain. */
export function stateFromSnapshot(snapshot: Snapshot): RealmState {
  const { settings } = snapshot;
  const groups = groupsOf(snapshot);
  const userDefaults = userDefaultsOf(UserSettings.parse(settings.user_settings_defaults));
  const base = settingsOfNewAccounts(userDefaults, settings.default_language);
  const areas = areasOf(snapshot);
  const users = withProfileValues(peopleOf(snapshot, base), snapshot.profile_values ?? {}, rows(areas.profile_fields));
  const channels = snapshot.channels.map((channel) => channelOf(channel, groups, snapshot));
  const state = {
    ...emptyAreas(),
    ...areas,
    ...defined({ other_rights: otherRulesOf(snapshot), other_scopes: otherScopesOf(snapshot) }),
    zulip_version: snapshot.server.zulip_version,
    zulip_merge_base: typeof snapshot.facts?.zulip_merge_base === "string" ? snapshot.facts.zulip_merge_base : "",
    realm: realmOf(snapshot, groups),
    server: serverOf(snapshot),
    user_settings_defaults: userDefaults,
    user_settings: base,
    users: table(users, (user) => user.user_id),
    user_groups: table(groups, (group) => group.id),
    channels: table(channels, (channel) => channel.stream_id),
    subscriptions: subscriptionsOf(snapshot, channels),
    default_channels: [...(snapshot.default_channels ?? [])],
  };
  const invited = (isLink: boolean) =>
    areas.invites.flatMap(({ id, is_multiuse }) => (is_multiuse === isLink ? [id] : []));
  const recipient = channels.map((channel) => channel.recipient_id);
  return { ...state, next_id: nextIds(state, { recipient, invite: invited(false), invite_link: invited(true) }) };
}

function areasOf(snapshot: Snapshot) {
  const { settings, account } = snapshot;
  return {
    default_channel_groups: {},
    messages: {},
    user_topics: {},
    muted_users: {},
    profile_fields: profileFieldsIn(settings.custom_profile_fields),
    playgrounds: playgroundsIn(settings.playgrounds),
    emoji: emojiIn(settings.emoji),
    channel_folders: foldersIn(snapshot.channel_folders),
    linkifiers: linkifiersIn(snapshot.linkifiers),
    domains: snapshot.domains ?? [],
    navigation_views: { [account.user_id]: snapshot.navigation_views ?? [] },
    invites: (snapshot.invites ?? []).map(({ unknown_role, ...invite }) => ({
      ...invite,
      invited_as: unknown_role ?? invite.invited_as,
      invited_by_user_id: invite.invited_by_user_id ?? account.user_id,
      notify_referrer_on_join: invite.notify_referrer_on_join ?? true,
      link_url: null,
      stream_ids: [],
      group_ids: [],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: null,
    })),
  };
}

const KNOWN_RULES = { realm: REALM_PERMISSIONS, stream: CHANNEL_PERMISSIONS, group: GROUP_PERMISSIONS };

/** The permission settings that the server describes and no table of the sandbox has. */
function otherRulesOf({ permission_settings: rules }: Snapshot): OtherRules | undefined {
  if (rules === null) return undefined;
  const others = (scope: RightScope): OtherRules[RightScope] =>
    Object.fromEntries(Object.entries(rules[scope]).filter(([setting]) => !Object.hasOwn(KNOWN_RULES[scope], setting)));
  const found = { realm: others("realm"), stream: others("stream"), group: others("group") };
  return Object.values(found).some((each) => Object.keys(each).length > 0) ? found : undefined;
}

/** What the server describes of objects that have no such settings here: it is shown as it is. */
function otherScopesOf({ permission_settings: rules }: Snapshot): JsonObject | undefined {
  const { realm: _, stream: __, group: ___, ...others } = rules ?? {};
  return Object.keys(others).length === 0 ? undefined : z.record(z.string(), z.json()).parse(others);
}

/** The values that a channel or a group has of them. */
function otherValuesOf(
  object: { readonly [key: string]: unknown },
  scope: RightScope,
  snapshot: Snapshot,
): OtherValues | undefined {
  const values = Object.keys(otherRulesOf(snapshot)?.[scope] ?? {}).flatMap((setting) => {
    const read = GroupSettingValue.safeParse(object[setting]);
    return read.success ? [[setting, read.data] as const] : [];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** What a sandbox stores of such objects, or shows by its own rules. */
const KNOWN_OF_GROUP: ReadonlySet<string> = new Set([...Object.keys(SnapshotGroup.shape), ...GROUP_SETTINGS]);
const KNOWN_OF_CHANNEL: ReadonlySet<string> = new Set([
  ...Object.keys(SnapshotChannel.shape),
  ...CHANNEL_SETTINGS,
  "default_push_notifications",
  "subscriber_count",
  ...["stream_post_policy", "is_announcement_only"],
]);

/** What this sandbox does not know of a channel or a group: rights, which it follows, and all other keys, which it shows. */
function othersOf(
  object: { readonly [key: string]: unknown },
  scope: RightScope,
  snapshot: Snapshot,
  known: ReadonlySet<string>,
): { readonly other_rights?: OtherValues; readonly other_keys?: OtherKeys } {
  const rights = otherValuesOf(object, scope, snapshot);
  const keys = Object.entries(object).flatMap(([key, value]) =>
    known.has(key) || (rights !== undefined && Object.hasOwn(rights, key))
      ? []
      : [[key, z.json().parse(value)] as const],
  );
  return defined({ other_rights: rights, other_keys: keys.length === 0 ? undefined : Object.fromEntries(keys) });
}

function groupsOf(snapshot: Snapshot): readonly UserGroup[] {
  const defaults = groupSettingDefaults(
    snapshot.user_groups.map((group) => ({ ...group, ...record(GROUP_SETTINGS, () => 0) })),
  );
  return snapshot.user_groups.map((group) => groupOf(group, defaults, snapshot));
}

/** Snapshots name realm settings without `realm_`, unless they look like facts about the server, which keep their names. */
const isFact = (key: string): boolean => /^(max_|server_)/.test(key) || key === "zulip_plan_is_not_limited";

/** The newest names: if older or newer servers use another name for a setting, its value counts under the newest one. */
function realmOf({ realm, settings }: Snapshot, groups: readonly UserGroup[]): JsonObject {
  const own = Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) =>
      isFact(key) || hasTable(key) || hasTable(`realm_${key}`)
        ? []
        : [[key.replace(/^realm_(?=max_|server_)/, ""), value]],
    ),
  );
  const { gif_rating_policy, mandatory_topics, allow_edit_history, ...known } = own;
  return {
    ...realmFacts(realm.url),
    ...realmDefaults(groups),
    ...defined({
      giphy_rating: gif_rating_policy,
      topics_policy: mandatory_topics === true ? "disable_empty_topic" : undefined,
      message_edit_history_visibility_policy: allow_edit_history === false ? "none" : undefined,
    }),
    ...known,
    name: realm.name,
  };
}

function serverOf({ server, realm, settings, facts, taken_at }: Snapshot): JsonObject {
  const { zulip_merge_base: _, ...named } = facts ?? {};
  return {
    ...serverFacts(server.feature_level, realm.url, taken_at),
    ...(facts === undefined ? ratingOptions(server.feature_level) : undefined),
    ...Object.fromEntries(Object.entries(settings).filter(([key]) => isFact(key))),
    ...named,
    zulip_feature_level: server.feature_level,
    // No Zulip server has this key: it tells readers of this copy which organization it is a copy of.
    realmctl_sandbox_of: realm.sandbox_of ?? realm.url,
  };
}

function groupOf(
  group: SnapshotGroup,
  defaults: ReturnType<typeof groupSettingDefaults>,
  snapshot: Snapshot,
): UserGroup {
  const settings = record(GROUP_SETTINGS, (setting) =>
    group[setting] === undefined ? defaults[setting] : GroupSettingValue.parse(group[setting]),
  );
  return { ...othersOf(group, "group", snapshot, KNOWN_OF_GROUP), ...storedGroup(group, snapshot.users, settings) };
}

function channelOf(channel: SnapshotChannel, groups: readonly UserGroup[], snapshot: Snapshot): Channel {
  const defaults = channelSettingDefaults(groups);
  return {
    ...record(CHANNEL_SETTINGS, (setting) =>
      channel[setting] === undefined ? defaults[setting] : GroupSettingValue.parse(channel[setting]),
    ),
    ...othersOf(channel, "stream", snapshot, KNOWN_OF_CHANNEL),
    stream_id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    rendered_description: rendered(channel.description),
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    is_archived: channel.is_archived,
    creator_id: channel.creator_id,
    date_created: channel.date_created,
    message_retention_days: channel.message_retention_days ?? null,
    folder_id: channel.folder_id ?? null,
    topics_policy: channel.topics_policy ?? "inherit",
    first_message_id: null,
    stream_weekly_traffic: null,
    is_recently_active: true,
    default_push_notifications: channel.default_push_notifications === true,
    recipient_id: channel.stream_id,
  };
}

/** The colors that channels have if everybody joined them all at once. */
function subscriptionsOf(
  snapshot: Snapshot,
  channels: readonly Channel[],
): { [channelId: number]: { [userId: number]: Subscription } } {
  const out: { [channelId: number]: { [userId: number]: Subscription } } = {};
  const ofUser = new Map<number, Channel[]>();
  for (const channel of channels) {
    out[channel.stream_id] = {};
    for (const id of snapshot.subscribers?.[String(channel.stream_id)] ?? []) {
      const list = ofUser.get(id);
      if (list === undefined) ofUser.set(id, [channel]);
      else list.push(channel);
    }
  }
  for (const [userId, list] of ofUser)
    for (const [channelId, color] of pickColors([], list)) {
      const people = out[channelId];
      if (people !== undefined) people[userId] = { ...NEW_SUBSCRIPTION, color };
    }
  return out;
}

/** Gives people as many values of profile fields as the snapshot counted. The snapshot contains neither the values nor their owners. */
function withProfileValues(
  users: readonly User[],
  counts: NonNullable<Snapshot["profile_values"]>,
  fields: readonly ProfileField[],
): readonly User[] {
  const given = new Map<User, { [fieldId: number]: ProfileValue }>();
  const people = users.filter(({ is_bot }) => !is_bot);
  for (const { id, type } of fields) {
    const values = Object.entries(counts[id] ?? {}).flatMap(([value, count]) =>
      // A person has at most one value of a field, whatever the file states.
      Array.from({ length: Math.min(count, people.length) }, () => value),
    );
    for (const [index, value] of values.slice(0, people.length).entries()) {
      const user = people[index];
      if (user === undefined) break;
      const own = given.get(user) ?? {};
      own[id] = type === FIELD_TYPE.choice ? { value } : madeUp(type, user);
      given.set(user, own);
    }
  }
  return users.map((user) => {
    const profile_data = given.get(user);
    return profile_data === undefined ? user : { ...user, profile_data };
  });
}

function madeUp(type: number, { user_id }: User): ProfileValue {
  switch (type) {
    case FIELD_TYPE.date:
      return { value: "2000-01-01" };
    case FIELD_TYPE.link:
      return { value: "https://example.org/" };
    case FIELD_TYPE.people:
      return { value: `[${user_id}]` };
    case FIELD_TYPE.shortText:
    case FIELD_TYPE.longText:
      return { value: "something", rendered_value: "<p>something</p>" };
    default:
      return { value: "something" };
  }
}

/** The accounts of a snapshot, and the server's own. `test/support/snapshot-gaps.ts` lists what a snapshot does not contain. */
function peopleOf(snapshot: Snapshot, defaults: JsonObject): readonly User[] {
  return [
    ...snapshot.users.map((user) => userOf(user, defaults)),
    ...(snapshot.system_bots ?? usualSystemBots(snapshot)).map((bot) => systemBotOf(bot, snapshot.realm.url)),
  ];
}

function userOf(user: SnapshotUser, defaults: JsonObject): User {
  const { timezone = "", avatar_version = 1 } = user;
  const delivery_email = user.delivery_email ?? user.email;
  return {
    ...NEW_ACCOUNT,
    user_id: user.user_id,
    email: user.email,
    delivery_email,
    full_name: user.full_name,
    role: user.role,
    ...defined({ unknown_role: user.unknown_role, is_deleted: user.is_deleted }),
    is_active: user.is_active,
    is_bot: user.is_bot,
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    is_imported_stub: user.is_imported_stub ?? false,
    timezone,
    date_joined: user.date_joined ?? JOINED,
    avatar_source: user.avatar_url === undefined ? "G" : "U",
    avatar_url: user.avatar_url ?? gravatarOf(delivery_email, avatar_version),
    avatar_version,
    settings: settingsSeen(user, defaults),
  };
}

/** The date for accounts whose start is unknown: before every message that could be sent. */
const JOINED = "2020-01-01T00:00+00:00";

/** A server creates these before its first organization. */
const SYSTEM_BOTS = [
  { user_id: 1, email: "emailgateway@zulip.com", full_name: "Email Gateway" },
  { user_id: 4, email: "notification-bot@zulip.com", full_name: "Notification Bot" },
  { user_id: 5, email: "welcome-bot@zulip.com", full_name: "Welcome Bot" },
] as const;

/** Uses the ids that the bots have on every server, unless somebody in the snapshot has one of them. */
function usualSystemBots({ users }: Snapshot): readonly SnapshotSystemBot[] {
  const taken = new Set(users.map(({ user_id }) => user_id));
  let last = users.reduce((most, { user_id }) => Math.max(most, user_id), 5);
  return SYSTEM_BOTS.map((bot) => {
    if (!taken.has(bot.user_id)) return bot;
    last += 1;
    return { ...bot, user_id: last };
  });
}

function systemBotOf({ user_id, email, full_name, date_joined = JOINED }: SnapshotSystemBot, url: string): User {
  return {
    ...NEW_ACCOUNT,
    user_id,
    email,
    delivery_email: email,
    full_name,
    role: 400,
    is_bot: true,
    bot_type: 1,
    bot_owner_id: null,
    is_system_bot: true,
    date_joined,
    avatar_source: "U",
    avatar_url: `${url}/static/images/static_avatars/${email.split("@")[0]}.png`,
  };
}
