import { WAITING_PERIOD } from "../access/full-members.ts";
import { isBotAddress } from "../access/scope.ts";
import { dependencyKey } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import { type Address, type Call, type Change, isIdOf, type Param } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { type Cut, cutsOf, leavingLast, linksOf, removingFirst, selfLast, separable } from "./cuts.ts";
import { RightsModel, type Step } from "./exposure-rights.ts";
import { breaksOff, managingOf, strands } from "./stranding.ts";

/*
 * An order of requests in which nobody is let in on the way (docs/decisions/0023-order-by-exposure.md).
 *
 * Terms. A *right* is something that somebody may do on a channel, a group or the organization. What is *allowed* are the rights that are held
 * before the plan or after it. The *excess* of a moment is how many rights are held that are not allowed; a request is *safe* when the moment
 * after it has none. A request is *ready* when all that it needs went out. An *arrival* is a request by which people come who have no account.
 *
 * Premise. A run can stop after any request, so each moment between two of them counts as much as the end.
 *
 * The idea.
 *     while requests remain:
 *         if one is ready and safe:      send the first such one, in the order given; arrivals only when nothing else is left
 *         else if one can be cut in two: first a part that lets another request go out; or what is added to a group, later what takes the
 *                                        account's own right; or first who leaves a group, later who joins it (fewer people in a group open nothing)
 *         else if one is safe and waits for a better order only: send it
 *         else:                          send the ready one with the least excess
 *     what had to wait needs, from then on, the related requests that it waited for: it is not sent if one of those fails
 *
 * What it does not do. It sees the rights that settings give, and leaves out those that follow from roles whatever a plan does
 * (`RightsModel.rightsAt`). It knows nothing of what others change meanwhile, and looks for no shortest list of cuts: the first that helps is made.
 */

export interface Exposure {
  readonly changes: readonly Change[];
  /** As it is now, under the names that objects get. */
  readonly realm: Realm;
}

export interface Ordered {
  readonly drafts: readonly DraftCall[];
  /** Positions in `drafts`, as they go out. */
  readonly order: readonly number[];
  readonly prerequisites: readonly (readonly number[])[];
  /** Requests more than without regard to what could be seen in between. */
  readonly splits: number;
}

/**
 * Puts requests so that between no two of them anybody holds a right that they hold neither before nor after the plan. It keeps the
 * order that is given wherever that is safe. Where none is, a request that both adds to a group and removes from it is cut in two: removing
 * first, then settings, then adding is always safe, since fewer people in a group never open anything
 * (docs/decisions/0023-order-by-exposure.md).
 */
export function saferOrder(
  drafts: readonly DraftCall[],
  order: readonly number[],
  prerequisites: readonly (readonly number[])[],
  exposure: Exposure,
): Ordered {
  const asGiven = { drafts, order, prerequisites, splits: 0 };
  // Every channel and group that is written once is as safe after its request as it is after the plan, unless groups move.
  if (!drafts.some(moves) && !isWrittenTwice(drafts)) return asGiven;
  return new Sorter(drafts, order, prerequisites, exposure).run();
}

/** After a request people hold a right that they hold neither before the plan nor after it. */
export interface Opening {
  /** Of the call. */
  readonly n: number;
  readonly address: Address;
  readonly right: string;
  readonly people: number;
}

/**
 * What the calls of a plan open in between, in the order in which they go out: each right at the first call after which somebody holds it
 * who holds it neither before nor after. {@link saferOrder} finds an order that opens nothing. Where no such order exists, this says what opens.
 */
export function openings(calls: readonly Call[], { changes, realm }: Exposure): readonly Opening[] {
  if (!calls.some(moves) && !isWrittenTwice(calls)) return [];
  const model = new RightsModel(changes, realm);
  const known = new Set<string>();
  const found: Opening[] = [];
  for (const call of calls) {
    for (const { address, right, people } of model.openedBy(stepOf(call))) {
      const key = `${address}\n${right}`;
      if (!known.has(key)) found.push({ n: call.n, address, right, people });
      known.add(key);
    }
    model.apply(stepOf(call));
  }
  return found;
}

