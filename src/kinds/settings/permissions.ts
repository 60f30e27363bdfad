/** A permission setting of the whole organization (zulip-api.md §12.1). */
interface Permission {
  /** Feature level from which it is a group; default: the minimum (320). */
  readonly level?: number;
  /** Administrators who are not owners may not change it. */
  readonly ownerOnly?: true;
  /** Not on the free plan of Zulip Cloud. */
  readonly limited?: true;
  /** May it be `role:everyone`, so that guests have the right too? For servers that do not say. */
  readonly everyone?: true;
  /** May it be `role:nobody`? For servers that do not say. */
  readonly nobody?: false;
  /** The only groups that it may be. For servers that do not say. */
  readonly only?: readonly string[];
  /** The value in a new organization. */
  readonly standard: string;
  /** What the people whom it names may do, as a clause after "who may". */
  readonly deed: string;
  readonly about?: string;
}

/** In the order in which a file reads best: people, channels, messages, direct messages, groups, the rest. */
export const PERMISSIONS: { readonly [setting: string]: Permission } = {
  can_invite_users_group: {
    level: 321,
    ownerOnly: true,
    standard: "role:members",
    deed: "send invitations by e-mail",
  },
  create_multiuse_invite_group: {
    ownerOnly: true,
    standard: "role:administrators",
    deed: "make reusable invitation links",
  },
  can_access_all_users_group: {
    limited: true,
    everyone: true,
    only: ["role:everyone", "role:members"],
    standard: "role:everyone",
    deed: "see everybody",
    about:
      "Who may see all people: `role:everyone` or `role:members`. With `role:members`, guests see only people with whom they share a channel or a conversation.",
  },
  can_create_public_channel_group: { standard: "role:members", deed: "create public channels" },
  can_create_private_channel_group: { standard: "role:members", deed: "create private channels" },
  can_create_web_public_channel_group: {
    only: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
    standard: "role:owners",
    deed: "create channels that the web can read",
    about: "Who may create channels that the web can read: `role:moderators` or higher, or `role:nobody`.",
  },
  can_add_subscribers_group: { level: 341, standard: "role:members", deed: "add subscribers to any channel" },
  can_set_topics_policy_group: {
    level: 392,
    everyone: true,
    standard: "role:members",
    deed: "set whether a channel's messages need a topic",
  },
  can_set_delete_message_policy_group: {
    level: 407,
    standard: "role:moderators",
    deed: "set who may delete messages in a channel",
  },
  can_move_messages_between_topics_group: {
    everyone: true,
    standard: "role:everyone",
    deed: "move messages to another topic",
  },
  can_move_messages_between_channels_group: { standard: "role:members", deed: "move messages to another channel" },
  can_resolve_topics_group: { level: 367, everyone: true, standard: "role:everyone", deed: "resolve topics" },
  can_delete_own_message_group: { everyone: true, standard: "role:everyone", deed: "delete their own messages" },
  can_delete_any_message_group: { standard: "role:administrators", deed: "delete any message" },
  can_mention_many_users_group: {
    level: 352,
    everyone: true,
    standard: "role:administrators",
    deed: "mention everybody in a large channel or topic",
  },
  can_summarize_topics_group: { level: 350, everyone: true, standard: "role:everyone", deed: "have topics summarized" },
  direct_message_permission_group: {
    everyone: true,
    standard: "role:everyone",
    deed: "be in direct messages",
    about:
      "Who makes a direct message conversation possible: at least one of these people must take part in it. With `role:nobody`, people can send direct messages only to bots and to themselves.",
  },
  direct_message_initiator_group: {
    everyone: true,
    standard: "role:everyone",
    deed: "begin a direct message conversation",
  },
  can_create_groups: { ownerOnly: true, limited: true, standard: "role:members", deed: "create groups" },
  can_manage_all_groups: { ownerOnly: true, nobody: false, standard: "role:owners", deed: "manage every group" },
  can_add_custom_emoji_group: { standard: "role:members", deed: "add custom emoji" },
  can_create_bots_group: { level: 344, standard: "role:members", deed: "create bots of any sort" },
  can_create_write_only_bots_group: { level: 344, standard: "role:members", deed: "create bots that only post" },
  can_manage_billing_group: {
    level: 363,
    ownerOnly: true,
    nobody: false,
    standard: "role:administrators",
    deed: "manage plans and billing",
  },
};
export const PERMISSION_SETTINGS: readonly string[] = Object.keys(PERMISSIONS);

export function isPermission(field: string): boolean {
  return Object.hasOwn(PERMISSIONS, field);
}

/** One sentence on a permission. */
export function aboutPermission({ deed, about }: Permission): string {
  return about ?? `Who may ${deed}.`;
}
