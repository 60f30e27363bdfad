import type { Json, JsonObject } from "../model/json.ts";
import type { ProfileField, User } from "./rows/accounts.ts";
import type { Channel, DefaultChannelGroup, Folder, Subscription } from "./rows/channels.ts";
import type { OtherRules, UserGroup } from "./rows/groups.ts";
import type { Attachment, Draft, Message, MutedUser, Reminder, ScheduledMessage, UserTopic } from "./rows/messages.ts";
import type { Domain, Emoji, Invite, Linkifier, NavigationView, Playground, RealmImage } from "./rows/organization.ts";
import type { GroupValue, Table } from "./rows/values.ts";

/** Each id space, in which no number is used twice, and the table that has its rows by these numbers. */
export const ID_SPACES = {
  user: "users",
  group: "user_groups",
  channel: "channels",
  folder: "channel_folders",
  linkifier: "linkifiers",
  domain: null,
  invite: null,
  invite_link: null,
  profile_field: "profile_fields",
  playground: "playgrounds",
  emoji: "emoji",
  message: "messages",
  draft: "drafts",
  scheduled: "scheduled_messages",
  attachment: "attachments",
  recipient: null,
  default_channel_group: "default_channel_groups",
} as const satisfies { readonly [space: string]: keyof RealmState | null };

export type IdSpace = keyof typeof ID_SPACES;

/**
 * The whole realm as plain data: it survives a round trip through JSON, and holds no API keys and no functions. Everything is readonly; only a
 * `Ledger`, which can undo a refused call, writes to it. Rows have the fields of the newest level; what another level shows is decided when an answer
 * is rendered.
 */
export interface RealmState {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  /** Every `realm_*` setting under its newest name, without the prefix (group settings in normal form). */
  readonly realm: JsonObject;
  /** Keys of POST /register that are facts about the server (`max_*`, `server_*`, `password_*`, …), under their own names. */
  readonly server: JsonObject;
  /** Defaults for new accounts (`realm_user_settings_defaults`). */
  readonly user_settings_defaults: JsonObject;
  /** The settings of every existing account, unless its own `settings` override them. */
  readonly user_settings: JsonObject;
  readonly users: Table<User>;
  readonly user_groups: Table<UserGroup>;
  readonly channels: Table<Channel>;
  /** The subscriptions: channel id → user id → subscription. */
  readonly subscriptions: Table<Table<Subscription>>;
  /** The ids of the default channels, ascending. */
  readonly default_channels: readonly number[];
  readonly default_channel_groups: Table<DefaultChannelGroup>;
  readonly channel_folders: Table<Folder>;
  readonly linkifiers: Table<Linkifier>;
  /** The domains in the order in which they were added; the ids of domains have no meaning. */
  readonly domains: readonly Domain[];
  /** The views of each user id. */
  readonly navigation_views: Table<readonly NavigationView[]>;
  readonly invites: readonly Invite[];
  /** The number of invitation mails per UNIX day. */
  readonly invites_mailed?: { readonly [unixDay: number]: number };
  readonly profile_fields: Table<ProfileField>;
  readonly playgrounds: Table<Playground>;
  readonly emoji: { readonly [id: string]: Emoji };
  /** The number of changes of each picture of the organization; absent if no picture was ever changed. */
  readonly image_versions?: { readonly [image in RealmImage]?: number };
  readonly messages: Table<Message>;
  /** Conversations of three or more people, numbered from 1: user ids, ascending. */
  readonly direct_message_groups: Table<readonly number[]>;
  readonly drafts: Table<Draft>;
  readonly scheduled_messages: Table<ScheduledMessage>;
  readonly reminders: Table<Reminder>;
  readonly attachments: Table<Attachment>;
  /** User id → the topics for which that user has a visibility policy. */
  readonly user_topics: Table<readonly UserTopic[]>;
  /** User id → the people whom that user has muted. */
  readonly muted_users: Table<readonly MutedUser[]>;
  /** Rules of permission settings that this sandbox does not know by name; absent without any. */
  readonly other_rights?: OtherRules;
  /** Rules of settings of things that the sandbox does not have; absent without any. */
  readonly other_scopes?: JsonObject;
  /** The next number of each id space. */
  readonly next_id: Readonly<Record<IdSpace, number>>;
}

/** A user's settings: the common ones, overridden by the user's own. */
export function settingsOf(state: RealmState, user: User): JsonObject {
  return { ...state.user_settings, ...user.settings };
}

export function settingOf(state: RealmState, user: User, name: string): Json | undefined {
  return name in user.settings ? user.settings[name] : state.user_settings[name];
}

type Undo = () => void;

/**
 * The only way to write to the state. Every write records how to undo it, so a refused call costs as much as it wrote, not a copy of the realm. A
 * call that is not atomic on the server calls `commit` after each step.
 */
export class Ledger {
  readonly state: RealmState;
  private undo: Undo[] = [];
  private open = true;

  constructor(state: RealmState) {
    this.state = state;
  }

  /** Sets one field of a row (or one slot of the state). */
  set<Row extends object, Key extends keyof Row>(row: Row, key: Key, value: Row[Key]): void {
    this.write(row, key, value);
  }

  /** Sets several fields of a row. */
  assign<Row extends object>(row: Row, patch: Partial<Row>): void {
    for (const key of Reflect.ownKeys(patch)) this.write(row, key, Reflect.get(patch, key));
  }

  /** Adds or replaces a row of a table. */
  put<Row>(table: Table<Row>, id: number, row: Row): void {
    this.write(table, String(id), row);
  }

  remove(table: object, key: string | number): void {
    this.check();
    const had = Object.getOwnPropertyDescriptor(table, key);
    if (had === undefined) return;
    this.undo.push(() => Reflect.defineProperty(table, key, had));
    Reflect.deleteProperty(table, key);
  }

  /** Takes the next number of an id space. As with a database sequence, a refused call does not return its number. */
  nextId(space: IdSpace): number {
    const id = this.state.next_id[space];
    Reflect.set(this.state.next_id, space, id + 1);
    return id;
  }

  /** Anonymous groups share the sequence of the named ones. Each time a value becomes an anonymous group, it takes a number. */
  countAnonymous(value: GroupValue, before?: GroupValue): void {
    if (typeof value === "object" && typeof before !== "object") this.nextId("group");
  }

  /** @returns whether the call had written anything since its last commit */
  commit(): boolean {
    const wrote = this.undo.length > 0;
    this.undo = [];
    return wrote;
  }

  rollback(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo = [];
  }

  /** Ends writing: a handler that waits must not write when it continues. */
  close(): void {
    this.open = false;
  }

  private write(row: object, key: PropertyKey, value: unknown): void {
    this.check();
    const had = Object.getOwnPropertyDescriptor(row, key);
    this.undo.push(had === undefined ? () => Reflect.deleteProperty(row, key) : () => Reflect.set(row, key, had.value));
    Reflect.set(row, key, value);
  }

  private check(): void {
    if (!this.open) throw new Error("a call tried to write after it had ended");
  }
}