/** Requests that change who is in a group; roles are groups, too. */
const MOVING: ReadonlySet<string> = new Set([
  "update-user",
  "deactivate-user",
  "reactivate-user",
  "update-bot",
  "deactivate-bot",
  "create-user-group",
  "update-user-group-members",
  "deactivate-user-group",
]);

/** Who is a full member hangs on a setting of the organization. */
const moves = ({ operation, params }: Sent): boolean => MOVING.has(operation) || WAITING_PERIOD in params;

/** Requests that let people come in who have no account yet; kinds draft them last. */
const ARRIVING: ReadonlySet<string> = new Set([
  "add-realm-domain",
  "update-realm-domain",
  "remove-realm-domain",
  "revoke-email-invite",
  "send-invites",
  "revoke-invite-link",
  "create-invite-link",
]);

/** Settings of the organization that keep people out, as long as they are true. */
const BARRIERS = ["invite_required", "emails_restricted_to_domains", "disallow_disposable_email_addresses"];

/** Whether an object takes more than one request, such as a channel whose settings and subscribers change. */
function isWrittenTwice(drafts: readonly Sent[]): boolean {
  const seen = new Set<string>();
  for (const draft of drafts) {
    for (const address of new Set(draft.for.map((purpose) => purpose.address))) {
      if (seen.has(address)) return true;
      seen.add(address);
    }
  }
  return false;
}

const isArrival = ({ operation, params }: DraftCall): boolean =>
  ARRIVING.has(operation) || BARRIERS.some((name) => params[name] === false);

/** What a request is, planned already or not yet. */
type Sent = Pick<DraftCall, "operation" | "path" | "params" | "for" | "creates">;

class Sorter {
  private readonly drafts: DraftCall[];
  private readonly prerequisites: (readonly number[])[];
  private readonly model: RightsModel;
  private readonly remaining: number[];
  private readonly result: number[] = [];
  private readonly done = new Set<number>();
  /** Calls that were not safe when they were looked at, and what went out since. */
  private readonly deferred = new Map<number, { since: number; isStale: boolean }>();
  private splits = 0;
  private managing?: { readonly among: number; readonly byGroup: ReadonlyMap<Address, readonly number[]> };
  /** How many requests are left that let nobody come. */
  private notArriving: number;

  constructor(
    drafts: readonly DraftCall[],
    order: readonly number[],
    prerequisites: readonly (readonly number[])[],
    exposure: Exposure,
  ) {
    this.drafts = [...drafts];
    this.prerequisites = [...prerequisites];
    this.remaining = [...order];
    this.notArriving = order.filter((index) => !this.isArrival(index)).length;
    this.model = new RightsModel(exposure.changes, exposure.realm);
  }

  run(): Ordered {
    while (this.remaining.length > 0) {
      const position = this.findSafe();
      if (position !== undefined) this.take(position);
      else if (!this.split()) this.take(this.findUnhurried() ?? this.leastBad());
    }
    return { drafts: this.drafts, order: this.result, prerequisites: this.prerequisites, splits: this.splits };
  }

  private findSafe(): number | undefined {
    const found = this.remaining.findIndex((index) => this.isReady(index) && this.isSafe(index));
    return found === -1 ? undefined : found;
  }

