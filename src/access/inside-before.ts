import type { Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { AccessDifference } from "./difference.ts";
import { holdersOf, insidersOf, ownHoldersOf, pathsTo } from "./grants.ts";
import { admitting, comersTo, groupsBehind, groupsIn, groupsToEnter, openedBySetting } from "./joining.ts";
import { statesOf } from "./of-plan.ts";
import type { People } from "./people.ts";
import { ADMINISTER } from "./rules.ts";
import { CHANNEL, GROUP, isChannel } from "./scope.ts";
import { type AccessChannel, type AccessState, isPrivate } from "./state.ts";

/*
 * Who came into a private channel by an opening, or into a group that the channel admits, stays there when the opening is undone, and no reading has the time of
 * a subscription or of a membership. So a run that opens a channel notes who is in it, and an undo names the others. A channel is opened also by who may let
 * others in from then on. A later run can let a group in that this one opened, so a run notes who was in such a group, too, and where they could read.
 */

/** By the id of a private channel, or of a group: ids of accounts. */
interface ById {
  readonly [id: string]: readonly number[];
}

/** Who is in the private channels that a run opens to somebody when the run begins. */
export interface InsideBefore {
  /** The subscribers. */
  readonly inside?: ById;
  /** Those who read it, may let themselves in, or can come to by joining groups. Absent in older journals. */
  readonly readers?: ById;
  /** Those who administer it. Absent in older journals. */
  readonly administrators?: ById;
  /**
   * By the id of a group that the run opens: who is in it, or can put themselves into it. A private channel may admit the group that the account does not see,
   * or that is made so later.
   */
  readonly groups?: ById;
  /** By the id of a private channel that the run does not open: those who read it, of the people who can come into such groups by the run. */
  readonly already?: ById;
  /** By the id of an active bot: its owner. Of a run that makes administrators, who can take bots over. */
  readonly owners?: ById;
}

/** Who came into a private channel, or into a group, since the run, and is in it after the undo. */
interface StayingInside {
  readonly kind: typeof CHANNEL | typeof GROUP;
  readonly name: string;
  /** Those who are subscribed. */
  readonly subscribed: readonly number[];
  /** Those who have a way in: who is subscribed, too, would come in again. */
  readonly admitted: readonly Holder[];
  readonly administering: readonly Holder[];
  /** Of a group: those who are in it, or can put themselves into it. */
  readonly entering: readonly Holder[];
}

/** A person, and the groups that give the right: those that they are in, or can put themselves into. */
interface Holder {
  readonly id: number;
  readonly groups: readonly string[];
}

export function insideBefore(changes: readonly Change[], snapshot: Snapshot): InsideBefore {
  // Nearly all runs: the states of a large organization are not computed.
  if (!changes.some(({ risks }) => risks.some(({ kind }) => kind === "widens"))) return {};
  const { realm, difference } = statesOf(changes, new Realm(snapshot));
  const invitedInto = new Set(
    changes.flatMap(({ risks }) =>
      risks.flatMap(({ fact }) => (fact.kind === "invited-into" ? fact.channels.map(({ name }) => name) : [])),
    ),
  );
  const ids = idsByName(realm);
  const changed = new Set([...difference.pairs([CHANNEL])].map(({ is }) => is));
  const letting = groupsLetIntoBy(difference);
  const led = difference.ways.ahead(letting);
  const opened = [...difference.after.channels()].flatMap((is) => {
    const pair = difference.pairOf(is);
    const was = pair?.was;
    if (pair === undefined || was === undefined || was === "organization" || !isChannel(was) || !isPrivate(was))
      return [];
    // Who comes in by joining groups may do so although nobody's right on the channel differs.
    const { gained, newcomers } = difference.joining(is.name);
    if (gained.size + newcomers.length + difference.joining(is.name, {}, ADMINISTER).gained.size > 0) return [was];
    if ([...openedBySetting(is), ...groupsIn(is.settings.get(ADMINISTER))].some((name) => led.has(name))) return [was];
    if (!changed.has(is)) return [];
    const rights = [ADMINISTER, "can_add_subscribers_group"];
    const shifts = [difference.reading(pair).gained, ...rights.map((right) => difference.usable(pair, right).gained)];
    return shifts.some(({ size }) => size > 0) || difference.newReaders(pair).length > 0 ? [was] : [];
  });
  const invited = [...difference.before.channels()].filter((one) => isPrivate(one) && invitedInto.has(one.name));
  const noted = [...opened, ...invited].flatMap((channel) => {
    const id = ids.get(channel.name);
    return id === undefined ? [] : [{ id: String(id), channel }];
  });
  const known = new Set(noted.map(({ channel }) => channel));
  const others = { ...openedGroups(realm, difference, letting, known), ...ownersBefore(difference) };
  if (noted.length === 0) return others;
  // Some runs need no reading of the subscribers. Who comes in by a group is known without it.
  const inside = noted.flatMap(({ id, channel: { subscribers } }) =>
    subscribers === undefined ? [] : [[id, subscribers.ids()] as const],
  );
  const of = (right: Right): ById =>
    Object.fromEntries(noted.map(({ id, channel }) => [id, right(difference.before, channel).ids()]));
  return { inside: Object.fromEntries(inside), readers: of(readers), administrators: of(administrators), ...others };
}

function ownersBefore({ before, after }: AccessDifference): Pick<InsideBefore, "owners"> {
  const made = after.accounts.administrators.minus(before.accounts.administrators);
  if (made.size === 0) return {};
  return { owners: Object.fromEntries([...before.accounts.owners].map(([bot, owner]) => [String(bot), [owner]])) };
}

/** The settings of a group by which its people put others into it. */
const LETTING_IN = ["can_manage_group", "can_add_members_group"] as const;

/** Groups into which somebody can put others whom they could not put there before. */
const groupsLetIntoBy = (difference: AccessDifference): readonly string[] =>
  [...difference.pairs([GROUP])].flatMap((pair) => {
    const isOpened =
      pair.was !== undefined && LETTING_IN.some((right) => difference.usable(pair, right).gained.size > 0);
    return isOpened && pair.is !== "organization" ? [pair.is.name] : [];
  });

/**
 * Who was in the groups that the plan opens, as `plan/guard-gains.ts` counts them: a private channel that the account does not see may admit them, or one that
 * a later run opens to them.
 * @param letting groups into which others can be put
 * @param known channels of which everything is noted
 */
function openedGroups(
  realm: Realm,
  { before, after, ways }: AccessDifference,
  letting: readonly string[],
  known: ReadonlySet<AccessChannel>,
): Pick<InsideBefore, "groups" | "already"> {
  const me = realm.snapshot.account.user_id;
  let people = letting.length > 0 ? after.accounts.everybody : after.population.nobody;
  const opened = realm.snapshot.user_groups.filter(({ name }) => {
    if (before.group(name) === undefined || (!realm.isAdmin && before.membersOf(name).has(me))) return false;
    const entering = ways.entering(name);
    people = people.or(entering);
    return entering.size > 0 || letting.includes(name);
  });
  if (opened.length === 0) return {};
  const groups = Object.fromEntries(opened.map(({ id, name }) => [String(id), entrants(before, name).ids()]));
  // Without the subscribers, it is not known who was in a channel.
  if (!realm.isAdmin || realm.snapshot.subscribers === null) return { groups };
  const ids = idsByName(realm);
  const already = [...before.channels()].flatMap((channel) => {
    const id = ids.get(channel.name);
    const inside = known.has(channel) || !isPrivate(channel) ? [] : readers(before, channel).and(people).ids();
    return id === undefined || inside.length === 0 ? [] : [[String(id), inside] as const];
  });
  return { groups, already: Object.fromEntries(already) };
}

/** Whom a private channel admits that admits the group. */
const entrants = (state: AccessState, group: string): People => readers(state, admitting(state, group));

type Right = (state: AccessState, channel: AccessChannel) => People;

const readers: Right = (state, channel) => insidersOf(state, channel).people.or(comersTo(state, channel));

const administrators: Right = (state, channel) =>
  holdersOf(state, channel, ADMINISTER)?.people ?? state.population.nobody;

/** Accounts that are in these channels after the changes and were not before the run, or administer them, for each that is private then. */
export function stayingInside(
  changes: readonly Change[],
  snapshot: Snapshot,
  before: InsideBefore,
): readonly StayingInside[] {
  if (Object.values(before).every((noted) => Object.keys(noted).length === 0)) return [];
  const states = statesOf(changes, new Realm(snapshot));
  const { realm, after } = states;
  const ids = idsByName(realm);
  const { accounts, population } = after;
  const since = (people: People | undefined, known: readonly number[] | undefined): People =>
    people === undefined || known === undefined
      ? population.nobody
      : people.and(accounts.everybody).minus(population.of(known));
  const none = { subscribed: [], admitted: [], administering: [] };
  // Who came into a group of which the run noted who was in it, before anything is undone.
  const entered = realm.snapshot.user_groups.flatMap(({ id, name }) => {
    const people =
      before.already === undefined ? population.nobody : since(entrants(states.before, name), before.groups?.[id]);
    return people.size === 0 ? [] : [{ name, people }];
  });
  const enteredInto = ({ name }: AccessChannel, id: string): People => {
    const today = states.before.channel(name);
    if (entered.length === 0 || today === undefined || before.readers?.[id] !== undefined) return population.nobody;
    const behind = groupsBehind(states.before, openedBySetting(today));
    const found = entered.reduce((all, one) => (behind.has(one.name) ? all.or(one.people) : all), population.nobody);
    return found.minus(population.of(before.already?.[id] ?? []));
  };
  // An administrator sees which channels admit a group.
  const unseen = realm.isAdmin ? [] : realm.snapshot.user_groups;
  const inGroups = unseen.flatMap(({ id, name }): readonly StayingInside[] => {
    if (before.groups?.[String(id)] === undefined || after.group(name) === undefined) return [];
    const people = since(entrants(after, name), before.groups[String(id)]).minus(accounts.bots);
    const entering = people.ids().map((person) => ({ id: person, groups: [] }));
    return people.size === 0 ? [] : [{ kind: GROUP, name, ...none, entering }];
  });
  const inChannels = [...after.channels()].flatMap((channel): readonly StayingInside[] => {
    if (!isPrivate(channel)) return [];
    const id = String(ids.get(channel.name));
    const led = enteredInto(channel, id);
    const subscribed = since(channel.subscribers, before.inside?.[id]).or(
      channel.subscribers?.and(led) ?? population.nobody,
    );
    const others = since(readers(after, channel), before.readers?.[id]).or(led.and(readers(after, channel)));
    const administer = since(administrators(after, channel), before.administrators?.[id]);
    if (subscribed.size + others.size + administer.size === 0) return [];
    // Without a group, it is told of those who are subscribed, or nothing is known of who was.
    const admitted = held(after, channel, "can_subscribe_group", others).filter(
      (one) => one.groups.length > 0 || (before.inside?.[id] !== undefined && !subscribed.has(one.id)),
    );
    const administering = held(after, channel, ADMINISTER, administer);
    if (subscribed.size + admitted.length + administering.length === 0) return [];
    return [{ kind: CHANNEL, name: channel.name, subscribed: subscribed.ids(), admitted, administering, entering: [] }];
  });
  return [...inChannels, ...inGroups];
}

/** People with the groups by which they have the right, or would come to read the channel. */
function held(state: AccessState, channel: AccessChannel, right: string, people: People): readonly Holder[] {
  if (people.size === 0) return [];
  const paths = pathsTo(state, channel, right);
  return people.ids().map((id) => {
    const found = paths(id);
    const groups = found.flatMap((path) => (path.via === "setting" ? path.groups.slice(-1) : []));
    const joins = found.length === 0 ? groupsToEnter(state, channel, state.population.of([id])) : [];
    return { id, groups: [...new Set([...groups, ...joins])] };
  });
}

/** Bots that a plan gives to somebody else, of which who owned them before has the keys, and with these reads something private, or administers something. */
export function keysSeen(
  changes: readonly Change[],
  snapshot: Snapshot,
): readonly { readonly name: string; readonly by: number }[] {
  // Nearly all undos: the states of a large organization are not computed.
  if (!changes.some(({ risks }) => risks.some(({ fact }) => fact.kind === "bot-given"))) return [];
  const { after, keyed } = statesOf(changes, new Realm(snapshot)).difference;
  const { webhooks, formerOwners } = keyed.accounts;
  const opens = opening(after, keyed);
  return changes.flatMap(({ id, name }) => {
    const by = id === undefined ? undefined : formerOwners?.get(id);
    return id === undefined || by === undefined || webhooks.has(id) || !opens(id) ? [] : [{ name, by }];
  });
}

/** Bots that people took over or made while a run let them be administrators. Only those that read something private, or administer something. */
export function botsTaken(
  changes: readonly Change[],
  snapshot: Snapshot,
  { owners: noted }: InsideBefore,
): readonly { readonly id: number; readonly by: number }[] {
  if (noted === undefined) return [];
  const { before, after } = statesOf(changes, new Realm(snapshot)).difference;
  const { administrators, owners, webhooks } = after.accounts;
  const lost = before.accounts.administrators.minus(administrators);
  const opens = opening(after, after);
  return [...owners].flatMap(([id, by]) =>
    lost.has(by) && noted[String(id)]?.[0] !== by && !webhooks.has(id) && opens(id) ? [{ id, by }] : [],
  );
}

/** Whether who has the key of a bot reads something private with it, or administers something. */
function opening(state: AccessState, keyed: AccessState): (bot: number) => boolean {
  const channels = [...state.channels()];
  return (bot) =>
    keyed.accounts.administrators.has(bot) ||
    channels.some((channel) => {
      // Whose subscribers were not read may have the bot among them.
      const isInside = channel.subscribers === undefined || insidersOf(state, channel).people.has(bot);
      return (isPrivate(channel) && isInside) || ownHoldersOf(state, channel, ADMINISTER)?.people.has(bot) === true;
    });
}

const idsByName = ({ snapshot }: Realm): ReadonlyMap<string, number> =>
  new Map(snapshot.channels.map(({ name, stream_id }) => [name, stream_id]));
