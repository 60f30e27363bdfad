import type { DraftCall } from "../model/kind.ts";
import { type Address, isIdOf, type Param } from "../model/plan.ts";

/** Requests of which none waits for itself, and an order in which they can go out. */
export type Opened =
  | {
      readonly ok: true;
      readonly drafts: readonly DraftCall[];
      /** Positions of the calls that each waits for. */
      readonly needed: readonly (readonly number[])[];
      readonly order: readonly number[];
      /** So many requests at least had to be cut in two. */
      readonly cuts: number;
    }
  | { readonly ok: false; readonly ring: readonly DraftCall[] };

/** So many cuts of one knot are searched through for the fewest; a knot that takes more is cut wherever it can be, and one more counted. */
const MOST_SEARCHED = 4;

/**
 * So many calls are put in order while one knot is searched through: the ways to cut it are as many as its rings are long, to the power
 * of the cuts, and twenty folders whose channels all change places would keep a plan busy for hours.
 */
const MOST_ORDERED = 500_000;

/**
 * Every call after its prerequisites, else by rank and then as drafted. Where calls wait for each other in a ring, as few as possible
 * go out as two ({@link DraftCall.apart}); what only makes a better order ({@link DraftCall.wants}) never costs a request.
 */
export function withoutRings(whole: readonly DraftCall[]): Opened {
  let drafts = whole;
  let cuts = 0;
  for (;;) {
    const needed = linksOf(drafts, ({ needs }) => needs);
    const found = inOrder(drafts, needed);
    if (found.ok) return { ok: true, drafts, cuts, ...withWishes(drafts, needed, found.order) };
    const knot = knotOf(found.ring, needed);
    const loose = loosened(knot.map((index) => at(drafts, index)));
    if (loose === undefined) return { ok: false, ring: found.ring.map((index) => at(drafts, index)) };
    const parts = new Map(knot.map((index, position) => [index, loose.parts[position] ?? []]));
    cuts += Math.min(loose.parts.flat().length - knot.length, loose.least);
    drafts = drafts.flatMap((draft, index) => parts.get(index) ?? [draft]);
  }
}

