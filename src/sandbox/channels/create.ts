import { isAdmin, mayInRealm } from "../access.ts";
import type { Call } from "../call.ts";
import { channelSettingDefaults } from "../defaults.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { normalGroupValue, systemGroup, writtenGroupValue } from "../groups.ts";
import type { SentGroupValue } from "../params.ts";
import { CHANNEL_PERMISSIONS } from "../permissions.ts";
import { CHANNEL_SETTINGS, type Channel, type ChannelSetting } from "../rows/channels.ts";
import { type GroupValue, rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { addDefault } from "./default-groups.ts";
import { emitCreated } from "./events.ts";
import {
  checkMayMakeWebPublic,
  checkMaySetDeletePolicy,
  checkMaySetRetention,
  checkProtectedHistory,
  checkStorableDays,
  oneLine,
  rendered,
  type TopicsPolicy,
} from "./params.ts";

/** The input of both creating calls, shared by all channels of one call. */
export interface Wanted {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly is_default_stream: boolean;
  readonly history_public_to_subscribers: boolean | undefined;
  readonly message_retention_days: string | number;
  readonly topics_policy: TopicsPolicy | undefined;
  readonly folder_id: number | null | undefined;
  readonly default_push_notifications: boolean;
  readonly groups: { readonly [setting in ChannelSetting]: SentGroupValue | undefined };
}

/** Checks the right to create such a channel (§3.3); the retention was read earlier. @throws ApiError */
export function checkMayCreate({ state, user }: Call, wanted: Wanted, days: number | null): void {
  const creators = wanted.invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!mayInRealm(state, user, creators)) throw insufficientPermission();
  if (wanted.is_default_stream && !isAdmin(user)) throw insufficientPermission();
  if (wanted.default_push_notifications && !isAdmin(user)) throw insufficientPermission();
  if (wanted.invite_only && wanted.is_default_stream) throw new ApiError("A default channel cannot be private.");
  if (wanted.is_web_public) checkMayMakeWebPublic(state, user);
  if (days !== null) checkMaySetRetention(state, user);
}

/** The fields that the new channels have in common; everything was checked. */
export function preparedChannel(wanted: Wanted, groups: Record<ChannelSetting, GroupValue>, days: number | null) {
  return {
    ...groups,
    invite_only: wanted.invite_only,
    is_web_public: wanted.is_web_public,
    history_public_to_subscribers: wanted.invite_only ? (wanted.history_public_to_subscribers ?? false) : true,
    message_retention_days: days,
    topics_policy: wanted.topics_policy ?? "inherit",
    folder_id: wanted.folder_id ?? null,
    default_push_notifications: wanted.default_push_notifications,
    isDefault: wanted.is_default_stream,
  };
}
type PreparedChannel = ReturnType<typeof preparedChannel>;

const DELETE_POLICIES: ReadonlySet<ChannelSetting> = new Set([
  "can_delete_any_message_group",
  "can_delete_own_message_group",
]);

/**
 * The group settings of the new channels, looked up one after the other, the default ones too: each unnamed group takes a number, even if a later
 * setting is refused. @throws ApiError
 */
export function groupSettings(call: Call, wanted: Wanted): Record<ChannelSetting, GroupValue> {
  const { state, user, ledger } = call;
  const groups = defaultChannelSettings(state, user.user_id);
  const nobody = systemGroup(state, "role:nobody").id;
  for (const setting of CHANNEL_SETTINGS) {
    const sent = wanted.groups[setting];
    if (sent === undefined) {
      ledger.countAnonymous(groups[setting]);
      continue;
    }
    // The check uses the history that was sent, even if a public channel's history is public anyway.
    if (setting === "can_create_topic_group")
      checkProtectedHistory(
        state,
        wanted.history_public_to_subscribers ?? !wanted.invite_only,
        normalGroupValue(state, sent),
      );
    const value = writtenGroupValue(call, setting, CHANNEL_PERMISSIONS[setting], sent);
    if (DELETE_POLICIES.has(setting) && value !== nobody) checkMaySetDeletePolicy(state, user);
    groups[setting] = value;
  }
  return groups;
}

/**
 * In some version after 11.0 (421) and not after 442, the server began to look up the groups only for channels that are created, and for each channel
 * separately. Before, all channels of a call shared the same unnamed groups.
 */
export const GROUPS_LATE_LEVEL = 425;
function shareGroups({ ledger }: Call, channels: readonly Channel[]): void {
  const ids = channels.map(({ stream_id }) => stream_id);
  for (const channel of channels) {
    const settings = CHANNEL_SETTINGS.filter((setting) => typeof channel[setting] === "object");
    ledger.assign(channel, { shares_groups: { settings, channels: ids } });
  }
}
/** The channels that share the unnamed group of that setting; only the channel itself if it shares none. */
export function sharingWith(state: RealmState, channel: Channel, setting: ChannelSetting): readonly Channel[] {
  const shared = channel.shares_groups;
  if (shared === undefined || !shared.settings.includes(setting)) return [channel];
  return shared.channels.flatMap((id) => state.channels[id] ?? []);
}

/** Creates the new channels; their names were checked. */
export function createChannels(
  call: Call,
  prepared: PreparedChannel,
  list: readonly { readonly name: string; readonly description: string }[],
): Channel[] {
  const { isDefault, ...shared } = prepared;
  const { ledger, state } = call;
  if (list.length > 0) checkStorableDays(shared.message_retention_days);
  const channels = list.map(({ name, description }): Channel => {
    const text = oneLine(description);
    const channel = {
      ...shared,
      stream_id: ledger.nextId("channel"),
      recipient_id: ledger.nextId("recipient"),
      name,
      description: text,
      rendered_description: rendered(text),
      is_archived: false,
      creator_id: call.user.user_id,
      date_created: call.now,
      first_message_id: null,
      stream_weekly_traffic: null,
      is_recently_active: true,
    };
    ledger.put(state.channels, channel.stream_id, channel);
    ledger.put(state.subscriptions, channel.stream_id, {});
    return channel;
  });
  if (call.level < GROUPS_LATE_LEVEL && channels.length > 1) shareGroups(call, channels);
  for (const channel of channels) emitCreated(call, channel);
  if (isDefault) for (const channel of channels) addDefault(call, channel);
  return channels;
}

/** The default settings of a new channel: its creator administers it. */
function defaultChannelSettings(state: RealmState, creatorId: number): Record<ChannelSetting, GroupValue> {
  return {
    ...channelSettingDefaults(rows(state.user_groups)),
    can_administer_channel_group: { direct_members: [creatorId], direct_subgroups: [] },
  };
}
