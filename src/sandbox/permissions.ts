import type { JsonObject } from "../model/json.ts";
import type { RightScope } from "../model/permission-settings.ts";
import type { OtherRules, PermissionRule } from "./rows/rights.ts";

/** Which groups a setting may name, and from which feature level it exists as a group value (zulip-api.md §3.7, §10.5, §12.1). */
interface LevelledRule extends PermissionRule {
  readonly level: number;
}
type Allows = "nobody" | "everyone" | "both" | "neither";

function rule(level: number, allows: Allows, defaultGroup: string, extra: Partial<PermissionRule> = {}): LevelledRule {
  return {
    level,
    allow_nobody_group: allows === "nobody" || allows === "both",
    allow_everyone_group: allows === "everyone" || allows === "both",
    default_group_name: defaultGroup,
    require_system_group: false,
    allow_internet_group: false,
    default_for_system_groups: null,
    allowed_system_groups: [],
    ...extra,
  };
}
const ofGroup = { default_for_system_groups: "role:nobody" };

export const REALM_PERMISSIONS: { readonly [setting: string]: LevelledRule } = {
  create_multiuse_invite_group: rule(314, "nobody", "role:administrators"),
  can_access_all_users_group: rule(314, "everyone", "role:everyone", {
    require_system_group: true,
    allowed_system_groups: ["role:everyone", "role:members"],
  }),
  can_add_subscribers_group: rule(341, "nobody", "role:members"),
  can_add_custom_emoji_group: rule(307, "nobody", "role:members"),
  can_create_bots_group: rule(344, "nobody", "role:members"),
  can_create_groups: rule(299, "nobody", "role:members"),
  can_create_public_channel_group: rule(264, "nobody", "role:members"),
  can_create_private_channel_group: rule(266, "nobody", "role:members"),
  can_create_web_public_channel_group: rule(280, "nobody", "role:owners", {
    require_system_group: true,
    allowed_system_groups: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
  }),
  can_create_write_only_bots_group: rule(344, "nobody", "role:members"),
  can_delete_any_message_group: rule(281, "nobody", "role:administrators"),
  can_delete_own_message_group: rule(291, "both", "role:everyone"),
  can_invite_users_group: rule(321, "nobody", "role:members"),
  can_manage_all_groups: rule(299, "neither", "role:owners"),
  can_manage_billing_group: rule(363, "neither", "role:administrators"),
  can_mention_many_users_group: rule(352, "both", "role:administrators"),
  can_move_messages_between_channels_group: rule(310, "nobody", "role:members"),
  can_move_messages_between_topics_group: rule(316, "both", "role:everyone"),
  can_resolve_topics_group: rule(367, "both", "role:everyone"),
  can_set_delete_message_policy_group: rule(407, "nobody", "role:moderators"),
  can_set_topics_policy_group: rule(392, "both", "role:members"),
  can_summarize_topics_group: rule(350, "both", "role:everyone"),
  direct_message_initiator_group: rule(270, "both", "role:everyone"),
  direct_message_permission_group: rule(270, "both", "role:everyone"),
  workplace_users_group: rule(477, "both", "role:everyone"),
};

/** The settings of channels in the order of `server_supported_permission_settings`. */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: rule(342, "nobody", "role:nobody"),
  can_administer_channel_group: rule(325, "nobody", "channel_creator"),
  can_create_topic_group: rule(441, "both", "role:everyone"),
  can_delete_any_message_group: rule(407, "both", "role:nobody"),
  can_delete_own_message_group: rule(407, "both", "role:nobody"),
  can_move_messages_out_of_channel_group: rule(396, "both", "role:nobody"),
  can_move_messages_within_channel_group: rule(396, "both", "role:nobody"),
  can_remove_subscribers_group: rule(197, "both", "role:administrators"),
  can_send_message_group: rule(333, "both", "role:everyone"),
  can_subscribe_group: rule(357, "nobody", "role:nobody"),
  can_resolve_topics_group: rule(402, "both", "role:nobody"),
} as const;

export const GROUP_PERMISSIONS = {
  can_add_members_group: rule(305, "nobody", "group_creator", ofGroup),
  can_join_group: rule(301, "nobody", "role:nobody", ofGroup),
  can_leave_group: rule(308, "both", "role:everyone", ofGroup),
  can_manage_group: rule(283, "nobody", "group_creator", ofGroup),
  can_mention_group: rule(258, "both", "role:everyone", ofGroup),
  can_remove_members_group: rule(324, "nobody", "role:nobody", ofGroup),
} as const;

/** `server_supported_permission_settings` as the level shows it. */
export function supportedPermissions(level: number, others?: OtherRules): JsonObject {
  const shown = (table: { readonly [setting: string]: LevelledRule }): JsonObject => {
    const out: { [setting: string]: JsonObject } = {};
    for (const [setting, { level: since, ...known }] of Object.entries(table))
      if (level >= since)
        out[setting] = {
          ...known,
          default_group_name: nameAt(level, known.default_group_name),
          allowed_system_groups: [...known.allowed_system_groups],
        };
    return out;
  };
  const rulesOf = (rules: OtherRules[RightScope] = {}): JsonObject =>
    Object.fromEntries(
      Object.entries(rules).map(([setting, rule]) => [
        setting,
        { ...rule, allowed_system_groups: [...rule.allowed_system_groups] },
      ]),
    );
  return {
    realm: { ...shown(REALM_PERMISSIONS), ...rulesOf(others?.realm) },
    stream: { ...shown(CHANNEL_PERMISSIONS), ...rulesOf(others?.stream) },
    group: { ...shown(GROUP_PERMISSIONS), ...rulesOf(others?.group) },
  };
}
const nameAt = (level: number, name: string): string =>
  name === "channel_creator" && level < 427 ? "stream_creator_or_nobody" : name;
