import { keysOf } from "../model/defined.ts";
import type { Named } from "../model/facts.ts";
import { addTo } from "../model/lazy.ts";
import type { GroupValue } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import { roleGroupsOf } from "./account.ts";
import {
  administratorsOf,
  type Holders,
  holdersOf,
  organizationOwnersOf,
  ownersThrough,
  type Target,
} from "./grants.ts";
import { groupsIn, Joining, type Stepped } from "./joining.ts";
import type { AccessGroup } from "./nesting.ts";
import { type People, Population } from "./people.ts";
import { MANAGE_ALL, READ, READ_PAST } from "./rules.ts";
import { CHANNEL, isChannel, isGroup, isGroupAddress, ORGANIZATION, SCOPES, type Scope } from "./scope.ts";
import { type AccessChannel, type AccessState, isPrivate, withPeople } from "./state.ts";

/*
 * What a plan changes about access: the one place that compares before and after. Guards, risks, rules, `access --plan` and the comment are views of it.
 *
 * Terms. A *shift* is who gains and who loses one right on one object. A *newcomer* is somebody who has no account yet: a guest, a member on the first day,
 * a member after the waiting period, or somebody with the role of an invitation that is open after the plan. They are subscribed to the default channels.
 * Newcomers are accounts of a small state of their own, so they are in no number of people and in no list of names. Somebody *returns* who is reactivated,
 * or whose bot is: no reading shows what the account is subscribed to, and which groups and settings name it.
 *
 * Premise. A right counts for everybody who can use it, by the own account or through the key of an active bot (`holdersOf`). The key of a bot
 * does not change with its owner: who owned it before a plan has the key after it, and keeps or gains what the bot can do then. An object is the same before
 * and after a plan, whatever it is called: both states have the names that the plan gives. An organization can have 50,000 people and 10,000 channels, and most
 * objects have the same ground before and after, so they are skipped without a look at people.
 *
 * The idea.
 *     pairs()            = each object with its counterpart, unless it certainly admits the same people
 *     of(pair, right)    = holders after − holders before, and the reverse
 *     newcomers(pair, right) = the same for newcomers
 *     reading(pair)      = the shift of reading and of letting oneself in
 *     joining(channel)   = people who can come into a group that the channel admits, and could not before
 *
 * What it does not do. It counts nothing and words nothing. What an invitation gives beyond its role is not part of it: who accepts one is in nobody's
 * state (invitations.ts). Of those who return, it knows only what their roles and the plan give them.
 */

/** People who may join the organization later. Those with the other roles only if an open invitation gives the role. */
export type Newcomer = keyof typeof ROLE_OF;

/** One object before and after. An object that the plan creates has no `was`. No plan deletes channels or groups: they are archived or deactivated. */
export interface Pair {
  readonly was: Target | undefined;
  readonly is: Target;
}

/** Who gains something, and who loses it. Both contain bots, and the owners of these bots. */
export interface Shifted {
  readonly gained: People;
  readonly lost: People;
}

/** One right on one object. */
interface RightShift extends Shifted {
  /** Subscribers were not read: these are the most that it can be. */
  readonly bound: boolean;
}

/**
 * The difference that a plan makes, for everything that somebody can do with the own key, with the keys of their active bots, or as a newcomer:
 *     const { difference } = statesOf(plan.changes, realm);
 *     for (const pair of difference.pairs()) for (const { scope, right } of RIGHTS) if (scope matches) difference.of(pair, right)
 * `pair.is.name` is the name that the plan gives the object; the live object with this name in `statesOf(…).realm` has the same id before and after.
 */
export class AccessDifference {
  readonly before: AccessState;
  readonly after: AccessState;
  /** The state after, in which former owners of bots have the keys that they know. */
  readonly keyed: AccessState;
  private readonly isStill: (was: Target, is: Target) => boolean;
  private newcomerStates: { readonly before: AccessState; readonly after: AccessState } | undefined;
  /** What people can give to themselves by joining groups. */
  readonly ways: Joining;
  private newJoiners: Joining | undefined;
  private returned: People | undefined;
  private opened: ReadonlyMap<number, readonly AccessChannel[]> | undefined;

