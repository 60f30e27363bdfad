import { peopleOfList } from "../../access/lists.ts";
import { accessIn } from "../../access/of-plan.ts";
import type { People } from "../../access/people.ts";
import { ADMINISTER } from "../../access/rules.ts";
import { defined } from "../../model/defined.ts";
import {
  type Dependency,
  type DraftCall,
  exists,
  subscribed,
  subscribedEarly,
  type UseOfRight,
  writtenEarly,
} from "../../model/draft-call.ts";
import { type Json, type JsonObject, mapOf } from "../../model/json.ts";
import { addTo } from "../../model/lazy.ts";
import { type DeclaredObject, hasGap, type LiveObject } from "../../model/objects.ts";
import { asPeopleList, type PeopleList } from "../../model/people-list.ts";
import { type Address, type Change, type Expectation, fieldIn, type Param, sets } from "../../model/plan.ts";
import type { PlanContext, PlannedChanges } from "../../model/plan-context.ts";
import { byText, type Realm } from "../../model/realm.ts";
import { listed } from "../../model/texts.ts";
import { listChange } from "../requests.ts";
import {
  accountIsShutOut,
  accountReads,
  accountWillRead,
  isPrivate,
  losesAccessHalfway,
  outcomeOf,
  settingsDone,
  settingsSentLast,
  subscribersDone,
  subscribersOf,
} from "./outcome.ts";

/**
 * The server would take more, but slowly: 500 channels took 7.6 seconds, in one transaction (zulip-api.md §15.5).
 */
export const CHANNELS_PER_CALL = 200;

/** From this level on, a request can suppress the notifications (zulip-api.md §5.2). */
export const QUIET_LEVEL = 397;

/** The subscribers of a channel in the file, before groups are replaced by their members. */
export function subscribersWish({ who, except }: PeopleList, exact: boolean | undefined): Json {
  return { who, ...defined({ except, exact }) };
}

/**
 * The wanted subscribers, by name: everybody whom the file names, with the members of groups after the plan. The list of a private channel is exact
 * unless the file says `exact: false`; other channels keep their subscribers unless it says `exact: true`. A new channel without `subscribers` gets
 * the account that creates it. `creation` of the result says who is subscribed to a private channel beside its list, or that nobody wrote `exact`
 * (docs/internals/decisions/0004-lists-of-private-channels-are-exact.md).
 */
export function resolveSubscribers(
  declared: DeclaredObject,
  live: LiveObject | undefined,
  planned: PlannedChanges,
): DeclaredObject {
  const wish = mapOf(declared.creation?.subscribers);
  // An undo has the people themselves.
  if (declared.fields.subscribers !== undefined) return declared;
  if (live === undefined && wish === undefined)
    return declared.absent ? declared : withOwnAccount(declared, planned.realm);
  const isClosed = isClosedAfter(declared, live);
  // The lists of a large organization are long: those that nothing asks for are not even named.
  if (wish === undefined && !isClosed) return declared;
  const { creation: _, ...rest } = declared;
  const listedIds = peopleOfList(asPeopleList(wish), accessIn(planned).after);
  const named = () => listedIds.ids().map((id) => planned.realm.userName(id));
  const withSubscribers = (names: readonly string[]): DeclaredObject => ({
    ...rest,
    fields: { ...declared.fields, subscribers: [...new Set(names)].sort(byText) },
  });
  if (live === undefined) return declared.absent ? rest : withSubscribers(named());
  const isInactive = declared.absent || staysInactive(declared, live);
  const isRead = accessIn(planned).before.channel(declared.name)?.subscribers !== undefined;
  // Not read: the check reports it.
  if (!isRead || planned.realm.snapshot.subscribers?.[String(live.id)] === undefined)
    return isInactive ? rest : declared;
  const list = wish ?? mapOf(declared.gaps?.find((gap) => gap.field === "subscribers")?.wish);
  const beside = {
    beside: list?.except === undefined ? (list?.who ?? NOBODY) : withoutExact(list),
    ...defined({ exact: list?.exact === false ? false : undefined }),
  };
  const withBeside = (object: DeclaredObject) => (isClosed ? { ...object, creation: beside } : object);
  if (wish === undefined || staysInactive(declared, live)) return withBeside(rest);
  const isExact = wish.exact ?? isClosed;
  // An exact list also holds for a channel that the plan archives, since no later plan changes it. Nobody else is subscribed to such a channel.
  if (isExact !== true && declared.absent) return withBeside(rest);
  if (isExact !== true)
    return {
      ...withBeside(withSubscribers([...listed(live.fields.subscribers), ...named()])),
      adds: ["subscribers"],
    };
  const exact = withSubscribers(named());
  // Nobody is taken out of a list with a name that does not resolve.
  if (hasGap(declared, "subscribers")) return withBeside(exact);
  return wish.exact === undefined ? { ...exact, creation: { exact: "implied" } } : exact;
}

