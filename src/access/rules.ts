// Tables of the server's conditions for rights (zulip-api.md §3.6, §3.7, §10, §12.1).

import { own } from "../model/own.ts";
import { isRightName, knownRight } from "../model/permission-settings.ts";
import type { Call } from "../model/plan.ts";

/** The right to read a channel. It has no setting of its own. */
export const READ = "read";
/** The right to read also what was written before one came: not where the history is protected. */
export const READ_PAST = "read_past";
export const SEE = "see";
/** Reading a channel without an account. */
export const WEB = "web";

/** The setting of the organization that lets people without an account read web-public channels (zulip-api.md §3.9). */
export const SPECTATORS = "enable_spectator_access";

/** Rights in the organization that the server gives to no bot, whatever its role is (zulip-api.md §14, §18.2). */
export const NEVER_BOTS: ReadonlySet<string> = new Set([
  "can_invite_users_group",
  "create_multiuse_invite_group",
  "can_add_custom_emoji_group",
  "can_create_bots_group",
  "can_create_write_only_bots_group",
  "can_manage_billing_group",
  "workplace_users_group",
]);
/** The level from which bots can change groups. */
export const BOTS_CHANGE_GROUPS = 496;

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

export const CHANNEL_RULES = {
  can_add_subscribers_group: {
    guests: false,
    needs: "read",
    administrators: true,
    channelAdministrators: true,
    everywhere: "can_add_subscribers_group",
    archivedToo: true,
  },
  can_administer_channel_group: { guests: false, needs: "nothing", administrators: true },
  can_create_topic_group: { guests: true, needs: "reach", botsByOwner: true },
  can_delete_any_message_group: { guests: true, needs: "read", everywhere: "can_delete_any_message_group" },
  can_delete_own_message_group: { guests: true, needs: "read", everywhere: "can_delete_own_message_group" },
  can_move_messages_out_of_channel_group: {
    guests: true,
    needs: "read",
    administrators: true,
    channelAdministrators: true,
    everywhere: "can_move_messages_between_channels_group",
  },
  can_move_messages_within_channel_group: {
    guests: true,
    needs: "read",
    administrators: true,
    channelAdministrators: true,
    everywhere: "can_move_messages_between_topics_group",
  },
  can_remove_subscribers_group: { guests: false, needs: "see", administrators: true, channelAdministrators: true },
  can_resolve_topics_group: { guests: true, needs: "read", everywhere: "can_resolve_topics_group" },
  can_send_message_group: { guests: true, needs: "reach", botsByOwner: true },
  /** Everybody who reads a channel may subscribe to it, by this setting or otherwise. */
  can_subscribe_group: { guests: false, needs: "nothing" },
} as const satisfies { readonly [setting: string]: ChannelRule };

/**
 * What counts for a right that only a server knows: whoever its setting names holds it, also guests, and no other condition. So a report says the most that
 * the setting can give, and no role is thought to have it.
 */
const OTHER_CHANNEL_RULE: ChannelRule = { guests: true, needs: "nothing", archivedToo: true };

/** The rule of a setting; undefined if it is not a setting ({@link READ}). */
export function channelRule(right: string): ChannelRule | undefined {
  return own<ChannelRule>(CHANNEL_RULES, right) ?? (isRightName(right) ? OTHER_CHANNEL_RULE : undefined);
}

/**
 * People whom these settings name can read a private channel without a subscription, except guests (zulip-api.md §3.6). To change them, an account
 * needs access to the channel's content.
 */
export const OPENING_SETTINGS = ["can_add_subscribers_group", "can_subscribe_group"] as const;

export const isOpeningSetting = (field: string): boolean => OPENING_SETTINGS.some((setting) => setting === field);

/** The fields of a channel that decide who reads it. */
export const READER_FIELDS = ["privacy", ...OPENING_SETTINGS, "subscribers"] as const;

export const decidesReading = (field: string): boolean => READER_FIELDS.some((each) => each === field);

/** People whom these settings of a group name can put themselves into it. */
export const JOINING_SETTINGS = ["can_join_group", "can_add_members_group"] as const;

/** The fields of a group that decide who can put themselves into it; its managers can, too. */
export const ENTRY_FIELDS = ["can_manage_group", ...JOINING_SETTINGS] as const;

/** The fields by which people come into something besides rights, whatever the kind of the object. */
const LETTING_IN: ReadonlySet<string> = new Set([
  ...READER_FIELDS,
  "archived",
  "deactivated",
  "members",
  "subgroups",
  "role",
  "owner",
  "waiting_period_threshold",
  SPECTATORS,
]);

/** Whether a field decides who can do what. */
export const isOfAccess = (field: string): boolean => LETTING_IN.has(field) || isRightName(field);

/** Whether a request can let somebody into what exists. What it creates holds nothing yet. */
export const mayLetIn = ({ for: purposes, creates }: Pick<Call, "for" | "creates">): boolean =>
  purposes.some(({ address, fields }) => !creates.includes(address) && fields.some(isOfAccess));

interface GroupRule {
  readonly guests: boolean;
  readonly managersToo?: false;
}

/**
 * The settings of a group, and whether each can ever give a guest the right. The managers of the group, or of all groups, have every one of these
 * rights except mentioning it, for which only its own setting counts (zulip-api.md §10).
 */
export const GROUP_RULES = {
  can_add_members_group: { guests: false },
  can_join_group: { guests: false },
  /** The setting may be everyone, but the server does not let guests change groups. */
  can_leave_group: { guests: false },
  can_manage_group: { guests: false },
  can_mention_group: { guests: true, managersToo: false },
  can_remove_members_group: { guests: false },
} as const satisfies { readonly [setting: string]: GroupRule };

/** The rule of a setting. A setting that only a server knows counts as it says, like mentioning. */
export const groupRule = (right: string): GroupRule =>
  own<GroupRule>(GROUP_RULES, right) ?? { guests: true, managersToo: false };

/**
 * The organization's settings whose value may be everyone also apply to guests; the others never do (zulip-api.md §12.1). What a setting gives that only a
 * server knows is not known, so it may.
 */
export const guestsInOrganization = (setting: string): boolean => knownRight("realm", setting)?.everyone ?? true;

/** The organization's settings whose right administrators always have. */
export const ADMINISTRATORS_IN_ORGANIZATION: ReadonlySet<string> = new Set([
  "can_set_delete_message_policy_group",
  "can_set_topics_policy_group",
]);
