import { defined, whenDefined } from "../model/defined.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import { addressMeant, didYouMean } from "../model/suggest.ts";
import type { AccessDifference, Newcomer } from "./difference.ts";
import { type AccessPath, type Holders, holdersOf, pathsOf, type Standing, scopeOf, standingOf } from "./grants.ts";
import { comersTo, comersToAdminister, groupsToEnter, type Stepped } from "./joining.ts";
import { type People, Population } from "./people.ts";
import { READ, READ_PAST } from "./rules.ts";
import { CHANNEL, groupAddress, isChannel, SCOPES } from "./scope.ts";
import type { Target } from "./sources.ts";
import { type AccessChannel, type AccessState, isPrivate, withPeople } from "./state.ts";
import { RIGHTS, type Right } from "./words.ts";

/** The channels, groups or the organization that a right can be held on: archived channels can be read, deactivated groups give nothing. */
export function targetsOf(state: AccessState, scope: Right["scope"]): readonly Target[] {
  if (scope === "organization") return ["organization"];
  if (scope === CHANNEL) return [...state.channels()];
  // Role groups belong to the server: nobody has a right on them.
  return [...state.groups()].filter(({ name, deactivated }) => !deactivated && !name.startsWith("role:"));
}

/** Every right that has a word, and those that only the server knows. */
const rightsIn = ({ facts: { otherRights } }: AccessState): readonly Right[] =>
  otherRights.length === 0 ? RIGHTS : [...RIGHTS, ...otherRights];

/** The requested rights: those that are named, or all. */
export function rightsAsked(
  state: AccessState,
  scopes: readonly Right["scope"][],
  asked: readonly Right[] | undefined,
): readonly Right[] {
  return (asked ?? rightsIn(state)).filter(({ scope }) => scopes.includes(scope));
}

/** Each right on one object: its holders, and why they hold it. Rights that the server does not have are left out. */
export function objectAnswer(state: AccessState, target: Target, asked?: readonly Right[]): readonly Standing[] {
  return rightsAsked(state, [scopeOf(target)], asked).flatMap(({ right }) => standingOf(state, target, right) ?? []);
}

/** The objects on which one person holds a right, and those in use on which they do not. */
export interface Reach {
  readonly right: Right;
  readonly may: readonly { readonly target: Target; readonly paths: readonly AccessPath[]; readonly bound?: "most" }[];
  readonly mayNot: readonly Target[];
}

/** People who do not read a private channel, and can come to, as rules count them; without bots. */
export interface Coming {
  readonly channel: AccessChannel;
  readonly people: People;
  /** The groups that they would join, the last step only; none if the channel is archived and lets them subscribe. */
  readonly groups: readonly string[];
}

/** Who can come to read a channel, or to administer it; undefined if there is nobody. */
export function comingTo(state: AccessState, target: Target, right: Stepped = READ): Coming | undefined {
  if (target === "organization" || !isChannel(target)) return undefined;
  const comers = right === READ ? comersTo(state, target) : comersToAdminister(state, target);
  const people = comers.minus(state.accounts.bots);
  const groups = people.size === 0 ? [] : groupsToEnter(state, target, people, right);
  return people.size === 0 ? undefined : { channel: target, people, groups };
}

/** The same of a right that is among those of an answer. */
export const comingIn = (
  standings: readonly Standing[],
  right: Stepped,
  state: AccessState,
  target: Target,
): Coming | undefined =>
  standings.some((standing) => standing.right === right) ? comingTo(state, target, right) : undefined;

/** The private channels that one person can come to read. */
export function comingOf(whole: AccessState, id: number): readonly Coming[] {
  const state = restrictedTo(whole, id);
  return [...state.channels()].flatMap((channel) => {
    const coming = comingTo(state, channel);
    return coming?.people.has(id) === true ? [coming] : [];
  });
}

const isArchived = (target: Target): boolean => target !== "organization" && isChannel(target) && target.archived;

/** What one person may do. Rights that the server has on no object are left out. */
export function personAnswer(whole: AccessState, id: number, asked?: readonly Right[]): readonly Reach[] {
  const state = restrictedTo(whole, id);
  const answer: Reach[] = [];
  for (const right of rightsAsked(state, SCOPES, asked)) {
    const may: Reach["may"][number][] = [];
    const mayNot: Target[] = [];
    for (const target of targetsOf(state, right.scope)) {
      const holders = holdersOf(state, target, right.right);
      if (holders === undefined) continue;
      if (!holders.people.has(id)) {
        if (!isArchived(target)) mayNot.push(target);
      } else
        may.push({
          target,
          paths: pathsOf(state, target, right.right, id),
          ...defined({ bound: holders.bound === "most" ? "most" : undefined }),
        });
    }
    if (may.length + mayNot.length > 0) answer.push({ right, may, mayNot });
  }
  return answer;
}

