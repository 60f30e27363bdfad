import type { OtherKeys, OtherValues } from "./groups.ts";
import type { GroupValue } from "./values.ts";

/** The settings in the order in which PATCH /streams applies them (zulip-api.md §3.5.2). */
export const CHANNEL_SETTINGS = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_create_topic_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_move_messages_out_of_channel_group",
  "can_move_messages_within_channel_group",
  "can_remove_subscribers_group",
  "can_send_message_group",
  "can_subscribe_group",
  "can_resolve_topics_group",
] as const;

export type ChannelSetting = (typeof CHANNEL_SETTINGS)[number];

export interface Channel extends Readonly<Record<ChannelSetting, GroupValue>> {
  readonly stream_id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
  readonly is_archived: boolean;
  readonly creator_id: number | null;
  /** The time in UNIX seconds. */
  readonly date_created: number;
  /** The retention in days; null: the realm's value; -1: unlimited. */
  readonly message_retention_days: number | null;
  readonly folder_id: number | null;
  readonly topics_policy: string;
  readonly first_message_id: number | null;
  readonly stream_weekly_traffic: number | null;
  readonly is_recently_active: boolean;
  readonly default_push_notifications: boolean;
  /** How often a subscriber was reactivated without having been deactivated; the shown number of subscribers is too high by this number. */
  readonly subscribers_counted_twice?: number;
  /** Only for channels that were created in one call at a level where such channels share their unnamed groups (zulip-api.md §3.4). */
  readonly shares_groups?: SharedGroups;
  readonly other_rights?: OtherValues;
  readonly other_keys?: OtherKeys;
  /** The number of its conversation; channels and direct conversations share one sequence. */
  readonly recipient_id: number;
}

export interface SharedGroups {
  readonly settings: readonly ChannelSetting[];
  /** The ids of the channels, including this channel. */
  readonly channels: readonly number[];
}

/** One user's subscription to one channel; `null` in the five flags means "same as the user's own settings". */
export interface Subscription {
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  readonly audible_notifications: boolean | null;
  readonly desktop_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  /** False after unsubscribing: the row remains, because the server remembers the color. */
  readonly active: boolean;
}

export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  /** The folder's id until the first reordering, then its position. */
  readonly order: number;
  readonly creator_id: number | null;
  readonly date_created: number;
  readonly is_archived: boolean;
}

/** Channels that people can choose together when they sign up (a relic, zulip-api.md §4). */
export interface DefaultChannelGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The ids of the channels. */
  readonly channels: readonly number[];
}
