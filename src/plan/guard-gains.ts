import { AccessDifference } from "../access/difference.ts";
import { holdersOf, insidersOf } from "../access/grants.ts";
import { groupsGivenBy, invitationsIn } from "../access/invitations.ts";
import { statesWithBots } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { projectedState } from "../access/projected.ts";
import { ENTRY_FIELDS, OPENING_SETTINGS, READ, READ_PAST, READER_FIELDS, SPECTATORS } from "../access/rules.ts";
import {
  CHANNEL,
  channelAddress,
  GROUP,
  groupAddress,
  isAccountKind,
  isChannel,
  isGroup,
  isInvitationLink,
  ORGANIZATION,
} from "../access/scope.ts";
import { type AccessChannel, type AccessState, isPrivate, type Openness } from "../access/state.ts";
import type { Counted } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { type Named, namedOf } from "../model/facts.ts";
import { canonicalJson } from "../model/json.ts";
import { once, oncePer } from "../model/lazy.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { isReactivation } from "../model/tally.ts";
import { countingOf, isAdministrator } from "./risks.ts";

const ADMINISTERING = { channel: "can_administer_channel_group", group: "can_manage_group" } as const;

/**
 * New readers of private channels, channels that become more open, and new administrators, as views of the difference. New objects do not count: nobody
 * could read them before, and their creator chooses their readers.
 */
export function gainsOf(plan: Plan, difference: AccessDifference, realm: Realm, run: Run = {}): readonly Item[] {
  if (plan.changes.length === 0) return [];
  const { objects, left } = run.made ?? {};
  const isMade = (address: Address): boolean => objects?.has(address) === true;
  const isNotMade = (address: Address): boolean => !isMade(address);
  // What an interrupted run created is compared with what it was to become.
  const { before, after } = difference;
  const beyond = left && new AccessDifference(projectedState(before, left, realm), after);
  // The role comes first, because it causes the rest.
  return [
    ...ofRoles(plan.changes, difference),
    ...ofObjects(plan, difference, isNotMade),
    ...(beyond === undefined ? [] : ofObjects(plan, beyond, isMade)),
    ...unseenGains(plan, difference, realm, isNotMade, () => false),
    ...(beyond === undefined ? [] : unseenGains(plan, beyond, realm, isMade, (change) => isLeft(change, left))),
    ...ofReturning(plan.changes, difference, realm),
    ...ofRisks(plan.changes, run),
  ];
}

/** Objects that a run created which did not reach its end, and which this plan continues: nobody had anything of them before that run. */
export interface MadeBefore {
  readonly objects: ReadonlySet<Address>;
  /** What was confirmed with them and not done; absent if it is this plan itself. What leads beyond it counts. */
  readonly left?: readonly Change[];
}

/** What is known about the run of the plan. */
interface Run {
  readonly undoesOwnRun?: boolean;
  readonly made?: MadeBefore | undefined;
}

function ofObjects(plan: Plan, difference: AccessDifference, counts: (address: Address) => boolean): readonly Item[] {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const found: Item[] = [];
  for (const { was, is } of difference.pairs([CHANNEL, GROUP])) {
    if (was === undefined || is === "organization" || was === "organization") continue;
    const address: Address = `${is.kind}:${is.name}`;
    if (!counts(address)) continue;
    const cause = (fields: readonly string[]) => causeOf(address, is.name, changes, fields);
    if (isChannel(was) && isChannel(is)) found.push(...ofChannel({ was, is }, difference, cause, changes));
    if (!isGroup(was) || !isGroup(is)) continue;
    const managing = difference.holding(
      { was: { ...was, deactivated: was.deactivated && is.deactivated }, is },
      ADMINISTERING.group,
    );
    found.push(...counting("administrators", managing, { ...cause([ADMINISTERING.group]), isUnasked: true }));
  }
  return found;
}

type Cause = (fields: readonly string[]) => Pick<Item, "object" | "at">;

