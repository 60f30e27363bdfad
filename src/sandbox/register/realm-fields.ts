import type { Json, JsonObject } from "../../model/json.ts";
import { realmGroup } from "../access.ts";
import type { Call } from "../call.ts";
import { shownValue } from "../channels/shown.ts";
import { shownOtherRights } from "../other-rights.ts";
import { REALM_PERMISSIONS, supportedPermissions } from "../permissions.ts";
import { externalAccounts } from "../profile/services.ts";
import { realmParams, realmSettingAt } from "../realm-settings/params.ts";
import { ratingOptionsAt } from "../server-defaults.ts";
import type { RealmState } from "../state.ts";

/** The feature levels of settings that are newer than the oldest supported level; all other settings always exist. */
const SETTING_LEVELS: { readonly [setting: string]: number } = {
  empty_topic_display_name: 334,
  owner_full_content_access: 442,
  ...Object.fromEntries(Object.entries(realmParams).map(([setting, { level }]) => [setting, level])),
  ...Object.fromEntries(Object.entries(REALM_PERMISSIONS).map(([setting, { level }]) => [setting, level])),
};
const FACT_LEVELS: { readonly [fact: string]: number } = {
  max_bulk_new_subscription_messages: 397,
  max_channel_folder_name_length: 410,
  max_channel_folder_description_length: 410,
  max_reminder_note_length: 415,
  server_report_message_types: 435,
};
/** Facts about the server that belong to other fetch types, or to all. */
const NOT_OF_REALM = new Set([
  "custom_profile_field_types",
  "navigation_tour_video_url",
  "giphy_api_key",
  "tenor_api_key",
  "has_zoom_token",
  "zulip_feature_level",
  "stop_words",
]);
/** Stored among the settings, but fetched as types of their own. */
const OTHER_TYPES = new Set(["embedded_bots", "incoming_webhook_bots", "billing"]);

/** The fetch type `realm` (zulip-api.md §2.3). */
export function realmFields(call: Call): JsonObject {
  const { state, level, server } = call;
  const out: { [key: string]: Json } = {};
  for (const [setting, value] of Object.entries({ ...state.realm, ...derived(state, level) })) {
    if (OTHER_TYPES.has(setting) || level < (SETTING_LEVELS[setting] ?? 0)) continue;
    out[`realm_${realmSettingAt(level, setting)}`] =
      setting in REALM_PERMISSIONS ? shownValue(state, realmGroup(state, setting)) : value;
  }
  for (const [fact, value] of Object.entries(state.server))
    if (!NOT_OF_REALM.has(fact) && level >= (FACT_LEVELS[fact] ?? 0))
      out[fact === "gif_rating_options" ? ratingOptionsAt(level) : fact] = value;
  // If the realm has no value, this is the server's own URL.
  if (state.server.jitsi_server_url !== undefined)
    out.jitsi_server_url = state.realm.jitsi_server_url ?? state.server.server_jitsi_server_url ?? null;
  // The URL at which clients reach the sandbox now, not that of the recorded realm.
  Object.assign(out, { realm_url: server.url, realm_uri: server.url });
  // At its own URL, the sandbox does not present itself as another organization.
  if (state.server.realmctl_sandbox_of === server.url) delete out.realmctl_sandbox_of;
  const recordedUrl = state.realm.url;
  if (typeof recordedUrl === "string")
    for (const [key, value] of Object.entries(out))
      if (typeof value === "string" && value.startsWith(`${recordedUrl}/`))
        out[key] = call.server.url + value.slice(recordedUrl.length);
  for (const [setting, value] of Object.entries(shownOtherRights(state, "realm"))) out[`realm_${setting}`] = value;
  out.server_supported_permission_settings = {
    ...supportedPermissions(level, state.other_rights),
    ...state.other_scopes,
  };
  return out;
}

/** What depends on the level, and older names of newer settings: they appear in answers, but are never stored. */
function derived(state: RealmState, level: number): JsonObject {
  const { realm } = state;
  return {
    default_external_accounts: externalAccounts(state, level),
    mandatory_topics: realm.topics_policy === "disable_empty_topic",
    allow_edit_history: realm.message_edit_history_visibility_policy !== "none",
    create_public_stream_policy: policyNumber(state, "can_create_public_channel_group", CREATE_POLICY),
    create_private_stream_policy: policyNumber(state, "can_create_private_channel_group", CREATE_POLICY),
    create_web_public_stream_policy: policyNumber(state, "can_create_web_public_channel_group", WEB_PUBLIC_POLICY),
    wildcard_mention_policy: policyNumber(state, "can_mention_many_users_group", MENTION_POLICY),
  };
}

/** The numbers of an older setting; every other group, and every object, has the number of the largest group that the setting could have. */
interface Policy {
  readonly numbers: { readonly [group: string]: number };
  readonly otherwise: number;
}
const CREATE_POLICY: Policy = {
  numbers: { "role:members": 1, "role:administrators": 2, "role:fullmembers": 3, "role:moderators": 4 },
  otherwise: 1,
};
const WEB_PUBLIC_POLICY: Policy = {
  numbers: { "role:administrators": 2, "role:moderators": 4, "role:nobody": 6, "role:owners": 7 },
  otherwise: 4,
};
const MENTION_POLICY: Policy = {
  numbers: {
    "role:everyone": 1,
    "role:members": 2,
    "role:fullmembers": 3,
    "role:administrators": 5,
    "role:nobody": 6,
    "role:moderators": 7,
  },
  otherwise: 1,
};
function policyNumber(state: RealmState, setting: string, { numbers, otherwise }: Policy): number {
  const value = realmGroup(state, setting);
  const group = typeof value === "number" ? state.user_groups[value] : undefined;
  return (group?.is_system_group === true ? numbers[group.name] : undefined) ?? otherwise;
}
