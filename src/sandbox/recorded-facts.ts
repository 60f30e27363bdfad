import * as z from "zod";
import type { Json, JsonObject } from "../model/json.ts";

/** Keys of the answer to POST /register that belong to the caller or list objects, so they are not facts about the server. */
const NOT_FACTS = new Set([
  "alert_words",
  "onboarding_steps",
  "custom_profile_fields",
  "max_message_id",
  "saved_snippets",
  "navigation_views",
  "drafts",
  "scheduled_messages",
  "reminders",
  "muted_topics",
  "muted_users",
  "presences",
  "presence_last_update_id",
  "server_timestamp",
  "cross_realm_bots",
  "avatar_source",
  "avatar_url_medium",
  "avatar_url",
  "can_create_private_streams",
  "can_create_public_streams",
  "can_create_web_public_streams",
  "can_create_streams",
  "can_invite_others_to_realm",
  "is_admin",
  "is_owner",
  "is_moderator",
  "is_guest",
  "user_id",
  "email",
  "delivery_email",
  "full_name",
  "subscriptions",
  "unsubscribed",
  "never_subscribed",
  "channel_folders",
  "starred_messages",
  "streams",
  "user_settings",
  "user_status",
  "user_topics",
  "unread_msgs",
  "recent_private_conversations",
  "last_event_id",
  "queue_id",
  "push_devices",
  "server_supported_permission_settings",
  "zulip_version",
  "zulip_merge_base",
]);
/** Whether a key of the answer is a list that a sandbox has a table of, and no setting. */
export const hasTable = (key: string): boolean => NOT_FACTS.has(key) || REALM_LISTS.has(key);
/** `realm_*` keys that are lists of their own, not settings. */
const REALM_LISTS = new Set([
  "realm_user_groups",
  "realm_user_settings_defaults",
  "realm_domains",
  "realm_emoji",
  "realm_linkifiers",
  "realm_filters",
  "realm_playgrounds",
  "realm_users",
  "realm_non_active_users",
  "realm_bots",
  "realm_default_streams",
  "realm_default_stream_groups",
]);

// Created once: creating a schema costs a hundred times as much as reading a value with it.
const JsonValue = z.json();

/** Settings of the realm (without `realm_`) and facts about the server. */
export function splitRegister(register: { readonly [key: string]: unknown }): {
  readonly realm: JsonObject;
  readonly server: JsonObject;
} {
  const realm: { [key: string]: Json } = {};
  const server: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(register)) {
    if (hasTable(key)) continue;
    const json = JsonValue.parse(value);
    if (key.startsWith("realm_")) realm[key.slice("realm_".length)] = json;
    else server[key] = json;
  }
  return { realm, server };
}
