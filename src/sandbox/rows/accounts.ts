import type { Json, JsonObject } from "../../model/json.ts";

export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export type Role = 100 | 200 | 300 | 400 | 600;

export interface User {
  readonly user_id: number;
  /** The address that the API shows: the real one, or user{ID}@… if it is hidden from some people. */
  readonly email: string;
  /** The real address, with which people sign in. */
  readonly delivery_email: string;
  readonly full_name: string;
  readonly role: Role;
  /** The number of a role that this version does not know, which `role` counts for: a copy of a newer server shows it. */
  readonly unknown_role?: number | undefined;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
  readonly bot_owner_id: number | null;
  /** The account belongs to the server, not to the realm (Notification Bot, …); it is never listed among the realm's people. */
  readonly is_system_bot: boolean;
  readonly is_imported_stub: boolean;
  /** A copy of a server from level 490 on can have such accounts. */
  readonly is_deleted?: true;
  readonly timezone: string;
  /** The time in ISO 8601, in the server's format (minutes, "+00:00"). */
  readonly date_joined: string;
  readonly avatar_source: string;
  readonly avatar_url: string | null;
  readonly avatar_version: number;
  /** Profile field id → value; bots have none. */
  readonly profile_data: { readonly [fieldId: number]: ProfileValue };
  /** The differences from `RealmState.user_settings`. */
  readonly settings: JsonObject;
  /** Names of settings that the account itself has changed (an administrator can exclude these). */
  readonly edited_settings?: readonly string[];
  readonly status: UserStatus;
  /** The data of a bot: default channels, services (outgoing webhooks), config. */
  readonly bot: JsonObject;
  /** When the account was last reactivated, in UNIX seconds; absent if never. */
  readonly reactivated_at?: number;
  /** How many API keys it had before the current one; absent if none. */
  readonly keys_before?: number;
  /** When the owner was last notified of an error of the bot, in UNIX seconds. */
  readonly owner_told_at?: number;
  /** Absent until the account's first client says so. */
  readonly presence?: Presence;
  readonly alert_words?: readonly string[];
  /** What a bot stores on the server. */
  readonly storage?: { readonly [key: string]: string };
}

/** What most accounts start with. */
export const NEW_ACCOUNT = {
  is_active: true,
  is_system_bot: false,
  is_imported_stub: false,
  timezone: "",
  avatar_version: 1,
  profile_data: {},
  settings: {},
  status: {},
  bot: {},
} satisfies Partial<User>;

/** Times in UNIX seconds. */
export interface Presence {
  /** null: never since the account exists. */
  readonly active: number | null;
  readonly connected: number;
  /** The number of the update in the organization, from 0 on. */
  readonly update: number;
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

export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: number;
  /** JSON text, as in the server's answers. */
  readonly field_data: string;
  readonly order: number;
  readonly display_in_profile_summary: boolean;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly use_for_user_matching: boolean;
}
