import { FULL_MEMBERS } from "../access/account.ts";
import { holdersOf } from "../access/grants.ts";
import { comersTo, groupsIn } from "../access/joining.ts";
import { statesWithBots } from "../access/of-plan.ts";
import { peopleOfRisk } from "../access/opened-channels.ts";
import type { People } from "../access/people.ts";
import { ADMINISTER, READ } from "../access/rules.ts";
import {
  CHANNEL,
  channelAddress,
  GROUP,
  groupAddress,
  INVITATION,
  INVITATION_LINK,
  isAccountKind,
  isChannel,
  isGroup,
  ORGANIZATION,
} from "../access/scope.ts";
import { objectAt } from "../access/state.ts";
import { fieldOf, isPeople, LiveObjects, listSentTo } from "../apply/goals.ts";
import { defined } from "../model/defined.ts";
import { EXIT, failure } from "../model/diagnostic.ts";
import type { ChangedSince } from "../model/diagnostics/runs.ts";
import { type Quoted, quoteAll } from "../model/diagnostics/values.ts";
import { type Named, namedOf } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import { liveObjects } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { listed } from "../model/texts.ts";
import { withDrifted } from "../plan/drifted.ts";
import type { GuardedPlan } from "../plan/guard-parts.ts";

/*
 * What a plan relies on beside the values that its requests replace: who is in its lists, and whom groups in them mean. Its requests have people, so where a
 * list was made of groups, or has everybody who is not to be taken out, they lead elsewhere once somebody came or left. The same file planned on today's
 * reading says where they should lead. Also, everybody whom the plan showed to lose a channel must lose it, and must not be able to come back by joining groups
 * unless that was so in the plan; an invitation of the file must be the one that was there; nobody may gain a right whom the plan did not show to gain it, also one that no guard rail counts; and nothing may be left
 * that widens access and that an exact section does not have.
 */

/**
 * @param shown the plan as somebody saw it
 * @param today what is left of it, and the reading of today
 * @param again the same file, planned on the reading of today
 * @throws Failure if its requests would leave in a list whom the file does not have there today, take out whom it has there, leave a channel to somebody
 * whom the plan showed to lose it, give a right to others than it showed, or leave what somebody opened since and an exact section removes
 */
export function refuseChangedSince(shown: GuardedPlan, today: GuardedPlan, again: Plan): void {
  const lists = listsSince(shown.plan, today, again);
  const changed = [
    ...lists,
    ...readersSince(shown, today, lists),
    ...holdersSince(shown, today),
    ...openedSince(shown.plan, today, again),
    ...replacedSince(shown, today, again),
  ];
  if (changed.length > 0) throw failure("plan/changed-since", { changed }, EXIT.conflict);
}

/** Lists of the plan's objects that would not be as the file has them today. Whom the plan does not add yet is no danger: the next plan does. */
function listsSince(
  shown: Pick<Plan, "changes">,
  { plan, snapshot, kinds }: GuardedPlan,
  again: Plan,
): readonly ChangedSince[] {
  const objects = new LiveObjects(kinds, snapshot, plan.changes);
  const wanted = new Map(again.changes.map((change) => [keyOf(change), change]));
  const fieldsOf = new Map(kinds.map(({ name, file }) => [name, file.fields]));
  const left = new Set(plan.changes.map(({ address }) => address));
  // The name of an object that the plan creates can be that of another one, which it renames.
  const others = new Set(plan.changes.flatMap(({ kind, id }) => (id === undefined ? [] : [`${kind} ${id}`])));
  const liveOf = ({ kind, address, id }: Change): LiveObject | undefined => {
    const found = objects.find(address, id);
    return id === undefined && found !== undefined && others.has(`${kind} ${found.id}`) ? undefined : found;
  };
  return shown.changes.flatMap((change) => {
    const { kind, address, action } = change;
    const object = liveOf(change);
    if (!left.has(address) || action === "reorder" || (object === undefined && action !== "create")) return [];
    const now = wanted.get(keyOf(change));
    const names = new Set([...fieldNames(change), ...(tellsOfAccess(change) ? fieldNames(now) : [])]);
    return [...names].flatMap((field): readonly ChangedSince[] => {
      const live = object === undefined ? [] : fieldOf(object, field);
      if (live === undefined || !isPeople(fieldsOf.get(kind), field)) return [];
      const { stay, taken } = listSentTo(live, change, field);
      const meant = new Set(listed(valueIn(now, field) ?? live));
      const about = { object: namedOf(change), field };
      return [
        ...differing(
          "in",
          about,
          stay.filter((name) => !meant.has(name)),
        ),
        ...differing(
          "out",
          about,
          taken.filter((name) => meant.has(name)),
        ),
      ];
    });
  });
}

const keyOf = ({ kind, id, address }: Change): string => (id === undefined ? address : `${kind} ${id}`);
const fieldNames = (change: Change | undefined): readonly string[] => change?.fields.map(({ field }) => field) ?? [];
const valueIn = (change: Change | undefined, name: string): Json | undefined =>
  change?.fields.find(({ field }) => field === name)?.after;

