import { type DraftCall, dependencyKey } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import { isIdOf } from "../model/plan.ts";
import { isArrival } from "./exposure-steps.ts";
import { linksOf, type Split } from "./splits.ts";

/** Keys of the hard and soft dependencies of a request. */
export const askedBy = (draft: DraftCall | undefined): readonly string[] =>
  [...(draft?.needs ?? []), ...(draft?.softNeeds ?? [])].map(dependencyKey);

/**
 * The requests that remain, the dependencies of each, and those that were sent. The queue knows nothing about rights: its caller decides which
 * request is sent next, and which one is split. The queue keeps the order when a request is split: a request that waited for the whole now waits for
 * the half that matters to it, and the second half waits for the first.
 */
export class Queue {
  /** A request that is split keeps its position for the first half; the other half is added at the end. */
  readonly drafts: DraftCall[];
  readonly prerequisites: (readonly number[])[];
  /** Positions in `drafts` of requests that are not sent yet, in the order given. */
  readonly remaining: number[];
  /** Positions of requests that were sent. */
  readonly sent: number[] = [];
  private readonly done = new Set<number>();
  /** The number of remaining requests that let nobody join. */
  private notArriving: number;
  /** The number of requests in addition to those given. */
  splits = 0;

  constructor(drafts: readonly DraftCall[], order: readonly number[], prerequisites: readonly (readonly number[])[]) {
    this.drafts = [...drafts];
    this.prerequisites = [...prerequisites];
    this.remaining = [...order];
    this.notArriving = order.filter((index) => !this.isArrival(index)).length;
  }

  isDone(index: number): boolean {
    return this.done.has(index);
  }

  /** Requests that are not sent yet, in the order given. Do not continue an iteration after a split. */
  *waiting(): Generator<{ readonly position: number; readonly index: number; readonly draft: DraftCall }> {
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      if (draft !== undefined) yield { position, index, draft };
    }
  }

  /** The dependencies of a request, sent or not. */
  neededBy(index: number): readonly number[] {
    return this.prerequisites[index] ?? [];
  }

  /** Removes a position from `remaining`, as sent. */
  send(position: number): { readonly index: number; readonly draft: DraftCall } {
    const [index] = this.remaining.splice(position, 1);
    const draft = index === undefined ? undefined : this.drafts[index];
    if (index === undefined || draft === undefined)
      throw new RangeError("nothing can go out, though the order given has no cycle");
    this.done.add(index);
    this.sent.push(index);
    if (!isArrival(draft)) this.notArriving -= 1;
    return { index, draft };
  }

  /** Replaces the requests that a request waits for. */
  waitFor(index: number, others: readonly number[]): void {
    this.prerequisites[index] = [...new Set(others)];
  }

  isReady(index: number): boolean {
    return !this.isTooEarly(this.drafts[index]) && this.hasAll(index);
  }

  /** People who could gain the right must not see what is about to be closed. This model does not know who they are. */
  isTooEarly(draft: DraftCall | undefined): boolean {
    return draft !== undefined && this.notArriving > 0 && isArrival(draft);
  }

  hasAll(index: number): boolean {
    return this.neededBy(index).every((other) => this.done.has(other));
  }

  /** Requests that provide what a part of a request needs. */
  providersOf(draft: DraftCall): readonly number[] {
    const asked = new Set(askedBy(draft));
    if (asked.size === 0) return [];
    return this.drafts.flatMap(({ provides = [] }, index) =>
      provides.some((each) => asked.has(dependencyKey(each))) ? [index] : [],
    );
  }

  /**
   * The dependencies of a half that only removes from a group: groups that it adds may have to be created first; groups that leave exist
   * already.
   */
  neededToRemove(index: number, split: Split): readonly number[] {
    return this.neededBy(index).filter(
      (other) => !this.onlyMakes(other, split.rest) && !this.onlyUnlinks(other, index),
    );
  }

  /**
   * Splits a request in two from now on.
   * @param needed the dependencies of the first half; the second one has all dependencies of the whole, and waits for the first half
   */
  split(position: number, index: number, split: Split, needed: readonly number[]): void {
    const added = this.drafts.length;
    const whole = this.drafts[index];
    const wait = this.prerequisites.map((others, other) =>
      others.includes(index) ? this.halvesFor(other, index, split) : undefined,
    );
    this.drafts[index] = split.first;
    this.drafts.push(split.rest);
    this.prerequisites.push([...new Set([...this.neededBy(index), index])]);
    this.prerequisites[index] = needed;
    wait.forEach((halves, other) => {
      if (halves === undefined) return;
      const others = this.neededBy(other).filter((each) => each !== index || halves.first);
      this.prerequisites[other] = halves.rest ? [...others, added] : others;
    });
    this.remaining.splice(position + 1, 0, added);
    for (const half of [split.first, split.rest]) if (!isArrival(half)) this.notArriving += 1;
    if (whole !== undefined && !isArrival(whole)) this.notArriving -= 1;
    this.splits += 1;
  }

  /** The half of a request that `other` needs, after `other` waited for the whole request. */
  private halvesFor(
    other: number,
    index: number,
    { first, rest }: Split,
  ): { readonly first: boolean; readonly rest: boolean } {
    // A request that waits until one group leaves another waits for the part that removes it.
    if (linksOf(first).removes !== linksOf(rest).removes && this.onlyUnlinks(index, other))
      return { first: linksOf(first).removes, rest: linksOf(rest).removes };
    const asked = new Set(askedBy(this.drafts[other]));
    const gives = ({ provides = [] }: DraftCall): boolean => provides.some((each) => asked.has(dependencyKey(each)));
    const [fromFirst, fromRest] = [gives(first), gives(rest)];
    return fromFirst && !fromRest ? { first: true, rest: false } : { first: true, rest: true };
  }

  /** Whether other requests wait for this one only because it removes a subgroup, so that adding a subgroup closes no cycle. */
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

  private isArrival(index: number): boolean {
    const draft = this.drafts[index];
    return draft !== undefined && isArrival(draft);
  }
}