/** Whether a channel is private after the plan. */
export const isClosedAfter = (declared: DeclaredObject, live: LiveObject | undefined): boolean =>
  isPrivate(String(declared.fields.privacy ?? live?.fields.privacy ?? ""));

/** Whether a channel is archived before and after the plan. */
export const staysInactive = (declared: DeclaredObject, live: LiveObject | undefined): boolean =>
  live?.inactive === true && declared.fields.archived !== false;

/**
 * People and bots who are subscribed to a private channel, and stay, although its entry does not name them. Not those whom the plan deactivates. As sets:
 * the names of the subscribers of a thousand channels take longer than the rest of a plan.
 */
export function subscribedBeside({ name, creation, gaps = [] }: DeclaredObject, context: PlanContext): People {
  const { before, after } = accessIn(context);
  // First of all: the subscribers of channels without a question about them are not looked up.
  if (creation?.beside === undefined) return after.population.nobody;
  const now = before.channel(name)?.subscribers;
  if (now === undefined) return after.population.nobody;
  const beside = now.minus(peopleOfList(asPeopleList(creation.beside), after)).and(after.accounts.everybody);
  // The list may name them by addresses that this account does not see.
  const open = gaps.filter(({ field, isGone }) => field === "subscribers" && !isGone).length;
  if (open === 0) return beside;
  const hidden = beside.ids().filter((id) => context.realm.user(id)?.delivery_email === null);
  return hidden.length > open ? beside : beside.minus(after.population.of(hidden));
}

/** Whether the entry of a private channel has a list of subscribers, which may be additive. */
export const hasList = ({ fields, creation }: DeclaredObject): boolean =>
  fields.subscribers !== undefined || (creation?.beside !== undefined && creation.beside !== NOBODY);

/** Who is subscribed to a channel after the plan, or named by its list. */
export function inOrListed({ name, creation }: DeclaredObject, context: PlanContext): People {
  const { after } = accessIn(context);
  const subscribers = after.channel(name)?.subscribers ?? after.population.nobody;
  return subscribers.or(peopleOfList(asPeopleList(creation?.beside), after));
}

const NOBODY = "role:nobody";

const withoutExact = ({ exact: _, ...list }: JsonObject): Json => list;

/** Whether the entry says `exact: false`, so that no plan unsubscribes anybody. */
export const isAdditive = ({ creation }: DeclaredObject): boolean => creation?.exact === false;

/** Whether the list of subscribers is exact although the entry does not say so. */
export const isExactUnsaid = ({ creation }: DeclaredObject): boolean => creation?.exact === "implied";

/** The account that creates a channel is subscribed to it if the file says nothing (zulip-api.md §3.4): every plan shows that. */
function withOwnAccount(declared: DeclaredObject, realm: Realm): DeclaredObject {
  const subscribers = [realm.userName(realm.snapshot.account.user_id)];
  return { ...declared, fields: { ...declared.fields, subscribers }, implied: ["subscribers"] };
}

/** One request: all of `people` are subscribed to, or unsubscribed from, all of `channels`. */
interface Block {
  readonly people: readonly number[];
  readonly channels: readonly Change[];
}

/**
 * Requests that subscribe people to existing channels and unsubscribe them. Channels with the same people share a request, or people with the same
 * channels do, whichever needs fewer (zulip-api.md §15.5).
 * @param left new channels that the account which created them must leave
 */
