import { type Dependency, type DraftCall, dependencyKey, exists } from "../model/draft-call.ts";
import { componentsOf } from "../model/graph.ts";
import { addTo } from "../model/lazy.ts";
import { type Address, isIdOf, type Param } from "../model/plan.ts";

/*
 * An order for requests that wait for each other.
 *
 * Terms. Call B *needs* what call A *provides*: A is sent before B. A *soft need* only makes a better order. A *cycle* is a list of calls in which
 * each needs the next one, and the last one needs the first. A *component* is a strongly connected component of the graph of needs: calls that all
 * reach each other. A call is *split* if one of its *alternatives*, which does the same with two or more requests, takes its place. These requests
 * can have alternatives themselves, so a call with many parts only has to say how one part is taken out. A call that can be split and needs what it
 * provides itself is a cycle of one.
 *
 * Premise. Requests are what a plan costs: no order may use more of them than necessary, and `least_calls` promises that. A split costs one request,
 * so only cycles are split, as rarely as possible. Soft needs never cost a request.
 *
 * The idea.
 *     split every call that is a cycle of one, if only one of its alternatives breaks it
 *     while topologicalOrder(calls, needs) finds a cycle:
 *         component = stronglyConnectedComponent(cycle)       it contains every cycle through these calls: the others need not be searched
 *         splitMinimally(component):
 *             for n = 1, 2, … : split n calls in turn, each on a cycle that remains; stop at the first n that leaves no cycle
 *     add soft needs; of each cycle that they close, drop the first (topologicalOrder)
 *
 * A split only helps if its call is on the cycle. So the search tree has one branch for each alternative of each call on the first remaining cycle,
 * and not for every call. It still grows with the length of the cycles to the power of the number of splits. MOST_SEARCHED limits the number of
 * splits, and MOST_ORDERED the number of calls that are put in order. Beyond these limits, the first alternative of each cycle is taken.
 *
 * What it does not do. It does not know what a request means: kinds say what can be split, and how. Beyond its limits, it does not find the fewest
 * splits; `least_calls` then is one more than the number that is known not to be enough. Cycles that no alternative breaks are returned:
 * they are an error that a person resolves.
 */

/** Calls without a cycle, and an order in which they can be sent. */
type Acyclic =
  | {
      readonly ok: true;
      readonly drafts: readonly DraftCall[];
      /** For each call, the positions of the calls that it waits for. */
      readonly needed: readonly (readonly number[])[];
      readonly order: readonly number[];
      /** At least this number of calls had to be split. */
      readonly splits: number;
    }
  | { readonly ok: false; readonly cycle: readonly DraftCall[] };

/**
 * The search for the fewest splits of a component tries at most this number of splits. A component that needs more is split wherever possible; the
 * minimum is then one more than this.
 */
const MOST_SEARCHED = 4;

/**
 * At most this number of calls are put in order while one component is searched. Without a limit, twenty folders whose channels all change places
 * would take hours.
 */
const MOST_ORDERED = 500_000;

/**
 * Every call after its prerequisites, otherwise by rank and then in the order of the drafts. If calls need each other in a cycle, as few as possible
 * are split ({@link DraftCall.alternatives}). Soft needs ({@link DraftCall.softNeeds}) never cost a request.
 */
export function withoutCycles(whole: readonly DraftCall[]): Acyclic {
  let drafts = whole.flatMap(withoutOwnCycle);
  let splits = drafts.length - whole.length;
  for (;;) {
    const needed = linksOf(drafts, ({ needs }) => needs);
    const found = topologicalOrder(drafts, needed);
    if (found.ok) return { ok: true, drafts, splits, ...withSoftNeeds(drafts, needed, found.order) };
    const componentOf = componentsOf(needed);
    const component = [...drafts.keys()].filter((index) => componentOf[index] === componentOf[found.cycle[0] ?? 0]);
    const split = splitMinimally(component.map((index) => at(drafts, index)));
    if (split === undefined) return { ok: false, cycle: narrowed(found.cycle.map((index) => at(drafts, index))) };
    const parts = new Map(component.map((index, position) => [index, split.parts[position] ?? []]));
    splits += split.least;
    drafts = drafts.flatMap((draft, index) => parts.get(index) ?? [draft]);
  }
}

