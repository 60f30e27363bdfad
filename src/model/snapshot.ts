import * as z from "zod";
import { ROLE } from "./roles.ts";

/**
 * A whole realm at one moment, as plain JSON in the server's own words and ids: what `plan` reads, the sandbox starts from
 * and drift compares. Lists are sorted by id (linkifiers and folders keep the server's order), keys as declared here.
 * Rows of people, domains, views and invitations may have more keys, as a later version may write them; they are dropped.
 * Never holds API keys, bot tokens or invitation links. `null` for a section: not read, or the server is too old to have it.
 */
export const SNAPSHOT_VERSION = 1;

/** A group-setting value as the server reads it back: a named group's id, or an anonymous group. */
export const GroupSettingValue = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);
export type GroupSettingValue = z.infer<typeof GroupSettingValue>;

/** One row of `server_supported_permission_settings` (feature level 221): which groups a setting may name. */
export const PermissionRule = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  allowed_system_groups: z.array(z.string()).default([]),
  default_for_system_groups: z.string().nullable().default(null),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

const Role = z.enum(ROLE);
/** The server's number of a role that this version does not know; `role` is then what it counts as. Left out for known roles. */
const UnknownRole = z.int().optional();

export const SnapshotUser = z.object({
  user_id: z.int(),
  email: z.string(),
  /** The address; null if the reading account may not see it */
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  role: Role,
  unknown_role: UnknownRole,
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable(),
  is_active: z.boolean(),
  /** Left out if it is empty; snapshots of older versions of realmctl do not have it, nor the following fields. */
  timezone: z.string().optional(),
  /** ISO 8601, to the minute, as the server writes it */
  date_joined: z.string().optional(),
  /** A picture that somebody uploaded, or that the server drew (level 466). Gravatars follow from the address, and are left out. */
  avatar_url: z.string().optional(),
  /** Left out where it is 1 */
  avatar_version: z.int().optional(),
  /** Left out where it is false */
  is_imported_stub: z.literal(true).optional(),
  /** Somebody had the account deleted (level 490). Left out where it is false */
  is_deleted: z.literal(true).optional(),
});
export type SnapshotInvite = z.infer<typeof SnapshotInvite>;
export type SnapshotUser = z.infer<typeof SnapshotUser>;

/** An account of the server's own, which posts its notices and mails. */
export const SnapshotSystemBot = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.string().optional(),
});
export type SnapshotSystemBot = z.infer<typeof SnapshotSystemBot>;

/**
 * Facts about the server that POST /register returns under separate names, besides `max_*` and `server_*`. A list, and not everything, since a later
 * server may add anything there.
 */
export const SERVER_FACTS: ReadonlySet<string> = new Set([
  "zulip_merge_base",
  "custom_profile_field_types",
  "development_environment",
  "event_queue_longpoll_timeout_seconds",
  "gif_rating_options",
  "gif_rating_policy_options",
  "giphy_rating_options",
  "jitsi_server_url",
  "password_max_length",
  "password_min_guesses",
  "password_min_length",
  "settings_send_digest_emails",
  "upgrade_text_for_wide_organization_logo",
]);

export const SnapshotGroup = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable(),
});
export type SnapshotGroup = z.infer<typeof SnapshotGroup>;

/** A channel as GET /streams shows it; fields newer than the server are absent (zulip-api.md §3.1). */
export const SnapshotChannel = z.looseObject({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  message_retention_days: z.int().nullable().optional(),
  creator_id: z.int().nullable(),
  date_created: z.int(),
  folder_id: z.int().nullable().optional(),
  topics_policy: z.string().optional(),
});
export type SnapshotChannel = z.infer<typeof SnapshotChannel>;

const SnapshotFolder = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  is_archived: z.boolean(),
});
const SnapshotLinkifier = z.looseObject({ id: z.int(), pattern: z.string(), url_template: z.string() });
const SnapshotDomain = z.object({ domain: z.string(), allow_subdomains: z.boolean() });
const SnapshotView = z.object({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable(),
});
/** A pending invitation without its link: everybody who has the link can join. */
const SnapshotInvite = z.object({
  id: z.int(),
  is_multiuse: z.boolean(),
  email: z.string().nullable(),
  invited_by_user_id: z.int().nullable(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: Role,
  unknown_role: UnknownRole,
  notify_referrer_on_join: z.boolean().nullable(),
});

export const Snapshot = z.strictObject({
  format: z.literal("realmctl.snapshot"),
  version: z.literal(SNAPSHOT_VERSION),
  /** ISO 8601, UTC */
  taken_at: z.string(),
  server: z.strictObject({ zulip_version: z.string(), feature_level: z.int() }),
  realm: z.strictObject({
    url: z.string(),
    name: z.string(),
    /** The organization that a sandbox on this machine was made from; left out if a server is read. */
    sandbox_of: z.string().exactOptional(),
  }),
  /** The account that read it: its own rights and its own navigation views. */
  account: z.object({
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    role: Role,
    unknown_role: UnknownRole,
    is_bot: z.boolean(),
  }),
  /** `server_supported_permission_settings`, also of what only a newer server has settings of; null below feature level 221. */
  permission_settings: z
    .looseObject({
      realm: z.record(z.string(), PermissionRule),
      stream: z.record(z.string(), PermissionRule),
      group: z.record(z.string(), PermissionRule),
    })
    .nullable(),
  /** Every `realm_*` key without its prefix (`realm_max_*` and `realm_server_*` keep it) and without secrets, plus `max_*` and `server_*` keys under their own names. */
  settings: z.record(z.string(), z.json()),
  /** The facts of `SERVER_FACTS`; snapshots of older versions of realmctl do not have them. */
  facts: z.record(z.string(), z.json()).optional(),
  users: z.array(SnapshotUser),
  /** Profile field id (as text) → value → how many people have it: keys of options one by one, all other values as the empty text. */
  profile_values: z.record(z.string(), z.record(z.string(), z.int())).optional(),
  /** Ascending by id; snapshots of older versions of realmctl do not have it. */
  system_bots: z.array(SnapshotSystemBot).optional(),
  user_groups: z.array(SnapshotGroup),
  channels: z.array(SnapshotChannel),
  /** Channel ids, ascending. */
  default_channels: z.array(z.int()).nullable(),
  channel_folders: z.array(SnapshotFolder).nullable(),
  linkifiers: z.array(SnapshotLinkifier).nullable(),
  domains: z.array(SnapshotDomain).nullable(),
  navigation_views: z.array(SnapshotView).nullable(),
  /** Channel id (as text) → subscribed user ids, ascending; null if not requested. */
  subscribers: z.record(z.string(), z.array(z.int())).nullable(),
  invites: z.array(SnapshotInvite).nullable(),
});
export type Snapshot = z.infer<typeof Snapshot>;
