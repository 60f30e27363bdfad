import * as z from "zod";
import { GroupSettingValue, SnapshotGroup } from "../model/snapshot.ts";
import { CHANNEL_SETTINGS } from "./rows/channels.ts";
import { record } from "./rows/values.ts";

const Role = z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)]);
const RecordedUser = z.object({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  role: Role,
  is_bot: z.boolean(),
  is_active: z.boolean().default(true),
  bot_type: z.int().nullable().default(null),
  bot_owner_id: z.int().nullable().default(null),
  is_imported_stub: z.boolean().default(false),
  timezone: z.string(),
  date_joined: z.string(),
  avatar_url: z.string().nullish(),
  avatar_version: z.int(),
});
export type RecordedUser = z.infer<typeof RecordedUser>;
const RecordedChannel = z.object({
  ...record(CHANNEL_SETTINGS, () => GroupSettingValue.exactOptional()),
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  is_default: z.boolean().optional(),
  creator_id: z.int().nullable(),
  date_created: z.int(),
  message_retention_days: z.int().nullable(),
  folder_id: z.int().nullable().default(null),
  topics_policy: z.string().default("inherit"),
  first_message_id: z.int().nullable(),
  stream_weekly_traffic: z.int().nullable(),
  is_recently_active: z.boolean(),
});
export type RecordedChannel = z.infer<typeof RecordedChannel>;
const RecordedSubscription = z.object({
  stream_id: z.int(),
  color: z.string(),
  is_muted: z.boolean(),
  pin_to_top: z.boolean(),
  audible_notifications: z.boolean().nullable(),
  desktop_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
});
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
    cross_realm_bots: z.array(RecordedUser),
    realm_user_settings_defaults: JsonRecord,
    user_settings: JsonRecord,
    starred_messages: z.array(z.int()),
  }),
  streams: z.array(RecordedChannel),
  user_groups: z.array(SnapshotGroup),
  users: z.array(RecordedUser),
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
export const botsIn = (value: unknown) => RecordedBots.parse(value);

const RecordedPeople = z.array(z.looseObject({ user_id: z.int(), profile_data: z.unknown().optional() })).catch([]);
/** People with their values of profile fields, which only POST /register and one's own user object show. */
export const peopleIn = (value: unknown) => RecordedPeople.parse(value);
