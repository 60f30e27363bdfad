import { own } from "./defined.ts";
import { oncePer } from "./lazy.ts";

/** What the server says about a permission setting, the same in every organization. */
interface ServerSide {
  /** The place in the server's own list, if it is not the place in this table; answers about several settings have it. */
  readonly place?: number;
  /** The feature level from which the value is a group. */
  readonly level: number;
  /** The default value. `channel_creator` and `group_creator` are the account that creates the object. */
  readonly standard: string;
  /** Whether the value may be `role:everyone`, for servers that do not report this. */
  readonly everyone: boolean;
  /** Whether the value may be `role:nobody`, for servers that do not report this. Default: yes. */
  readonly nobody?: false;
  /** The only groups that the value may be, for servers that do not report this. */
  readonly only?: readonly string[];
  /** Whether only owners may change the setting. */
  readonly ownerOnly?: true;
  /** The cheapest plan of Zulip Cloud that has the setting; default: the free one. */
  readonly limited?: "Standard" | "Plus";
}

/** Everything that is known about a permission setting: schemas, checks, words, risks, the model of access and the reference read this row. */
interface PermissionSetting {
  /** One sentence for the schema, the reference and the comments of `init`. */
  readonly about: string;
  /**
   * The plain word in files of rules and on command lines; what its people do, before the name of the object; the place in reports about access, from 1
   * (a channel's right to read comes before all).
   */
  readonly words: { readonly word: string; readonly deed?: string; readonly listed: number };
  readonly server: ServerSide;
}

/** Who has a right in a channel, besides those whom the setting names (zulip-api.md §3.6, §3.7). */
export interface ChannelRule {
  /** Whether a guest can ever use the right. */
  readonly guests: boolean;
  /** An additional condition: to be able to read the messages, to be able to post, to know of the channel, or none. */
  readonly needs: "read" | "reach" | "see" | "nothing";
  /** Administrators of the organization have the right, whatever the setting says. */
  readonly administrators?: true;
  /** Administrators of the channel have the right, whatever the setting says. */
  readonly channelAdministrators?: true;
  /** The organization's own setting that gives the same right in every channel. */
  readonly everywhere?: string;
  /** Bots have the rights of their owners. */
  readonly botsByOwner?: true;
  /** The right also exists in an archived channel. */
  readonly archivedToo?: true;
}

/** The permission settings of a channel, in the order in which PATCH /streams applies them (zulip-api.md §3.5.2, §3.7, §14.1). */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: {
    about:
      "Who may add subscribers, besides those who may in the whole organization. Lets them read a private channel.",
    words: { word: "add subscribers", deed: "add subscribers to", listed: 6 },
    server: { level: 342, everyone: false, standard: "role:nobody" },
    rule: {
      guests: false,
      needs: "read",
      administrators: true,
      channelAdministrators: true,
      everywhere: "can_add_subscribers_group",
      archivedToo: true,
    },
  },
  can_administer_channel_group: {
    about: "Who may administer the channel, besides organization administrators. Left out at creation: the creator.",
    words: { word: "administer", deed: "administer", listed: 5 },
    server: { level: 325, everyone: false, standard: "channel_creator" },
    rule: { guests: false, needs: "nothing", administrators: true },
  },
  can_create_topic_group: {
    about: "Who may start topics. In channels with protected history it is always role:everyone.",
    words: { word: "start topics", deed: "start topics in", listed: 3 },
    server: { level: 441, everyone: true, standard: "role:everyone" },
    rule: { guests: true, needs: "reach", botsByOwner: true },
  },
  can_delete_any_message_group: {
    about: "Who may delete any message, besides those who may in the whole organization.",
    words: { word: "delete any message", deed: "delete any message in", listed: 8 },
    server: { level: 407, everyone: true, standard: "role:nobody" },
    rule: { guests: true, needs: "read", everywhere: "can_delete_any_message_group" },
  },
  can_delete_own_message_group: {
    about: "Who may delete their own messages, besides those who may in the whole organization.",
    words: { word: "delete own messages", deed: "delete their own messages in", listed: 9 },
    server: { level: 407, everyone: true, standard: "role:nobody" },
    rule: { guests: true, needs: "read", everywhere: "can_delete_own_message_group" },
  },
  can_move_messages_out_of_channel_group: {
    about: "Who may move messages to other channels, besides those who may in the whole organization.",
    words: { word: "move messages out", deed: "move messages out of", listed: 11 },
    server: { level: 396, everyone: true, standard: "role:nobody" },
    rule: {
      guests: true,
      needs: "read",
      administrators: true,
      channelAdministrators: true,
      everywhere: "can_move_messages_between_channels_group",
    },
  },
  can_move_messages_within_channel_group: {
    about: "Who may move messages between topics, besides those who may in the whole organization.",
    words: { word: "move messages", deed: "move messages within", listed: 10 },
    server: { level: 396, everyone: true, standard: "role:nobody" },
    rule: {
      guests: true,
      needs: "read",
      administrators: true,
      channelAdministrators: true,
      everywhere: "can_move_messages_between_topics_group",
    },
  },
  can_remove_subscribers_group: {
    about: "Who may unsubscribe others.",
    words: { word: "remove subscribers", deed: "unsubscribe others from", listed: 7 },
    server: { level: 320, everyone: true, standard: "role:administrators" },
    rule: { guests: false, needs: "see", administrators: true, channelAdministrators: true },
  },
  can_send_message_group: {
    about: "Who may post.",
    words: { word: "post", deed: "post in", listed: 2 },
    server: { level: 333, everyone: true, standard: "role:everyone" },
    rule: { guests: true, needs: "reach", botsByOwner: true },
  },
  can_subscribe_group: {
    about: "Who may subscribe themselves to a private channel. Lets them read it.",
    words: { word: "join", deed: "subscribe to", listed: 4 },
    server: { level: 357, everyone: false, standard: "role:nobody" },
    // Everybody who reads a channel may subscribe to it, by this setting or otherwise.
    rule: { guests: false, needs: "nothing" },
  },
  can_resolve_topics_group: {
    about: "Who may resolve topics, besides those who may in the whole organization.",
    words: { word: "resolve topics", deed: "resolve topics in", listed: 12 },
    server: { level: 402, everyone: true, standard: "role:nobody" },
    rule: { guests: true, needs: "read", everywhere: "can_resolve_topics_group" },
  },
} as const satisfies { readonly [setting: string]: PermissionSetting & { readonly rule: ChannelRule } };

