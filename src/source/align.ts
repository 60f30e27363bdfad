import { canonicalJson, isList, isObject, type Json, sameJson } from "../model/json.ts";
import { addTo } from "../model/lazy.ts";

interface Alignment {
  /** Position before → position after, for items that are equal or belong together; in the order of before. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Whether they are in the same order after as before. */
  readonly keepsOrder: boolean;
}

/** What items of lists are called before and after, as {@link identityOf} writes it: an item with another name is still the same item. */
export type Renamed = ReadonlyMap<string, string>;

/** An item of a list: a text as it is, a map by its first field. */
export const identityOf = (item: Json): string => firstField(item) ?? canonicalJson(item);

/**
 * Pairs the items of a list before and after: equal ones first, then those that are known to have another name, then maps whose first fields are equal
 * or have a name in common.
 */
export function alignLists(before: readonly Json[], after: readonly Json[], renamed: Renamed = new Map()): Alignment {
  const from = new Map<number, number>();
  const taken = new Set<number>();
  // At the beginning and at the end first: of two equal items, each is paired with the one beside the same neighbours.
  const match = (index: number, to: number): boolean => {
    const [a, b] = [before[index], after[to]];
    if (a === undefined || b === undefined || from.has(index) || taken.has(to) || !sameJson(a, b)) return false;
    from.set(index, to);
    taken.add(to);
    return true;
  };
  for (let index = 0; match(index, index); index += 1);
  for (let back = 1; match(before.length - back, after.length - back); back += 1);
  const pair = (
    keyOf: (item: Json) => string | undefined,
    keyBefore: (item: Json) => string | undefined = keyOf,
  ): void => {
    const open = new Map<string, number[]>();
    for (const [index, item] of before.entries()) {
      const key = from.has(index) ? undefined : keyBefore(item);
      if (key === undefined) continue;
      addTo(open, key, index);
    }
    for (const [to, wanted] of after.entries()) {
      const key = taken.has(to) ? undefined : keyOf(wanted);
      const found = key === undefined ? undefined : open.get(key)?.shift();
      if (found === undefined) continue;
      from.set(found, to);
      taken.add(to);
    }
  };
  pair(canonicalJson);
  if (renamed.size > 0) pair(identityOf, (item) => renamed.get(identityOf(item)));
  pair(firstField);
  // A list in the first field has several names: one name in both lists is enough.
  const naming = new Map<string, number[]>();
  for (const [to, item] of after.entries())
    for (const name of taken.has(to) ? [] : firstNames(item)) {
      addTo(naming, name, to);
    }
  for (const [index, item] of before.entries()) {
    if (from.has(index)) continue;
    const open = firstNames(item).flatMap((name) => naming.get(name)?.find((at) => !taken.has(at)) ?? []);
    if (open.length === 0) continue;
    const to = Math.min(...open);
    from.set(index, to);
    taken.add(to);
  }
  const pairs = [...from].sort((a, b) => a[0] - b[0]);
  return { pairs, keepsOrder: pairs.every(([, to], index) => index === 0 || to > (pairs[index - 1]?.[1] ?? -1)) };
}

/** An alignment without items that would have to move: they count as removed and added. */
export function withoutMoves({ pairs }: Alignment): Alignment {
  const kept: (readonly [number, number])[] = [];
  for (const pair of pairs) if (pair[1] > (kept.at(-1)?.[1] ?? -1)) kept.push(pair);
  return { pairs: kept, keepsOrder: true };
}

/** The names in the list that is an item's first field. */
function firstNames(item: Json): readonly string[] {
  if (!isObject(item) || isList(item)) return [];
  const [[field, names] = ["", null]] = Object.entries(item);
  return isList(names) ? names.map((name) => canonicalJson([field, name])) : [];
}

function firstField(item: Json): string | undefined {
  if (!isObject(item) || isList(item)) return undefined;
  const [first] = Object.entries(item);
  return first === undefined ? undefined : canonicalJson([first[0], first[1]]);
}
