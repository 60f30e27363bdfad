import { type Dependency, dependencyKey, exists } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { type Address, isIdOf, type Param } from "../model/plan.ts";

/*
 * An order for requests that wait for each other.
 *
 * Terms. Call B *needs* what call A *provides*: A goes out before B. A *soft need* is a better order and no more. A *cycle* is a row of
 * calls of which each needs the next and the last needs the first. A *component* is a strongly connected component of the graph of needs:
 * all calls that reach each other. A call is *split* when one of its *alternatives*, the same as two requests or more, takes its place; those
 * may have alternatives themselves, so that a call of many parts says no more than how one of them is taken out. A call that can be split and
 * needs what it provides itself is a cycle of one.
 *
 * Premise. Requests are what a plan costs: no order may take more of them than it must, and `least_calls` promises that. A split costs one
 * request, so splits are for cycles only, and as few as possible. Soft needs never cost one.
 *
 * The idea.
 *     split every call that is a cycle of one, where a single alternative opens it
 *     while topologicalOrder(calls, needs) finds a cycle:
 *         component = stronglyConnectedComponent(cycle)       every cycle through these calls lies in it: the rest need not be looked at
 *         splitMinimally(component):
 *             for n = 1, 2, … : split n calls in turn, each one that lies on a cycle that is left; stop at the first n that leaves none
 *     add soft needs; while they close a cycle, drop those that lie on it
 *
 * A split only ever helps when it is of a call on the cycle, so the tree that is searched has one branch for each alternative of each call
 * on the first cycle that is left, and not for each call. It still grows with the length of the cycles to the power of the splits; the
 * search is bounded by MOST_SEARCHED splits and MOST_ORDERED calls put in order. Beyond that the first alternative of each cycle is taken.
 *
 * What it does not do. It does not know what a request means: kinds say what can be split, and how. It does not find the fewest splits
 * beyond its bounds; `least_calls` then counts one more than is known not to do. Cycles that no alternative opens are returned as they are:
 * they are an error that a person resolves.
 */

/** Calls without a cycle, and an order in which they can go out. */
export type Acyclic =
  | {
      readonly ok: true;
      readonly drafts: readonly DraftCall[];
      /** Positions of the calls that each waits for. */
      readonly needed: readonly (readonly number[])[];
      readonly order: readonly number[];
      /** So many calls at least had to be split. */
      readonly splits: number;
    }
  | { readonly ok: false; readonly cycle: readonly DraftCall[] };

/** So many splits of one component are searched for the fewest; one that takes more is split wherever it can be, and one more is counted. */
const MOST_SEARCHED = 4;

/** So many calls are put in order while one component is searched: twenty folders whose channels all change places would take hours. */
const MOST_ORDERED = 500_000;

/**
 * Every call after its prerequisites, else by rank and then as drafted. Where calls need each other in a cycle, as few as possible
 * are split ({@link DraftCall.alternatives}); what only makes a better order ({@link DraftCall.softNeeds}) never costs a request.
 */
export function withoutCycles(whole: readonly DraftCall[]): Acyclic {
  let drafts = whole.flatMap(withoutOwnCycle);
  let splits = drafts.length - whole.length;
  for (;;) {
    const needed = linksOf(drafts, ({ needs }) => needs);
    const found = topologicalOrder(drafts, needed);
    if (found.ok) return { ok: true, drafts, splits, ...withSoftNeeds(drafts, needed, found.order) };
    const component = stronglyConnectedComponent(found.cycle, needed);
    const split = splitMinimally(component.map((index) => at(drafts, index)));
    if (split === undefined) return { ok: false, cycle: found.cycle.map((index) => at(drafts, index)) };
    const parts = new Map(component.map((index, position) => [index, split.parts[position] ?? []]));
    splits += split.least;
    drafts = drafts.flatMap((draft, index) => parts.get(index) ?? [draft]);
  }
}

/**
 * A call that waits for what it does itself has to be split, whatever becomes of the others. Where only one of its alternatives opens that,
 * nothing is left to search for.
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

/** What a call creates it provides, and the id of what it mentions it needs. */
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

/** Positions of the calls that provide what each call asks for, without doubles. */
function linksOf(
  drafts: readonly DraftCall[],
  asked: (draft: DraftCall) => readonly Dependency[] | undefined,
): readonly (readonly number[])[] {
  const providers = new Map<string, number[]>();
  drafts.forEach((draft, index) => {
    for (const key of (draft.provides ?? []).map(dependencyKey)) {
      const list = providers.get(key);
      if (list === undefined) providers.set(key, [index]);
      else list.push(index);
    }
  });
  return drafts.map((draft, index) => {
    const linked = (asked(draft) ?? []).flatMap((dependency) => providers.get(dependencyKey(dependency)) ?? []);
    // What cannot be split has its own states when it goes out.
    return [...new Set(linked)].filter((other) => other !== index || canBeSplit(draft));
  });
}

const canBeSplit = ({ alternatives = [] }: DraftCall): boolean => alternatives.length > 0;