function ofChannel(
  pair: { readonly was: AccessChannel; readonly is: AccessChannel },
  difference: AccessDifference,
  cause: Cause,
  changes: ReadonlyMap<Address, Change>,
): readonly Item[] {
  const { was, is } = pair;
  const { before, after } = difference;
  const reading = cause(READER_FIELDS);
  // Also one that this plan closes: who comes in with it could not read it before.
  const closed = isPrivate(was) || isPrivate(is);
  // Of one that is public before and after, nobody asks for the readers.
  const { nobody } = after.population;
  const entering = closed ? difference.reading(pair).gained.minus(after.accounts.bots) : nobody;
  const people = closed ? entering.or(difference.of(pair, READ_PAST).gained.minus(after.accounts.bots)) : nobody;
  const joining = difference.joining(is.name);
  const isForGuests = () =>
    entering.or(joining.gained).and(after.accounts.guests).size > 0 &&
    (holdersOf(before, was, READ)?.people.and(before.accounts.guests).size ?? 0) === 0;
  const isForNewcomers = () =>
    [difference.newReaders(pair), difference.newcomers(pair, READ_PAST), joining.newcomers].some(
      ({ length }) => length > 0,
    );
  const isOpened = RANK[after.opennessOf(is)] > RANK[before.opennessOf(was)] && !isPrivate(is);
  // A setting of the organization opens a channel that is open to the web already.
  const opened =
    isOpened && was.privacy === is.privacy
      ? { ...reading, ...placeOf(changes.get(ORGANIZATION), [SPECTATORS]) }
      : reading;
  const isCounted = isOpened || (closed && (isForGuests() || isForNewcomers()));
  const administering = difference.holding(pair, ADMINISTERING.channel);
  return [
    ...(closed ? counting("people_gaining_access", people, reading) : []),
    ...(isCounted ? [{ counted: "opened" as const, ...opened }] : []),
    ...(closed && !isCounted && difference.perhapsNewReaders(pair).length > 0
      ? [{ counted: "opened" as const, amount: 0, isUnread: true as const, ...reading }]
      : []),
    ...counting("administrators", administering, { ...cause([ADMINISTERING.channel]), isUnasked: true }),
    ...counting("people_gaining_access", joining.gained, joinedBy(is.name, joining.gained, difference, cause, changes)),
  ];
}

/** Everybody who can join a group that opens a private channel can read the channel at any time. */
function joinedBy(
  name: string,
  people: People,
  difference: AccessDifference,
  cause: Cause,
  changes: ReadonlyMap<Address, Change>,
): Pick<Item, "object" | "at"> {
  const own = cause(OPENING_SETTINGS);
  if (own.at !== undefined || people.size === 0) return own;
  // If the channel itself does not change, the place is that of a group that leads into it, or of the risk that says who comes in.
  for (const group of difference.ways.waysInto(name)) {
    const { at } = causeOf(groupAddress(group), group, changes, [...ENTRY_FIELDS, "members", "subgroups"]);
    if (at !== undefined) return { ...own, at };
  }
  return { ...own, ...defined({ at: placesOfJoining(changes).get(name) }) };
}

/** The lines by which people can come into channels, by the channels. */
const placesOfJoining = oncePer((changes: ReadonlyMap<Address, Change>) => {
  const found = new Map<string, NonNullable<Item["at"]>>();
  for (const { risks } of changes.values())
    for (const { fact, at } of risks)
      if (fact.kind === "may-join-into" && at !== undefined) for (const { name } of fact.channels) found.set(name, at);
  return found;
});

/** How open a channel is. */
const RANK: { readonly [openness in Openness]: number } = {
  private_protected_history: 0,
  private_shared_history: 0,
  public: 1,
  web_public_off: 1,
  web_public: 2,
};

/** Accounts that become administrators or owners of the organization, by their role or as the owner of such a bot. */
function ofRoles(changes: readonly Change[], difference: AccessDifference): readonly Item[] {
  const causes = changes.filter(({ risks }) =>
    risks.some(
      ({ fact }) =>
        (fact.kind === "role" && isAdministrator(fact.to) && fact.from !== "owner") ||
        ((fact.kind === "account-reactivated" || fact.kind === "bot-made") && isAdministrator(fact.role)) ||
        fact.kind === "bot-given",
    ),
  );
  let rest = difference.promoted;
  const { after } = difference;
  const known = causes.flatMap((change): readonly Item[] => {
    const place = { object: namedOf(change), ...placeOf(change, ["role", "owner"]) };
    const id = change.id ?? after.facts.newBots.get(change.address);
    const owner = id === undefined ? undefined : after.account(id)?.owner;
    const own = after.population.of([id ?? [], owner ?? []].flat()).and(rest);
    rest = rest.minus(own);
    return counting("administrators", own, place);
  });
  const [first] = causes;
  if (first !== undefined) known.push(...counting("administrators", rest, { object: namedOf(first) }));
  return known;
}

/**
 * Accounts that come back are in the groups and channels that they were in, which no reading shows: each counts as one person, a bot as its owner and, if it gets
 * another one, as both, if one of the channels is private, before the plan or after it. So does the new owner of a bot if it was not read where the bot is subscribed.
 */
