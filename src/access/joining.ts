import { componentsInOrder } from "../model/graph.ts";
import { addTo, once, oncePer } from "../model/lazy.ts";
import type { GroupValue } from "../model/realm.ts";
import { FULL_MEMBERS } from "./account.ts";
import { administratorsOf, holdersOf } from "./grants.ts";
import type { AccessGroup } from "./nesting.ts";
import type { People } from "./people.ts";
import { ADMINISTER, ENTRY_FIELDS, JOINING_SETTINGS, MANAGE_ALL, OPENING_SETTINGS, READ } from "./rules.ts";
import { CHANNEL } from "./scope.ts";
import { ownersOfBots } from "./sources.ts";
import { type AccessChannel, type AccessState, isPrivate, opensAnew } from "./state.ts";

/*
 * Who can put themselves into groups, one group after the other, and which private channels they come to read in this way. Members who wait come into the
 * group of full members by time alone.
 *
 * Terms. A group *leads into* another one if its members are in the other one (a subgroup), or can put themselves into it: a setting of the other group, or
 * the right to manage all groups, names it.
 *
 * Premise. Every step is taken by one account: whoever may add others to a group may also add themselves. So each account is followed on its own, and only
 * at the end do owners hold what their bots reach. Guests cannot change groups, and nobody can join role groups and deactivated groups; but a waiting period
 * ends for everybody.
 *
 * The idea.
 *     within(group) = accounts named by the group and its settings ∪ within(each group that leads into it)
 * Groups that lead into each other have the same accounts, so components are computed in order, each once: linear in groups and settings.
 *
 * What it does not do. People whom somebody else would have to add, and groups that somebody would have to create or change first, are not followed.
 */

/** The groups whose members a private channel admits, as its settings name them: without those inside them. */
export const openedBySetting = ({ settings }: AccessChannel): readonly string[] =>
  OPENING_SETTINGS.flatMap((setting) => groupsIn(settings.get(setting)));

export const groupsIn = (value: GroupValue | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value.groups;

/** What people can come to by joining groups: to read a private channel, or to administer a channel. */
export type Stepped = typeof READ | typeof ADMINISTER;

/** The groups that give a right on a channel, as its settings name them. */
const groupsGiving = (channel: AccessChannel, right: Stepped): readonly string[] =>
  right === READ ? openedBySetting(channel) : groupsIn(channel.settings.get(right));

/** Groups that people can put themselves into, of these and those in them. Of a channel: those whose members it admits. */
export function groupsInto(
  state: AccessState,
  channel: AccessChannel,
  names: Iterable<string> = openedBySetting(channel),
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const group of withNested(state, names))
    if (isJoinable(group) || group.name === FULL_MEMBERS) found.add(group.name);
  return found;
}

/** These groups, and all inside them. */
function withNested(state: AccessState, names: Iterable<string>): readonly AccessGroup[] {
  const found: AccessGroup[] = [];
  const seen = new Set(names);
  // Groups that are added during the loop are visited as well.
  for (const name of seen) {
    const group = state.group(name);
    if (group === undefined) continue;
    for (const inner of group.subgroups) seen.add(inner);
    found.push(group);
  }
  return found;
}

/** Servers without the settings of joining let nobody join. */
const isJoinable = ({ name, deactivated, settings }: AccessGroup): boolean =>
  !(name.startsWith("role:") || deactivated) && JOINING_SETTINGS.some((setting) => settings.has(setting));

/** Whom the group's own settings let put themselves into it; undefined if nobody can. */
export const entriesOf = (group: AccessGroup): readonly (GroupValue | undefined)[] | undefined =>
  isJoinable(group) ? ENTRY_FIELDS.map((field) => group.settings.get(field)) : undefined;

/** Who can come into which group of one state, which must not change meanwhile. */
export class Entering {
  private readonly state: AccessState;
  private readonly isNewcomers: boolean;
  /** Group → accounts that are in it or can come into it, of those that can change groups. */
  private readonly known = new Map<string, People>();
  /** Group → everybody who can put themselves into it, with the owners of such bots: which bots act depends on no channel. */
  private readonly comingBy = new Map<string, People>();
  private readonly able: () => People;
  /** Group → the groups that it leads into, without those that only the right to manage all groups opens. */
  private readonly direct = once(() => {
    const found = new Map<string, string[]>();
    for (const group of this.state.groups())
      for (const name of [...group.subgroups, ...this.entries(group).flatMap(groupsIn)]) addTo(found, name, group.name);
    return found;
  });

  /** @param isNewcomers of people who have not joined yet, each of them in the state that it has later: no time passes */
  constructor(state: AccessState, isNewcomers = false) {
    this.state = state;
    this.isNewcomers = isNewcomers;
    this.able = once(() => {
      const { members, bots, webhooks } = state.accounts;
      return members.minus(state.facts.botsChangeGroups ? webhooks : bots);
    });
  }

