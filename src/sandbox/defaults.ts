import { keysOf } from "../model/defined.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, REALM_PERMISSIONS } from "./permissions.ts";
import { CHANNEL_VALUED, FLAG_STANDARDS, NO_CHANNEL } from "./realm-settings/params.ts";
import { CHANNEL_SETTINGS, type ChannelSetting, type Subscription } from "./rows/channels.ts";
import { GROUP_SETTINGS, type GroupSetting, type UserGroup } from "./rows/groups.ts";
import { type GroupValue, record } from "./rows/values.ts";
import { ID_SPACES, type IdSpace, type RealmState } from "./state.ts";

/** Defaults for settings that a realm has, but that the level at which it was read does not show yet. */
export function realmDefaults(groups: readonly UserGroup[]): JsonObject {
  const out: { [setting: string]: Json } = { ...PLAIN };
  for (const [setting, { default_group_name }] of Object.entries(REALM_PERMISSIONS))
    out[setting] = groupNamed(groups, default_group_name);
  return out;
}
const PLAIN: JsonObject = {
  ...FLAG_STANDARDS,
  ...record(CHANNEL_VALUED, () => NO_CHANNEL),
  name: "",
  description: "",
  topics_policy: "allow_empty_topic",
  mandatory_topics: false,
  media_preview_size: 100,
  message_retention_days: -1,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_between_streams_limit_seconds: 604800,
  move_messages_within_stream_limit_seconds: 604800,
  message_edit_history_visibility_policy: "all",
  default_avatar_source: "J",
  default_code_block_language: "",
  default_language: "en",
  digest_weekday: 1,
  giphy_rating: 1,
  jitsi_server_url: null,
  org_type: 0,
  plan_type: 1,
  video_chat_provider: 1,
  waiting_period_threshold: 0,
  welcome_message_custom_text: "",
  owner_full_content_access: false,
  empty_topic_display_name: "general chat",
};

/** The id of a system group; the pseudo names of creator groups give the id of role:nobody. */
function groupNamed(groups: readonly UserGroup[], name: string): number {
  const found = groups.find((group) => group.is_system_group && group.name === name);
  const nobody = groups.find((group) => group.is_system_group && group.name === "role:nobody");
  return (found ?? nobody)?.id ?? 0;
}

/** All eleven settings of a channel with default permissions. */
export function channelSettingDefaults(groups: readonly UserGroup[]): Record<ChannelSetting, GroupValue> {
  return record(CHANNEL_SETTINGS, (setting) => groupNamed(groups, CHANNEL_PERMISSIONS[setting].default_group_name));
}
/** All six settings of a user group with default permissions. */
export function groupSettingDefaults(groups: readonly UserGroup[]): Record<GroupSetting, GroupValue> {
  return record(GROUP_SETTINGS, (setting) => groupNamed(groups, GROUP_PERMISSIONS[setting].default_group_name));
}

export const NEW_SUBSCRIPTION: Subscription = {
  color: "#76ce90",
  is_muted: false,
  pin_to_top: false,
  audible_notifications: null,
  desktop_notifications: null,
  email_notifications: null,
  push_notifications: null,
  wildcard_mentions_notify: null,
  active: true,
};

/** Id counters that start after the existing ids: those of the tables, and others that are in use. */
export function nextIds(
  tables: Omit<RealmState, "next_id">,
  others: Partial<Record<IdSpace, readonly number[]>>,
): Record<IdSpace, number> {
  return record(keysOf(ID_SPACES), (space) => {
    const name = ID_SPACES[space];
    const ids = name === null ? [] : Object.keys(tables[name]).map(Number);
    return [...ids, ...(others[space] ?? [])].reduce((a, b) => Math.max(a, b), 0) + 1;
  });
}