  /** What is safe and waits only for a better order, which it then does without. */
  private findUnhurried(): number | undefined {
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      if (draft === undefined || (isArrival(draft) && this.notArriving > 0)) continue;
      const needed = new Set((draft.needs ?? []).map(dependencyKey));
      const wished = new Set((draft.softNeeds ?? []).map(dependencyKey));
      const isWish = (other: number): boolean => {
        const provided = (this.drafts[other]?.provides ?? []).map(dependencyKey);
        return provided.some((key) => wished.has(key)) && !provided.some((key) => needed.has(key));
      };
      const kept = (this.prerequisites[index] ?? []).filter((other) => this.done.has(other) || !isWish(other));
      if (!kept.every((other) => this.done.has(other)) || this.isHeldBack(draft, index)) continue;
      if (this.model.excessAfter(stepOf(draft)) > 0) continue;
      this.prerequisites[index] = kept;
      return position;
    }
    return undefined;
  }

  /**
   * Where nothing that could go out is safe: what opens least. Of what only waits because people arrive by it the first: the order
   * that was given has no cycle, so something can always go out.
   */
  private leastBad(): number {
    let found = this.remaining.findIndex((index) => this.hasAll(index));
    let fewest = Number.POSITIVE_INFINITY;
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      if (draft === undefined || !this.isReady(index)) continue;
      // A request that the server refuses is worse than what is open for a while.
      const isRefused = this.isHeldBack(draft, index);
      const excess = this.model.excessAfter(stepOf(draft)) + (isRefused ? Number.MAX_SAFE_INTEGER / 2 : 0);
      if (excess >= fewest) continue;
      fewest = excess;
      found = position;
    }
    return found;
  }

  private isReady(index: number): boolean {
    // Whoever may come by it must not see what is about to be closed, and no model here knows who that is.
    if (this.isArrival(index) && this.notArriving > 0) return false;
    return this.hasAll(index);
  }

  private hasAll(index: number): boolean {
    return (this.prerequisites[index] ?? []).every((other) => this.done.has(other));
  }

  private isArrival(index: number): boolean {
    const draft = this.drafts[index];
    return draft !== undefined && isArrival(draft);
  }

  private isSafe(index: number): boolean {
    const draft = this.drafts[index];
    const waiting = this.deferred.get(index);
    if (draft === undefined || (waiting !== undefined && !waiting.isStale)) return false;
    const isHeldBack = this.isHeldBack(draft, index);
    if (!isHeldBack && this.model.excessAfter(stepOf(draft)) === 0) return true;
    // What is held back for the account's own rights is looked at again each time.
    this.deferred.set(index, { since: waiting?.since ?? this.result.length, isStale: isHeldBack });
    return false;
  }

  private take(position: number): void {
    const [index] = this.remaining.splice(position, 1);
    const draft = index === undefined ? undefined : this.drafts[index];
    if (index === undefined || draft === undefined)
      throw new RangeError("nothing can go out, though the order given has no cycle");
    const waited = this.deferred.get(index);
    this.deferred.delete(index);
    if (waited !== undefined || this.deferred.size > 0) {
      const isEntangled = this.entangledWith(draft);
      // What it waited for must have happened, or it would open what it was held back for.
      const before = waited === undefined ? [] : this.result.slice(waited.since).filter(isEntangled);
      if (before.length > 0)
        this.prerequisites[index] = [...new Set([...(this.prerequisites[index] ?? []), ...before])];
      for (const [other, entry] of this.deferred) if (isEntangled(other)) entry.isStale = true;
    }
    this.model.apply(stepOf(draft));
    this.done.add(index);
    this.result.push(index);
    if (!this.isArrival(index)) this.notArriving -= 1;
  }

  private entangledWith(draft: DraftCall): (index: number) => boolean {
    const isEntangled = this.model.entangledWith(stepOf(draft));
    return (index) => {
      const other = this.drafts[index];
      return other !== undefined && isEntangled(stepOf(other));
    };
  }

  /** One request as two, where that helps; which of the ways it is, in the order of what they cost in safety. */
  private split(): boolean {
    return this.cutPart() || this.cutLeaving() || this.cutMembers();
  }

  /** What can go out by itself, and lets another request go out that could not before. */
  private cutPart(): boolean {
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      if (draft === undefined) continue;
      const cuts = this.usefulCuts(index, cutsOf(draft, this.safeTogether(index, separable(draft))));
      cuts.forEach((cut, n) => {
        // What is left of the first cut is what the next one takes from.
        const cutAt = n === 0 ? index : this.drafts.length - 1;
        this.put(position + n, cutAt, cut, this.providersOf(cut.first));
      });
      if (cuts.length > 0) return true;
    }
    return false;
  }

  /** As many of these cuts as it takes for another request to go out. */
  private usefulCuts(index: number, cuts: readonly Cut[]): readonly Cut[] {
    for (const [n, { rest }] of cuts.entries()) {
      const first = cuts.slice(0, n + 1).map((cut) => cut.first);
      if (this.helps(index, first, rest)) return cuts.slice(0, n + 1);
    }
    return [];
  }

  /** As many of them as can go out now. */
  private safeTogether(index: number, parts: readonly DraftCall[]): readonly DraftCall[] {
    const taken: DraftCall[] = [];
    for (const part of parts) {
      if (this.notArriving > 0 && isArrival(part)) continue;
      if (!this.providersOf(part).every((other) => other !== index && this.done.has(other))) continue;
      const excess = this.model.triedAll(taken.map(stepOf), () => this.model.excessAfter(stepOf(part)));
      if (excess === 0 && !this.strands(part, index)) taken.push(part);
    }
    return taken;
  }

  /** Whether another request could go out once the first ones did. */
  private helps(index: number, first: readonly DraftCall[], rest: DraftCall): boolean {
    const left = new Set((rest.provides ?? []).map(dependencyKey));
    const waitsForRest = (other: number): boolean => askedBy(this.drafts[other]).some((key) => left.has(key));
    return this.model.triedAll(first.map(stepOf), () =>
      this.remaining.some((other) => {
        const draft = this.drafts[other];
        if (draft === undefined || other === index || (this.notArriving > 0 && isArrival(draft))) return false;
        const waits = (this.prerequisites[other] ?? []).filter((each) => !this.done.has(each));
        if (waits.some((each) => each !== index) || (waits.length > 0 && waitsForRest(other))) return false;
        return this.model.excessOfOthersAfter(stepOf(draft)) === 0 && !this.isHeldBack(draft, other);
      }),
    );
  }

  /** The account that runs this leaves a group after all that it does there, where the group gives it the right to. */
  private cutLeaving(): boolean {
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      if (draft === undefined || !this.isReady(index) || !this.isHeldBack(draft, index)) continue;
      const stops = breaksOff(draft, this.model);
      const ways = [stops ? leavingLast(draft) : undefined, selfLast(draft, this.model.me)];
      const cut = ways.find(
        (way) =>
          way !== undefined &&
          this.model.excessAfter(stepOf(way.first)) === 0 &&
          !this.strands(way.first, index) &&
          (stops || this.helps(index, [way.first], way.rest)),
      );
      if (cut === undefined) continue;
      this.put(position, index, cut, this.prerequisites[index] ?? []);
      return true;
    }
    return false;
  }

  /** Cuts the first request that adds, and could remove now: its removing half takes its place, the other comes right after. */
  private cutMembers(): boolean {
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      const cut = draft === undefined ? undefined : removingFirst(draft);
      if (cut === undefined || this.strands(cut.first, index)) continue;
      // Groups that are to come in may have to be made first; those that leave are there.
      const needed = (this.prerequisites[index] ?? []).filter(
        (other) => !this.onlyMakes(other, cut.rest) && !this.onlyUnlinks(other, index),
      );
      if (!needed.every((other) => this.done.has(other))) continue;
      this.put(position, index, cut, needed);
      return true;
    }
    return false;
  }

  /** @param needed what the first half waits for; the other waits for all that the whole waited for, and for the first half */
  private put(position: number, index: number, cut: Cut, needed: readonly number[]): void {
    const added = this.drafts.length;
    const whole = this.drafts[index];
    const wait = this.prerequisites.map((others, other) =>
      others.includes(index) ? this.halvesFor(other, index, cut) : undefined,
    );
    this.drafts[index] = cut.first;
    this.drafts.push(cut.rest);
    this.prerequisites.push([...new Set([...(this.prerequisites[index] ?? []), index])]);
    this.prerequisites[index] = needed;
    wait.forEach((halves, other) => {
      if (halves === undefined) return;
      const others = (this.prerequisites[other] ?? []).filter((each) => each !== index || halves.first);
      this.prerequisites[other] = halves.rest ? [...others, added] : others;
    });
    this.remaining.splice(position + 1, 0, added);
    for (const half of [cut.first, cut.rest]) if (!isArrival(half)) this.notArriving += 1;
    if (whole !== undefined && !isArrival(whole)) this.notArriving -= 1;
    this.deferred.delete(index);
    this.splits += 1;
  }

  /** Which half of a request another one waits for that waited for the whole. */
  private halvesFor(
    other: number,
    index: number,
    { first, rest }: Cut,
  ): { readonly first: boolean; readonly rest: boolean } {
    // Whoever waits for a group to leave another waits for the half that takes it out.
    if (linksOf(first).removes !== linksOf(rest).removes && this.onlyUnlinks(index, other))
      return { first: linksOf(first).removes, rest: linksOf(rest).removes };
    const asked = new Set(askedBy(this.drafts[other]));
    const gives = ({ provides = [] }: DraftCall): boolean => provides.some((each) => asked.has(dependencyKey(each)));
    const [fromFirst, fromRest] = [gives(first), gives(rest)];
    return fromFirst && !fromRest ? { first: true, rest: false } : { first: true, rest: true };
  }

  /** Requests that bring about what a part of a request waits for. */
  private providersOf(draft: DraftCall): readonly number[] {
    const asked = new Set(askedBy(draft));
    if (asked.size === 0) return [];
    return this.drafts.flatMap(({ provides = [] }, index) =>
      provides.some((each) => asked.has(dependencyKey(each))) ? [index] : [],
    );
  }

  /** Whether the server would refuse this request half done, or another one after it, for a right that the account loses. */
  private isHeldBack(draft: DraftCall, index: number): boolean {
    return this.strands(draft, index) || breaksOff(draft, this.model);
  }

  /** Whether the request takes a right from the account that runs this which another request still needs. */
  private strands(draft: DraftCall, index: number): boolean {
    const drafts = (indexes: readonly number[]) =>
      indexes.flatMap((other) => (other === index ? [] : (this.drafts[other] ?? [])));
    return strands(draft, stepOf(draft), this.model, {
      all: () => drafts(this.remaining),
      of: (group) => drafts((this.ofGroups().get(group) ?? []).filter((other) => !this.done.has(other))),
    });
  }

  /** Requests for which the server asks who manages a group, by the group. */
  private ofGroups(): ReadonlyMap<Address, readonly number[]> {
    // A request that is cut in two is one more.
    if (this.managing?.among !== this.drafts.length)
      this.managing = { among: this.drafts.length, byGroup: managingOf(this.drafts) };
    return this.managing.byGroup;
  }

  /** Whether other requests wait for this one only because it takes out a subgroup, so that adding a subgroup closes no cycle. */
  private onlyUnlinks(index: number, by: number): boolean {
    const provided = new Set((this.drafts[index]?.provides ?? []).map(dependencyKey));
    const met = (this.drafts[by]?.needs ?? []).filter((dependency) => provided.has(dependencyKey(dependency)));
    return met.length > 0 && met.every(({ state }) => state === "unlinked");
  }

  /** Whether this half waits for a request only because of a group that the request creates or reactivates. */
  private onlyMakes(index: number, { params }: DraftCall): boolean {
    const other = this.drafts[index];
    const added = isList(params.add_subgroups) ? params.add_subgroups : [];
    const made = other?.creates ?? [];
    const woken = other?.params.deactivated === false ? other.path.user_group_id : undefined;
    return added.some((group) => (isIdOf(group) ? made.includes(group.idOf) : group === woken));
  }
}