  /** Whom a group's own settings let in. */
  private entries(group: AccessGroup | undefined): readonly (GroupValue | undefined)[] {
    return (group && entriesOf(group)) ?? [];
  }
  private managers(group: AccessGroup): GroupValue | undefined {
    return isJoinable(group) ? this.state.organization.get(MANAGE_ALL) : undefined;
  }
  private lettingIn(group: AccessGroup | undefined): readonly (GroupValue | undefined)[] {
    return group === undefined ? [] : [...this.entries(group), this.managers(group)];
  }
  private leadingInto(name: string): readonly string[] {
    const group = this.state.group(name);
    return [...(group?.subgroups ?? []), ...this.lettingIn(group).flatMap(groupsIn)];
  }

  /** Accounts that are in the group or can come into it. */
  private within(name: string): People {
    if (!this.known.has(name)) this.computeFor(name);
    return this.known.get(name) ?? this.state.population.nobody;
  }
  private computeFor(start: string): void {
    const places = new Map([[start, 0]]);
    const links: number[][] = [];
    // Groups that are added during the loop are visited as well.
    for (const name of places.keys()) {
      const others = this.leadingInto(name).filter((other) => !this.known.has(other));
      for (const other of others) if (!places.has(other)) places.set(other, places.size);
      links.push(others.map((other) => places.get(other) ?? 0));
    }
    const names = [...places.keys()];
    for (const component of componentsInOrder(links)) {
      const those = component.flatMap((at) => names[at] ?? []);
      let found = this.state.population.nobody;
      for (const name of those) found = found.or(this.named(name));
      for (const name of those) this.known.set(name, found);
    }
  }
  /** Accounts that are named by the group and its settings, or are within groups that are computed already. */
  private named(name: string): People {
    const group = this.state.group(name);
    let found = this.allIn(this.lettingIn(group));
    if (group !== undefined) found = found.or(group.members.and(this.able()));
    if (name === FULL_MEMBERS) found = found.or(this.waiting());
    for (const inner of group?.subgroups ?? []) found = found.or(this.known.get(inner) ?? found);
    return found;
  }
  private allIn(values: readonly (GroupValue | undefined)[]): People {
    const { nobody } = this.state.population;
    let found = nobody;
    for (const value of values) {
      if (value === undefined) continue;
      for (const name of groupsIn(value)) found = found.or(this.known.get(name) ?? nobody);
      if (typeof value !== "string")
        found = found.or(this.state.peopleIn({ groups: [], users: value.users }).and(this.able()));
    }
    return found;
  }

  /** Members who are full members once their waiting period is over. */
  private waiting(): People {
    const { members, webhooks } = this.state.accounts;
    const isThere = this.state.group(FULL_MEMBERS) !== undefined && !this.isNewcomers;
    return isThere ? members.minus(webhooks).minus(this.state.membersOf(FULL_MEMBERS)) : this.state.population.nobody;
  }
  private withOwners(people: People, channel: AccessChannel): People {
    return people.or(ownersOfBots(this.state, channel, "can_subscribe_group", people));
  }
  admits(channel: AccessChannel, account: number): boolean {
    return openedBySetting(channel).some((name) => this.within(name).has(account));
  }
  private withinAny(names: readonly string[]): People {
    return names.reduce((found, name) => found.or(this.within(name)), this.state.population.nobody);
  }
  /** Accounts that are within a group that the channel admits, and the owners of those that are bots. */
  into(channel: AccessChannel, names: readonly string[] = openedBySetting(channel)): People {
    return this.withOwners(this.withinAny(names), channel);
  }
  /** Accounts that are within a group that the setting of an object names, and the owners of those that are bots. */
  holding(target: AccessChannel | AccessGroup, setting: string): People {
    const found = this.withinAny(groupsIn(target.settings.get(setting)));
    return found.or(ownersOfBots(this.state, target, setting, found));
  }
  /** Everybody whom a setting names, who can put themselves into one of its groups, or who owns a bot that can. */
  by(value: GroupValue, channel: AccessChannel): People {
    for (const name of groupsIn(value)) this.within(name);
    return this.withOwners(this.allIn([value]), channel);
  }
  /** The groups by which some of these people, or bots of theirs, can come to a right on a channel, as the last step. */
  lastSteps(channel: AccessChannel, people: People, right: Stepped): readonly string[] {
    const open = groupsInto(this.state, channel, groupsGiving(channel, right));
    return [...open].filter((name) => this.coming(name, channel).and(people).size > 0);
  }
  /** Everybody who can put themselves into the group, in it or not, with the owners of such bots. */
  coming(name: string, channel: AccessChannel): People {
    const known = this.comingBy.get(name);
    if (known !== undefined) return known;
    const values = this.lettingIn(this.state.group(name));
    for (const other of values.flatMap(groupsIn)) this.within(other);
    const found = this.withOwners(name === FULL_MEMBERS ? this.waiting() : this.allIn(values), channel);
    this.comingBy.set(name, found);
    return found;
  }