export function subscriptionCalls(
  changes: readonly Change[],
  left: ReadonlySet<Change>,
  context: PlanContext,
): readonly DraftCall[] {
  const { early, late, removed } = blocksOf(changes, left, context);
  return [
    ...early.map((block) => addCall(block, true, context)),
    ...late.map((block) => addCall(block, false, context)),
    ...removed.map((block) => removeCall(block, context)),
  ];
}

export function leastSubscriptionCalls(
  changes: readonly Change[],
  left: ReadonlySet<Change>,
  context: PlanContext,
): number {
  const { early, late, removed } = blocksOf(changes, left, context);
  return early.length + late.length + removed.length;
}

function blocksOf(changes: readonly Change[], left: ReadonlySet<Change>, context: PlanContext) {
  const existing = changes.filter(
    ({ action, fields }) => action !== "create" && fieldIn(fields, "subscribers") !== undefined,
  );
  const adding = existing.filter((change) => listChange(change, "subscribers").added.length > 0);
  const first = new Set(adding.filter((change) => comesFirst(change, context)));
  const ids = (list: readonly string[]): readonly number[] => list.map((name) => context.realm.userId(name));
  const added = (change: Change) => ids(listChange(change, "subscribers").added);
  return {
    early: blocks([...first], added),
    late: blocks(
      adding.filter((change) => !first.has(change)),
      added,
    ),
    removed: blocks(
      [...existing.filter((change) => listChange(change, "subscribers").removed.length > 0), ...left],
      (change) =>
        left.has(change) ? [context.realm.snapshot.account.user_id] : ids(listChange(change, "subscribers").removed),
    ),
  };
}

/** People are subscribed first if the channel closes to this account, or if it is reactivated and would otherwise have no subscribers. */
function comesFirst(change: Change, context: PlanContext): boolean {
  const outcome = outcomeOf(change, context);
  if (change.fields.every(({ field }) => field === "subscribers")) return false;
  const closes =
    accountReads(outcome, context) === "yes" &&
    // An account that lets itself in with the others must still be able to.
    (accountWillRead(outcome, context) === "no" ||
      accountIsShutOut(outcome, context) ||
      losesAccessHalfway(outcome, context));
  const isReactivatedEmpty =
    outcome.changes("archived") &&
    // The server sets the privacy first, and then reactivates the channel (zulip-api.md §3.5.2).
    [outcome.before("privacy"), outcome.after("privacy")].some((word) => isPrivate(String(word))) &&
    subscribersOf(outcome, context)?.size === 0;
  return closes || isReactivatedEmpty;
}

function blocks(changes: readonly Change[], peopleOf: (change: Change) => readonly number[]): readonly Block[] {
  const byPeople = new Map<string, { readonly people: readonly number[]; readonly channels: Change[] }>();
  const channelsOf = new Map<number, Change[]>();
  for (const change of changes) {
    const people = [...peopleOf(change)].sort((a, b) => a - b);
    const known = byPeople.get(people.join());
    if (known === undefined) byPeople.set(people.join(), { people, channels: [change] });
    else known.channels.push(change);
    for (const person of people) {
      addTo(channelsOf, person, change);
    }
  }
  const byChannels = new Map<string, { readonly people: number[]; readonly channels: readonly Change[] }>();
  for (const [person, channels] of channelsOf) {
    const key = channels.map(({ address }) => address).join("\n");
    const known = byChannels.get(key);
    if (known === undefined) byChannels.set(key, { people: [person], channels });
    else known.people.push(person);
  }
  const rows = [...byPeople.values()].flatMap(chunked);
  const columns = [...byChannels.values()].flatMap(chunked);
  return columns.length < rows.length ? columns : rows;
}

function chunked({ people, channels }: Block): readonly Block[] {
  const sorted = [...people].sort((a, b) => a - b);
  const parts: Block[] = [];
  for (let from = 0; from < channels.length; from += CHANNELS_PER_CALL)
    parts.push({ people: sorted, channels: channels.slice(from, from + CHANNELS_PER_CALL) });
  return parts;
}

/** The right to change a channel. */
export const administering = (address: Address): UseOfRight => ({ address, settings: [ADMINISTER] });

/** Who may subscribe others to any channel that they see. */
const ADDING_RIGHT = "can_add_subscribers_group";

