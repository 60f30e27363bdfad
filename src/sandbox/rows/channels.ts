import * as z from "zod";
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

/** What a server says of a channel, besides its settings. */
export const SentChannel = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  creator_id: z.int().nullable(),
  /** The time in UNIX seconds. */
  date_created: z.int(),
  /** The retention in days; null: the realm's value; -1: unlimited. */
  message_retention_days: z.int().nullable(),
  folder_id: z.int().nullable().default(null),
  topics_policy: z.string().default("inherit"),
  first_message_id: z.int().nullable(),
  stream_weekly_traffic: z.int().nullable(),
  is_recently_active: z.boolean(),
});
export interface Channel extends Readonly<Record<ChannelSetting, GroupValue>>, Readonly<z.infer<typeof SentChannel>> {
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
export const SentSubscription = z.object({
  color: z.string(),
  is_muted: z.boolean(),
  pin_to_top: z.boolean(),
  audible_notifications: z.boolean().nullable(),
  desktop_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
});
export interface Subscription extends Readonly<z.infer<typeof SentSubscription>> {
  /** False after unsubscribing: the row remains, because the server remembers the color. */
  readonly active: boolean;
}

export const SentFolder = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  order: z.int().optional(),
  creator_id: z.int().nullable().default(null),
  date_created: z.int().default(0),
  is_archived: z.boolean(),
});
export interface Folder extends Readonly<Omit<z.infer<typeof SentFolder>, "order">> {
  readonly rendered_description: string;
  /** The folder's id until the first reordering, then its position. */
  readonly order: number;
}

/** Channels that people can choose together when they sign up (a relic, zulip-api.md §4). */
export interface DefaultChannelGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The ids of the channels. */
  readonly channels: readonly number[];
}
