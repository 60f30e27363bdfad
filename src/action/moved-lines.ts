import { diffLines } from "diff";

/** Lines that two versions may differ in: what a comparison costs grows with the product of these and of all lines. */
export const MOST_DIFFERENT_LINES = 1000;

/** Compares two texts; undefined when they differ in more than `maxEditLength` lines. */
export type CompareLines = (
  before: string,
  after: string,
  options: { readonly maxEditLength: number },
) => readonly { readonly count?: number; readonly added?: boolean; readonly removed?: boolean }[] | undefined;

/**
 * Where in a new text the lines of an old one stood. The texts are compared once, whatever number of lines is asked for.
 * @returns the line, from 1; undefined when the texts have too little in common to say
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

/** Lines of the old text that stayed together: `from` there, `at` in the new one. */
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

/** Of parts in order the one that has a line. */
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