/** What is sent with one of the calls, and waits for nothing itself, is no part of the cycle that a person has to resolve. */
function narrowed(cycle: readonly DraftCall[]): readonly DraftCall[] {
  return cycleIn(cycle.map((draft) => draft.parts?.map(withReferences) ?? [draft])) ?? cycle;
}

/**
 * A call that waits for itself has to be split, whatever happens to the others. If only one of its alternatives breaks the cycle, there is nothing to
 * search.
 */
function withoutOwnCycle(draft: DraftCall): readonly DraftCall[] {
  if (!waitsForItself(draft)) return [draft];
  const opening = (draft.alternatives ?? [])
    .map((requests) => requests.map(withReferences))
    .filter((requests) => !requests.some(waitsForItself));
  return opening.length === 1 ? (opening[0] ?? [draft]) : [draft];
}

function waitsForItself(draft: DraftCall): boolean {
  if (!canBeSplit(draft)) return false;
  const provided = new Set((draft.provides ?? []).map(dependencyKey));
  return (draft.needs ?? []).some((dependency) => provided.has(dependencyKey(dependency)));
}

/** A call provides what it creates, and needs the ids of the objects that it mentions. */
export function withReferences(draft: DraftCall): DraftCall {
  const mentioned = new Set<Address>();
  collectReferences(draft.params, mentioned);
  collectReferences(draft.path, mentioned);
  const created = draft.creates ?? [];
  return {
    ...draft,
    needs: [...(draft.needs ?? []), ...[...mentioned].filter((address) => !created.includes(address)).map(exists)],
    provides: [...(draft.provides ?? []), ...created.map(exists)],
  };
}

function collectReferences(value: Param, into: Set<Address>): void {
  if (typeof value !== "object" || value === null) return;
  if (isIdOf(value)) into.add(value.idOf);
  else for (const item of Object.values(value)) collectReferences(item, into);
}

/** Positions of the calls that provide what each call needs, without duplicates. */
function linksOf(
  drafts: readonly DraftCall[],
  asked: (draft: DraftCall) => readonly Dependency[] | undefined,
): readonly (readonly number[])[] {
  const providers = new Map<string, number[]>();
  drafts.forEach((draft, index) => {
    for (const key of (draft.provides ?? []).map(dependencyKey)) {
      addTo(providers, key, index);
    }
  });
  return drafts.map((draft, index) => {
    const linked = (asked(draft) ?? []).flatMap((dependency) => providers.get(dependencyKey(dependency)) ?? []);
    // A call that cannot be split provides its own states when it is sent.
    return [...new Set(linked)].filter((other) => other !== index || canBeSplit(draft));
  });
}

const canBeSplit = ({ alternatives = [] }: DraftCall): boolean => alternatives.length > 0;

/** Adds soft needs as long as they close no cycle. */
function withSoftNeeds(
  drafts: readonly DraftCall[],
  needed: readonly (readonly number[])[],
  order: readonly number[],
): { readonly needed: readonly (readonly number[])[]; readonly order: readonly number[] } {
  const wanted = linksOf(drafts, ({ softNeeds }) => softNeeds);
  const links = needed.map((others, index) => new Set([...others, ...(wanted[index] ?? [])]));
  const hard = needed.map((others) => new Set(others));
  const found = topologicalOrder(drafts, links, {
    has: (from, to) => hard[from]?.has(to) === false,
    drop: (from, to) => links[from]?.delete(to),
  });
  // Needs alone close no cycle, so each cycle that was found had a soft need to drop.
  return found.ok ? { needed: links.map((own) => [...own]), order: found.order } : { needed, order };
}

