import { oncePer } from "./lazy.ts";

/** The properties of a permission setting that are the same in every organization. */
interface PermissionSetting {
  /** The place in the server's own list, if it is not the place in this table; answers about several settings have it. */
  readonly place?: number;
  /** The feature level from which the value is a group. */
  readonly level: number;
  /** Whether the value may be `role:everyone`, for servers that do not report this. */
  readonly everyone: boolean;
  /** The default value. `channel_creator` and `group_creator` are the account that creates the object. */
  readonly standard: string;
}

/** The permission settings of a channel, in the order in which PATCH /streams applies them (zulip-api.md §3.5.2, §3.7, §14.1). */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: { level: 342, everyone: false, standard: "role:nobody" },
  can_administer_channel_group: { level: 325, everyone: false, standard: "channel_creator" },
  can_create_topic_group: { level: 441, everyone: true, standard: "role:everyone" },
  can_delete_any_message_group: { level: 407, everyone: true, standard: "role:nobody" },
  can_delete_own_message_group: { level: 407, everyone: true, standard: "role:nobody" },
  can_move_messages_out_of_channel_group: { level: 396, everyone: true, standard: "role:nobody" },
  can_move_messages_within_channel_group: { level: 396, everyone: true, standard: "role:nobody" },
  can_remove_subscribers_group: { level: 320, everyone: true, standard: "role:administrators" },
  can_send_message_group: { level: 333, everyone: true, standard: "role:everyone" },
  can_subscribe_group: { level: 357, everyone: false, standard: "role:nobody" },
  can_resolve_topics_group: { level: 402, everyone: true, standard: "role:nobody" },
} as const satisfies { readonly [setting: string]: PermissionSetting };
export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;

/** The permission settings of a user group (zulip-api.md §10.2, §10.5). */
export const GROUP_PERMISSIONS = {
  can_add_members_group: { level: 305, everyone: false, standard: "group_creator" },
  can_join_group: { level: 301, everyone: false, standard: "role:nobody" },
  can_leave_group: { level: 308, everyone: true, standard: "role:everyone" },
  can_manage_group: { level: 283, everyone: false, standard: "group_creator" },
  can_mention_group: { level: 258, everyone: true, standard: "role:everyone" },
  can_remove_members_group: { level: 324, everyone: false, standard: "role:nobody" },
} as const satisfies { readonly [setting: string]: PermissionSetting };
export type GroupPermission = keyof typeof GROUP_PERMISSIONS;

/**
 * The permission settings of the organization (zulip-api.md §12.1), in their order in files: people, channels, messages, direct messages, groups, the
 * rest.
 */
export const ORGANIZATION_PERMISSIONS = {
  can_invite_users_group: { place: 13, level: 321, everyone: false, standard: "role:members" },
  create_multiuse_invite_group: { place: 1, level: 314, everyone: false, standard: "role:administrators" },
  can_access_all_users_group: { place: 2, level: 314, everyone: true, standard: "role:everyone" },
  can_create_public_channel_group: { place: 7, level: 264, everyone: false, standard: "role:members" },
  can_create_private_channel_group: { place: 8, level: 266, everyone: false, standard: "role:members" },
  can_create_web_public_channel_group: { place: 9, level: 280, everyone: false, standard: "role:owners" },
  can_add_subscribers_group: { place: 3, level: 341, everyone: false, standard: "role:members" },
  can_set_topics_policy_group: { place: 21, level: 392, everyone: true, standard: "role:members" },
  can_set_delete_message_policy_group: { place: 20, level: 407, everyone: false, standard: "role:moderators" },
  can_move_messages_between_topics_group: { place: 18, level: 316, everyone: true, standard: "role:everyone" },
  can_move_messages_between_channels_group: { place: 17, level: 310, everyone: false, standard: "role:members" },
  can_resolve_topics_group: { place: 19, level: 367, everyone: true, standard: "role:everyone" },
  can_delete_own_message_group: { place: 12, level: 291, everyone: true, standard: "role:everyone" },
  can_delete_any_message_group: { place: 11, level: 281, everyone: false, standard: "role:administrators" },
  can_mention_many_users_group: { place: 16, level: 352, everyone: true, standard: "role:administrators" },
  can_summarize_topics_group: { place: 22, level: 350, everyone: true, standard: "role:everyone" },
  direct_message_permission_group: { place: 24, level: 270, everyone: true, standard: "role:everyone" },
  direct_message_initiator_group: { place: 23, level: 270, everyone: true, standard: "role:everyone" },
  can_create_groups: { place: 6, level: 299, everyone: false, standard: "role:members" },
  can_manage_all_groups: { place: 14, level: 299, everyone: false, standard: "role:owners" },
  can_add_custom_emoji_group: { place: 4, level: 307, everyone: false, standard: "role:members" },
  can_create_bots_group: { place: 5, level: 344, everyone: false, standard: "role:members" },
  can_create_write_only_bots_group: { place: 10, level: 344, everyone: false, standard: "role:members" },
  can_manage_billing_group: { place: 15, level: 363, everyone: false, standard: "role:administrators" },
  workplace_users_group: { place: 25, level: 477, everyone: true, standard: "role:everyone" },
} as const satisfies { readonly [setting: string]: PermissionSetting };
export type OrganizationPermission = keyof typeof ORGANIZATION_PERMISSIONS;

/** What a permission setting belongs to, as `server_supported_permission_settings` calls it: the organization, a channel or a user group. */
export const RIGHT_SCOPES = ["realm", "stream", "group"] as const;
export type RightScope = (typeof RIGHT_SCOPES)[number];

const KNOWN: { readonly [scope in RightScope]: { readonly [setting: string]: PermissionSetting } } = {
  realm: ORGANIZATION_PERMISSIONS,
  stream: CHANNEL_PERMISSIONS,
  group: GROUP_PERMISSIONS,
};

/** The permission setting, if the tables above have it. */
export const knownRight = (scope: RightScope, setting: string): PermissionSetting | undefined =>
  Object.hasOwn(KNOWN[scope], setting) ? KNOWN[scope][setting] : undefined;

/**
 * Whether a field with this name holds a permission setting. The server's names follow this form, so that a right that only a server knows is recognized in
 * plans and journals, where there is no server to ask (docs/internals/decisions/0006-unknown-rights-come-from-the-server.md).
 */
export const isRightName = (name: string): boolean => /^(?:can_[a-z0-9_]+|[a-z][a-z0-9_]*_groups?)$/.test(name);

/** Rules of permission settings, as a reading has them. */
interface DescribedRights {
  readonly [setting: string]: unknown;
}

/** The permission settings that a server describes and the tables above do not have, by name. They can be managed by the server's own names. */
export function otherRights(
  scope: RightScope,
  {
    permission_settings: described,
  }: { readonly permission_settings: Readonly<Record<RightScope, DescribedRights>> | null },
): readonly string[] {
  return described === null ? [] : namesIn(described[scope], scope);
}

const namesIn = oncePer((described: DescribedRights, scope: RightScope): readonly string[] =>
  Object.keys(described)
    .filter((name) => isRightName(name) && knownRight(scope, name) === undefined)
    .sort(),
);
