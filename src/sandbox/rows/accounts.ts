import type { Json, JsonObject } from "../../model/json.ts";

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