/** Whether the plan says who comes to have, or no longer has, something of the object: then it says so of everybody who is in its lists. */
const tellsOfAccess = ({ risks }: Change): boolean => risks.some(({ kind }) => kind === "widens" || kind === "narrows");

function differing(
  is: "in" | "out",
  about: Pick<Extract<ChangedSince, { is: "in" | "out" }>, "object" | "field">,
  names: readonly string[],
): readonly ChangedSince[] {
  return names.length === 0 ? [] : [{ is, ...about, names: quoteAll(names) }];
}

/** People who can read a channel after what is left of the plan, or come to, although it showed that they lose it. @param named who is named already */
function readersSince(shown: GuardedPlan, today: GuardedPlan, named: readonly ChangedSince[]): readonly ChangedSince[] {
  const losses = [...lossesIn(shown)];
  // Nearly all plans: who reads the channels of a large organization is not computed.
  if (losses.length === 0) return [];
  const now = readersAfter(today);
  const known = new Map<Address, Set<string>>();
  for (const one of named)
    if ("names" in one && one.object !== undefined)
      known.set(one.object.address, new Set([...(known.get(one.object.address) ?? []), ...one.names.map(bare)]));
  return losses.flatMap(({ name, id, way, people }): readonly ChangedSince[] => {
    const found = now.of(id, way);
    const still = found === undefined ? [] : people.ids().filter((person) => found.has(person));
    const object = { address: channelAddress(name), name };
    const said = known.get(object.address) ?? new Set();
    const names = still.map((person) => now.realm.userName(person)).filter((each) => !said.has(each));
    known.set(object.address, new Set([...said, ...names]));
    return names.length === 0 ? [] : [{ is: "reads", object, names: quoteAll(names) }];
  });
}

/** To read a channel, or to come to read it by joining groups. */
export type ReadingWay = "read" | "come";

/** A channel that people read before a plan, and after it neither read nor, as `way` says, can come to read. */
interface Loss {
  /** As the plan names it. */
  readonly name: string;
  readonly id: number;
  readonly way: ReadingWay;
  /** Who loses it: no bots. */
  readonly people: People;
  /** Subscribers were not read: these are the most that lose it. */
  readonly bound: boolean;
}

/** The channels of which a plan shows that people lose them. */
export function* lossesIn({ plan, snapshot }: Pick<GuardedPlan, "plan" | "snapshot">): Generator<Loss> {
  if (!plan.guards.some(({ fact: { about } }) => isLosing(about))) return;
  const { realm, before, after, difference } = statesWithBots(plan.changes, new Realm(snapshot));
  const ids = new Map(realm.snapshot.channels.map(({ name, stream_id }) => [name, stream_id]));
  for (const pair of difference.channels()) {
    const { is } = pair;
    const id = ids.get(is.name);
    const { lost, bound } = difference.reading(pair);
    const people = lost.minus(before.accounts.bots);
    if (id === undefined || people.size === 0) continue;
    const loss = { name: is.name, id, bound };
    yield { ...loss, way: "read", people };
    const without = people.minus(comersTo(after, is));
    if (without.size > 0) yield { ...loss, way: "come", people: without };
  }
}

/** Who reads a channel, by its id, or can come to read it, after what is left of a plan. */
export function readersAfter({ plan, snapshot }: Pick<GuardedPlan, "plan" | "snapshot">): {
  readonly realm: Realm;
  readonly of: (channel: number, way: ReadingWay) => People | undefined;
} {
  const { realm, after } = statesWithBots(plan.changes, new Realm(snapshot));
  return {
    realm,
    of: (id, way) => {
      const found = realm.channel(id);
      const channel = found && after.channel(found.name);
      if (channel === undefined) return undefined;
      return way === "read" ? holdersOf(after, channel, READ)?.people : comersTo(after, channel);
    },
  };
}

/** People who gain a right by what is left of the plan, and whom it did not show to gain it: they came into a group of its setting since. */
function holdersSince(shown: GuardedPlan, today: GuardedPlan): readonly ChangedSince[] {
  const gains = [...gainsIn(today)];
  if (gains.length === 0) return [];
  const known = new Map([...gainsIn(shown)].map((gain) => [gain.key, gain]));
  return gains.flatMap(({ key, object, right, people, realm }): readonly ChangedSince[] => {
    const holders = known.get(key)?.holders;
    const names = people.ids().flatMap((person) => (holders?.has(person) === true ? [] : [realm.userName(person)]));
    return names.length === 0 ? [] : [{ is: "gains", right, names: quoteAll(names), ...defined({ object }) }];
  });
}

/** A right that people gain by a plan, as its risks say. */
interface Gain {
  /** The object, by its id, and the right. */
  readonly key: string;
  /** Absent for the organization. */
  readonly object: Named | undefined;
  readonly right: string;
  /** Who gains it: no bots. */
  readonly people: People;
  /** Who holds it after the plan. */
  readonly holders: People;
  readonly realm: Realm;
}