  constructor(before: AccessState, after: AccessState) {
    this.before = before;
    this.after = after;
    this.keyed = withKnownKeys(before, after);
    this.ways = new Joining({ before, after: this.keyed });
    this.isStill = stillness(before, after, this.ways);
  }

  /** Objects whose holders of some right may differ, in the order of {@link SCOPES}. Role groups are left out: nobody has a right on them. */
  *pairs(scopes: readonly Scope[] = SCOPES): Generator<Pair> {
    for (const scope of scopes)
      for (const is of targetsIn(this.after, scope)) {
        const was = counterpart(this.before, is);
        if (was !== undefined && this.isStill(was, is)) continue;
        if (isGroup(is) && is.name.startsWith("role:")) continue;
        yield { was, is };
      }
  }

  /** Those of the pairs that are channels, and there before the plan. */
  *channels(): Generator<{ readonly was: AccessChannel; readonly is: AccessChannel }> {
    for (const { was, is } of this.pairs([CHANNEL]))
      if (was !== undefined && isChannel(was) && isChannel(is)) yield { was, is };
  }

  /** The pair of an object of the plan; undefined if it is not there afterwards. */
  pairOf(is: Target | undefined): Pair | undefined {
    return is === undefined ? undefined : { was: counterpart(this.before, is), is };
  }

  /** People who managed a group before its deactivation manage it again: the pair with the group as it was in use. */
  again(pair: Pair): Pair {
    const { was, is } = pair;
    return was !== undefined && isGroup(was) && was.deactivated ? { was: { ...was, deactivated: false }, is } : pair;
  }

  /** {@link of} as far as somebody could use it: only members of a group can leave it, and only others can join it. */
  usable(pair: Pair, right: string): Shifted {
    const { gained, lost } = this.of(this.again(pair), right);
    const { was, is } = pair;
    if (was === undefined || was === "organization" || is === "organization" || !isGroup(was) || !isGroup(is))
      return { gained, lost };
    if (right === "can_leave_group") return { gained: gained.and(is.members), lost: lost.and(was.members) };
    if (right === "can_join_group") return { gained: gained.minus(is.members), lost: lost.minus(was.members) };
    return { gained, lost };
  }

  /** @param right READ, READ_PAST, SEE, or a setting; for the organization also a right without a setting */
  of({ was, is }: Pair, right: string): RightShift {
    const before = was !== undefined && inUse(was) ? holdersOf(this.before, was, right) : undefined;
    const after = inUse(is) ? holdersOf(this.keyed, is, right) : undefined;
    const [then, now] = [comparedWith(is, right, before, this.before), comparedWith(was, right, after, this.after)];
    return {
      gained: now.minus(then),
      lost: then.minus(now),
      bound: before?.bound !== undefined || after?.bound !== undefined,
    };
  }

  /**
   * People who are reactivated, and owners of bots that are: they are again in private channels and groups that no reading shows, so they may gain
   * anything.
   */
  get returning(): People {
    this.returned ??= this.withReturning();
    return this.returned;
  }
  private withReturning(): People {
    const { before, after } = this;
    const { everybody, bots } = after.accounts;
    const came = everybody.minus(before.accounts.everybody);
    const owners = [...came.and(bots)].flatMap((bot) => after.account(bot)?.owner ?? []);
    return came.or(after.population.of(owners)).and(everybody).minus(bots);
  }

  /** Accounts that become administrators of the organization, and people who become the owners of such a bot. */
  administrators(): Shifted {
    const [was, is] = [administratorsOf(this.before), administratorsOf(this.keyed)];
    return { gained: is.minus(was), lost: was.minus(is) };
  }

  /**
   * Accounts that get a role of administrators, or owners who were administrators before, and people who become the owners of such a bot. Who has power by a
   * bot alone loses it with the bot, so the role is more.
   */
  get promoted(): People {
    const { before, after, keyed } = this;
    const owners = organizationOwnersOf(keyed).minus(organizationOwnersOf(before));
    const byRole = after.accounts.administrators
      .minus(before.accounts.administrators)
      .or(after.owners.minus(before.owners));
    return this.administrators().gained.or(owners).or(byRole);
  }