function addCall({ people, channels }: Block, early: boolean, context: PlanContext): DraftCall {
  const named = channels.map((change) => ({ change, name: early ? (change.was ?? change.name) : change.name }));
  const params: { [name: string]: Param } = {
    subscriptions: named.map(({ name }) => ({ name })),
    principals: people,
  };
  if (context.realm.level >= QUIET_LEVEL) params.send_new_subscription_messages = false;
  return {
    operation: "subscribe",
    path: {},
    params,
    for: purposes(channels),
    // If no channel has the name, the server would create one (zulip-api.md §3.4).
    expects: named.map(({ change, name }) => nameExpectation(change, name)),
    reads: channels.map(({ address }) => address),
    ...defined({ uses: context.realm.isAdmin ? undefined : [ADDING_RIGHT] }),
    usesOn: channels.map(({ address }) => ({ address, settings: [ADMINISTER, ADDING_RIGHT] })),
    needs: early ? [] : channels.flatMap((change) => bothWritten(change, context)),
    provides: channels.flatMap((change) => [
      subscribed(change.address),
      ...(early ? [subscribedEarly(change.address)] : []),
      ...done(change, context),
    ]),
  };
}

function removeCall({ people, channels }: Block, context: PlanContext): DraftCall {
  const all = channels.every((change) => mayLeaveFirst(change, context));
  // With the old name, it must be sent before the rename; with the new name, it may be sent at any time if nothing else is in the way.
  const isEarly = (change: Change): boolean => all && change.was !== undefined;
  const named = channels.map((change) => ({
    change,
    name: isEarly(change) ? (change.was ?? change.name) : change.name,
  }));
  return {
    operation: "unsubscribe",
    path: {},
    params: { subscriptions: named.map(({ name }) => name), principals: people },
    for: purposes(channels),
    expects: named
      .filter(({ change }) => change.action !== "create")
      .map(({ change, name }) => nameExpectation(change, name)),
    // Nobody leaves a channel before the people who stay are in it (zulip-api.md §15.1).
    needs: channels
      .filter((change) => !all && !(change.was === undefined && mayLeaveFirst(change, context)))
      .flatMap((change) => [exists(change.address), ...bothWritten(change, context), subscribed(change.address)]),
    usesOn: channels.map(({ address }) => ({
      address,
      settings: [ADMINISTER, "can_remove_subscribers_group"],
    })),
    provides: [
      ...channels.filter(isEarly).map(({ address }) => subscribedEarly(address)),
      ...channels.flatMap((change) => done(change, context)),
    ],
    rank: REMOVAL_RANK,
  };
}

/**
 * Whether people may be unsubscribed before anything else of the channel changes. If the subscribers who stay are about to gain a right, that is the
 * only safe order. Somebody must be left, and the account's own right must not depend on the rest.
 */
function mayLeaveFirst(change: Change, context: PlanContext): boolean {
  const outcome = outcomeOf(change, context);
  if (change.fields.every(({ field }) => field === "subscribers")) return false;
  if (change.action === "create" || !context.realm.isAdmin || outcome.changes("archived")) return false;
  const me = context.realm.userName(context.snapshot.account.user_id);
  const stays = [outcome.before("subscribers"), outcome.after("subscribers")].every((list) =>
    listed(list).includes(me),
  );
  const isOpen = [outcome.before("privacy"), outcome.after("privacy")].every((word) => !isPrivate(String(word)));
  return stays || isOpen;
}

const REMOVAL_RANK = 70;
const bothWritten = (change: Change, context: PlanContext): readonly Dependency[] => [
  writtenEarly(change.address),
  settingsDone(outcomeOf(change, context), context),
];
const done = (change: Change, context: PlanContext): readonly Dependency[] =>
  settingsSentLast(outcomeOf(change, context), context).length === 0 && !archives(change)
    ? []
    : [subscribersDone(change.address)];
const archives = ({ fields }: Change): boolean => sets(fields, "archived", true);
const purposes = (channels: readonly Change[]) =>
  channels.map(({ address }) => ({ address, fields: ["subscribers"] as const }));

function nameExpectation(change: Change, name: string): Expectation {
  return { address: change.address, ...defined({ id: change.id }), field: "name", value: name };
}
