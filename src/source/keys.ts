import { isMap, isScalar, type YAMLMap } from "yaml";
import { commentsIn, documentOf, keepsComments, keyName, Positions, pairOf, quotedLike, rangeOf } from "./nodes.ts";
import { type Chunk, chunkOf, permuted, type Splice, spliced } from "./splices.ts";
import { keyText } from "./write.ts";

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