/** The calls of a component, each with its replacement, with the fewest splits that the search found; undefined if no split helps. */
function splitMinimally(
  component: readonly DraftCall[],
): { readonly parts: Replacements; readonly least: number } | undefined {
  const whole = component.map((draft) => [draft]);
  const search = { left: Math.ceil(MOST_ORDERED / component.length) };
  let least = 1;
  for (; least <= MOST_SEARCHED; least += 1) {
    const parts = splitFewest(whole, least, search);
    if (parts !== undefined) return { parts, least: parts.flat().length - component.length };
    // Fewer splits are known not to be enough; whether this number is, the search did not find out.
    if (search.left === 0) break;
  }
  const parts = splitFirst(whole);
  return parts === undefined ? undefined : { parts, least };
}

type Replacements = readonly (readonly DraftCall[])[];

function splitFewest(parts: Replacements, most: number, search: { left: number }): Replacements | undefined {
  if (search.left === 0) return undefined;
  search.left -= 1;
  const cycle = cycleIn(parts);
  if (cycle === undefined) return parts;
  if (most === 0) return undefined;
  for (const next of singleSplits(parts, cycle)) {
    const found = splitFewest(next, most - 1, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function splitFirst(parts: Replacements): Replacements | undefined {
  for (let current: Replacements | undefined = parts; current !== undefined; ) {
    const cycle = cycleIn(current);
    if (cycle === undefined) return current;
    [current] = singleSplits(current, cycle);
  }
  return undefined;
}

/** Every way to split one call of a cycle; a solution must contain one of these. They are made one at a time, because the first one usually works. */
function* singleSplits(parts: Replacements, cycle: readonly DraftCall[]): Iterable<Replacements> {
  for (const draft of cycle)
    for (const requests of draft.alternatives ?? [])
      yield parts.map((own) =>
        own.includes(draft) ? own.flatMap((each) => (each === draft ? requests.map(withReferences) : [each])) : own,
      );
}

function cycleIn(parts: Replacements): readonly DraftCall[] | undefined {
  const drafts = parts.flat();
  const found = topologicalOrder(
    drafts,
    linksOf(drafts, ({ needs }) => needs),
  );
  return found.ok ? undefined : found.cycle.map((index) => at(drafts, index));
}

function at(drafts: readonly DraftCall[], index: number): DraftCall {
  const draft = drafts[index];
  if (draft === undefined) throw new RangeError(`no call ${index} of ${drafts.length}`);
  return draft;
}

/** Links that may go: an order does without them where they close a cycle. */
interface SoftLinks {
  has(from: number, to: number): boolean;
  /** Removes the link from the links that are searched. */
  drop(from: number, to: number): void;
}

type Order =
  | { readonly ok: true; readonly order: readonly number[] }
  | { readonly ok: false; readonly cycle: readonly number[] };

/**
 * Every call after those that it is linked to; otherwise a cycle of positions, each linked to the next and the last to the first. Of a cycle with soft
 * links, the first of these is dropped.
 *
 * A search of a chain of links, each call once. After a link was dropped, the search goes on at the call that lost it, and not at the start: the path
 * before it has not changed. What was behind the link is known to lead to this call, so the call's other soft links into it are dropped without a
 * second look: a call that softly needs each part of a chain that needs the call takes as many steps as the chain has links.
 * @param links without duplicates
 */
export function topologicalOrder(
  drafts: readonly Pick<DraftCall, "rank">[],
  links: readonly Iterable<number>[],
  soft?: SoftLinks,
): Order {
  const rank = (index: number): number => drafts[index]?.rank ?? 0;
  const byRank = drafts.map((_, index) => index).sort((a, b) => rank(a) - rank(b));
  const path = new Path(links, soft);
  const order: number[] = [];
  const done = new Set<number>();
  for (const start of byRank) {
    // An explicit stack: a chain of renames can be as long as the list.
    if (!done.has(start)) path.open(start);
    for (let index = path.last(); index !== undefined; index = path.last()) {
      const closing = path.closingLink();
      if (closing !== undefined) {
        if (!path.dropFrom(closing, closing)) return { ok: false, cycle: path.from(closing) };
        continue;
      }
      const next = path.nextLink(done);
      if (next === undefined) {
        done.add(index);
        order.push(index);
        path.close();
      } else {
        const leadsTo = path.knownCycle(next);
        if (leadsTo === undefined || !path.dropFrom(leadsTo, next)) path.open(next);
      }
    }
  }
  return { ok: true, order };
}

/** An open call, with its links that were not looked at yet. Without that, a call that needs ten thousand others would look at all of them after each. */
interface Open {
  readonly index: number;
  readonly position: number;
  /** Links that may lead to an open call. The path to a call stays as it is, so one look is enough. */
  readonly closing: Iterator<number>;
  readonly next: Iterator<number>;
}

/** The calls on the way from a start; each is linked to the next, so all of them wait for the last. */
class Path {
  private readonly stack: Open[] = [];
  private readonly opened = new Map<number, Open>();
  /** Positions in the path whose link to the next call is soft, in ascending order. */
  private readonly softAt: number[] = [];
  /** The call that lost a link last, and calls that lead to it as long as it is open and no other call loses a link. */
  private known: { readonly to: number; readonly calls: Set<number> } | undefined;
  private readonly links: readonly Iterable<number>[];
  private readonly soft: SoftLinks | undefined;

  constructor(links: readonly Iterable<number>[], soft: SoftLinks | undefined) {
    this.links = links;
    this.soft = soft;
  }

  last(): number | undefined {
    return this.stack.at(-1)?.index;
  }

  /** The calls from an open one to the last. */
  from(index: number): readonly number[] {
    return this.stack.slice(this.opened.get(index)?.position).map((open) => open.index);
  }

  open(index: number): void {
    const before = this.stack.at(-1);
    if (before !== undefined && this.soft?.has(before.index, index) === true) this.softAt.push(before.position);
    const own = this.links[index] ?? [];
    const open = { index, position: this.stack.length, closing: own[Symbol.iterator](), next: own[Symbol.iterator]() };
    this.stack.push(open);
    this.opened.set(index, open);
  }

  close(): void {
    const last = this.stack.pop();
    if (last !== undefined) this.opened.delete(last.index);
    if (this.softAt.at(-1) === this.stack.length - 1) this.softAt.pop();
  }

  /** The next link of the last call to an open one: both wait for each other. */
  closingLink(): number | undefined {
    return following(this.stack.at(-1)?.closing, (other) => this.opened.has(other));
  }

  nextLink(done: ReadonlySet<number>): number | undefined {
    return following(this.stack.at(-1)?.next, (other) => !done.has(other));
  }

  /** The open call to which a link of the last one is known to lead. */
  knownCycle(next: number): number | undefined {
    const { known } = this;
    return known?.calls.has(next) === true && this.opened.has(known.to) ? known.to : undefined;
  }

  /**
   * Drops the first soft link of a cycle, and leaves the path behind it.
   * @param first the open call at which the cycle starts
   * @param next the link of the last call that closes it
   * @returns false if none is soft
   */
  dropFrom(first: number, next: number): boolean {
    const last = this.stack.at(-1);
    const start = this.opened.get(first)?.position ?? 0;
    const found = firstFrom(this.softAt, start);
    const loser = found === undefined ? last : this.stack[found];
    if (last === undefined || loser === undefined) return false;
    const to = found === undefined ? next : this.stack[found + 1]?.index;
    if (to === undefined || this.soft?.has(loser.index, to) !== true) return false;
    this.soft.drop(loser.index, to);
    if (this.known?.to !== loser.index) this.known = { to: loser.index, calls: new Set() };
    while (this.stack.length > loser.position + 1) {
      this.known.calls.add(this.stack.at(-1)?.index ?? to);
      this.close();
    }
    return true;
  }
}

function following(links: Iterator<number> | undefined, is: (index: number) => boolean): number | undefined {
  for (let one = links?.next(); one !== undefined && one.done !== true; one = links?.next())
    if (is(one.value)) return one.value;
  return undefined;
}

/** The first of ascending numbers that is not less, by halves. */
function firstFrom(ascending: readonly number[], least: number): number | undefined {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return ascending[low];
}
