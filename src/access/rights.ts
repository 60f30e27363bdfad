import { defined } from "../model/defined.ts";
import type { AccessGroup } from "./nesting.ts";
import type { People } from "./people.ts";
import { channelRule, groupRule, guestsInOrganization, READ, READ_PAST, SEE } from "./rules.ts";
import { CHANNEL, GROUP, type Scope } from "./scope.ts";
import { insideSources, type PossibleGrant, reachSources, sourcesOf } from "./sources.ts";
import { type AccessChannel, type AccessState, isPrivate } from "./state.ts";

/** The holders of a right. */
export interface Holders {
  readonly people: People;
  /** The subscribers of a private channel were not read: there may be more holders than these, or these are the most there can be. */
  readonly bound?: "least" | "most";
  /** With `least`: the only others who may hold it; absent if anybody may. */
  readonly others?: People;
}

/** Who reads the messages of a channel. */
export const readersOf = (state: AccessState, channel: AccessChannel): Holders =>
  withUnread(state, channel, allOf(state, sourcesOf(state, channel, READ)));

/** Who reads a channel, or may let themselves in: while a channel is archived, more people than its readers. */
export const insidersOf = (state: AccessState, channel: AccessChannel): Holders =>
  withUnread(state, channel, allOf(state, insideSources(state, channel)));

/**
 * Which accounts hold a right on a channel: {@link READ}, {@link READ_PAST}, {@link SEE}, or one of its settings, whatever the source is (the setting, the organization's setting
 * of the same right, a role). An archived channel can only be read and administered, and subscribers can be added and removed.
 * @returns undefined for a setting that the server does not have
 */
export function channelHolders(state: AccessState, channel: AccessChannel, right: string): Holders | undefined {
  const rule = channel.settings.has(right) ? channelRule(right) : undefined;
  if (rule === undefined && right !== READ && right !== READ_PAST && right !== SEE) return undefined;
  if (right === READ_PAST && channel.privacy === "private_protected_history")
    return { people: state.population.nobody };
  const granted = allOf(state, sourcesOf(state, channel, right));
  if (rule === undefined) return withUnread(state, channel, granted);
  // Everybody who reads a channel may subscribe to it, archived or not; guests never can.
  if (right === "can_subscribe_group") return withUnread(state, channel, granted.and(state.accounts.members));
  const { needs, archivedToo } = rule;
  if (needs === "nothing") return { people: granted };
  if (needs === "see") {
    const people = granted.and(allOf(state, sourcesOf(state, channel, SEE)));
    const isOpen = isPrivate(channel) && isUnread(channel) && granted.minus(people).size > 0;
    return isOpen ? { people, bound: "least", others: granted } : { people };
  }
  if (channel.archived && archivedToo !== true) return { people: state.population.nobody };
  const able = allOf(state, needs === "read" ? changeSources(state, channel) : reachSources(state, channel));
  const certain = granted.and(able);
  if (channel.openTo === "members")
    return { people: certain, bound: "least", others: granted.and(state.accounts.members) };
  if (!isUnread(channel)) return { people: certain };
  // The subscribers are unknown. So in a private channel, nobody whom the rule names can be excluded, and in a public one, no guest.
  if (isPrivate(channel)) return { people: granted, bound: "most" };
  const guests = granted.and(state.accounts.guests).minus(able);
  return guests.size === 0 ? { people: certain } : { people: certain.or(guests), bound: "most" };
}

/** What lets people act on messages: being able to read them, but in a web-public channel, guests must be subscribed (zulip-api.md §16.1). */
const changeSources = (state: AccessState, channel: AccessChannel): readonly PossibleGrant[] =>
  insideSources(state, channel, channel.privacy === "web_public" ? "public" : channel.privacy);

/** Whether more people may be in the channel than the state has. */
const isUnread = ({ subscribers, openTo }: AccessChannel): boolean => subscribers === undefined || openTo !== undefined;

/** Those of a private channel who were not read may hold the right, too. */
const withUnread = ({ accounts }: AccessState, channel: AccessChannel, people: People): Holders =>
  isPrivate(channel) && isUnread(channel)
    ? { people, bound: "least", ...defined({ others: channel.openTo === "members" ? accounts.members : undefined }) }
    : { people };

/** Who holds a right on a group; undefined for a setting that the server does not have. */
export const groupHolders = (state: AccessState, group: AccessGroup, right: string): Holders | undefined =>
  group.settings.has(right) ? { people: allOf(state, sourcesOf(state, group, right)) } : undefined;

/** Who holds a right in the whole organization; undefined for a setting that the server does not have. */
export const organizationHolders = (state: AccessState, right: string): People | undefined =>
  state.organization.has(right) ? allOf(state, sourcesOf(state, "organization", right)) : undefined;

/** Whether settings could ever give a guest the right. */
export function guestsCanHold(scope: Scope, right: string): boolean {
  if (scope === CHANNEL) return channelRule(right)?.guests ?? true;
  return scope === GROUP ? groupRule(right).guests : guestsInOrganization(right);
}

/** Everybody whom one of these sources names. */
function allOf(state: AccessState, sources: readonly PossibleGrant[]): People {
  let found: People | undefined;
  for (const { people } of sources) found = found?.or(people) ?? people;
  return found ?? state.population.nobody;
}
