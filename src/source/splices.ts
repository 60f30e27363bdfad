import type { Positions } from "./nodes.ts";

/** A replacement for a stretch of text. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Start and end of whole lines: from the comments above an entry to the end of its last line. */
export type Chunk = readonly [start: number, end: number];

export function chunkOf(at: Positions, first: number, last: number): Chunk {
  let start = at.lineStart(first);
  for (;;) {
    const above = at.lineStart(Math.max(0, start - 1));
    if (start === 0 || !at.text.slice(above, start).trim().startsWith("#")) break;
    start = above;
  }
  return [start, at.lineEnd(last)];
}

/** The chunks in another order: `order` says which one comes first, second, … The text between them stays. */
export function permuted(text: string, chunks: readonly Chunk[], order: readonly number[]): readonly Splice[] {
  const slots = [...chunks].sort((a, b) => a[0] - b[0]);
  return slots.flatMap(([start, end], place) => {
    const from = chunks[order[place] ?? -1];
    return from === undefined || from[0] === start ? [] : [{ start, end, text: text.slice(...from) }];
  });
}

/** Makes the replacements from the end, so that earlier positions stay valid. Overlapping splices are left out. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let before = text.length;
  const sorted = splices.map((splice, order) => ({ ...splice, order }));
  sorted.sort((a, b) => b.start - a.start || b.end - a.end || b.order - a.order);
  for (const { start, end, text: replacement } of sorted) {
    if (end > before) continue;
    pieces.push(text.slice(end, before), replacement);
    before = start;
  }
  return text.slice(0, before) + pieces.reverse().join("");
}