/** The same state with only one person in it, with their bots, or the owner of a bot: a question about one of 50,000 people needs no more. */
export function restrictedTo(state: AccessState, id: number): AccessState {
  const owner = state.accounts.owners.get(id);
  const ids = [id, ...(owner === undefined ? [] : [owner]), ...state.botsOf(id).map((bot) => bot.id)];
  const population = new Population(ids);
  const only = (people: People): People => population.of(ids.filter((each) => people.has(each)));
  const { bots, webhooks } = state.accounts;
  const accounts = ids.flatMap((each) => state.account(each) ?? []);
  return withPeople(state, population, accounts, {
    bots: only(bots),
    webhooks: only(webhooks),
    facts: state.facts,
    subscribersOf: ({ subscribers }) => subscribers && only(subscribers),
    membersOf: ({ members }) => only(members),
  });
}

/** One right on one object that somebody gains or loses. */
export interface Shift {
  readonly target: Target;
  readonly right: Right;
  readonly gained: Standing | undefined;
  readonly lost: Standing | undefined;
  /** The plan creates the object: nobody had a right on it before. */
  readonly isNew: boolean;
  /** Subscribers were not read: these are the most that it can be. */
  readonly bound: boolean;
}

/**
 * Who gains and who loses which right by a difference, object by object.
 * @param asked the rights to compare; default: every one that has a word, except "join", which is equivalent to "read"
 */
export function shiftsIn(
  difference: AccessDifference,
  { asked, only }: { readonly asked?: readonly Right[]; readonly only?: (target: Target) => boolean } = {},
): readonly Shift[] {
  const { before, after } = difference;
  const rights = asked ?? rightsIn(after).filter(({ right }) => right !== "can_subscribe_group");
  const made = after.population.of(after.facts.newBots.values());
  const found: Shift[] = [];
  for (const pair of difference.pairs()) {
    const { was, is: target } = pair;
    if (only?.(target) === false) continue;
    for (const right of rights) {
      if (right.scope !== scopeOf(target)) continue;
      const { gained: all, lost, bound } = difference.of(pair, right.right);
      // What a new bot may do, its role says already.
      const gained = all.minus(made);
      if (gained.size + lost.size === 0) continue;
      found.push({
        target,
        right,
        gained: among(difference.keyed, target, right, gained),
        lost: was && among(before, was, right, lost),
        isNew: was === undefined,
        bound,
      });
    }
  }
  return found;
}

/** Private channels that somebody may come to read by an invitation of a higher role, if there is one: invitations were not read. */
export const perhapsOpenedIn = (
  difference: AccessDifference,
  only: (target: Target) => boolean = () => true,
): readonly Target[] =>
  [...difference.channels()].flatMap((pair) =>
    isPrivate(pair.was) && only(pair.is) && difference.perhapsNewReaders(pair).length > 0 ? [pair.is] : [],
  );

/** What a plan opens of a channel without a right that anybody holds after it. */
export interface Later extends Coming {
  /** People who do not have an account yet, and who come to read it or can let themselves in. */
  readonly newcomers: readonly Newcomer[];
  /** Who reads it before and after the plan, and then also what was written before they were subscribed. */
  readonly past: People;
}

/** Who can come to read channels later, and could not before: by joining groups, or by joining the organization; and who gains only the past. */
export function openedLaterIn(
  difference: AccessDifference,
  only: (target: Target) => boolean = () => true,
): readonly Later[] {
  const { bots } = difference.after.accounts;
  return [...difference.channels()].flatMap((pair): Later | readonly [] => {
    const { is: channel } = pair;
    if (!only(channel)) return [];
    const reading = difference.reading(pair).gained;
    const joining = difference.joining(channel.name);
    const people = joining.gained.minus(reading).minus(bots);
    const past = difference.of(pair, READ_PAST).gained.minus(reading).minus(bots);
    const newcomers = [...new Set([...difference.newReaders(pair), ...joining.newcomers])];
    if (people.size + newcomers.length + past.size === 0) return [];
    return { channel, people, groups: difference.ways.groupsOf(channel.name, people), newcomers, past };
  });
}

/** The holders of a right among these people, with their grants. */
function among(state: AccessState, target: Target, right: Right, people: People): Standing | undefined {
  const standing = people.size === 0 ? undefined : standingOf(state, target, right.right);
  if (standing === undefined) return undefined;
  const holders: Holders = { ...standing.holders, people };
  const grants = standing.grants
    .map(({ source, people: own }) => ({ source, people: own.and(people) }))
    .filter(({ people: own }) => own.size > 0);
  return { ...standing, holders, grants };
}

/** The people whom a name in a question can mean: an address, a full name that only one person has, or `user:17`. */
export function peopleCalled(realm: Realm, text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  const pinned = /^(?:user:)?(\d+)$/.exec(wanted);
  if (pinned !== null) return realm.user(Number(pinned[1])) === undefined ? [] : [Number(pinned[1])];
  const byAddress = realm.userByEmail(wanted);
  if (byAddress !== undefined) return [byAddress.user_id];
  return realm.snapshot.users
    .filter(({ full_name, is_active }) => is_active && full_name.toLowerCase() === wanted)
    .map(({ user_id }) => user_id);
}