  /** Groups that lead into one of these, step by step, and these themselves. */
  behind(names: Iterable<string>): ReadonlySet<string> {
    const found = new Set(names);
    for (const name of found) for (const other of this.leadingInto(name)) found.add(other);
    return found;
  }
  /** Groups that these lead into, step by step, and these themselves. */
  ahead(names: Iterable<string>): ReadonlySet<string> {
    const found = new Set(names);
    const managing = new Set(groupsIn(this.state.organization.get(MANAGE_ALL)));
    for (const name of found) {
      for (const other of this.direct().get(name) ?? []) found.add(other);
      if (!managing.has(name)) continue;
      managing.clear();
      for (const group of this.state.groups()) if (isJoinable(group)) found.add(group.name);
    }
    return found;
  }
}

const enteringIn = oncePer((state: AccessState) => new Entering(state.promoted?.state ?? state));

/**
 * People who do not read a private channel, but can come to: they may subscribe while it is archived, or they can put themselves into groups that it admits,
 * one after the other. Without those who come only by joining and administer the organization: they may put themselves everywhere. The state must not
 * change any more.
 */
export function comersTo(state: AccessState, channel: AccessChannel): People {
  const { nobody } = state.population;
  if (!isPrivate(channel)) return nobody;
  const joining = enteringIn(state).into(channel).minus(administratorsOf(state));
  const entering = channel.archived ? holdersOf(state, channel, "can_subscribe_group")?.people : undefined;
  return joining.or(entering ?? nobody).minus(holdersOf(state, channel, READ)?.people ?? nobody);
}

/** People who do not administer a channel, but can put themselves into groups that do. The state must not change any more. */
export const comersToAdminister = (state: AccessState, channel: AccessChannel): People =>
  enteringIn(state)
    .holding(channel, ADMINISTER)
    .minus(administratorsOf(state))
    .minus(holdersOf(state, channel, ADMINISTER)?.people ?? state.population.nobody);

/**
 * Everybody whom a value of a setting lets into a private channel: accounts that it names, accounts that can put themselves into its groups, and the owners
 * of those that are bots. The state must not change any more.
 */
export function letInBy(state: AccessState, channel: AccessChannel, value: GroupValue): People {
  const all = enteringIn(state).into(channel, groupsIn(value)).or(state.peopleIn(value).and(state.accounts.members));
  return all.or(ownersOfBots(state, channel, "can_subscribe_group", all));
}

/**
 * Who can put themselves into one of these groups or into one inside them, whether they are there or not, and is not in another of them. What a bot is a
 * member of takes its owner nowhere: the owner puts nobody into a group by it unless the bot may. The state must not change any more.
 */
export function enteringAlone(state: AccessState, channel: AccessChannel, names: readonly string[]): People {
  const open = groupsInto(state, channel, names);
  let found = state.population.nobody;
  let placed = found;
  for (const { name, members } of withNested(state, names)) {
    const coming = open.has(name) ? enteringIn(state).coming(name, channel) : state.population.nobody;
    found = found.or(coming);
    placed = placed.or(members.minus(coming));
  }
  return found.minus(placed);
}

/**
 * Who is in some of these groups, and can take themselves out of all of them: as a member who may leave, or who may remove members. Whoever manages one of
 * the groups can take the subgroup out of it by which they are there.
 */
export function leavingAlone(state: AccessState, names: readonly string[]): People {
  let inside = state.population.nobody;
  let staying = inside;
  let managing = inside;
  for (const group of withNested(state, names)) {
    const members = group.members.and(state.accounts.everybody);
    const by = (right: string): People => holdersOf(state, group, right)?.people ?? state.population.nobody;
    const manages = isJoinable(group) ? by("can_manage_group") : state.population.nobody;
    const leaves = isJoinable(group)
      ? state.peopleIn(group.settings.get("can_leave_group")).or(by("can_remove_members_group")).or(manages)
      : state.population.nobody;
    inside = inside.or(members);
    staying = staying.or(members.minus(leaves));
    managing = managing.or(manages);
  }
  return inside.minus(staying.minus(managing));
}

/** Groups that lead into one of these, step by step, and these themselves. */
export const groupsBehind = (state: AccessState, groups: Iterable<string>): ReadonlySet<string> =>
  enteringIn(state).behind(groups);