/** Adds soft needs, as far as they close no cycle. */
function withSoftNeeds(
  drafts: readonly DraftCall[],
  needed: readonly (readonly number[])[],
  order: readonly number[],
): { readonly needed: readonly (readonly number[])[]; readonly order: readonly number[] } {
  const wanted = linksOf(drafts, ({ softNeeds }) => softNeeds);
  const links = needed.map((others, index) => [...new Set([...others, ...(wanted[index] ?? [])])]);
  const dropSoftNeed = (from: number, to: number): boolean => {
    if ((needed[from] ?? []).includes(to)) return false;
    links[from] = (links[from] ?? []).filter((other) => other !== to);
    return true;
  };
  const found = topologicalOrder(drafts, links, dropSoftNeed);
  // Needs alone close no cycle, so each that was found had a soft need to drop.
  return found.ok ? { needed: links, order: found.order } : { needed, order };
}

/** All calls that need the calls of a cycle and are needed by them, directly or through others. */
function stronglyConnectedComponent(
  cycle: readonly number[],
  needed: readonly (readonly number[])[],
): readonly number[] {
  const needing = needed.map((): number[] => []);
  needed.forEach((others, index) => {
    for (const other of others) needing[other]?.push(index);
  });
  const reachableBy = (links: readonly (readonly number[])[]): ReadonlySet<number> => {
    const found = new Set(cycle);
    for (const index of found) for (const other of links[index] ?? []) found.add(other);
    return found;
  };
  const waiting = reachableBy(needing);
  return [...reachableBy(needed)].filter((index) => waiting.has(index)).sort((a, b) => a - b);
}

/** The calls of a component, each as what becomes of it, with the fewest splits as far as was searched; undefined when no split helps. */
function splitMinimally(
  component: readonly DraftCall[],
): { readonly parts: Split; readonly least: number } | undefined {
  const whole = component.map((draft) => [draft]);
  const search = { left: Math.ceil(MOST_ORDERED / component.length) };
  let least = 1;
  for (; least <= MOST_SEARCHED; least += 1) {
    const parts = splitFewest(whole, least, search);
    if (parts !== undefined) return { parts, least: parts.flat().length - component.length };
    // Fewer splits are known not to do; whether these would, nobody knows.
    if (search.left === 0) break;
  }
  const parts = splitFirst(whole);
  return parts === undefined ? undefined : { parts, least };
}

type Split = readonly (readonly DraftCall[])[];

function splitFewest(parts: Split, most: number, search: { left: number }): Split | undefined {
  if (search.left === 0) return undefined;
  search.left -= 1;
  const cycle = cycleIn(parts);
  if (cycle === undefined) return parts;
  if (most === 0) return undefined;
  for (const next of splitsOf(parts, cycle)) {
    const found = splitFewest(next, most - 1, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function splitFirst(parts: Split): Split | undefined {
  for (let current: Split | undefined = parts; current !== undefined; ) {
    const cycle = cycleIn(current);
    if (cycle === undefined) return current;
    [current] = splitsOf(current, cycle);
  }
  return undefined;
}

/** Every way to split one call of a cycle; whatever opens it must be one of these. One at a time: the first mostly does. */
function* splitsOf(parts: Split, cycle: readonly DraftCall[]): Iterable<Split> {
  for (const draft of cycle)
    for (const requests of draft.alternatives ?? [])
      yield parts.map((own) =>
        own.includes(draft) ? own.flatMap((each) => (each === draft ? requests.map(withReferences) : [each])) : own,
      );
}

function cycleIn(parts: Split): readonly DraftCall[] | undefined {
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

/**
 * Every call after those that it is linked to; else a cycle of positions, each linked to the next and the last to the first.
 * @param drop takes a link of a cycle out of `links`, unless it has to stay. The search then goes on from the first call that lost one,
 *   and not from the start: what comes before it on the way is as it was, and many cycles take no longer than their lengths.
 */
function topologicalOrder(
  drafts: readonly DraftCall[],
  links: readonly (readonly number[])[],
  drop: (from: number, to: number) => boolean = () => false,
):
  | { readonly ok: true; readonly order: readonly number[] }
  | { readonly ok: false; readonly cycle: readonly number[] } {
  const rank = (index: number): number => drafts[index]?.rank ?? 0;
  const byRank = drafts.map((_, index) => index).sort((a, b) => rank(a) - rank(b));
  const order: number[] = [];
  const state = new Map<number, "open" | "done">();
  for (const start of byRank) {
    // A stack of its own: a chain of renames can be as long as the list.
    const stack = [start];
    for (let index = stack.at(-1); index !== undefined; index = stack.at(-1)) {
      if (state.get(index) === "done") {
        stack.pop();
        continue;
      }
      const missing = (links[index] ?? []).filter((other) => state.get(other) !== "done");
      const [next] = missing;
      if (next === undefined) {
        state.set(index, "done");
        order.push(index);
        stack.pop();
        continue;
      }
      state.set(index, "open");
      // An open node is on the path to this one: each waits for the other.
      const closing = missing.find((other) => state.get(other) === "open");
      if (closing === undefined) {
        stack.push(next);
        continue;
      }
      const cycle = stack.slice(stack.indexOf(closing));
      const opened = cycle.map((from, position) => drop(from, cycle[position + 1] ?? cycle[0] ?? from)).indexOf(true);
      if (opened === -1) return { ok: false, cycle };
      for (const left of stack.splice(stack.length - cycle.length + opened + 1)) state.delete(left);
    }
  }
  return { ok: true, order };
}
