import { type Dependency, type DraftCall, dependencyKey } from "../model/draft-call.ts";
import type { Address, Call, Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { askedBy, Queue } from "./exposure-queue.ts";
import { type Excess, RightsModel } from "./exposure-rights.ts";
import { isRevocation, mayOpen, mayOpenToInvited, stepOf } from "./exposure-steps.ts";
import { askingAbout, takesNeededRight, takesOwnRight } from "./own-right-loss.ts";
import { isSeparable, leavingLast, removingFirst, type Split, selfLast, separable, splitsOf } from "./splits.ts";

/*
 * An order of requests in which nobody gains access on the way (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 *
 * Terms. A *right* is something that somebody may do on a channel, a group or the organization. The *allowed* rights are those that are held before
 * the plan or after it. The *excess* of a moment is the number of rights that are held and not allowed; a request is *safe* if there is no excess
 * after it. A request is *ready* if everything that it needs was sent. An *arrival* is a request by which people without an account join.
 *
 * Premise. A run can stop after any request, so each moment between two requests matters as much as the end.
 *
 * The idea.
 *     while requests remain:
 *         if one is ready and safe:      send the first such one, in the order given; arrivals only when nothing else remains
 *         else if one can be split:      first a part that lets another request be sent; or first what is added to a group, later what removes the
 *                                        account's own right; or first who leaves a group, later who joins it (fewer people in a group open nothing)
 *         else if one is safe and only its soft needs are unmet: send it
 *         else:                          send the ready one with the least excess
 *     a bot that gets another owner comes into groups and channels after all safe requests; if something opens nevertheless, also after all splits that help
 *     what may open something to invited people needs the requests that revoke invitations, which come first
 *     a request that was held back needs, from then on, the related requests that it waited for: it is not sent if one of those fails
 *
 * What it does not do. It knows the rights that settings give, and leaves out those that roles give whatever a plan does (`RightsModel.rightsAt`). It
 * does not know what others change meanwhile. It does not look for the fewest splits: it makes the first one that helps.
 */

export interface Exposure {
  readonly changes: readonly Change[];
  /** The current organization, with the names that objects get by the plan. */
  readonly realm: Realm;
}

export interface Ordered {
  readonly drafts: readonly DraftCall[];
  /** Positions in `drafts`, in the order of sending. */
  readonly order: readonly number[];
  readonly prerequisites: readonly (readonly number[])[];
  /** The number of requests in addition to those needed if exposure did not matter. */
  readonly splits: number;
}

/**
 * Orders requests so that between no two of them anybody holds a right that they hold neither before nor after the plan. It keeps the given order
 * wherever that is safe. If no order is safe, it splits a request that both adds to a group and removes from it: removing first, then settings, then
 * adding is always safe, since fewer people in a group never open anything (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 */
export function saferOrder(
  drafts: readonly DraftCall[],
  order: readonly number[],
  prerequisites: readonly (readonly number[])[],
  exposure: Exposure,
): Ordered {
  const asGiven = { drafts, order, prerequisites, splits: 0 };
  return afterRevocations(mayOpen(drafts) ? leastOpen(drafts, order, prerequisites, exposure) : asGiven);
}

/** If something opens after a bot came somewhere before its new owner had it, the bot waits until no split lets another request be sent. */
function leastOpen(...given: Given): Ordered {
  const sorter = new Sorter(given);
  const ordered = sorter.run();
  if (sorter.opened === 0 || !sorter.letBotIn) return ordered;
  const patient = new Sorter(given, true);
  const other = patient.run();
  return patient.opened < sorter.opened ? other : ordered;
}
type Given = Parameters<typeof saferOrder>;

/** Invitations are revoked first. If one stays open, nothing is sent that could open something to whoever joins by it. */
function afterRevocations(ordered: Ordered): Ordered {
  const { drafts, order, prerequisites } = ordered;
  const positions = new Map(order.map((index, position) => [index, position]));
  const revoked = order.filter((index) => drafts[index] !== undefined && isRevocation(drafts[index]));
  if (revoked.length === 0) return ordered;
  const isEarlier = (one: number, other: number): boolean => (positions.get(one) ?? 0) < (positions.get(other) ?? 0);
  return {
    ...ordered,
    prerequisites: drafts.map((draft, index) => {
      const needed = prerequisites[index] ?? [];
      if (!mayOpenToInvited(draft)) return needed;
      return [...new Set([...needed, ...revoked.filter((other) => isEarlier(other, index))])];
    }),
  };
}

/** How a request is split: each split works on what the previous one left. */
interface Way {
  readonly index: number;
  readonly splits: readonly Split[];
}

/** At most this number of requests are split so that one can be sent. */
const MOST_TOGETHER = 100;

/**
 * The search for splits computes the rights on an object, or tries a part of a request, at most this number of times; after that, only groups are
 * split. One request can change the rights on thousands of objects, so the number of requests that are tried would be no limit.
 */
const MOST_SEARCHED = 100_000;

/** Chooses which request is sent next, and which is split so that one can be sent, by the state of rights after it. */
class Sorter {
  private readonly queue: Queue;
  private readonly model: RightsModel;
  /** Calls that were not safe when they were examined, and how many requests had been sent then. */
  private readonly deferred = new Map<number, { since: number; isStale: boolean }>();
  /** What the searches for splits did so far. */
  private searched = 0;
  /** Of the requests that were sent though they were not safe: how many rights they opened. */
  opened = 0;
  /** Whether a request was sent that puts a bot somewhere before its new owner has it. */
  letBotIn = false;
  private readonly splitsBeforeBots: boolean;
  private asking?: { readonly among: number; readonly byObject: ReadonlyMap<Address, readonly number[]> };

  /** @param splitsBeforeBots splits that let a request be sent are made before a bot comes somewhere that gets another owner */
  constructor([drafts, order, prerequisites, exposure]: Given, splitsBeforeBots = false) {
    this.queue = new Queue(drafts, order, prerequisites);
    this.model = new RightsModel(exposure.changes, exposure.realm);
    this.splitsBeforeBots = splitsBeforeBots;
  }

  run(): Ordered {
    while (this.queue.remaining.length > 0) {
      const position = this.findSafe();
      if (position === undefined) {
        if (!this.splitOne()) this.take(this.findWithoutSoftNeeds() ?? this.leastBad());
        continue;
      }
      const bringsBot = this.addsGivenBot(position);
      if (bringsBot && this.splitsBeforeBots && (this.splitPart() || this.splitTogether())) continue;
      this.letBotIn ||= bringsBot;
      this.take(position);
    }
    const { drafts, sent, prerequisites, splits } = this.queue;
    return { drafts, order: sent, prerequisites, splits };
  }

  /** The first safe request. What a bot comes into before its new owner has it could keep everything else from being safe, so that is last. */
  private findSafe(): number | undefined {
    let last: number | undefined;
    for (const { position, index, draft } of this.queue.waiting()) {
      if (!this.queue.isReady(index) || !this.isSafe(index, draft)) continue;
      if (!this.addsGivenBot(position)) return position;
      last ??= position;
    }
    return last;
  }

  private addsGivenBot(position: number): boolean {
    const draft = this.queue.drafts[this.queue.remaining[position] ?? -1];
    return draft !== undefined && this.model.addsGivenBot(stepOf(draft));
  }

  /** A safe request whose only unmet needs are soft. If no order meets them, it is sent nevertheless. */
  private findWithoutSoftNeeds(): number | undefined {
    for (const { position, index, draft } of this.queue.waiting()) {
      if (this.queue.isTooEarly(draft)) continue;
      const needed = new Set((draft.needs ?? []).map(dependencyKey));
      const wished = new Set((draft.softNeeds ?? []).map(dependencyKey));
      const isWish = (other: number): boolean => {
        const provided = (this.queue.drafts[other]?.provides ?? []).map(dependencyKey);
        return provided.some((key) => wished.has(key)) && !provided.some((key) => needed.has(key));
      };
      const kept = this.queue.neededBy(index).filter((other) => this.queue.isDone(other) || !isWish(other));
      if (!kept.every((other) => this.queue.isDone(other)) || this.isHeldBack(draft, index)) continue;
      if (this.model.opens(stepOf(draft))) continue;
      this.queue.waitFor(index, kept);
      return position;
    }
    return undefined;
  }

  /**
   * If no request that can be sent is safe: the one that opens least. If requests wait only because people join by them: the first of these. The
   * given order has no cycle, so some request can always be sent.
   */
  private leastBad(): number {
    let found = this.queue.remaining.findIndex((index) => this.queue.hasAll(index));
    let fewest = Number.POSITIVE_INFINITY;
    for (const { position, index, draft } of this.queue.waiting()) {
      if (!this.queue.isReady(index)) continue;
      // A request that the server refuses is worse than a right that is open for a moment.
      const isRefused = this.isHeldBack(draft, index);
      const excess = this.model.excessAfter(stepOf(draft)) + (isRefused ? Number.MAX_SAFE_INTEGER / 2 : 0);
      if (excess >= fewest) continue;
      fewest = excess;
      found = position;
    }
    this.opened += Number.isFinite(fewest) ? fewest : 0;
    return found;
  }

  private isSafe(index: number, draft: DraftCall): boolean {
    const waiting = this.deferred.get(index);
    if (waiting !== undefined && !waiting.isStale) return false;
    const isHeldBack = this.isHeldBack(draft, index);
    if (!isHeldBack && !this.model.opens(stepOf(draft))) return true;
    // Requests that are held back for the account's own rights are tried again each time.
    this.deferred.set(index, { since: waiting?.since ?? this.queue.sent.length, isStale: isHeldBack });
    return false;
  }

  private take(position: number): void {
    const { index, draft } = this.queue.send(position);
    const waited = this.deferred.get(index);
    this.deferred.delete(index);
    if (waited !== undefined || this.deferred.size > 0) {
      const isEntangled = this.entangledWith(draft);
      // The requests that it waited for must have succeeded, or it would open what it was held back for.
      const before = waited === undefined ? [] : this.queue.sent.slice(waited.since, -1).filter(isEntangled);
      if (before.length > 0) this.queue.waitFor(index, [...this.queue.neededBy(index), ...before]);
      for (const [other, entry] of this.deferred) if (isEntangled(other)) entry.isStale = true;
    }
    this.model.apply(stepOf(draft));
  }

  private entangledWith(draft: DraftCall): (index: number) => boolean {
    const isEntangled = this.model.entangledWith(stepOf(draft));
    return (index) => {
      const other = this.queue.drafts[index];
      return other !== undefined && isEntangled(stepOf(other));
    };
  }

  /** Splits one request in two, if that helps. Tries the ways to split in order, the safest first. */
  private splitOne(): boolean {
    return this.splitPart() || this.splitTogether() || this.splitLeaving() || this.splitMembers();
  }

  /** The result of `measure` after these parts of requests. */
  private after<Found>(parts: readonly DraftCall[], measure: () => Found): Found {
    this.searched += parts.length;
    return this.model.triedAll(parts.map(stepOf), measure);
  }

  /** The result of `measure`, which computes rights. */
  private counted<Found>(measure: () => Found): Found {
    const { looked } = this.model;
    const found = measure();
    this.searched += this.model.looked - looked;
    return found;
  }

  private maySearch(): boolean {
    return this.searched < MOST_SEARCHED;
  }

  /** A part that can be sent by itself and lets another request be sent. */
  private splitPart(): boolean {
    for (const { index, draft } of this.queue.waiting()) {
      if (!this.maySearch()) return false;
      if (!isSeparable(draft)) continue;
      const splits = this.usefulSplits(index, splitsOf(draft, this.safeTogether(index, draft)));
      if (splits.length === 0) continue;
      this.splitParts({ index, splits });
      return true;
    }
    return false;
  }

  /** Parts of several requests, if another request can be sent only after all of these parts. */
  private splitTogether(): boolean {
    const ways: Way[] = [];
    for (const { index, draft } of this.queue.waiting()) {
      if (ways.length === MOST_TOGETHER || !this.maySearch()) break;
      const splits = isSeparable(draft) ? splitsOf(draft, this.safeTogether(index, draft)) : [];
      if (splits.length > 0) ways.push({ index, splits });
    }
    if (ways.length < 2) return false;
    for (const { index } of this.queue.waiting()) {
      const found = this.fewest(
        index,
        ways.filter((way) => way.index !== index),
      );
      if (found === undefined || found.length === 0) continue;
      for (const way of found) this.splitParts(way);
      return true;
    }
    return false;
  }

  /** The splits that a request needs in order to be sent; undefined if it cannot be sent even with all of them. */
  private fewest(index: number, ways: readonly Way[]): readonly Way[] | undefined {
    const waits = this.queue.neededBy(index).filter((other) => !this.queue.isDone(other));
    const required = ways.filter((way) => waits.includes(way.index));
    if (required.length < waits.length || !this.lets(index, ways)) return undefined;
    if (this.lets(index, required)) return required;
    let kept = ways;
    for (const way of ways) {
      const others = kept.filter((each) => each !== way);
      if (!required.includes(way) && this.lets(index, others)) kept = others;
    }
    return kept;
  }

  private splitParts({ index, splits }: Way): void {
    const position = this.queue.remaining.indexOf(index);
    splits.forEach((split, n) => {
      // The next split works on what the first one left.
      const splitIndex = n === 0 ? index : this.queue.drafts.length - 1;
      this.split(position + n, splitIndex, split, this.queue.providersOf(split.first));
    });
  }

  /** As many of these splits as another request needs in order to be sent. */
  private usefulSplits(index: number, splits: readonly Split[]): readonly Split[] {
    for (const [n, { rest }] of splits.entries()) {
      const first = splits.slice(0, n + 1).map((split) => split.first);
      if (this.helps(index, first, rest)) return splits.slice(0, n + 1);
    }
    return [];
  }

  /** As many of them as can be sent now. What one of them closes can let an earlier one be sent, so each of the others is tried again. */
  private safeTogether(index: number, draft: DraftCall): readonly DraftCall[] {
    const possible = separable(draft).filter(
      (part) =>
        !this.queue.isTooEarly(part) &&
        this.queue.providersOf(part).every((other) => other !== index && this.queue.isDone(other)),
    );
    const taken: DraftCall[] = [];
    for (let known = -1; known < taken.length && taken.length < possible.length; ) {
      known = taken.length;
      for (const part of possible) {
        if (taken.includes(part)) continue;
        const excess = this.after(taken, () => this.counted(() => this.model.excessAfter(stepOf(part))));
        // The rest of the request may need a right that the part takes away.
        if (excess === 0 && !this.takesNeededRight(part, index, [draft])) taken.push(part);
      }
    }
    return taken;
  }

  /** Whether another request could be sent after the first ones. */
  private helps(index: number, first: readonly DraftCall[], rest: DraftCall): boolean {
    const left = new Map([[index, rest]]);
    const others = this.queue.remaining.filter((other) => other !== index && this.waitsOnlyFor(other, left));
    return others.length > 0 && this.after(first, () => others.some((other) => this.isSafeForOthers(other)));
  }

  /** Whether a request could be sent after the first parts of these splits. */
  private lets(index: number, ways: readonly Way[]): boolean {
    const firsts = ways.flatMap(({ splits }) => splits.map(({ first }) => first));
    const left = new Map(ways.flatMap(({ index: own, splits }) => splits.slice(-1).map(({ rest }) => [own, rest])));
    if (!this.maySearch() || !this.waitsOnlyFor(index, left)) return false;
    return this.after(firsts, () => this.isSafeForOthers(index));
  }

  /** Whether a request waits for nothing except the second parts of these splits. */
  private waitsOnlyFor(index: number, left: ReadonlyMap<number, DraftCall>): boolean {
    const draft = this.queue.drafts[index];
    if (draft === undefined || this.queue.isTooEarly(draft)) return false;
    const waits = this.queue.neededBy(index).filter((other) => !this.queue.isDone(other));
    if (!waits.every((other) => left.has(other))) return false;
    const asked = new Set(askedBy(draft));
    const isKeptBack = (other: number): boolean =>
      (left.get(other)?.provides ?? []).some((each) => asked.has(dependencyKey(each)));
    return !waits.some(isKeptBack);
  }

  /** Whether a request opens nothing now, except to the account that runs the plan. After a long search, the answer is no without a check. */
  private isSafeForOthers(index: number): boolean {
    const draft = this.queue.drafts[index];
    if (draft === undefined || !this.maySearch()) return false;
    return this.counted(() => this.model.excessOfOthersAfter(stepOf(draft))) === 0 && !this.isHeldBack(draft, index);
  }

  /** If the group gives the account that runs the plan a right there, the account leaves it after its last request about it. */
  private splitLeaving(): boolean {
    for (const { position, index, draft } of this.queue.waiting()) {
      const waits = this.queue.neededBy(index).filter((other) => !this.queue.isDone(other));
      // Requests that still use a right of the account hold back only the account.
      if (this.queue.isTooEarly(draft) || !waits.every((other) => this.isWaitOfAccount(draft, other))) continue;
      if (waits.length === 0 && !this.isHeldBack(draft, index)) continue;
      const stops = waits.length === 0 && takesOwnRight(draft, this.model);
      const ways = [stops ? leavingLast(draft) : undefined, selfLast(draft, this.model.me)];
      const split = ways.find(
        (way) =>
          way !== undefined &&
          this.model.excessAfter(stepOf(way.first)) === 0 &&
          !this.takesNeededRight(way.first, index) &&
          (stops || this.helps(index, [way.first], way.rest)),
      );
      if (split === undefined) continue;
      this.split(
        position,
        index,
        split,
        this.queue.neededBy(index).filter((other) => this.queue.isDone(other)),
      );
      return true;
    }
    return false;
  }

  /** Whether a request waits for another only because that uses a right which the account loses by it. */
  private isWaitOfAccount({ needs = [], softNeeds = [] }: DraftCall, other: number): boolean {
    const provided = new Set((this.queue.drafts[other]?.provides ?? []).map(dependencyKey));
    const isMet = (each: Dependency): boolean => provided.has(dependencyKey(each));
    const met = softNeeds.filter(isMet);
    return met.length > 0 && met.every(({ state }) => state === "right-used") && !needs.some(isMet);
  }

  /** Splits the first request that adds members and could already remove others: its removing half takes its position, the other half follows. */
  private splitMembers(): boolean {
    for (const { position, index, draft } of this.queue.waiting()) {
      const split = removingFirst(draft);
      if (split === undefined || this.takesNeededRight(split.first, index)) continue;
      const needed = this.queue.neededToRemove(index, split);
      if (!needed.every((other) => this.queue.isDone(other))) continue;
      this.split(position, index, split, needed);
      return true;
    }
    return false;
  }

  private split(position: number, index: number, split: Split, needed: readonly number[]): void {
    this.queue.split(position, index, split, needed);
    this.deferred.delete(index);
  }

  /** Whether the server would refuse the rest of this request, or a later one, because the account loses a right. */
  private isHeldBack(draft: DraftCall, index: number): boolean {
    return this.takesNeededRight(draft, index) || takesOwnRight(draft, this.model);
  }

  /** Whether the request takes a right from the account that runs the plan which another request still needs. */
  private takesNeededRight(draft: DraftCall, index: number, rest: readonly DraftCall[] = []): boolean {
    const drafts = (indexes: readonly number[]) => [
      ...indexes.flatMap((other) => (other === index ? [] : (this.queue.drafts[other] ?? []))),
      ...rest,
    ];
    return takesNeededRight(draft, stepOf(draft), this.model, {
      all: () => drafts(this.queue.remaining),
      of: (object) => drafts((this.byObject().get(object) ?? []).filter((other) => !this.queue.isDone(other))),
    });
  }

  /** Requests for which the server asks who manages a group, or who reads a channel, by the object. */
  private byObject(): ReadonlyMap<Address, readonly number[]> {
    // A request that is split counts as one more.
    if (this.asking?.among !== this.queue.drafts.length)
      this.asking = { among: this.queue.drafts.length, byObject: askingAbout(this.queue.drafts) };
    return this.asking.byObject;
  }
}

/** After a request, people hold a right that they hold neither before the plan nor after it. */
interface Opening extends Excess {
  /** The number of the call. */
  readonly n: number;
}

/**
 * What the calls of a plan open in between, in the order of sending. Each right is listed at the first call after which somebody holds it who holds
 * it neither before nor after. `saferOrder` finds an order that opens nothing; if no such order exists, this says what opens.
 */
export function temporaryGains(calls: readonly Call[], { changes, realm }: Exposure): readonly Opening[] {
  if (!mayOpen(calls)) return [];
  const model = new RightsModel(changes, realm);
  const known = new Set<string>();
  const found: Opening[] = [];
  for (const call of calls) {
    for (const excess of model.openedBy(stepOf(call))) {
      const key = `${excess.address}\n${excess.right}`;
      if (!known.has(key)) found.push({ n: call.n, ...excess });
      known.add(key);
    }
    model.apply(stepOf(call));
  }
  return found;
}