/** What a call creates it provides, and the id of what it mentions it needs. */
export function withReferences(draft: DraftCall): DraftCall {
  const mentioned = new Set<Address>();
  collectReferences(draft.params, mentioned);
  collectReferences(draft.path, mentioned);
  const created = draft.creates ?? [];
  return {
    ...draft,
    needs: [...(draft.needs ?? []), ...[...mentioned].filter((address) => !created.includes(address))],
    provides: [...(draft.provides ?? []), ...created],
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
  asked: (draft: DraftCall) => readonly string[] | undefined,
): readonly (readonly number[])[] {
  const providers = new Map<string, number[]>();
  drafts.forEach((draft, index) => {
    for (const token of draft.provides ?? []) {
      const list = providers.get(token);
      if (list === undefined) providers.set(token, [index]);
      else list.push(index);
    }
  });
  return drafts.map((draft, index) => {
    const linked = (asked(draft) ?? []).flatMap((token) => providers.get(token) ?? []);
    return [...new Set(linked)].filter((other) => other !== index);
  });
}

/** Adds what calls merely want, as far as it closes no ring. */
function withWishes(
  drafts: readonly DraftCall[],
  needed: readonly (readonly number[])[],
  order: readonly number[],
): { readonly needed: readonly (readonly number[])[]; readonly order: readonly number[] } {
  if (drafts.every(({ wants = [] }) => wants.length === 0)) return { needed, order };
  const wanted = linksOf(drafts, ({ wants }) => wants).map((others) => new Set(others));
  for (;;) {
    const links = needed.map((others, index) => [...new Set([...others, ...(wanted[index] ?? [])])]);
    const found = inOrder(drafts, links);
    if (found.ok) return { needed: links, order: found.order };
    // Needs alone close none, so at least one link of the ring is a wish.
    found.ring.forEach((index, position) => {
      const next = found.ring[position + 1] ?? found.ring[0] ?? index;
      if (!(needed[index] ?? []).includes(next)) wanted[index]?.delete(next);
    });
  }
}

/** All calls that wait for each other, directly or through others, with those of a ring: they can be loosened without regard to the rest. */
function knotOf(ring: readonly number[], needed: readonly (readonly number[])[]): readonly number[] {
  const needing = needed.map((): number[] => []);
  needed.forEach((others, index) => {
    for (const other of others) needing[other]?.push(index);
  });
  const reached = (links: readonly (readonly number[])[]): ReadonlySet<number> => {
    const found = new Set(ring);
    for (const index of found) for (const other of links[index] ?? []) found.add(other);
    return found;
  };
  const waiting = reached(needing);
  return [...reached(needed)].filter((index) => waiting.has(index)).sort((a, b) => a - b);
}

/** The calls of a knot, each as what becomes of it, with the fewest cuts as far as was searched; undefined when no cut helps. */
function loosened(knot: readonly DraftCall[]): { readonly parts: Cut; readonly least: number } | undefined {
  const whole = knot.map((draft) => [draft]);
  const search = { left: Math.ceil(MOST_ORDERED / knot.length) };
  let least = 1;
  for (; least <= MOST_SEARCHED; least += 1) {
    const parts = cutFewest(whole, least, search);
    if (parts !== undefined) return { parts, least: parts.flat().length - knot.length };
    // Fewer cuts are known not to do; whether these would, nobody knows.
    if (search.left === 0) break;
  }
  const parts = cutFirst(whole);
  return parts === undefined ? undefined : { parts, least };
}

type Cut = readonly (readonly DraftCall[])[];

function cutFewest(parts: Cut, most: number, search: { left: number }): Cut | undefined {
  if (search.left === 0) return undefined;
  search.left -= 1;
  const ring = ringIn(parts);
  if (ring === undefined) return parts;
  if (most === 0) return undefined;
  for (const next of cutsOf(parts, ring)) {
    const found = cutFewest(next, most - 1, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function cutFirst(parts: Cut): Cut | undefined {
  for (let current: Cut | undefined = parts; current !== undefined; ) {
    const ring = ringIn(current);
    if (ring === undefined) return current;
    [current] = cutsOf(current, ring);
  }
  return undefined;
}

/** Every way to cut one call of a ring; whatever opens it must be one of these. */
function cutsOf(parts: Cut, ring: readonly DraftCall[]): readonly Cut[] {
  return ring.flatMap((draft) =>
    (draft.apart ?? []).map((halves) =>
      parts.map((own) => (own.length === 1 && own[0] === draft ? halves.map(withReferences) : own)),
    ),
  );
}

function ringIn(parts: Cut): readonly DraftCall[] | undefined {
  const drafts = parts.flat();
  const found = inOrder(
    drafts,
    linksOf(drafts, ({ needs }) => needs),
  );
  return found.ok ? undefined : found.ring.map((index) => at(drafts, index));
}

function at(drafts: readonly DraftCall[], index: number): DraftCall {
  const draft = drafts[index];
  if (draft === undefined) throw new RangeError(`no call ${index} of ${drafts.length}`);
  return draft;
}

/** Every call after those that it is linked to; else a ring of positions, each linked to the next and the last to the first. */
function inOrder(
  drafts: readonly DraftCall[],
  links: readonly (readonly number[])[],
): { readonly ok: true; readonly order: readonly number[] } | { readonly ok: false; readonly ring: readonly number[] } {
  const rank = (index: number): number => drafts[index]?.rank ?? 0;
  const byRank = drafts.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
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
      if (missing.length === 0) {
        state.set(index, "done");
        order.push(index);
        stack.pop();
        continue;
      }
      state.set(index, "open");
      // What is open is on the way here: it waits for this one, and this one for it.
      const closing = missing.find((other) => state.get(other) === "open");
      const [next] = missing;
      if (closing !== undefined || next === undefined)
        return { ok: false, ring: closing === undefined ? stack : stack.slice(stack.indexOf(closing)) };
      stack.push(next);
    }
  }
  return { ok: true, order };
}
