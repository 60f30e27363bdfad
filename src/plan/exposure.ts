import { dependencyKey } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Address, Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { type Cut, cutsOf, leavingLast, removingFirst, selfLast, separable } from "./cuts.ts";
import { askedBy, Queue } from "./exposure-queue.ts";
import { RightsModel } from "./exposure-rights.ts";
import { mayOpen, stepOf } from "./exposure-steps.ts";
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
  if (!mayOpen(drafts)) return asGiven;
  return new Sorter(drafts, order, prerequisites, exposure).run();
}

/** Chooses which request goes next, and which is cut in two so that one can: by what the model of rights says of the moment after it. */
class Sorter {
  private readonly queue: Queue;
  private readonly model: RightsModel;
  /** Calls that were not safe when they were looked at, and what went out since. */
  private readonly deferred = new Map<number, { since: number; isStale: boolean }>();
  private managing?: { readonly among: number; readonly byGroup: ReadonlyMap<Address, readonly number[]> };

  constructor(
    drafts: readonly DraftCall[],
    order: readonly number[],
    prerequisites: readonly (readonly number[])[],
    exposure: Exposure,
  ) {
    this.queue = new Queue(drafts, order, prerequisites);
    this.model = new RightsModel(exposure.changes, exposure.realm);
  }

  run(): Ordered {
    while (this.queue.remaining.length > 0) {
      const position = this.findSafe();
      if (position !== undefined) this.take(position);
      else if (!this.split()) this.take(this.findUnhurried() ?? this.leastBad());
    }
    const { drafts, sent, prerequisites, splits } = this.queue;
    return { drafts, order: sent, prerequisites, splits };
  }

  private findSafe(): number | undefined {
    for (const { position, index, draft } of this.queue.waiting())
      if (this.queue.isReady(index) && this.isSafe(index, draft)) return position;
    return undefined;
  }

  /** A request that exposes nothing and waits only for a better order. If there is no such order, it is sent all the same. */
  private findUnhurried(): number | undefined {
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
      if (this.model.excessAfter(stepOf(draft)) > 0) continue;
      this.queue.waitFor(index, kept);
      return position;
    }
    return undefined;
  }

  /**
   * Where nothing that could go out is safe: what opens least. Of what only waits because people arrive by it the first: the order
   * that was given has no cycle, so something can always go out.
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
    return found;
  }

  private isSafe(index: number, draft: DraftCall): boolean {
    const waiting = this.deferred.get(index);
    if (waiting !== undefined && !waiting.isStale) return false;
    const isHeldBack = this.isHeldBack(draft, index);
    if (!isHeldBack && this.model.excessAfter(stepOf(draft)) === 0) return true;
    // Requests that are held back for the rights of the account itself are tried again each time.
    this.deferred.set(index, { since: waiting?.since ?? this.queue.sent.length, isStale: isHeldBack });
    return false;
  }

  private take(position: number): void {
    const { index, draft } = this.queue.send(position);
    const waited = this.deferred.get(index);
    this.deferred.delete(index);
    if (waited !== undefined || this.deferred.size > 0) {
      const isEntangled = this.entangledWith(draft);
      // What it waited for must have happened, or it would open what it was held back for.
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

  /** One request as two, where that helps; which of the ways it is, in the order of what they cost in safety. */
  private split(): boolean {
    return this.cutPart() || this.cutLeaving() || this.cutMembers();
  }

  /** What can go out by itself, and lets another request go out that could not before. */
  private cutPart(): boolean {
    for (const { position, index, draft } of this.queue.waiting()) {
      const cuts = this.usefulCuts(index, cutsOf(draft, this.safeTogether(index, separable(draft))));
      cuts.forEach((cut, n) => {
        // What is left of the first cut is what the next one takes from.
        const cutAt = n === 0 ? index : this.queue.drafts.length - 1;
        this.cut(position + n, cutAt, cut, this.queue.providersOf(cut.first));
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
      if (this.queue.isTooEarly(part)) continue;
      if (!this.queue.providersOf(part).every((other) => other !== index && this.queue.isDone(other))) continue;
      const excess = this.model.triedAll(taken.map(stepOf), () => this.model.excessAfter(stepOf(part)));
      if (excess === 0 && !this.strands(part, index)) taken.push(part);
    }
    return taken;
  }

  /** Whether another request could go out once the first ones did. */
  private helps(index: number, first: readonly DraftCall[], rest: DraftCall): boolean {
    const left = new Set((rest.provides ?? []).map(dependencyKey));
    const waitsForRest = (other: number): boolean => askedBy(this.queue.drafts[other]).some((key) => left.has(key));
    return this.model.triedAll(first.map(stepOf), () =>
      [...this.queue.waiting()].some(({ index: other, draft }) => {
        if (other === index || this.queue.isTooEarly(draft)) return false;
        const waits = this.queue.neededBy(other).filter((each) => !this.queue.isDone(each));
        if (waits.some((each) => each !== index) || (waits.length > 0 && waitsForRest(other))) return false;
        return this.model.excessOfOthersAfter(stepOf(draft)) === 0 && !this.isHeldBack(draft, other);
      }),
    );
  }

  /** The account that runs this leaves a group after all that it does there, where the group gives it the right to. */
  private cutLeaving(): boolean {
    for (const { position, index, draft } of this.queue.waiting()) {
      if (!this.queue.isReady(index) || !this.isHeldBack(draft, index)) continue;
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
      this.cut(position, index, cut, this.queue.neededBy(index));
      return true;
    }
    return false;
  }

  /** Cuts the first request that adds, and could remove now: its removing half takes its place, the other comes right after. */
  private cutMembers(): boolean {
    for (const { position, index, draft } of this.queue.waiting()) {
      const cut = removingFirst(draft);
      if (cut === undefined || this.strands(cut.first, index)) continue;
      const needed = this.queue.neededToRemove(index, cut);
      if (!needed.every((other) => this.queue.isDone(other))) continue;
      this.cut(position, index, cut, needed);
      return true;
    }
    return false;
  }

  private cut(position: number, index: number, cut: Cut, needed: readonly number[]): void {
    this.queue.cut(position, index, cut, needed);
    this.deferred.delete(index);
  }

  /** Whether the server would refuse this request half done, or another one after it, for a right that the account loses. */
  private isHeldBack(draft: DraftCall, index: number): boolean {
    return this.strands(draft, index) || breaksOff(draft, this.model);
  }

  /** Whether the request takes a right from the account that runs this which another request still needs. */
  private strands(draft: DraftCall, index: number): boolean {
    const drafts = (indexes: readonly number[]) =>
      indexes.flatMap((other) => (other === index ? [] : (this.queue.drafts[other] ?? [])));
    return strands(draft, stepOf(draft), this.model, {
      all: () => drafts(this.queue.remaining),
      of: (group) => drafts((this.ofGroups().get(group) ?? []).filter((other) => !this.queue.isDone(other))),
    });
  }

  /** Requests for which the server asks who manages a group, by the group. */
  private ofGroups(): ReadonlyMap<Address, readonly number[]> {
    // A request that is cut in two is one more.
    if (this.managing?.among !== this.queue.drafts.length)
      this.managing = { among: this.queue.drafts.length, byGroup: managingOf(this.queue.drafts) };
    return this.managing.byGroup;
  }
}
