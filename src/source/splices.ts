import { isMap, isScalar, type YAMLMap } from "yaml";
import { commentsIn, documentOf, keepsComments, keyName, Positions, pairOf, quotedLike, rangeOf } from "./nodes.ts";
import { keyText } from "./write.ts";

/** A replacement for a stretch of text. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Start and end of whole lines: from the comments above an entry to the end of its last line. */
type Chunk = readonly [start: number, end: number];

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

/** Changes the names and the order of the entries of a section, without their values and comments. */

/**
 * Renames entries of a map without changing their values and comments; names may change places in a cycle. Undefined if an entry does not exist, or
 * two entries would have the same name.
 */
export function renameKeys(text: string, section: string, names: ReadonlyMap<string, string>): string | undefined {
  const outer = sectionOf(text, section);
  if (outer === undefined) return undefined;
  const splices: Splice[] = [];
  const after = new Set<string>();
  for (const pair of outer.items) {
    const to = names.get(keyName(pair));
    after.add(to ?? keyName(pair));
    if (to === undefined) continue;
    if (!isScalar(pair.key)) return undefined;
    const [start, end] = rangeOf(pair.key);
    splices.push({ start, end, text: quotedLike(pair.key, to, keyText(to, outer.flow === true)) });
  }
  return splices.length < names.size || after.size < outer.items.length ? undefined : spliced(text, splices);
}

/**
 * The entries of a section in another order, each with the comments above and behind it; blank lines stay where they are. Undefined if the names are
 * not those of the section, or a comment is inside braces.
 */
export function reorderKeys(text: string, section: string, names: readonly string[]): string | undefined {
  const map = sectionOf(text, section);
  if (map === undefined || map.items.length !== names.length) return undefined;
  const places = new Map(map.items.map((pair, index) => [keyName(pair), index]));
  const order = names.map((name) => places.get(name) ?? -1);
  if (order.includes(-1) || new Set(order).size < order.length) return undefined;
  const at = new Positions(text);
  const [from, to] = rangeOf(map);
  const isFlow = map.flow === true;
  if (isFlow && commentsIn(text).some(({ start }) => start >= from && start < to)) return undefined;
  const chunks = map.items.map((pair): Chunk => {
    const [start, end] = [rangeOf(pair.key)[0], at.endOfPair(pair)];
    return isFlow ? [start, end] : chunkOf(at, start, end);
  });
  const result = spliced(text, permuted(text, chunks, order));
  return keepsComments(text, result) ? result : undefined;
}

function sectionOf(text: string, section: string): YAMLMap | undefined {
  const { contents } = documentOf(text);
  const value = isMap(contents) ? pairOf(contents, section)?.value : undefined;
  return isMap(value) ? value : undefined;
}