/** The right to read: the only one that an archived channel still gives. */
export const isReading = ({ right }: Right): boolean => right === READ;

/** The meaning of a question that somebody writes on a command line. */
export type Question =
  | { readonly about: "object"; readonly target: Target }
  | { readonly about: "account"; readonly id: number }
  /** The word has several meanings; each is written in the form that means only that one. */
  | { readonly about: "several"; readonly ways: readonly string[] }
  | { readonly about: "nothing"; readonly what: "object" | "account"; readonly meant: string | undefined };

/** The meaning of `#leadership`, `channel:x`, `user_group:staff`, `@staff`, `organization`, an address or a name. */
export function questionOf(text: string, realm: Realm, state: AccessState): Question {
  const written = text.trim();
  if (/^(the )?organization$/i.test(written)) return { about: "object", target: "organization" };
  const channel = /^(?:#|channel:)(.+)/s.exec(written)?.[1];
  if (channel !== undefined) return asObject(channelCalled(channel, state), channel, channelNames(state), "#");
  const group = /^(?:@|user_group:|group:)(.+)/s.exec(written)?.[1];
  if (group !== undefined) {
    const bare = group.replace(/^\*|\*$/g, "");
    return asObject(state.group(bare), bare, groupNames(state), groupAddress(""));
  }
  if (written.includes("@") || /^user:\d+$/.test(written)) return asPerson(written, realm);
  return anything(written, realm, state);
}

function asObject(target: Target | undefined, name: string, known: readonly string[], sign: string): Question {
  if (target !== undefined) return { about: "object", target };
  const meant = didYouMean(name, known);
  return { about: "nothing", what: "object", meant: meant === undefined ? undefined : `${sign}${meant}` };
}

function asPerson(text: string, realm: Realm): Question {
  const [id, ...others] = peopleCalled(realm, text);
  if (id === undefined) return { about: "nothing", what: "account", meant: addressMeant(text, addresses(realm)) };
  if (others.length === 0) return { about: "account", id };
  return { about: "several", ways: [id, ...others].map((each) => realm.userName(each)) };
}

/** The meaning of a name without a sign or a prefix. */
function anything(name: string, realm: Realm, state: AccessState): Question {
  const channel = channelCalled(name, state);
  const group = state.group(name);
  const people = peopleCalled(realm, name);
  const ways = [
    ...(channel === undefined ? [] : [`#${channel.name}`]),
    ...(group === undefined ? [] : [groupAddress(group.name)]),
    ...people.map((id) => realm.userName(id)),
  ];
  if (ways.length > 1) return { about: "several", ways };
  if (channel !== undefined) return { about: "object", target: channel };
  if (group !== undefined) return { about: "object", target: group };
  const [id] = people;
  if (id !== undefined) return { about: "account", id };
  const [called, ...others] = peopleAlsoCalled(realm, name);
  if (called !== undefined && others.length > 0) return { about: "several", ways: [called, ...others] };
  return { about: "nothing", what: "object", meant: called ?? similarName(name, realm, state) };
}

function similarName(name: string, realm: Realm, state: AccessState): string | undefined {
  const names = realm.snapshot.users.map(({ full_name }) => full_name);
  const signed = new Map([
    ["organization", "organization"] as const,
    ...names.map((each) => [each, each] as const),
    ...groupNames(state).map((each) => [each, groupAddress(each)] as const),
    ...channelNames(state).map((each) => [each, `#${each}`] as const),
  ]);
  // A misspelt part of a name matches somebody only if nothing else matches.
  for (const user of realm.snapshot.users)
    for (const part of callNames(realm, user)) if (!signed.has(part)) signed.set(part, realm.userName(user.user_id));
  return whenDefined(didYouMean(name, signed.keys()), (meant) => signed.get(meant));
}

/** Addresses of the active people whose name or address has this part: "elif", "Demir". */
export function peopleAlsoCalled(realm: Realm, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return realm.snapshot.users
    .filter((user) => user.is_active && callNames(realm, user).includes(wanted))
    .map(({ user_id }) => realm.userName(user_id));
}

/** The parts of a full name, and the part of the address before the @. */
function callNames(realm: Realm, { user_id, full_name }: SnapshotUser): readonly string[] {
  return [...full_name.split(/\s/), realm.userName(user_id).replace(/@.*/s, "")]
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "");
}

/** The channel with a name; case does not matter. */
export function channelCalled(name: string, state: AccessState) {
  const exact = state.channel(name);
  if (exact !== undefined) return exact;
  const wanted = name.toUpperCase();
  for (const channel of state.channels()) if (channel.name.toUpperCase() === wanted) return channel;
  return undefined;
}

export const channelNames = (state: AccessState): readonly string[] => [...state.channels()].map(({ name }) => name);
export const groupNames = (state: AccessState): readonly string[] => [...state.groups()].map(({ name }) => name);
const addresses = (realm: Realm): readonly string[] =>
  realm.snapshot.users.map(({ user_id }) => realm.userName(user_id));