  /** People, bots included, who enter a group and its subgroups, and who leave. */
  members(name: string): Shifted {
    const [was, is] = [this.before.membersOf(name), this.after.membersOf(name)];
    return { gained: is.minus(was), lost: was.minus(is) };
  }

  /**
   * People who gain the right to let themselves into a private channel by joining groups, one after the other, or who can come to administer a channel so.
   * @param by only those who are in this group, which must lead into the channel, or can come into it; of the organization: those who may manage all groups
   */
  joining(
    name: string,
    by: Partial<Named> = {},
    right: Stepped = READ,
  ): { readonly gained: People; readonly newcomers: readonly Newcomer[] } {
    const value = this.leadingBy(by);
    const newcomers = right === READ ? newcomersIn(this.newWays().gained(name, value)) : [];
    return { gained: this.ways.gained(name, value, right), newcomers: this.known(newcomers) };
  }
  private newWays(): Joining {
    this.newJoiners ??= new Joining(this.newcomerSides(), true);
    return this.newJoiners;
  }
  private leadingBy({ address, name }: Partial<Named>): GroupValue | undefined {
    if (address === ORGANIZATION) return this.after.organization.get(MANAGE_ALL);
    return address !== undefined && isGroupAddress(address) ? name : undefined;
  }
  /** People who gain the right of a setting on an object, or can give it to themselves by joining groups and could not before. */
  holding(
    pair: { readonly was: AccessChannel | AccessGroup; readonly is: AccessChannel | AccessGroup },
    setting: string,
  ): People {
    return this.of(pair, setting).gained.or(this.ways.steppingTo(pair.was, pair.is, setting));
  }

  /**
   * Reading, or letting oneself in, which an archived channel allows without showing its messages. People gain it if they gain one of them; they lose it if
   * afterwards they can do neither.
   */
  reading(pair: Pair): RightShift {
    const read = this.of(pair, READ);
    const enter = this.of(pair, ENTER);
    const { was, is } = pair;
    const { nobody } = this.before.population;
    const readBefore = was === undefined ? nobody : (holdersOf(this.before, was, READ)?.people ?? nobody);
    const entersAfter = holdersOf(this.keyed, is, ENTER)?.people ?? nobody;
    return {
      gained: read.gained.or(enter.gained.minus(readBefore)),
      lost: read.lost.minus(entersAfter),
      bound: read.bound,
    };
  }

  /** By the bots that have another owner: private channels that this owner reads, or can let themselves into, with the bot's key, and could not before. */
  get openedByBots(): ReadonlyMap<number, readonly AccessChannel[]> {
    this.opened ??= this.byGivenBot();
    return this.opened;
  }

  private byGivenBot(): ReadonlyMap<number, readonly AccessChannel[]> {
    const { before, after } = this;
    const [was, is] = [before.accounts.owners, after.accounts.owners];
    const given = [...is].filter(([bot, owner]) => was.get(bot) !== owner);
    const channels = new Map<number, AccessChannel[]>();
    if (given.length === 0) return channels;
    const owners = after.population.of(given.map(([, owner]) => owner));
    for (const pair of this.channels()) {
      const { is: channel } = pair;
      if (!isPrivate(channel)) continue;
      const gained = this.reading(pair).gained.or(this.ways.gained(channel.name)).and(owners);
      for (const [bot, owner] of gained.size === 0 ? [] : given)
        if (gained.has(owner) && this.opensTo(owner, bot, channel)) addTo(channels, bot, channel);
    }
    return channels;
  }

  private opensTo(owner: number, bot: number, channel: AccessChannel): boolean {
    const { after } = this;
    if (this.ways.admits(channel.name, bot)) return true;
    return [READ, ENTER].some((right) => ownersThrough(after.population.of([bot]), after, channel, right).has(owner));
  }

