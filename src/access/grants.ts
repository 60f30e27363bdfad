import { defined, whenDefined } from "../model/defined.ts";
import type { ChannelRule } from "../model/permission-settings.ts";
import type { Address } from "../model/plan.ts";
import { keyHoldersOf } from "./account.ts";
import type { AccessGroup } from "./nesting.ts";
import type { People } from "./people.ts";
import { channelRule, groupRule, guestsInOrganization, READ, READ_PAST, SEE } from "./rules.ts";
import { CHANNEL, GROUP, isChannel, type Scope } from "./scope.ts";
import {
  botsOfOwners,
  insideSources,
  ownersOfBots,
  type PossibleGrant,
  reachSources,
  type Source,
  sourcesOf,
  type Target,
} from "./sources.ts";
import { type AccessChannel, type AccessState, isPrivate, type Openness } from "./state.ts";

export type { Target } from "./sources.ts";

/** One source, and the holders of the right who have it from this source. Several sources may give it to the same person. */
export interface Grant {
  readonly source: Source;
  readonly people: People;
  /** Whether the source also names others, who do not meet the other conditions. */
  readonly wider?: boolean;
}

/** One right on one object: its holders, the sources, and what people lack whom a source names and who do not hold it. */
export interface Standing {
  readonly scope: Scope;
  readonly right: string;
  readonly holders: Holders;
  readonly grants: readonly Grant[];
  readonly needs: ChannelRule["needs"];
}

export const scopeOf = (target: Target): Scope => (target === "organization" ? "organization" : target.kind);

/**
 * Who holds a right, by their own account or through a bot of theirs: whoever owns an active bot reads its key, and can do what the bot can. With the key of a
 * bot that administers the organization, people give themselves its role, and then can do what the role allows.
 * @returns undefined for a setting that the server does not have
 */
export function holdersOf(state: AccessState, target: Target, right: string): Holders | undefined {
  const own = ownHoldersOf(state, target, right);
  return own === undefined
    ? undefined
    : { ...own, people: own.people.or(throughBots(state, target, right, own.people)) };
}

/** People who hold a right only because of their bots. @param own who holds it by the own account */
function throughBots(state: AccessState, target: Target, right: string, own: People): People {
  return ownersOfBots(state, target, right, own).or(promotedTo(state, target, right).minus(own));
}

/** People who hold a right by the role of a bot, which they can give themselves. */
const promotedTo = ({ promoted, population }: AccessState, target: Target, right: string): People =>
  (promoted && ownHoldersOf(promoted.state, target, right)?.people.and(promoted.people)) ?? population.nobody;

/** People to whom some of these bots give a right, whether or not they hold it anyway. */
export function ownersThrough(bots: People, state: AccessState, target: Target, right: string): People {
  const { population, accounts } = state;
  const acting = ownHoldersOf(state, target, right)?.people.and(bots) ?? population.nobody;
  const administrators = bots.and(accounts.administrators).minus(accounts.webhooks);
  const owners = population.of([...administrators].flatMap((bot) => keyHoldersOf(accounts, bot)));
  return ownersOfBots(state, target, right, acting).or(promotedTo(state, target, right).and(owners));
}

/** Which accounts hold a right: what the server asks before it does what an account requests. */
export function ownHoldersOf(state: AccessState, target: Target, right: string): Holders | undefined {
  if (target === "organization") {
    const people = organizationHolders(state, right);
    return people === undefined ? undefined : { people };
  }
  return isChannel(target) ? channelHolders(state, target, right) : groupHolders(state, target, right);
}

/** Administrators of the organization, and the owners of bots that are: these can make themselves one. */
export const administratorsOf = (state: AccessState): People => withOwners(state, state.accounts.administrators);
/** Owners of the organization, and the owners of bots that are. */
export const organizationOwnersOf = (state: AccessState): People => withOwners(state, state.owners);
const withOwners = (state: AccessState, people: People): People =>
  people.or(ownersOfBots(state, "organization", ADMINISTRATION, people));
/** Being an administrator: no setting gives it. */
const ADMINISTRATION = "administration";

/** Like `sourcesOf`, and the bots of people who hold it only through them as the last source. */
function allSourcesOf(
  state: AccessState,
  target: Target,
  right: string,
): readonly (PossibleGrant & { /** Everybody whom the source names. */ readonly named: People })[] {
  const own = ownHoldersOf(state, target, right)?.people ?? state.population.nobody;
  const people = throughBots(state, target, right, own);
  const sources = sourcesOf(state, target, right).map(({ people: named, source }) => ({
    people: named.and(own),
    source,
    named,
  }));
  return people.size === 0
    ? sources
    : [...sources, { people, named: people, source: () => botsOfOwners(state, own, people) }];
}

