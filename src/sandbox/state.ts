import type { Json, JsonObject } from "../model/json.ts";

/**
 * The whole realm as plain data: survives JSON unchanged, holds no keys and no functions. Rows are never mutated by
 * assignment (everything is readonly); they are written through a `Ledger`, which can take a refused call back.
 * Rows hold what the newest level knows; what a level shows is decided when an answer is rendered.
 */
export type Table<Row> = { readonly [id: number]: Row };

/** A group-setting value in normal form (zulip-api.md §3.7): a named group's id, or an anonymous group. */
export type GroupValue = number | AnonymousGroup;
export interface AnonymousGroup {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = 100 | 200 | 300 | 400 | 600;

export interface User {
  readonly user_id: number;
  /** The address the API shows: the real one, or user{ID}@… when it is hidden from some. */
  readonly email: string;
  /** The real address: what people sign in with. */
  readonly delivery_email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
  readonly bot_owner_id: number | null;
  /** Belongs to the server, not to the realm (Notification Bot, …); never listed among the realm's people. */
  readonly is_system_bot: boolean;
  readonly is_imported_stub: boolean;
  readonly timezone: string;
  /** ISO 8601 as the server writes it (minutes, "+00:00") */
  readonly date_joined: string;
  readonly avatar_source: string;
  readonly avatar_url: string | null;
  readonly avatar_version: number;
  /** Profile field id → value; bots have none. */
  readonly profile_data: { readonly [fieldId: number]: ProfileValue };
  /** What differs from `RealmState.user_settings`. */
  readonly settings: JsonObject;
  /** Names of settings that the account has changed itself (an administrator may leave those alone). */
  readonly edited_settings?: readonly string[];
  readonly status: UserStatus;
  /** Details of bots only: default channels, services (outgoing webhooks), config. */
  readonly bot: JsonObject;
  /** When it was last brought back, in UNIX seconds; absent: never. */
  readonly reactivated_at?: number;
  /** How many API keys it had before this one; absent: none. */
  readonly keys_before?: number;
  /** When the owner was told of the bot's last mistake, in UNIX seconds. */
  readonly owner_told_at?: number;
}
export interface ProfileValue {
  readonly value: Json;
  readonly rendered_value?: string;
}
export interface UserStatus {
  readonly away?: boolean;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

export const GROUP_SETTINGS = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_mention_group",
  "can_remove_members_group",
] as const;
export type GroupSetting = (typeof GROUP_SETTINGS)[number];

export interface UserGroup extends Readonly<Record<GroupSetting, GroupValue>> {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Direct members, deactivated people included (they come back when reactivated). */
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
  readonly creator_id: number | null;
  readonly date_created: number | null;
}

/** In the order in which PATCH /streams applies them (zulip-api.md §3.5.2). */
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
  /** UNIX seconds */
  readonly date_created: number;
  /** null: the realm's; -1: unlimited */
  readonly message_retention_days: number | null;
  readonly folder_id: number | null;
  readonly topics_policy: string;
  readonly first_message_id: number | null;
  readonly stream_weekly_traffic: number | null;
  readonly is_recently_active: boolean;
  readonly default_push_notifications: boolean;
  /** How often somebody subscribed was brought back without having been away: the shown number of subscribers is too high by it. */
  readonly subscribers_counted_twice?: number;
  /** The number of its conversation; new channels and direct conversations share one sequence. */
  readonly recipient_id: number;
}

/** One user's subscription to one channel; `null` in the five flags means "as the user's own settings say". */
export interface Subscription {
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  readonly audible_notifications: boolean | null;
  readonly desktop_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  /** False once unsubscribed: the colour is remembered. */
  readonly active: boolean;
}

export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  /** The id until the first reorder, then a place. */
  readonly order: number;
  readonly creator_id: number | null;
  readonly date_created: number;
  readonly is_archived: boolean;
}

export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
  readonly order: number;
}

export interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

export interface NavigationView {
  readonly fragment: string;
  readonly is_pinned: boolean;
  readonly name: string | null;
}

/** An invitation by e-mail (`is_multiuse` false) or a link; the two have id spaces of their own. */
export interface Invite {
  readonly id: number;
  readonly is_multiuse: boolean;
  readonly email: string | null;
  readonly invited_by_user_id: number;
  readonly invited: number;
  readonly expiry_date: number | null;
  readonly invited_as: number;
  readonly notify_referrer_on_join: boolean;
  readonly link_url: string | null;
  readonly stream_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
  readonly welcome_message_custom_text: string | null;
  /** A link that was taken back is remembered; an e-mail invitation vanishes. */
  readonly revoked?: true;
}

export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: number;
  /** JSON text, as the server answers it */
  readonly field_data: string;
  readonly order: number;
  readonly display_in_profile_summary: boolean;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly use_for_user_matching: boolean;
}

export interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

