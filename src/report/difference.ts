import { diffArrays } from "diff";

/** A stretch of equal items, or of items that only one side has. */
interface DifferencePart {
  readonly state: "same" | "removed" | "added";
  readonly items: readonly string[];
}

/** Counts the cost of a comparison, for tests: how often two items were compared. */
export interface Work {
  compared: number;
}

/** With up to this number of items on only one side, the shortest edit is searched. */
const MOST_EDITS = 500;
/** For long sides the limit is lower than {@link MOST_EDITS}: the search compares at most about this number of pairs. */
const MOST_COMPARED = 10_000_000;

/**
 * The differences between two lists of lines or words, in order. The search for the fewest differences takes time as both lengths times the number of
 * differences, so it is limited: if there are too many, only items that occur exactly once on each side, in the same order, are matched. That is
 * correct, but shows more as changed than necessary.
 */
export function difference(
  before: readonly string[],
  after: readonly string[],
  work: Work = { compared: 0 },
): readonly DifferencePart[] {
  const shorter = Math.min(before.length, after.length);
  const isSame = (a: string | undefined, b: string | undefined): boolean => {
    work.compared += 1;
    return a === b;
  };
  let head = 0;
  while (head < shorter && isSame(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(before[before.length - 1 - tail], after[after.length - 1 - tail])) tail += 1;
  const from = before.slice(head, before.length - tail);
  const to = after.slice(head, after.length - tail);
  return [
    part("same", before.slice(0, head)),
    ...(searched(from, to, isSame) ?? matchedOnce(from, to, work)),
    part("same", tail === 0 ? [] : before.slice(-tail)),
  ].filter(({ items }) => items.length > 0);
}

const part = (state: DifferencePart["state"], items: readonly string[]): DifferencePart => ({ state, items });

function searched(
  from: readonly string[],
  to: readonly string[],
  comparator: (a: string, b: string) => boolean,
): readonly DifferencePart[] | undefined {
  if (from.length === 0 || to.length === 0) return [part("removed", from), part("added", to)];
  const maxEditLength = Math.min(MOST_EDITS, Math.floor(MOST_COMPARED / (from.length + to.length)));
  // The library compares nothing if the lengths alone show that it would take too many steps.
  if (Math.abs(from.length - to.length) > maxEditLength) return undefined;
  const found = diffArrays([...from], [...to], { comparator, maxEditLength });
  return found?.map(({ added, removed, value }) => part(added ? "added" : removed ? "removed" : "same", value));
}

/** Items that occur once on each side, in the order of both, stay; everything between them is removed and added. */
function matchedOnce(from: readonly string[], to: readonly string[], work: Work): readonly DifferencePart[] {
  work.compared += from.length + to.length;
  const places = onlyOnce(to);
  const pairs = [...onlyOnce(from)].flatMap(([item, at]) => {
    const other = places.get(item);
    return other === undefined ? [] : [{ at, other }];
  });
  const parts: DifferencePart[] = [];
  let [left, right] = [0, 0];
  for (const { at, other } of longestRising(pairs.sort((a, b) => a.at - b.at))) {
    parts.push(part("removed", from.slice(left, at)), part("added", to.slice(right, other)));
    parts.push(part("same", from.slice(at, at + 1)));
    [left, right] = [at + 1, other + 1];
  }
  return [...parts, part("removed", from.slice(left)), part("added", to.slice(right))];
}

function onlyOnce(items: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  items.forEach((item, index) => {
    if (found.has(item)) twice.add(item);
    found.set(item, index);
  });
  for (const item of twice) found.delete(item);
  return found;
}

interface Pair {
  readonly at: number;
  readonly other: number;
}

/** The longest list of pairs that increase on both sides, by patience sorting. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const tops: number[] = [];
  const before: (number | undefined)[] = [];
  pairs.forEach(({ other }, index) => {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.other ?? 0) < other) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? undefined : tops[low - 1];
    tops[low] = index;
  });
  const row: Pair[] = [];
  for (let at = tops.at(-1); at !== undefined; at = before[at]) {
    const pair = pairs[at];
    if (pair !== undefined) row.push(pair);
  }
  return row.reverse();
}
