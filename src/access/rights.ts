import type { AccessGroup } from "./group.ts";
import type { People } from "./people.ts";
import {
  ADMINISTRATORS_IN_ORGANIZATION,
  CHANNEL_RULES,
  type ChannelRule,
  GROUP_RULES,
  type GroupRule,
  GUESTS_IN_ORGANIZATION,
  isChannelSetting,
  isGroupSetting,
  OPENING_SETTINGS,
  READ,
  SEE,
} from "./rules.ts";
import { CHANNEL, GROUP, type Scope } from "./scope.ts";
import type { AccessChannel, AccessState } from "./state.ts";

/** Who holds a right. */
export interface Holders {
  readonly people: People;
  /** The subscribers of a private channel were not read: there may be more holders than these, or these are the most there can be. */
  readonly bound?: "least" | "most";
}

const exactly = (people: People): Holders => ({ people });

/**
 * Who reads a channel (zulip-api.md §3.6). A web-public channel can be read by everybody; a public one by everybody except guests who are not
 * subscribed; a private one by its subscribers and, except guests, by those whom the {@link OPENING_SETTINGS} name. No role opens a private channel.
 */
export function readersOf(state: AccessState, channel: AccessChannel): Holders {
  const { everybody, members } = state.accounts;
  if (channel.privacy === "web_public") return exactly(everybody);
  const subscribed = channel.subscribers?.and(everybody);
  if (!isPrivate(channel)) return exactly(subscribed === undefined ? members : members.or(subscribed));
  const admitted = openedTo(state, channel);
  return subscribed === undefined ? { people: admitted, bound: "least" } : exactly(admitted.or(subscribed));
}

/** Who knows of a channel and its settings: its readers, its administrators, and every administrator of the organization. */
function seersOf(state: AccessState, channel: AccessChannel): Holders {
  const readers = readersOf(state, channel);
  const { administrators, members } = state.accounts;
  const own = state.peopleIn(channel.settings.get("can_administer_channel_group")).and(members);
  return { ...readers, people: readers.people.or(administrators).or(own) };
}

/** Who can send a message to an active channel, apart from `can_send_message_group`: in a channel with protected history only its subscribers. */
function reachersOf(state: AccessState, channel: AccessChannel): Holders {
  const { everybody, members } = state.accounts;
  if (channel.privacy === "web_public") return exactly(everybody);
  const subscribed = channel.subscribers?.and(everybody);
  const inside = withBots(state, subscribed ?? state.population.nobody);
  if (!isPrivate(channel)) return exactly(members.or(inside));
  const admitted = channel.privacy === "private_shared_history" ? openedTo(state, channel) : state.population.nobody;
  return subscribed === undefined ? { people: admitted, bound: "least" } : exactly(inside.or(admitted));
}

/**
 * Who holds a right on a channel: {@link READ}, {@link SEE}, or one of its settings, whatever the source is (the setting, the organization's setting
 * of the same right, a role). An archived channel can only be read and administered, and subscribers can be added and removed.
 * @returns undefined for a setting that the server does not have
 */
export function channelHolders(state: AccessState, channel: AccessChannel, right: string): Holders | undefined {
  if (right === READ) return readersOf(state, channel);
  if (right === SEE) return seersOf(state, channel);
  if (!isChannelSetting(right) || !channel.settings.has(right)) return undefined;
  if (right === "can_subscribe_group") return joinersOf(state, channel);
  const rule: ChannelRule = CHANNEL_RULES[right];
  const needed = neededFor(state, channel, rule);
  if (needed === undefined) return exactly(grantedBy(state, channel, right, rule));
  if (channel.archived && rule.needs !== "see" && rule.archivedToo !== true) return exactly(state.population.nobody);
  const granted = grantedBy(state, channel, right, rule);
  if (channel.subscribers !== undefined || rule.needs === "see") return exactly(granted.and(needed.people));
  // The subscribers are not known: in a private channel, nobody whom the rule names can be excluded, in a public one no guest.
  if (needed.bound === "least") return { people: granted, bound: "most" };
  const guests = granted.and(state.accounts.guests).minus(needed.people);
  const certain = granted.and(needed.people);
  return guests.size === 0 ? exactly(certain) : { people: certain.or(guests), bound: "most" };
}

function neededFor(state: AccessState, channel: AccessChannel, { needs }: ChannelRule): Holders | undefined {
  if (needs === "nothing") return undefined;
  if (needs === "see") return seersOf(state, channel);
  return needs === "read" ? changersOf(state, channel) : reachersOf(state, channel);
}

/** Everybody who reads a channel may subscribe to it, by its setting or otherwise, archived or not; guests never can. */
function joinersOf(state: AccessState, channel: AccessChannel): Holders {
  const readers = readersOf(state, channel);
  return { ...readers, people: readers.people.and(state.accounts.members) };
}