function ofReturning(
  changes: readonly Change[],
  { before, after }: AccessDifference,
  { isAdmin }: Realm,
): readonly Item[] {
  const closed = [...before.channels()].flatMap((was) => {
    const is = after.channel(was.name) ?? was;
    return isPrivate(was) ? [was] : isPrivate(is) ? [is] : [];
  });
  if (closed.length === 0 && isAdmin) return [];
  // Lists of subscribers are computed when they are used.
  const isUnread = once(() => !isAdmin || closed.some(({ subscribers }) => subscribers === undefined));
  // Channels and groups come back, too, and have ids of their own.
  const ofAccounts = changes.filter(({ kind }) => isAccountKind(kind));
  return ofAccounts.flatMap((change) => {
    const isGiven = change.risks.some(({ fact }) => fact.kind === "bot-given") && isUnread();
    const account =
      change.id !== undefined && (isGiven || isReactivation(change)) ? after.account(change.id) : undefined;
    if (account === undefined) return [];
    // Who owned a bot before it came back with another owner has its key.
    const former = isReactivation(change) ? before.account(account.id)?.owner : undefined;
    const ids = [account.owner ?? account.id, ...(former === undefined ? [] : [former])];
    const people = after.population.of(ids).and(after.accounts.everybody).minus(after.accounts.bots);
    const place = placeOf(change, ["deactivated", "owner"]);
    return counting("people_gaining_access", people, {
      object: namedOf(change),
      ...place,
      ...defined({ isUnseen: isAdmin ? undefined : (true as const) }),
    });
  });
}

/** What only a risk knows: invitations, what is deleted, and settings of the organization. */
function ofRisks(changes: readonly Change[], { undoesOwnRun = false, made }: Run): readonly Item[] {
  const invited = new Set<Address>();
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  return changes.flatMap((change) =>
    change.risks.flatMap(({ fact, at }): readonly Item[] => {
      const counted = countingOf(fact, undoesOwnRun);
      if (counted === undefined || counted === "access" || counted === "removal") return [];
      const amount =
        fact.kind === "digest-emails"
          ? fact.people
          : fact.kind === "list-is-exact"
            ? fact.people + fact.bots
            : undefined;
      const found: Item = { counted, object: namedOf(change), ...defined({ at, amount }) };
      if (fact.kind !== "invited-into") return [found];
      // One invitation lets one person in, into however many channels; a link everybody who has it.
      const { address } = fact.object;
      const isConfirmed = (channel: Address): boolean =>
        made?.objects.has(channel) === true && isLeft(change, made.left) && isLeft(changeOf.get(channel), made.left);
      const administered = (fact.administers ?? []).filter((channel) => !isConfirmed(channel.address));
      const administering: readonly Item[] = administered.map(() => ({
        ...found,
        counted: "administrators",
        isUnasked: true,
      }));
      const channels = fact.channels.filter((channel) => !isConfirmed(channel.address));
      if (channels.length === 0) return administering;
      const person = invited.has(address) ? [] : [found];
      invited.add(address);
      const opened: readonly Item[] = isInvitationLink(address)
        ? [{ ...found, counted: "opened", amount: channels.length }]
        : [];
      return [...person, ...opened, ...administering];
    }),
  );
}

/** Whether the interrupted run was to make all of a change. */
function isLeft(change: Change | undefined, left: MadeBefore["left"]): boolean {
  if (change === undefined || left === undefined) return true;
  const known = new Map(
    left.flatMap(({ address, fields }) =>
      address === change.address ? fields.map(({ field, after }) => [field, canonicalJson(after)] as const) : [],
    ),
  );
  return known.size > 0 && change.fields.every(({ field, after }) => known.get(field) === canonicalJson(after));
}

function counting(
  counted: Counted,
  people: People | undefined,
  cause: Omit<Item, "counted" | "people">,
): readonly Item[] {
  return people === undefined || people.size === 0 ? [] : [{ counted, people, ...cause }];
}

/** The change of an object in the plan, or the object alone if a change of a group is the cause. */
function causeOf(
  address: Address,
  name: string,
  changes: ReadonlyMap<Address, Change>,
  fields: readonly string[],
): Pick<Item, "object" | "at"> {
  const change = changes.get(address);
  return { object: namedOf(change ?? { address, name }), ...placeOf(change, fields) };
}

/**
 * What an account that is no administrator opens without seeing it: a private channel that it does not see may admit any group that the account is not in
 * (zulip-api.md §3.6: whoever is in a group that a channel admits sees the channel). So who comes into such a group, or can put themselves into it, counts.
 * @param counts whether a group is looked at
 * @param isConfirmed whether somebody confirmed an invitation already
 */