/** Whether the setting of a group can ever give a guest the right, and whether the managers of the group have it in any case (zulip-api.md §10). */
export interface GroupRule {
  readonly guests: boolean;
  readonly managersToo?: false;
}

/** The permission settings of a user group (zulip-api.md §10.2, §10.5). */
export const GROUP_PERMISSIONS = {
  can_add_members_group: {
    about: "Who may add members and subgroups.",
    words: { word: "add members", deed: "add members to", listed: 4 },
    server: { level: 305, everyone: false, standard: "group_creator" },
    rule: { guests: false },
  },
  can_join_group: {
    about: "Who may join by themselves.",
    words: { word: "join", deed: "join", listed: 1 },
    server: { level: 301, everyone: false, standard: "role:nobody" },
    rule: { guests: false },
  },
  can_leave_group: {
    about: "Who may leave by themselves.",
    words: { word: "leave", deed: "leave", listed: 2 },
    server: { level: 308, everyone: true, standard: "role:everyone" },
    // The setting may be everyone, but the server does not let guests change groups.
    rule: { guests: false },
  },
  can_manage_group: {
    about: "Who may change everything about the group. Left out at creation: the account that creates it.",
    words: { word: "manage", deed: "manage", listed: 3 },
    server: { level: 283, everyone: false, standard: "group_creator" },
    rule: { guests: false },
  },
  can_mention_group: {
    about: "Who may mention the group.",
    words: { word: "mention", deed: "mention", listed: 6 },
    server: { level: 258, everyone: true, standard: "role:everyone" },
    rule: { guests: true, managersToo: false },
  },
  can_remove_members_group: {
    about: "Who may remove members.",
    words: { word: "remove members", deed: "remove members from", listed: 5 },
    server: { level: 324, everyone: false, standard: "role:nobody" },
    rule: { guests: false },
  },
} as const satisfies { readonly [setting: string]: PermissionSetting & { readonly rule: GroupRule } };

/** Who has a right in the organization (zulip-api.md §12.1, §14, §18.2). */
interface OrganizationRule {
  /** The server gives the right to no bot, whatever its role is. */
  readonly bots?: false;
  /** Administrators have the right, whatever the setting says. */
  readonly administrators?: true;
}

/**
 * The permission settings of the organization (zulip-api.md §12.1), in their order in files: people, channels, messages, direct messages, groups, the
 * rest.
 */
