import { diffLines } from "diff";

/** How many lines may differ between two versions: the cost of a comparison grows with the product of this number and the number of lines. */
export const MOST_DIFFERENT_LINES = 1000;

/** Compares two texts; undefined if they differ in more than `maxEditLength` lines. */
export type CompareLines = (
  before: string,
  after: string,
  options: { readonly maxEditLength: number },
) => readonly { readonly count?: number; readonly added?: boolean; readonly removed?: boolean }[] | undefined;

/**
 * Where the lines of an old text are in a new one. The texts are compared once, for any number of lines.
 * @returns the line, from 1; undefined if the texts have too little in common
 */
export function movedLines(
  before: string,
  after: string,
  compare: CompareLines = diffLines,
): (line: number) => number | undefined {
  const most = lineCount(after);
  let parts: readonly Part[] | undefined;
  let isCompared = false;
  return (line) => {
    if (!isCompared) parts = partsOf(before, after, compare);
    isCompared = true;
    if (parts === undefined) return undefined;
    const part = partWith(parts, line);
    const found = part === undefined ? most : part.removed ? part.at : part.at + (line - part.from);
    return Math.max(1, Math.min(found, most));
  };
}

/** Lines of the old text that stayed together: they begin at `from` in the old text and at `at` in the new one. */
interface Part {
  readonly from: number;
  readonly end: number;
  readonly at: number;
  readonly removed: boolean;
}

function partsOf(before: string, after: string, compare: CompareLines): readonly Part[] | undefined {
  const compared = compare(before, after, { maxEditLength: MOST_DIFFERENT_LINES });
  if (compared === undefined) return undefined;
  const parts: Part[] = [];
  let from = 1;
  let at = 1;
  for (const { count = 0, added = false, removed = false } of compared) {
    if (!added) {
      parts.push({ from, end: from + count, at, removed });
      from += count;
    }
    if (!removed) at += count;
  }
  return parts;
}

/** Of parts in order, finds the one that contains a line. */
function partWith(parts: readonly Part[], line: number): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.end ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return parts[low];
}

const lineCount = (text: string): number => Math.max(1, text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
