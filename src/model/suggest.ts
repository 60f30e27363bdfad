import { addTo, oncePer } from "./lazy.ts";
/** How many comparisons of letters are made before the other unknown names of a file get no suggestions: 50 names among 4,000. */
export const MOST_COMPARED = 30_000_000;
/** Longer words get no suggestion: a text of thousands of characters is not a misspelt name. */
export const LONGEST_WORD = 200;

/**
 * The budget for suggestions. Thousands of unknown names in a file have one cause, and each of them is compared with all existing names: the first
 * get suggestions, the others do not.
 */
export class Patience {
  private readonly most: number;
  /** The number of comparisons so far. */
  spent = 0;

  constructor(most = MOST_COMPARED) {
    this.most = most;
  }

  get isOver(): boolean {
    return this.spent >= this.most;
  }
}

/**
 * The candidate that somebody who wrote `word` most likely meant, or undefined if none is similar (or the budget is used up). Case, `-` against `_`
 * and spaces count as similar; then one typing error for every three letters. The first of equals wins.
 */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
  patience: Patience = new Patience(),
): string | undefined {
  if (word.length > LONGEST_WORD || patience.isOver) return undefined;
  const wanted = loose(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === word || candidate.length > LONGEST_WORD) continue;
    if (patience.isOver) return undefined;
    patience.spent +=
      candidate.length + (isFar(wanted, candidate, bestDistance) ? 0 : wanted.length * candidate.length);
    const distance = editDistance(wanted, loose(candidate), bestDistance);
    // A replacement of every letter is not a misspelling: "a" is not a misspelt "b".
    if (distance >= bestDistance || distance >= Math.max(wanted.length, candidate.length)) continue;
    best = candidate;
    bestDistance = distance;
    if (distance === 0) break;
  }
  return best;
}

/**
 * The only candidate that contains `word` as parts: "auth" → "authentication_methods". Each part between underscores is one of the candidate's, or
 * its first letters, at least four.
 */
export function shortFor(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const said = partsBetween(word);
  const meant = candidates.filter((candidate) => {
    const parts = partsBetween(candidate);
    // "timezone" is not short for "web_suggest_update_timezone": the end of a long name alone says little.
    if (parts.length > 3 && said.length === 1 && said[0] === parts.at(-1)) return false;
    return said.every((one) =>
      parts.some((part) => part === one || `${part}s` === one || (one.length >= 4 && part.startsWith(one))),
    );
  });
  // Of several, the one that adds the fewest words.
  const [first, second] = meant.toSorted((a, b) => partsBetween(a).length - partsBetween(b).length);
  if (said.length === 0 || first === undefined) return undefined;
  const isAlone = second === undefined || (said.length > 1 && partsBetween(first).length < partsBetween(second).length);
  return isAlone ? first : undefined;
}

const partsBetween = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((part) => part !== "");

/**
 * The address that somebody most likely meant. The part before the @ identifies the person: the same part at another domain, or a similar one at the
 * domain that is written or meant. A domain that all addresses share does not make them similar.
 */
export function addressMeant(word: string, addresses: Iterable<string>, patience = new Patience()): string | undefined {
  const [local, domain] = partsOf(word);
  if (domain === undefined) return didYouMean(word, addresses, patience);
  const { byDomain, byLocal } = directoryOf(addresses);
  const near = byDomain.has(domain) ? domain : didYouMean(domain, byDomain.keys(), patience);
  const same = byLocal.get(loose(local)) ?? [];
  const there = same.find((address) => partsOf(address)[1] === near) ?? (same.length === 1 ? same[0] : undefined);
  if (there !== undefined || near === undefined) return there;
  const beside = byDomain.get(near);
  const meant = beside === undefined ? undefined : didYouMean(local, beside.keys(), patience);
  return meant === undefined ? undefined : beside?.get(meant);
}

/** Addresses by their parts. */
interface Directory {
  /** Domain → part before the @ → address. */
  readonly byDomain: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Part before the @, spelled loosely → addresses. */
  readonly byLocal: ReadonlyMap<string, readonly string[]>;
}

/** Kept by list, since a file with thousands of wrong addresses needs the same one each time. */
const directoryOf = oncePer((addresses: Iterable<string>): Directory => {
  const byDomain = new Map<string, Map<string, string>>();
  const byLocal = new Map<string, string[]>();
  for (const address of addresses) {
    const [local, domain] = partsOf(address);
    addTo(byLocal, loose(local), address);
    if (domain === undefined) continue;
    const beside = byDomain.get(domain) ?? new Map<string, string>();
    if (!beside.has(local)) beside.set(local, address);
    byDomain.set(domain, beside);
  }
  return { byDomain, byLocal };
});

/** The parts of an address before and after the last @. */
function partsOf(address: string): readonly [local: string, domain: string | undefined] {
  const at = address.lastIndexOf("@");
  return at < 0 ? [address, undefined] : [address.slice(0, at), address.slice(at + 1)];
}

const loose = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, "_");

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; every number from `limit` on means "far".
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest >= limit) return limit;
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

/** Whether the lengths alone show that the distance is too large. Repeated "-" and "_" count once, which shortens names a little. */
const isFar = (wanted: string, candidate: string, limit: number): boolean => candidate.length + limit <= wanted.length;

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
