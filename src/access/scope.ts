import { kindOf } from "../model/address.ts";
import type { Desired } from "../model/desired.ts";
import { GROUP } from "../model/facets.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";

export { GROUP };

/**
 * What a right applies to, and who holds it. Rights are about channels, groups and the organization, and nothing else in Zulip; people and bots hold
 * them. This is the only file outside of the kinds that knows their names in plans and files.
 */
export type Scope = typeof CHANNEL | typeof GROUP | typeof WHOLE;

export const CHANNEL = "channel";
const WHOLE = "organization";

/** The sections of a file that declare them. */
const CHANNELS = "channels";
const GROUPS = "user_groups";
const FOLDERS = "channel_folders";

const declaredIn = ({ sections }: Desired, section: string): readonly DeclaredObject[] => sections.get(section) ?? [];
/** Those of the objects that the file does not remove. */
const presentIn = (desired: Desired, section: string): readonly DeclaredObject[] =>
  declaredIn(desired, section).filter(({ absent }) => !absent);

export const declaredChannels = (desired: Desired): readonly DeclaredObject[] => declaredIn(desired, CHANNELS);
/** The groups that the file declares as active or reactivates. */
export const declaredGroups = (desired: Desired): readonly DeclaredObject[] => presentIn(desired, GROUPS);

/** Folders that channels may name. */
export const declaredFolders = (desired: Desired): readonly DeclaredObject[] => presentIn(desired, FOLDERS);

/** The file's settings of the organization itself: one object, or none. */
export const declaredOrganization = (desired: Desired): readonly DeclaredObject[] => declaredIn(desired, SETTINGS);
/** People in the file, by address. */
export const declaredPeople = (desired: Desired): readonly DeclaredObject[] => presentIn(desired, "people");

/** The bots that the file declares, by the part of their address before the @, or by the whole address. */
export const declaredBots = (desired: Desired): readonly DeclaredObject[] => declaredIn(desired, "bots");

/** The invitations by mail and the links that the file asks for. */
export const declaredInvitations = (desired: Desired): readonly DeclaredObject[] => presentIn(desired, "invites");
export const declaredLinks = (desired: Desired): readonly DeclaredObject[] => presentIn(desired, "invite_links");
/** The names of channels to which new accounts are subscribed. */
export const declaredDefaults = (desired: Desired): readonly string[] =>
  presentIn(desired, "default_channels").map(({ name }) => name);

export const BOT = "bot";
export const PERSON = "person";
/** Kinds whose objects are accounts (those with `isAccount`), identified by their ids. */
const ACCOUNTS: ReadonlySet<string> = new Set([PERSON, BOT]);

/** Whether an address is that of a bot. */
export const isBotAddress = (address: Address): boolean => address.startsWith(`${BOT}:`);
/** A bot that is deactivated with its owner, and that no change of the plan names: only its id is known. */
export const botOfLeavingPerson = (id: number): Address => `${BOT}:#${id}`;
/** Whether the objects of this kind are accounts. */
export const isAccountKind = (kind: string): boolean => ACCOUNTS.has(kind);

export const isAccountAddress = (address: Address): boolean => isAccountKind(kindOf(address));

/** Invitations by mail, and links with which everybody who has them can join. */
export const INVITATION = "invite";
export const INVITATION_LINK = "invite_link";
export const isInvitation = (address: Address): boolean => address.startsWith(`${INVITATION}:`);
export const isInvitationLink = (address: Address): boolean => address.startsWith(`${INVITATION_LINK}:`);
export const inviteAddress = (name: string): Address => `${INVITATION}:${name}`;
export const linkAddress = (name: string): Address => `${INVITATION_LINK}:${name}`;

/** Domains whose addresses may join. */
export const isDomain = (address: Address): boolean => address.startsWith("domain:");

/** Channels to which new accounts are subscribed. */
export const DEFAULT_CHANNEL = "default_channel";
export const isDefaultChannel = (address: Address): boolean => address.startsWith(`${DEFAULT_CHANNEL}:`);

export const SCOPES: readonly Scope[] = [CHANNEL, GROUP, WHOLE];

export const channelAddress = (name: string): Address => `${CHANNEL}:${name}`;
export const groupAddress = (name: string): Address => `${GROUP}:${name}`;
export const isChannelAddress = (address: Address): boolean => address.startsWith(`${CHANNEL}:`);
export const isGroupAddress = (address: Address): boolean => address.startsWith(`${GROUP}:`);

/** The address of the organization's settings in plans. */
export const SETTINGS = "settings";
export const ORGANIZATION: Address = `${SETTINGS}:organization`;

type Of<T, Kind extends Scope> = Extract<T, object> & { readonly kind: Kind };
type Something = { readonly kind: string } | typeof WHOLE;

/** Whether it is a channel, or a change to one. */
export function isChannel<T extends Something>(target: T): target is Of<T, typeof CHANNEL> {
  return typeof target === "object" && target.kind === CHANNEL;
}

/** Whether it is a user group, or a change to one. */
export function isGroup<T extends Something>(target: T): target is Of<T, typeof GROUP> {
  return typeof target === "object" && target.kind === GROUP;
}