/** The rights that people gain by a plan. Not those that everybody has, whoever that is by then, and those whose people a guard rail counts. */
export function* gainsIn({ plan, snapshot }: Pick<GuardedPlan, "plan" | "snapshot">): Generator<Gain> {
  const facts = plan.changes.flatMap(({ risks }) =>
    risks.flatMap(({ kind, fact }) =>
      kind === "widens" && ((fact.kind === "right" && !GUARDED.has(fact.setting)) || fact.kind === "organization-right")
        ? [fact]
        : [],
    ),
  );
  if (facts.length === 0) return;
  const { realm, after, difference } = statesWithBots(plan.changes, new Realm(snapshot));
  const { channels, user_groups: groups } = realm.snapshot;
  const ids = new Map<string, string>([
    ...channels.map(({ name, stream_id }) => [channelAddress(name), `${CHANNEL} ${stream_id}`] as const),
    ...groups.map(({ name, id }) => [groupAddress(name), `${GROUP} ${id}`] as const),
  ]);
  for (const fact of facts) {
    const object = fact.kind === "right" ? fact.object : undefined;
    const target = object === undefined ? "organization" : objectAt(after, object.address);
    const { setting: right } = fact;
    const value = target === "organization" ? after.organization.get(right) : target?.settings.get(right);
    const people = peopleOfRisk(fact, difference);
    if (target === undefined || people === undefined || groupsIn(value).some((name) => EVERYBODY.has(name))) continue;
    const key = `${object === undefined ? ORGANIZATION : (ids.get(object.address) ?? object.address)} ${right}`;
    // Who gave a bot away keeps its key, and so is among those who gain: the state after does not have that.
    const holders = people.or(holdersOf(after, target, right)?.people ?? after.population.nobody);
    yield { key, object, right, people, holders, realm };
  }
}

/** What they give is counted for each person (`plan/guard-gains.ts`). */
const GUARDED: ReadonlySet<string> = new Set(["can_subscribe_group", ADMINISTER, "can_manage_group"]);
const EVERYBODY: ReadonlySet<string> = new Set(["role:everyone", "role:members", FULL_MEMBERS]);

/** What the same file removes today and the plan does not, since it was not there. Only what lets somebody in: for all else, the next plan is soon enough. */
function openedSince({ changes }: Plan, today: GuardedPlan, again: Plan): readonly ChangedSince[] {
  const known = new Set(changes.map(keyOf));
  const closed = new Set(today.snapshot.channels.flatMap((one) => (one.invite_only ? [one.stream_id] : [])));
  // A group or a bot of somebody's own, and a public channel, let nobody into anything.
  const isDoor = (change: Change): boolean =>
    isChannel(change)
      ? change.id !== undefined && closed.has(change.id)
      : !isGroup(change) && !isAccountKind(change.kind);
  const isNew = (change: Change): boolean =>
    change.undeclared === true && change.action === "remove" && !known.has(keyOf(change)) && isDoor(change);
  if (!again.changes.some(isNew)) return [];
  return withDrifted(again, new Realm(today.snapshot)).changes.flatMap((change): readonly ChangedSince[] =>
    isNew(change) && (change.drifted === "widens" || change.drifted === "both")
      ? [{ is: "opened", object: namedOf(change) }]
      : [],
  );
}

/** Invitations and links of the file of which others were there when the plan was made: no server shows where those of today lead. */
function replacedSince(shown: GuardedPlan, today: GuardedPlan, again: Plan): readonly ChangedSince[] {
  const known = new Set(invitationsOfFile(shown).map(({ key }) => key));
  // What the plan itself makes, an earlier run of it may have made.
  const own = new Set(shown.plan.changes.map(({ address }) => address));
  if (shown.snapshot.invites === null) return [];
  return invitationsOfFile({ ...today, plan: again }).flatMap(({ key, object }): readonly ChangedSince[] =>
    known.has(key) || own.has(object.address) ? [] : [{ is: "replaced", object }],
  );
}

/** The invitations and links that entries of the file stand for, with their ids. */
export function invitationsOfFile({
  plan,
  snapshot,
  kinds,
}: GuardedPlan): readonly { readonly key: string; readonly object: Named }[] {
  const realm = new Realm(snapshot);
  const removed = new Set(plan.changes.flatMap(({ address, action }) => (action === "remove" ? [address] : [])));
  return kinds.flatMap((kind) => {
    if (kind.name !== INVITATION && kind.name !== INVITATION_LINK) return [];
    const others = new Set(plan.unmanaged.flatMap(({ section, names }) => (section === kind.section ? names : [])));
    return (liveObjects(kind, realm) ?? []).flatMap(({ id, name }) => {
      const address: Address = `${kind.name}:${name}`;
      const isOfFile = !others.has(name) && !removed.has(address);
      return isOfFile ? [{ key: `${kind.name} ${id}`, object: { address, name } }] : [];
    });
  });
}

const bare = ({ quoted }: Quoted): string => quoted;

const isLosing = (about: GuardedPlan["plan"]["guards"][number]["fact"]["about"]): boolean =>
  about.kind === "limit" && about.counted === "people_losing_access" && about.amount > 0;
