import * as z from "zod";
import type { Json, JsonObject } from "../../model/json.ts";

export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

/** `bot_type` */
export const BOT = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

const Role = z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)]);
export type Role = z.infer<typeof Role>;

/** What a server says of an account. */
export const SentUser = z.object({
  user_id: z.int(),
  /** The address that the API shows: the real one, or user{ID}@… if it is hidden from some people. */
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
  /** The time in ISO 8601, in the server's format (minutes, "+00:00"). */
  date_joined: z.string(),
  avatar_url: z.string().nullish(),
  avatar_version: z.int(),
});
export type SentUser = z.infer<typeof SentUser>;

export interface User extends Readonly<Omit<SentUser, "delivery_email" | "avatar_url">> {
  /** The real address, with which people sign in. */
  readonly delivery_email: string;
  /** The number of a role that this version does not know, which `role` counts for: a copy of a newer server shows it. */
  readonly unknown_role?: number | undefined;
  /** The account belongs to the server, not to the realm (Notification Bot, …); it is never listed among the realm's people. */
  readonly is_system_bot: boolean;
  /** A copy of a server from level 490 on can have such accounts. */
  readonly is_deleted?: true;
  readonly avatar_source: string;
  readonly avatar_url: string | null;
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

export const UserStatus = z.object({
  away: z.exactOptional(z.boolean()),
  status_text: z.exactOptional(z.string()),
  emoji_name: z.exactOptional(z.string()),
  emoji_code: z.exactOptional(z.string()),
  reaction_type: z.exactOptional(z.string()),
});
export type UserStatus = Readonly<z.infer<typeof UserStatus>>;

export const SentProfileField = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  hint: z.string().default(""),
  /** JSON text, as in the server's answers. */
  field_data: z.string().default(""),
  order: z.int().optional(),
  required: z.boolean().default(false),
  editable_by_user: z.boolean().default(true),
  display_in_profile_summary: z.boolean().default(false),
  use_for_user_matching: z.boolean().default(false),
});
export interface ProfileField extends Readonly<Omit<z.infer<typeof SentProfileField>, "order">> {
  readonly order: number;
}
