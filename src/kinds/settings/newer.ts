import type { Realm } from "../../model/realm.ts";
import { keysBeyond, OLDEST_COMPLETE } from "../newer-settings.ts";
import { CHANNEL_SETTINGS } from "./channels.ts";
import { PERMISSION_SETTINGS } from "./permissions.ts";
import { PROPERTIES } from "./properties.ts";

/**
 * What a server says about the organization that is not one of its settings, or is one under an older name: addresses, its plan, its bounds, sections of their own.
 * Complete for the levels from {@link OLDEST_COMPLETE} on (zulip-api.md §12.1, docs/reference/levels.md).
 */
const NOT_SETTINGS = [
  "allow_edit_history",
  "authentication_methods",
  "available_video_chat_providers",
  "bot_domain",
  "create_private_stream_policy",
  "create_public_stream_policy",
  "create_web_public_stream_policy",
  "custom_profile_fields",
  "date_created",
  "default_external_accounts",
  "demo_organization_scheduled_deletion_date",
  "email_auth_enabled",
  "emoji",
  "empty_topic_display_name",
  "icon_source",
  "icon_url",
  "incoming_webhook_bots",
  "is_zephyr_mirror_realm",
  "logo_source",
  "logo_url",
  "mandatory_topics",
  "night_logo_source",
  "night_logo_url",
  "owner_full_content_access",
  "password_auth_enabled",
  "plan_type",
  "playgrounds",
  "presence_disabled",
  "push_notifications_enabled",
  "push_notifications_enabled_end_timestamp",
  "upload_quota",
  "upload_quota_mib",
  "uri",
  "url",
  "user_settings_defaults",
  "uuid",
  "wildcard_mention_policy",
  "zulip_plan_is_not_limited",
];

const KNOWN: ReadonlySet<string> = new Set([
  ...NOT_SETTINGS,
  ...PERMISSION_SETTINGS,
  ...Object.entries(PROPERTIES).flatMap(([name, { api = name, older }]) => [api, older?.api ?? api]),
  ...Object.values(CHANNEL_SETTINGS).map(({ api }) => api),
]);

/** The settings of the organization that this version does not know. `max_…` and `server_…` are facts about the server, which no request changes. */
export function newerOfOrganization({ level, snapshot }: Realm): readonly string[] {
  if (level < OLDEST_COMPLETE) return [];
  return keysBeyond([snapshot.settings], KNOWN).filter((key) => !/^(?:max_|server_)/.test(key));
}