/** Who can act on messages that they can read: in a web-public channel, guests must be subscribed (zulip-api.md §16.1). */
function changersOf(state: AccessState, channel: AccessChannel): Holders {
  if (channel.privacy !== "web_public") return readersOf(state, channel);
  const { everybody, members } = state.accounts;
  return exactly(channel.subscribers === undefined ? members : members.or(channel.subscribers.and(everybody)));
}

/** The people whom the rule names, before the other conditions are checked. */
function grantedBy(state: AccessState, channel: AccessChannel, setting: string, rule: ChannelRule): People {
  const { members, administrators } = state.accounts;
  const named = state.peopleIn(channel.settings.get(setting));
  let granted = rule.guests ? named : named.and(members);
  if (rule.botsByOwner) granted = withBots(state, granted);
  if (rule.everywhere !== undefined) granted = granted.or(organizationHolders(state, rule.everywhere) ?? granted);
  if (rule.channelAdministrators)
    granted = granted.or(state.peopleIn(channel.settings.get("can_administer_channel_group")).and(members));
  return rule.administrators ? granted.or(administrators) : granted;
}

/** Who holds a right on a group: the people whom the setting names, and usually those who manage the group or all groups. Roles alone give none. */
export function groupHolders(state: AccessState, group: AccessGroup, right: string): Holders | undefined {
  if (!isGroupSetting(right) || !group.settings.has(right)) return undefined;
  const { members } = state.accounts;
  const named = state.peopleIn(group.settings.get(right));
  const rule: GroupRule = GROUP_RULES[right];
  const own = rule.guests ? named : named.and(members);
  if (rule.managersToo === false) return exactly(own);
  const managers = state.peopleIn(group.settings.get("can_manage_group")).and(members);
  return exactly(own.or(managers).or(organizationHolders(state, "can_manage_all_groups") ?? managers));
}

/** Who holds a right in the whole organization; undefined for a setting that the server does not have. */
export function organizationHolders(state: AccessState, right: string): People | undefined {
  const value = state.organization.get(right);
  if (value === undefined) return undefined;
  const named = state.peopleIn(value);
  const own = GUESTS_IN_ORGANIZATION.has(right) ? named : named.and(state.accounts.members);
  return ADMINISTRATORS_IN_ORGANIZATION.has(right) ? own.or(state.accounts.administrators) : own;
}

/** Whether settings could ever give a guest the right. */
export function guestsCanHold(scope: Scope, right: string): boolean {
  if (scope === CHANNEL) return isChannelSetting(right) ? CHANNEL_RULES[right].guests : true;
  if (scope === GROUP) return isGroupSetting(right) && GROUP_RULES[right].guests;
  return GUESTS_IN_ORGANIZATION.has(right);
}

export const isPrivate = ({ privacy }: Pick<AccessChannel, "privacy">): boolean => privacy.startsWith("private");

/** The people whom the settings of a private channel admit, never guests. */
function openedTo(state: AccessState, channel: AccessChannel): People {
  let found = state.population.nobody;
  for (const setting of OPENING_SETTINGS) found = found.or(state.peopleIn(channel.settings.get(setting)));
  return found.and(state.accounts.members);
}

/** These people, and their bots. Cached, since most sets are the same before and after a plan. */
function withBots(state: AccessState, people: People): People {
  const { owners } = state.accounts;
  const known = withTheirBots.get(owners) ?? new WeakMap<People, People>();
  withTheirBots.set(owners, known);
  const found = known.get(people) ?? joinedByBots(owners, people, state);
  known.set(people, found);
  return found;
}

/** Owners of bots → people → the same people with their bots. */
const withTheirBots = new WeakMap<AccessState["accounts"]["owners"], WeakMap<People, People>>();

function joinedByBots(owners: ReadonlyMap<number, number>, people: People, { population }: AccessState): People {
  const bots: number[] = [];
  // Most sets have far fewer people than an organization has bots.
  if (people.size < owners.size) {
    const byOwner = botsByOwner(owners);
    for (const owner of people) for (const bot of byOwner.get(owner) ?? []) if (!people.has(bot)) bots.push(bot);
  } else for (const [bot, owner] of owners) if (people.has(owner) && !people.has(bot)) bots.push(bot);
  return bots.length === 0 ? people : people.or(population.of(bots));
}

const knownBots = new WeakMap<AccessState["accounts"]["owners"], ReadonlyMap<number, readonly number[]>>();

function botsByOwner(owners: ReadonlyMap<number, number>): ReadonlyMap<number, readonly number[]> {
  const known = knownBots.get(owners);
  if (known !== undefined) return known;
  const found = new Map<number, number[]>();
  for (const [bot, owner] of owners) {
    const bots = found.get(owner);
    if (bots === undefined) found.set(owner, [bot]);
    else bots.push(bot);
  }
  knownBots.set(owners, found);
  return found;
}