  /** Who gains a right as soon as they join. */
  newcomers(pair: Pair, right: string): readonly Newcomer[] {
    return this.known(this.allNewcomers(pair, right));
  }

  /** Those who join by an invitation or a link that is known. */
  private known(newcomers: readonly Newcomer[]): readonly Newcomer[] {
    return newcomers.filter((newcomer) => isRoleOpen(newcomer, this.after));
  }

  /**
   * Who can come to read a channel that stays private, if an invitation or a link with the role is open: invitations were not read, so nobody knows. Empty
   * if they were.
   */
  perhapsNewReaders(pair: Pair): readonly Newcomer[] {
    if (this.after.facts.invitationsAreRead) return [];
    const found = [READ, READ_PAST, ENTER].flatMap((right) => this.allNewcomers(pair, right));
    const joining = isChannel(pair.is) ? newcomersIn(this.newWays().gained(pair.is.name)) : [];
    const all = new Set([...found, ...joining]);
    return NEWCOMERS.filter((newcomer) => all.has(newcomer) && !isRoleOpen(newcomer, this.after));
  }

  private allNewcomers({ was, is }: Pair, right: string): readonly Newcomer[] {
    const { before, after } = this.newcomerSides();
    const side = (state: AccessState, target: Target | undefined): People => {
      const seen = target === undefined || !inUse(target) ? undefined : counterpart(state, target);
      return (seen === undefined ? undefined : holdersOf(state, seen, right)?.people) ?? state.population.nobody;
    };
    return newcomersIn(side(after, is).minus(side(before, was)));
  }

  /** Whether the channel is not private before the plan, and everybody who joins with this role then reads it. */
  wasOpenTo(role: number, name: string): boolean {
    const was = this.before.channel(name);
    if (was === undefined || isPrivate(was)) return false;
    const { before } = this.newcomerSides();
    const same = before.channel(name);
    const readers = same && holdersOf(before, same, READ)?.people;
    return NEWCOMERS.some((newcomer, id) => ROLE_OF[newcomer] === role && readers?.has(id) === true);
  }

  /** Who can read a channel as soon as they join, or let themselves in, like {@link reading}. */
  newReaders(pair: Pair): readonly Newcomer[] {
    const found = new Set([READ, ENTER].flatMap((right) => this.newcomers(pair, right)));
    return NEWCOMERS.filter((newcomer) => found.has(newcomer));
  }

  private newcomerSides() {
    // Whom a new invitation lets in is compared with whom it would have let in before: what it opens itself is said of the invitation.
    this.newcomerStates ??= { before: withNewcomers(this.before), after: withNewcomers(this.after) };
    return this.newcomerStates;
  }
}

/** A channel to which people without an account gain or lose access. They are not in the numbers of people. */
export interface WebShift {
  readonly target: AccessChannel;
  readonly opens: boolean;
}

export function webShiftsBetween(
  before: AccessState,
  after: AccessState,
  only: (channel: AccessChannel) => boolean = () => true,
): readonly WebShift[] {
  return [...after.channels()].flatMap((target) => {
    const opens = after.isOnWeb(target);
    return opens === before.isOnWeb(before.channel(target.name)) || !only(target) ? [] : [{ target, opens }];
  });
}

/** Letting oneself into a channel, archived or not. */
const ENTER = "can_subscribe_group";

const ROLE_OF = {
  guest: ROLE.guest,
  member: ROLE.member,
  full_member: ROLE.member,
  moderator: ROLE.moderator,
  administrator: ROLE.administrator,
  owner: ROLE.owner,
};
const NEWCOMERS = keysOf(ROLE_OF);
/** All in one population, so that those of before and after can be compared. */
const newPopulation = new Population(NEWCOMERS.keys());

/** Whether somebody can join in this way, as far as invitations were read. */
const isRoleOpen = (newcomer: Newcomer, { facts: { invitedRoles } }: AccessState): boolean =>
  ROLE_OF[newcomer] >= ROLE.member || invitedRoles.has(ROLE_OF[newcomer]);

const newcomersIn = (people: People): readonly Newcomer[] => NEWCOMERS.filter((_, id) => people.has(id));