export const ORGANIZATION_PERMISSIONS = {
  can_invite_users_group: {
    about: "Who may send invitations by e-mail.",
    words: { word: "invite", deed: "invite people by e-mail", listed: 1 },
    server: { place: 13, level: 321, everyone: false, standard: "role:members", ownerOnly: true },
    rule: { bots: false },
  },
  create_multiuse_invite_group: {
    about: "Who may make reusable invitation links.",
    words: { word: "create invitation links", deed: "make links by which others can join", listed: 2 },
    server: { place: 1, level: 314, everyone: false, standard: "role:administrators", ownerOnly: true },
    rule: { bots: false },
  },
  can_access_all_users_group: {
    about:
      "Who may see all people: `role:everyone` or `role:members`. With `role:members`, guests see only people with whom they share a channel or a conversation.",
    words: { word: "see everybody", deed: "see everybody in the organization", listed: 12 },
    server: {
      place: 2,
      level: 314,
      everyone: true,
      standard: "role:everyone",
      only: ["role:everyone", "role:members"],
      limited: "Plus",
    },
  },
  can_create_public_channel_group: {
    about: "Who may create public channels.",
    words: { word: "create public channels", deed: "create public channels", listed: 3 },
    server: { place: 7, level: 264, everyone: false, standard: "role:members" },
  },
  can_create_private_channel_group: {
    about: "Who may create private channels.",
    words: { word: "create private channels", deed: "create private channels", listed: 4 },
    server: { place: 8, level: 266, everyone: false, standard: "role:members" },
  },
  can_create_web_public_channel_group: {
    about: "Who may create channels that everybody on the web can read: `role:moderators` or higher, or `role:nobody`.",
    words: { word: "create web-public channels", deed: "create channels that the web can read", listed: 5 },
    server: {
      place: 9,
      level: 280,
      everyone: false,
      standard: "role:owners",
      only: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
    },
  },
  can_add_subscribers_group: {
    about: "Who may add subscribers to any channel.",
    words: { word: "add subscribers anywhere", deed: "add others to every channel that they read", listed: 6 },
    server: { place: 3, level: 341, everyone: false, standard: "role:members" },
  },
  can_set_topics_policy_group: {
    about: "Who may decide whether a channel's messages need a topic.",
    words: { word: "set the topics policy", deed: "choose whether a channel's messages need a topic", listed: 20 },
    server: { place: 21, level: 392, everyone: true, standard: "role:members" },
    rule: { administrators: true },
  },
  can_set_delete_message_policy_group: {
    about: "Who may decide who can delete messages in a channel.",
    words: { word: "set who deletes messages", deed: "choose who deletes messages in a channel", listed: 19 },
    server: { place: 20, level: 407, everyone: false, standard: "role:moderators" },
    rule: { administrators: true },
  },
  can_move_messages_between_topics_group: {
    about: "Who may move messages to another topic.",
    words: { word: "move messages between topics", deed: "move messages to another topic", listed: 17 },
    server: { place: 18, level: 316, everyone: true, standard: "role:everyone" },
  },
  can_move_messages_between_channels_group: {
    about: "Who may move messages to another channel.",
    words: { word: "move messages between channels", deed: "move messages to another channel", listed: 16 },
    server: { place: 17, level: 310, everyone: false, standard: "role:members" },
  },
  can_resolve_topics_group: {
    about: "Who may resolve topics.",
    words: { word: "resolve topics anywhere", deed: "resolve topics", listed: 18 },
    server: { place: 19, level: 367, everyone: true, standard: "role:everyone" },
  },
  can_delete_own_message_group: {
    about: "Who may delete their own messages.",
    words: { word: "delete own messages anywhere", deed: "delete their own messages", listed: 15 },
    server: { place: 12, level: 291, everyone: true, standard: "role:everyone" },
  },
  can_delete_any_message_group: {
    about: "Who may delete any message.",
    words: { word: "delete any message anywhere", deed: "delete any message", listed: 14 },
    server: { place: 11, level: 281, everyone: false, standard: "role:administrators" },
  },
  can_mention_many_users_group: {
    about: "Who may mention everybody in a large channel or topic.",
    words: { word: "mention everybody", deed: "mention everybody in a large channel", listed: 13 },
    server: { place: 16, level: 352, everyone: true, standard: "role:administrators" },
  },
  can_summarize_topics_group: {
    about: "Who may have topics summarized.",
    words: { word: "summarize topics", deed: "have topics summarized", listed: 21 },
    server: { place: 22, level: 350, everyone: true, standard: "role:everyone" },
  },
  direct_message_permission_group: {
    about:
      "Who makes a direct message conversation possible: at least one of these people must take part in it. With `role:nobody`, people can send direct messages only to bots and to themselves.",
    words: { word: "send direct messages", deed: "make direct messages possible by taking part in them", listed: 25 },
    server: { place: 24, level: 270, everyone: true, standard: "role:everyone" },
  },
  direct_message_initiator_group: {
    about: "Who may begin a direct message conversation.",
    words: { word: "start direct messages", deed: "begin direct messages", listed: 24 },
    server: { place: 23, level: 270, everyone: true, standard: "role:everyone" },
  },
  can_create_groups: {
    about: "Who may create groups.",
    words: { word: "create groups", deed: "create groups", listed: 7 },
    server: { place: 6, level: 299, everyone: false, standard: "role:members", ownerOnly: true, limited: "Standard" },
  },
  can_manage_all_groups: {
    about: "Who may manage every group.",
    words: { word: "manage all groups", deed: "manage every group", listed: 8 },
    server: { place: 14, level: 299, everyone: false, standard: "role:owners", nobody: false, ownerOnly: true },
  },
  can_add_custom_emoji_group: {
    about: "Who may add custom emoji.",
    words: { word: "add emoji", deed: "add custom emoji", listed: 11 },
    server: { place: 4, level: 307, everyone: false, standard: "role:members" },
    rule: { bots: false },
  },
  can_create_bots_group: {
    about: "Who may create bots of any sort.",
    words: { word: "create bots", deed: "create bots of any sort", listed: 9 },
    server: { place: 5, level: 344, everyone: false, standard: "role:members" },
    rule: { bots: false },
  },
  can_create_write_only_bots_group: {
    about: "Who may create bots that only post.",
    words: { word: "create write-only bots", deed: "create bots that only post", listed: 10 },
    server: { place: 10, level: 344, everyone: false, standard: "role:members" },
    rule: { bots: false },
  },
  can_manage_billing_group: {
    about: "Who may manage plans and billing.",
    words: { word: "manage billing", deed: "manage plans and billing", listed: 22 },
    server: { place: 15, level: 363, everyone: false, standard: "role:administrators", nobody: false, ownerOnly: true },
    rule: { bots: false },
  },
  workplace_users_group: {
    about:
      "Who counts as a workplace user, for whom the organization pays. The server refuses a group that others than administrators can change.",
    words: { word: "count as a workplace user", listed: 23 },
    server: { place: 25, level: 477, everyone: true, standard: "role:everyone" },
    rule: { bots: false },
  },
} as const satisfies { readonly [setting: string]: PermissionSetting & { readonly rule?: OrganizationRule } };
/** What a permission setting belongs to, as `server_supported_permission_settings` calls it: the organization, a channel or a user group. */
export const RIGHT_SCOPES = ["realm", "stream", "group"] as const;
export type RightScope = (typeof RIGHT_SCOPES)[number];