export interface Message {
  readonly id: number;
  readonly sender_id: number;
  readonly type: "channel" | "direct";
  /** null for direct messages */
  readonly channel_id: number | null;
  /** Everyone in a direct conversation, the sender included; empty for channels. */
  readonly to: readonly number[];
  /** "" is the general chat topic. */
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  /** UNIX seconds */
  readonly timestamp: number;
  readonly last_edit_timestamp: number | null;
  readonly last_moved_timestamp: number | null;
  readonly edit_history: readonly JsonObject[];
  readonly client: string;
  /** Who got a copy when it was sent: subscribers of that moment. */
  readonly received_by: readonly number[];
  /** User id → flags of that user's copy ("read", "starred", …). */
  readonly flags: { readonly [userId: number]: readonly string[] };
  readonly reactions: readonly JsonObject[];
  readonly has_attachment: boolean;
  /** What makes it a poll or a to-do list; absent for all other messages. */
  readonly submessages?: readonly JsonObject[];
  /** The Notification Bot's word that the topic was resolved or unresolved. */
  readonly is_resolve_notice?: boolean;
}

export interface Draft {
  readonly id: number;
  readonly user_id: number;
  readonly type: "" | "stream" | "private";
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
}

export interface ScheduledMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly type: "stream" | "private";
  /** A channel id, or user ids */
  readonly to: number | readonly number[];
  readonly topic: string | null;
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  /** Sent: only its number is still of use. */
  readonly is_delivered?: boolean;
  readonly read_by_sender?: boolean;
}

export interface Reminder {
  readonly id: number;
  readonly user_id: number;
  readonly reminder_target_message_id: number;
  readonly note: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

export interface Attachment {
  readonly id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly message_ids: readonly number[];
  /** The bytes, base64 */
  readonly data: string;
  readonly content_type: string;
}

export interface Emoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** Pictures of the whole organization. */
export type RealmImage = "icon" | "logo" | "night_logo";

/** The next number of each id space. Numbers are never given out twice. */
export const ID_SPACES = [
  "user",
  "group",
  "channel",
  "folder",
  "linkifier",
  "domain",
  "invite",
  "invite_link",
  "profile_field",
  "playground",
  "emoji",
  "message",
  "draft",
  "scheduled",
  "attachment",
  "recipient",
  "default_channel_group",
] as const;
export type IdSpace = (typeof ID_SPACES)[number];

/** Channels that people may choose together when they sign up (a relic, zulip-api.md §4). */
export interface DefaultChannelGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Channel ids */
  readonly channels: readonly number[];
}

export interface RealmState {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  /** Every `realm_*` setting without the prefix (group settings in normal form), newest names. */
  readonly realm: JsonObject;
  /** Register keys that are facts of the server: `max_*`, `server_*`, `password_*`, … under their own names. */
  readonly server: JsonObject;
  /** Defaults for accounts made from now on (`realm_user_settings_defaults`). */
  readonly user_settings_defaults: JsonObject;
  /** What every existing account's settings are, unless the account's own `settings` say otherwise. */
  readonly user_settings: JsonObject;
  readonly users: Table<User>;
  readonly user_groups: Table<UserGroup>;
  readonly channels: Table<Channel>;
  /** Channel id → user id → subscription. */
  readonly subscriptions: Table<Table<Subscription>>;
  /** Channel ids, ascending. */
  readonly default_channels: readonly number[];
  readonly default_channel_groups: Table<DefaultChannelGroup>;
  readonly channel_folders: Table<Folder>;
  readonly linkifiers: Table<Linkifier>;
  /** In the order they were added; domains have no ids that matter. */
  readonly domains: readonly Domain[];
  /** User id → views. */
  readonly navigation_views: Table<readonly NavigationView[]>;
  readonly invites: readonly Invite[];
  /** How many invitations were mailed, by UNIX day. */
  readonly invites_mailed?: { readonly [unixDay: number]: number };
  readonly profile_fields: Table<ProfileField>;
  readonly playgrounds: Table<Playground>;
  readonly emoji: { readonly [id: string]: Emoji };
  /** How often the organization's pictures were changed; absent: never. */
  readonly image_versions?: { readonly [image in RealmImage]?: number };
  readonly messages: Table<Message>;
  /** Conversations of three and more, numbered from 1: user ids, ascending. */
  readonly direct_message_groups: Table<readonly number[]>;
  readonly drafts: Table<Draft>;
  readonly scheduled_messages: Table<ScheduledMessage>;
  readonly reminders: Table<Reminder>;
  readonly attachments: Table<Attachment>;
  /** User id → topics with a visibility policy of that user. */
  readonly user_topics: Table<
    readonly {
      readonly stream_id: number;
      readonly topic_name: string;
      readonly last_updated: number;
      readonly visibility_policy: number;
    }[]
  >;
  /** User id → muted people. */
  readonly muted_users: Table<readonly { readonly id: number; readonly timestamp: number }[]>;
  readonly next_id: Readonly<Record<IdSpace, number>>;
}

/** The rows of a table, ascending by id. */
export function rows<Row>(table: Table<Row>): Row[] {
  return Object.values(table);
}

/** A user's settings, own ones over those everybody has. */
export function settingsOf(state: RealmState, user: User): JsonObject {
  return { ...state.user_settings, ...user.settings };
}
export function settingOf(state: RealmState, user: User, name: string): Json | undefined {
  return name in user.settings ? user.settings[name] : state.user_settings[name];
}
