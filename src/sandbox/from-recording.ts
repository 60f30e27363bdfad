import { GroupSettingValue } from "../model/snapshot.ts";
import { channelSettingDefaults, NEW_SUBSCRIPTION, nextIds, realmDefaults } from "./defaults.ts";
import {
  defaultGroupsIn,
  domainsIn,
  emojiIn,
  foldersIn,
  linkifiersIn,
  mutedUsersIn,
  playgroundsIn,
  profileFieldsIn,
  userTopicsIn,
  viewsIn,
} from "./read-areas.ts";
import { splitRegister } from "./recorded-facts.ts";
import { messageOf } from "./recorded-messages.ts";
import { peopleOf, settingsForAll } from "./recorded-people.ts";
import type { RecordedChannel, Recording } from "./recording.ts";
import type { Channel, Subscription } from "./rows/channels.ts";
import { GROUP_SETTINGS, type UserGroup } from "./rows/groups.ts";
import { record, type Table } from "./rows/values.ts";
import { emptyAreas, idsOfAreas, storedGroup, table } from "./start-areas.ts";
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
  const areas = areasOf(recording);
  const groupsOfDefaults = defaultGroupsIn(register.realm_default_stream_groups);
  return {
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
    default_channel_groups: table(groupsOfDefaults, (group) => group.id),
    ...emptyAreas(),
    ...areas,
    messages: table(messages, (message) => message.id),
    next_id: nextIds({
      user: users.map((user) => user.user_id),
      group: [Math.max(...groups.map((group) => group.id)) + UNNAMED_GROUPS],
      channel: channels.rows.map((channel) => channel.stream_id),
      message: messages.map((message) => message.id),
      recipient: [channels.lastRecipient],
      default_channel_group: groupsOfDefaults.map((group) => group.id),
      ...idsOfAreas(areas),
    }),
  };
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
    linkifiers: table(isBare ? [] : linkifiersIn(register.realm_linkifiers), (linkifier) => linkifier.id),
    domains: isBare ? [] : domainsIn(register.realm_domains),
    channel_folders: table(foldersIn(register.channel_folders), (folder) => folder.id),
    profile_fields: table(profileFieldsIn(register.custom_profile_fields), (field) => field.id),
    playgrounds: table(playgroundsIn(register.realm_playgrounds), (playground) => playground.id),
    emoji: emojiIn(register.realm_emoji),
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