function unseenGains(
  { changes }: Plan,
  difference: AccessDifference,
  realm: Realm,
  counts: (group: Address) => boolean,
  isConfirmed: (change: Change) => boolean,
): readonly Item[] {
  if (realm.isAdmin) return [];
  const { before, after } = difference;
  const me = realm.snapshot.account.user_id;
  const isUnseen = (group: string): boolean =>
    counts(groupAddress(group)) && before.group(group) !== undefined && !before.membersOf(group).has(me);
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const counted = "people_gaining_access";
  const found: Item[] = [];
  for (const { name } of before.groups()) {
    if (!isUnseen(name)) continue;
    const people = difference.ways.entering(name);
    if (people.size === 0) continue;
    const causes = [name, ...difference.ways.behind(name)].flatMap((group) => byAddress.get(groupAddress(group)) ?? []);
    const change = causes[0] ?? changes[0];
    if (change === undefined) continue;
    found.push({
      counted,
      people,
      object: namedOf(change),
      isUnseen: true,
      ...placeOf(change, [...ENTRY_FIELDS, "members", "subgroups"]),
    });
  }
  for (const change of changes) {
    const [invited] = invitationsIn([change]);
    if (
      invited?.state !== "new" ||
      isConfirmed(change) ||
      change.risks.some(({ fact }) => fact.kind === "invited-into" && fact.channels.length > 0)
    )
      continue;
    const { given, anyway } = groupsGivenBy(invited, after.facts);
    const opened = [...after.groupsAround(given), ...difference.ways.ahead(given)];
    const common = new Set([...after.groupsAround(anyway), ...difference.ways.ahead(anyway)]);
    if (opened.some((group) => isUnseen(group) && !common.has(group)))
      found.push({ counted, object: namedOf(change), isUnseen: true, ...defined({ at: change.at }) });
  }
  return found;
}

/** Something that counts against a limit: people, or one object if no people are known. */
export interface Item {
  readonly counted: Counted;
  /** The object whose change causes it. */
  readonly object: Named;
  readonly people?: People;
  /** How many, if it is not about people or about one object. */
  readonly amount?: number;
  readonly at?: Span;
  /** Counted since private channels that the account does not see may admit somebody. */
  readonly isUnseen?: true;
  /** Shown, and asked about only in an undo: who administers one channel or group. */
  readonly isUnasked?: true;
  /** Not counted (the amount is 0): invitations, which were not read, would decide. */
  readonly isUnread?: true;
}

export interface Access {
  readonly difference: AccessDifference;
  /** People who are owners, before the plan and after it. */
  readonly owners: { readonly before: number; readonly after: number };
  /** People who can read a channel, or are in a group, before the plan and not after it. */
  readonly losses: readonly Item[];
  /** Private channels that somebody can reach now (or that are new), and nobody can reach afterwards. */
  readonly unreachable: readonly { readonly object: Named; readonly at?: Span }[];
}

/** Who loses access to what. Groups are included, since they open channels. */
export function accessOf(plan: Plan, realm: Realm): Access {
  const { before, after, difference } = statesWithBots(plan.changes, realm);
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const losses: Item[] = [];
  const counted = "people_losing_access";
  const unreachable: { object: Named; at?: Span }[] = [];
  const { bots } = before.accounts;
  for (const pair of difference.channels()) {
    const { was, is } = pair;
    const change = changes.get(channelAddress(is.name));
    const place = placeOf(change, READER_FIELDS);
    const cause = change ?? { name: is.name, address: channelAddress(is.name) };
    const people = difference.reading(pair).lost.minus(bots);
    if (people.size > 0) losses.push({ counted, object: namedOf(cause), people, ...place });
    if (!was.archived && isUnreachable(after, is) && !isUnreachable(before, was))
      unreachable.push({ object: namedOf(cause), ...place });
  }
  for (const change of plan.changes) {
    const made = isChannel(change) && change.action === "create" ? after.channel(change.name) : undefined;
    if (made !== undefined && isUnreachable(after, made))
      unreachable.push({ object: namedOf(change), ...placeOf(change, ["subscribers", "privacy"]) });
    if (!isGroup(change)) continue;
    const people = difference.members(change.name).lost.minus(bots);
    const place = placeOf(change, ["members", "subgroups"]);
    if (people.size > 0) losses.push({ counted, object: namedOf(change), people, ...place });
  }
  const owners = { before: before.owners.minus(bots).size, after: after.owners.minus(bots).size };
  return { difference, losses, unreachable, owners };
}

type Place = { readonly at?: Span };
export function placeOf(change: Pick<Change, "fields" | "at"> | undefined, fields: readonly string[]): Place {
  const own = change?.fields.find(({ field, at }) => fields.includes(field) && at !== undefined)?.at;
  const at = own ?? change?.at;
  return defined({ at });
}

/** Whether nobody is left, as far as is known: if subscribers were not read, there may be some. */
function isUnreachable(state: AccessState, channel: AccessChannel): boolean {
  if (!isPrivate(channel)) return false;
  const { people, bound } = insidersOf(state, channel);
  return bound === undefined && people.size === 0;
}