interface KnownSetting extends PermissionSetting {
  readonly rule?: Partial<ChannelRule & GroupRule & OrganizationRule>;
}

export const PERMISSIONS: { readonly [scope in RightScope]: { readonly [setting: string]: KnownSetting } } = {
  realm: ORGANIZATION_PERMISSIONS,
  stream: CHANNEL_PERMISSIONS,
  group: GROUP_PERMISSIONS,
};

/** The names of the settings of each scope, in the order of the tables. */
export const KNOWN_RIGHTS: { readonly [scope in RightScope]: readonly string[] } = {
  realm: Object.keys(ORGANIZATION_PERMISSIONS),
  stream: Object.keys(CHANNEL_PERMISSIONS),
  group: Object.keys(GROUP_PERMISSIONS),
};

export const permissionRow = (scope: RightScope, setting: string): KnownSetting | undefined =>
  own(PERMISSIONS[scope], setting);

export const knownRight = (scope: RightScope, setting: string): ServerSide | undefined =>
  permissionRow(scope, setting)?.server;

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

/** The settings of the tables, and then those that only this server describes. */
export const allRights = (scope: RightScope, reading: Parameters<typeof otherRights>[1]): readonly string[] => [
  ...KNOWN_RIGHTS[scope],
  ...otherRights(scope, reading),
];

const namesIn = oncePer((described: DescribedRights, scope: RightScope): readonly string[] =>
  Object.keys(described)
    .filter((name) => isRightName(name) && knownRight(scope, name) === undefined)
    .sort(),
);