/** The same state with nobody in it except newcomers, who are subscribed to the default channels and in no group but those of their roles. */
function withNewcomers(state: AccessState): AccessState {
  const accounts = NEWCOMERS.map((newcomer, id) => ({
    id,
    role: ROLE_OF[newcomer],
    active: true,
    full: newcomer !== "member" || state.facts.newMembersAreFull,
  }));
  const { nobody } = newPopulation;
  const everybody = newPopulation.of(NEWCOMERS.keys());
  return withPeople(state, newPopulation, accounts, {
    // What the organization's values name is not among them, and how open a channel is counts by itself.
    facts: { ...state.facts, idOf: () => -1, offersWeb: true, spectators: true },
    bots: nobody,
    webhooks: nobody,
    subscribersOf: ({ name }) => (state.facts.defaultChannels.has(name) ? everybody : nobody),
    membersOf: ({ name }) =>
      newPopulation.of(accounts.flatMap((account) => (roleGroupsOf(account).includes(name) ? account.id : []))),
  });
}

function targetsIn(state: AccessState, scope: Scope): Iterable<Target> {
  if (scope === "organization") return ["organization"];
  return scope === CHANNEL ? state.channels() : state.groups();
}

/** The state after a plan, in which the owners that bots had before it have the keys of those that are active: no plan makes new keys. */
function withKnownKeys(before: AccessState, after: AccessState): AccessState {
  if (before.accounts.owners === after.accounts.owners) return after;
  const former = new Map<number, number>();
  for (const [bot, owner] of after.accounts.owners) {
    const was = before.account(bot)?.owner;
    if (was !== undefined && was !== owner && before.accounts.everybody.has(was)) former.set(bot, was);
  }
  return former.size === 0 ? after : after.withFormerOwners(former);
}

/** The same object in another state. */
function counterpart(state: AccessState, target: Target): Target | undefined {
  if (target === "organization") return target;
  return isChannel(target) ? state.channel(target.name) : state.group(target.name);
}

/** The holders on one side. If the other side is a protected history, everybody who may be subscribed is: that was not read, and nobody has the past there. */
function comparedWith(
  other: Target | undefined,
  right: string,
  holders: Holders | undefined,
  { accounts, population }: AccessState,
): People {
  const isProtected =
    other !== undefined &&
    other !== "organization" &&
    isChannel(other) &&
    other.privacy === "private_protected_history";
  if (right === READ_PAST && holders?.bound === "least" && isProtected) return holders.others ?? accounts.everybody;
  return holders?.people ?? population.nobody;
}

/** A deactivated group gives nobody a right on it; an archived channel still has readers. */
const inUse = (target: Target): boolean => !(isGroup(target) && target.deactivated);

const isSame = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size === others.size && [...some].every((name) => others.has(name));

/**
 * Whether an object certainly admits the same people: it is the same object, with the same accounts and the same settings of the organization, and
 * neither its settings nor the organization's name a group that changed, or that such a group leads into.
 */
function stillness(before: AccessState, after: AccessState, ways: Joining): (was: Target, is: Target) => boolean {
  const names = new Set([...before.groups(), ...after.groups()].map(({ name }) => name));
  const changed = [...names].filter((name) => before.group(name) !== after.group(name));
  const moved = changed.length === 0 ? new Set() : ways.ahead(changed);
  const hangs = (settings: ReadonlyMap<string, GroupValue>): boolean =>
    [...settings.values()].some((value) => groupsIn(value).some((name) => moved.has(name)));
  const isShaken =
    before.accounts !== after.accounts ||
    before.organization !== after.organization ||
    before.facts.spectators !== after.facts.spectators ||
    before.facts.newMembersAreFull !== after.facts.newMembersAreFull ||
    !isSame(before.facts.defaultChannels, after.facts.defaultChannels) ||
    hangs(after.organization);
  // Without groups that changed, the settings of a thousand channels are not even read.
  return (was, is) => !isShaken && was === is && (is === "organization" || moved.size === 0 || !hangs(is.settings));
}
