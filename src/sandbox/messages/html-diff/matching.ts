/** Finds the equal parts of two lists: the longest common stretch, then recursively those to its left and right (as Python's difflib). */

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}
type Step = readonly [
  what: "equal" | "insert" | "delete" | "replace",
  a: number,
  aEnd: number,
  b: number,
  bEnd: number,
];

/** In lists of at least this length, an element at more than one percent of the positions is not a starting point; this keeps the work linear. */
const MANY = 200;

/** @param smallest stretches of at most this length are ignored, unless the list is short */
export function stepsBetween(a: readonly string[], b: readonly string[], smallest: number): readonly Step[] {
  const ignored = Math.min(smallest, Math.floor(b.length / 4));
  const blocks = blocksOf(a, b).filter(({ size }) => size > ignored || size === 0);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const block of blocks) {
    if (i < block.a && j < block.b) steps.push(["replace", i, block.a, j, block.b]);
    else if (i < block.a) steps.push(["delete", i, block.a, j, block.b]);
    else if (j < block.b) steps.push(["insert", i, block.a, j, block.b]);
    [i, j] = [block.a + block.size, block.b + block.size];
    if (block.size > 0) steps.push(["equal", block.a, i, block.b, j]);
  }
  return steps;
}

/** Ascending, with adjacent blocks merged, and with an empty block at the end of both lists. */
function blocksOf(a: readonly string[], b: readonly string[]): readonly Block[] {
  const places = placesOf(b);
  const found: Block[] = [];
  const waiting: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const [aStart, aEnd, bStart, bEnd] = range;
    const block = longest(a, b, places, range);
    if (block.size === 0) continue;
    found.push(block);
    if (aStart < block.a && bStart < block.b) waiting.push([aStart, block.a, bStart, block.b]);
    const [aNext, bNext] = [block.a + block.size, block.b + block.size];
    if (aNext < aEnd && bNext < bEnd) waiting.push([aNext, aEnd, bNext, bEnd]);
  }
  found.sort((x, y) => x.a - y.a || x.b - y.b);
  const joined: Block[] = [];
  for (const block of found) {
    const before = joined.at(-1);
    if (before !== undefined && before.a + before.size === block.a && before.b + before.size === block.b)
      joined[joined.length - 1] = { ...before, size: before.size + block.size };
    else joined.push(block);
  }
  return [...joined, { a: a.length, b: b.length, size: 0 }];
}

function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  b.forEach((each, place) => {
    const known = places.get(each);
    if (known === undefined) places.set(each, [place]);
    else known.push(place);
  });
  if (b.length >= MANY)
    for (const [each, list] of places) if (list.length > Math.floor(b.length / 100) + 1) places.delete(each);
  return places;
}

/** Among stretches of equal length, the one that starts first: in the first list, then in the second. */
function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aStart, aEnd, bStart, bEnd]: readonly [number, number, number, number],
): Block {
  let best: Block = { a: aStart, b: bStart, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aStart; i < aEnd; i += 1) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < bStart) continue;
      if (j >= bEnd) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  // Elements that are not starting points can still extend a stretch.
  while (i > aStart && j > bStart && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aEnd && j + size < bEnd && a[i + size] === b[j + size]) size += 1;
  return { a: i, b: j, size };
}
