import { isMap, isScalar, type YAMLMap } from "yaml";
import { commentsIn, keepsComments } from "./comments.ts";
import { documentOf, keyName, pairOf, quotedLike } from "./nodes.ts";
import { Positions, rangeOf } from "./positions.ts";
import { type Chunk, chunkOf, permuted, spliced } from "./splices.ts";
import { keyText } from "./write.ts";

/** Names and order of the entries of a section: their values and comments are not touched. */

/** Another name for an entry of a map, its value and comments untouched. */
export function renameKey(text: string, [section, name]: readonly [string, string], to: string): string | undefined {
  const outer = sectionOf(text, section);
  const pair = outer === undefined ? undefined : pairOf(outer, name);
  if (!isScalar(pair?.key) || outer === undefined || pairOf(outer, to) !== undefined) return undefined;
  const [start, end] = rangeOf(pair.key);
  return text.slice(0, start) + quotedLike(pair.key, to, keyText(to, outer.flow === true)) + text.slice(end);
}

/**
 * The entries of a section in another order, each with the comments above it and behind it; blank lines stay where they are.
 * Undefined when that cannot be done: the names are not those of the section, or a comment stands inside of braces.
 */
export function reorderKeys(text: string, section: string, names: readonly string[]): string | undefined {
  const map = sectionOf(text, section);
  if (map === undefined || map.items.length !== names.length) return undefined;
  const order = names.map((name) => map.items.findIndex((pair) => keyName(pair) === name));
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
