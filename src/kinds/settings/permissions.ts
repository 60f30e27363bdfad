import { own } from "../../model/own.ts";
import {
  isRightName,
  knownRight,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
} from "../../model/permission-settings.ts";

/** A permission setting of the whole organization (zulip-api.md §12.1). */
interface Permission {
  /** Whether only owners may change the setting. */
  readonly ownerOnly?: true;
  /** The cheapest plan of Zulip Cloud that has the setting; default: the free one. */
  readonly limited?: "Standard" | "Plus";
  /** Whether the value may be `role:nobody`, for servers that do not say. */
  readonly nobody?: false;
  /** The only groups that the value may be, for servers that do not say. */
  readonly only?: readonly string[];
  /** What the people whom it names may do, as a clause after "who may". */
  readonly deed: string;
  readonly about?: string;
}

export const PERMISSIONS: { readonly [setting in OrganizationPermission]: Permission } = {
  can_invite_users_group: {
    ownerOnly: true,
    deed: "send invitations by e-mail",
  },
  create_multiuse_invite_group: {
    ownerOnly: true,
    deed: "make reusable invitation links",
  },
  can_access_all_users_group: {
    limited: "Plus",
    only: ["role:everyone", "role:members"],
    deed: "see everybody",
    about:
      "Who may see all people: `role:everyone` or `role:members`. With `role:members`, guests see only people with whom they share a channel or a conversation.",
  },
  can_create_public_channel_group: { deed: "create public channels" },
  can_create_private_channel_group: { deed: "create private channels" },
  can_create_web_public_channel_group: {
    only: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
    deed: "create channels that the web can read",
    about: "Who may create channels that everybody on the web can read: `role:moderators` or higher, or `role:nobody`.",
  },
  can_add_subscribers_group: { deed: "add subscribers to any channel" },
  can_set_topics_policy_group: {
    deed: "decide whether a channel's messages need a topic",
  },
  can_set_delete_message_policy_group: {
    deed: "decide who can delete messages in a channel",
  },
  can_move_messages_between_topics_group: {
    deed: "move messages to another topic",
  },
  can_move_messages_between_channels_group: { deed: "move messages to another channel" },
  can_resolve_topics_group: { deed: "resolve topics" },
  can_delete_own_message_group: { deed: "delete their own messages" },
  can_delete_any_message_group: { deed: "delete any message" },
  can_mention_many_users_group: {
    deed: "mention everybody in a large channel or topic",
  },
  can_summarize_topics_group: { deed: "have topics summarized" },
  direct_message_permission_group: {
    deed: "be in direct messages",
    about:
      "Who makes a direct message conversation possible: at least one of these people must take part in it. With `role:nobody`, people can send direct messages only to bots and to themselves.",
  },
  direct_message_initiator_group: {
    deed: "begin a direct message conversation",
  },
  can_create_groups: { ownerOnly: true, limited: "Standard", deed: "create groups" },
  can_manage_all_groups: { ownerOnly: true, nobody: false, deed: "manage every group" },
  can_add_custom_emoji_group: { deed: "add custom emoji" },
  can_create_bots_group: { deed: "create bots of any sort" },
  can_create_write_only_bots_group: { deed: "create bots that only post" },
  can_manage_billing_group: {
    ownerOnly: true,
    nobody: false,
    deed: "manage plans and billing",
  },
  workplace_users_group: {
    deed: "count as workplace users",
    about:
      "Who counts as a workplace user, for whom the organization pays. The server refuses a group that others than administrators can change.",
  },
};
export const PERMISSION_SETTINGS: readonly OrganizationPermission[] =
  Object.keys(ORGANIZATION_PERMISSIONS).filter(isKnown);

function isKnown(field: string): field is OrganizationPermission {
  return Object.hasOwn(ORGANIZATION_PERMISSIONS, field);
}

/** Whether the field is a permission setting, also one that only a server knows. */
export const isPermission = isRightName;

/** What is known about a permission setting; undefined for one that only a server knows. */
export const permissionOf = (field: string): Permission | undefined => own(PERMISSIONS, field);

/** Which groups it may be, for servers that do not say. */
export const knownRule = (setting: string): Partial<Permission> & { readonly everyone: boolean } => ({
  ...permissionOf(setting),
  everyone: knownRight("realm", setting)?.everyone ?? true,
});

/** One sentence on a permission. */
export function aboutPermission({ deed, about }: Permission): string {
  return about ?? `Who may ${deed}.`;
}
