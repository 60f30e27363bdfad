import { channelSettingDefaults } from "../defaults.ts";
import type { ChannelSetting } from "../rows/channels.ts";
import { type GroupValue, rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

/** The default settings of a new channel: its creator administers it. */
export function defaultChannelSettings(state: RealmState, creatorId: number): Record<ChannelSetting, GroupValue> {
  return {
    ...channelSettingDefaults(rows(state.user_groups)),
    can_administer_channel_group: { direct_members: [creatorId], direct_subgroups: [] },
  };
}
