import { own } from "../model/defined.ts";
import {
  CHANNEL_PERMISSIONS,
  type ChannelRule,
  GROUP_PERMISSIONS,
  type GroupRule,
  isRightName,
  permissionRow,
} from "../model/permission-settings.ts";
import type { Call } from "../model/plan.ts";
import { WAITING_PERIOD } from "./account.ts";

// Tables of the server's conditions for rights (zulip-api.md §3.6, §3.7, §10, §12.1).

/** The right to read a channel. It has no setting of its own. */
export const READ = "read";
/** The right to read also what was written before one came: not where the history is protected. */
export const READ_PAST = "read_past";
export const SEE = "see";
/** The setting of a channel that names who administers it. */
export const ADMINISTER = "can_administer_channel_group";
/** Managing every group. */
export const MANAGE_ALL = "can_manage_all_groups";
/** Reading a channel without an account. */
export const WEB = "web";

/** The same right of people who have it or can put themselves into groups that give it to them, while a plan is carried out. */
export const byJoining = (right: string): string => `${right}${BY_JOINING}`;
/** The right that {@link byJoining} was made from; undefined for another one. */
export const rightByJoining = (right: string): string | undefined =>
  right.endsWith(BY_JOINING) ? right.slice(0, -BY_JOINING.length) : undefined;
const BY_JOINING = "_by_joining";

/** The setting of the organization that lets people without an account read web-public channels (zulip-api.md §3.9). */
export const SPECTATORS = "enable_spectator_access";

/** Whether the server gives the right in the organization to no bot, whatever its role is (zulip-api.md §14, §18.2). */
export const isNeverForBots = (setting: string): boolean => permissionRow("realm", setting)?.rule?.bots === false;

/** The level from which bots can change groups. */
export const BOTS_CHANGE_GROUPS = 496;

/**
 * What counts for a right that only a server knows: whoever its setting names holds it, also guests, and no other condition. So a report says the most that
 * the setting can give, and no role is thought to have it.
 */
const OTHER_CHANNEL_RULE: ChannelRule = { guests: true, needs: "nothing", archivedToo: true };

/** The rule of a setting; undefined if it is not a setting ({@link READ}). */
export function channelRule(right: string): ChannelRule | undefined {
  return own(CHANNEL_PERMISSIONS, right)?.rule ?? (isRightName(right) ? OTHER_CHANNEL_RULE : undefined);
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
  WAITING_PERIOD,
  SPECTATORS,
]);

/** Whether a field decides who can do what. */
export const isOfAccess = (field: string): boolean => LETTING_IN.has(field) || isRightName(field);

/** Whether a request can let somebody into what exists. What it creates holds nothing yet. */
export const mayLetIn = ({ for: purposes, creates }: Pick<Call, "for" | "creates">): boolean =>
  purposes.some(({ address, fields }) => !creates.includes(address) && fields.some(isOfAccess));

/** The rule of a setting. A setting that only a server knows counts as it says, like mentioning. */
export const groupRule = (right: string): GroupRule =>
  own(GROUP_PERMISSIONS, right)?.rule ?? { guests: true, managersToo: false };

/**
 * The organization's settings whose value may be everyone also apply to guests; the others never do (zulip-api.md §12.1). What a setting gives that only a
 * server knows is not known, so it may.
 */
export const guestsInOrganization = (setting: string): boolean =>
  permissionRow("realm", setting)?.server.everyone ?? true;

/** Whether administrators always have the organization's right. */
export const isForAdministrators = (setting: string): boolean =>
  permissionRow("realm", setting)?.rule?.administrators === true;

/** Settings of the organization that keep people without an account out as long as they are true (zulip-api.md §12.1). */
export const JOINING_LIMITS = [
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
] as const;