/** Who holds a right, and from which source. @returns undefined for a setting that the server does not have */
export function standingOf(state: AccessState, target: Target, right: string): Standing | undefined {
  const holders = holdersOf(state, target, right);
  if (holders === undefined) return undefined;
  const grants = allSourcesOf(state, target, right).flatMap(({ source, people, named }): Grant | readonly [] =>
    people.size === 0 ? [] : { source: source(), people, wider: named.size > people.size },
  );
  const needs = (isChannel(target) ? channelRule(right)?.needs : undefined) ?? "nothing";
  return { scope: scopeOf(target), right, holders, grants, needs };
}

/** One reason why somebody holds a right. There may be several; each is sufficient. */
export type AccessPath =
  | { readonly via: "subscriber" }
  /** How open the channel is. */
  | { readonly via: "privacy"; readonly privacy: Openness }
  /** Administrators of the organization always have it. */
  | { readonly via: "administrators" }
  | { readonly via: "owner"; readonly owner: number }
  /** A bot of theirs that holds it. */
  | { readonly via: "key"; readonly bot: number; readonly name: string }
  /**
   * A setting of an object, or of the organization. `groups`: from the group that the setting names to the one that the person is a member of; empty
   * if the setting names the person.
   */
  | {
      readonly via: "setting";
      readonly on: Address | "organization";
      readonly setting: string;
      readonly groups: readonly string[];
    };

/** The reasons why somebody holds a right on an object or in the organization; empty if they do not hold it, or if this is unknown. */
export const pathsOf = (state: AccessState, target: Target, right: string, id: number): readonly AccessPath[] =>
  pathsTo(state, target, right)(id);

/** Like {@link pathsOf}, for one person after the other. The state must not change in between. */
export function pathsTo(state: AccessState, target: Target, right: string): (id: number) => readonly AccessPath[] {
  const people = holdersOf(state, target, right)?.people;
  if (people === undefined) return () => [];
  const sources = allSourcesOf(state, target, right).map((grant) => ({ named: grant.people, source: grant.source() }));
  const isRole = ({ via }: Source): boolean => via === "administrators";
  // No setting changes what a role gives.
  sources.sort((one, other) => Number(isRole(other.source)) - Number(isRole(one.source)));
  return (id) => {
    if (!people.has(id)) return [];
    return sources.flatMap(({ named, source }) => (named.has(id) ? pathsFrom(state, source, id) : []));
  };
}

/** The paths from one source to a holder of the right: several, if the source names several groups that the person is in. */
export function pathsFrom(state: AccessState, source: Source, id: number): readonly AccessPath[] {
  switch (source.via) {
    case "setting":
      return settingPaths(state, source, id);
    case "key":
      return source.bots.flatMap(({ owner, bot, name }) => (owner === id ? [{ via: "key", bot, name } as const] : []));
    case "owner":
      return whenDefined(state.accounts.owners.get(id), (owner) => [{ via: "owner", owner }]) ?? [];
    case "privacy":
      return [{ via: "privacy", privacy: source.privacy }];
    default:
      return [{ via: source.via }];
  }
}

/**
 * The paths from a setting: one if it names the person, and one through each group that it names, the shortest path down to a group with the person
 * as a member.
 */
function settingPaths(
  state: AccessState,
  { on, setting, value }: Extract<Source, { readonly via: "setting" }>,
  id: number,
): readonly AccessPath[] {
  const { groups, users } = typeof value === "string" ? { groups: [value], users: [] } : value;
  const found: AccessPath[] = [];
  if (users.some((name) => state.facts.idOf(name) === id)) found.push({ via: "setting", on, setting, groups: [] });
  for (const group of groups) {
    const way = state.membersOf(group).has(id) ? wayDown(state, group, id) : undefined;
    if (way !== undefined) found.push({ via: "setting", on, setting, groups: way });
  }
  return found;
}

/** Breadth first: from a group to the nearest one that has the person as a direct member. */
function wayDown(state: AccessState, from: string, id: number): readonly string[] | undefined {
  const above = new Map<string, string | undefined>([[from, undefined]]);
  for (const name of above.keys()) {
    const group = state.group(name);
    if (group?.members.has(id)) {
      const way: string[] = [];
      for (let at: string | undefined = name; at !== undefined; at = above.get(at)) way.unshift(at);
      return way;
    }
    // A map also visits entries that are added during the loop.
    for (const inner of group?.subgroups ?? []) if (!above.has(inner)) above.set(inner, name);
  }
  return undefined;
}

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