const isOwnerOf = (address: Address): boolean => !isBotAddress(address);

const askedBy = (draft: DraftCall | undefined): readonly string[] =>
  [...(draft?.needs ?? []), ...(draft?.softNeeds ?? [])].map(dependencyKey);

/** Which parts of which objects a request sets, and whether it does so only halfway. */
function stepOf(draft: Sent): Step {
  const parts = draft.for;
  const { operation, params } = draft;
  if (operation === "update-user-group-members") {
    const { adds, removes } = linksOf(draft);
    const ids = (list: Param | undefined) => (isList(list) ? list.filter((id) => typeof id === "number") : []);
    const members = { add: ids(params.add), delete: ids(params.delete) };
    return { parts, half: adds === removes ? "whole" : adds ? "adding" : "removing", members };
  }
  const { bot_id: bot } = draft.path;
  // A bot that goes by itself with its owner: the request is for the change of the owner.
  if (operation === "deactivate-bot" && typeof bot === "number" && parts.every(({ address }) => isOwnerOf(address)))
    return { parts: [], half: "whole", leaving: [bot] };
  const people = isList(params.principals) ? params.principals.filter((id) => typeof id === "number") : undefined;
  if (people === undefined || (draft.creates ?? []).length > 0) return { parts, half: "whole" };
  return { parts, half: operation === "unsubscribe" ? "removing" : "adding", people };
}
