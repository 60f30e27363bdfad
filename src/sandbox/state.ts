import type { Json, JsonObject } from "../model/json.ts";
import type { ProfileField, User } from "./rows/accounts.ts";
import type { Channel, DefaultChannelGroup, Folder, Subscription } from "./rows/channels.ts";
import type { UserGroup } from "./rows/groups.ts";
import type { Attachment, Draft, Message, Reminder, ScheduledMessage } from "./rows/messages.ts";
import type { Domain, Emoji, Invite, Linkifier, NavigationView, Playground, RealmImage } from "./rows/organization.ts";
import type { Table } from "./rows/values.ts";

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

/**
 * The whole realm as plain data: survives JSON unchanged, holds no keys and no functions. Rows are never mutated by
 * assignment (everything is readonly); they are written through a `Ledger`, which can take a refused call back.
 * Rows hold what the newest level knows; what a level shows is decided when an answer is rendered.
 */
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

/** A user's settings, own ones over those everybody has. */
export function settingsOf(state: RealmState, user: User): JsonObject {
  return { ...state.user_settings, ...user.settings };
}

export function settingOf(state: RealmState, user: User, name: string): Json | undefined {
  return name in user.settings ? user.settings[name] : state.user_settings[name];
}