/** The groups by which some of these people can come into a channel, or come to administer it, as the last step. */
export const groupsToEnter = (
  state: AccessState,
  channel: AccessChannel,
  people: People,
  right: Stepped = READ,
): readonly string[] => enteringIn(state).lastSteps(channel, people, right);

/** A private channel that admits a group: whom the group's members, and those who can come to be, are for one that nobody sees. */
export const admitting = (state: AccessState, group: string): AccessChannel => ({
  kind: CHANNEL,
  name: "",
  privacy: "private_shared_history",
  archived: false,
  settings: new Map([[OPENING_SETTINGS[1], group]]),
  subscribers: state.population.nobody,
});

/** Two states, and who can come into which channels by joining groups there. */
export class Joining {
  private readonly before: AccessState;
  private readonly after: AccessState;
  private readonly was: Entering;
  private readonly is: Entering;

  constructor(
    { before, after }: { readonly before: AccessState; readonly after: AccessState },
    isNewcomers: boolean = false,
  ) {
    this.before = before;
    this.after = after;
    // With the roles that people can give themselves.
    this.was = new Entering(before.promoted?.state ?? before, isNewcomers);
    this.is = new Entering(after.promoted?.state ?? after, isNewcomers);
  }

  /**
   * People who gain the right to enter a private channel, which stays private, by joining groups, or who can come to administer a channel so.
   * @param by only people who are in this group or can come into it, which must lead into the channel, or whom this setting names
   */
  gained(name: string, by?: GroupValue, right: Stepped = READ): People {
    const [was, is] = [this.before.channel(name), this.after.channel(name)];
    if (was === undefined || is === undefined) return this.after.population.nobody;
    const found = right === READ ? this.comingInto(was, is) : this.steppingTo(was, is, right);
    return by === undefined || found.size === 0 ? found : found.and(this.is.by(by, is));
  }

  private comingInto(was: AccessChannel, is: AccessChannel): People {
    const { before, after } = this;
    const { nobody } = after.population;
    if (!isPrivate(was) || !isPrivate(is)) return nobody;
    let found = this.is.into(is);
    if (found.size === 0) return nobody;
    // While a channel is archived, its readers and those who may let themselves in are not the same.
    for (const right of [READ, "can_subscribe_group"])
      for (const inside of [holdersOf(after, is, right), holdersOf(before, was, right)])
        found = found.minus(inside?.people ?? nobody);
    // Nobody could come to read it while it was archived, or what was written before while its history was protected.
    const known = opensAnew(was, is) ? nobody : this.was.into(was);
    return found.minus(known).minus(after.accounts.bots);
  }

  /** People who could not and now can give themselves the right of a setting on an object, by joining groups, and do not have it. */
  steppingTo(was: AccessChannel | AccessGroup, is: AccessChannel | AccessGroup, setting: string): People {
    let found = this.is.holding(is, setting);
    if (found.size === 0) return found;
    for (const held of [holdersOf(this.before, was, setting), holdersOf(this.after, is, setting)])
      found = found.minus(held?.people ?? this.after.population.nobody);
    return found.minus(this.was.holding(was, setting)).minus(this.after.accounts.bots);
  }

  /** People who come into a group, or gain the right to put themselves into it: whom a private channel that admits the group then admits, without bots. */
  entering(group: string): People {
    const { before, after } = this;
    const channel = admitting(after, group);
    const readers = (state: AccessState): People => holdersOf(state, channel, READ)?.people ?? after.population.nobody;
    const [was, is] = [readers(before), readers(after)];
    const joining = this.is.into(channel).minus(this.was.into(channel));
    return is.or(joining).minus(was).minus(after.accounts.bots);
  }

  /** Whether an account is in a group that the channel admits afterwards, or can put itself into it. */
  admits(name: string, account: number): boolean {
    const channel = this.after.channel(name);
    return channel !== undefined && this.is.admits(channel, account);
  }
  /** The groups by which these people can come to a right on a channel afterwards, as the last step. */
  groupsOf(name: string, people: People, right: Stepped = READ): readonly string[] {
    const channel = this.after.channel(name);
    return channel === undefined ? [] : this.is.lastSteps(channel, people, right);
  }
  /** All groups that lead into a channel afterwards. */
  waysInto(name: string): Iterable<string> {
    const channel = this.after.channel(name);
    return channel === undefined ? [] : this.is.behind(openedBySetting(channel));
  }
  /** All groups that lead into this one afterwards, step by step, and it itself. */
  behind(group: string): Iterable<string> {
    return this.is.behind([group]);
  }
  /** Groups that members of these are in, or can come into. */
  ahead(names: Iterable<string>, side: "before" | "after" = "after"): ReadonlySet<string> {
    return (side === "before" ? this.was : this.is).ahead(names);
  }
}
