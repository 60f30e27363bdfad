import { canonicalJson, isList, isObject, type Json, sameJson } from "../model/json.ts";

export interface Alignment {
  /** Position before → position after, of items that are the same or are about the same; in the order of before. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Do they stand in the same order after as before? */
  readonly inOrder: boolean;
}

/** Which items of a list became which: equal ones first, then maps whose first field is the same, or names one of the same. */
export function alignLists(before: readonly Json[], after: readonly Json[]): Alignment {
  const from = new Map<number, number>();
  const taken = new Set<number>();
  // At the beginning and at the end first: one of two that are the same goes with its neighbours.
  const match = (index: number, to: number): boolean => {
    const [a, b] = [before[index], after[to]];
    if (a === undefined || b === undefined || from.has(index) || taken.has(to) || !sameJson(a, b)) return false;
    from.set(index, to);
    taken.add(to);
    return true;
  };
  for (let index = 0; match(index, index); index += 1);
  for (let back = 1; match(before.length - back, after.length - back); back += 1);
  const pair = (keyOf: (item: Json) => string | undefined): void => {
    const open = new Map<string, number[]>();
    for (const [index, item] of before.entries()) {
      const key = from.has(index) ? undefined : keyOf(item);
      if (key === undefined) continue;
      const list = open.get(key);
      if (list === undefined) open.set(key, [index]);
      else list.push(index);
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
  pair(firstField);
  // A list in the first field names several: one of them in both is enough.
  for (const [index, item] of before.entries()) {
    if (from.has(index)) continue;
    const to = after.findIndex((wanted, at) => !taken.has(at) && sharesName(item, wanted));
    if (to === -1) continue;
    from.set(index, to);
    taken.add(to);
  }
  const pairs = [...from].sort((a, b) => a[0] - b[0]);
  return { pairs, inOrder: pairs.every(([, to], index) => index === 0 || to > (pairs[index - 1]?.[1] ?? -1)) };
}

/** The same without those that would have to move: they count as gone and new. */
export function inOrderOnly({ pairs }: Alignment): Alignment {
  const kept: (readonly [number, number])[] = [];
  for (const pair of pairs) if (pair[1] > (kept.at(-1)?.[1] ?? -1)) kept.push(pair);
  return { pairs: kept, inOrder: true };
}

function sharesName(a: Json, b: Json): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const [[field, names] = ["", null], [other, others] = ["", null]] = [Object.entries(a)[0], Object.entries(b)[0]];
  return (
    field === other && isList(names) && isList(others) && names.some((name) => others.some((o) => sameJson(name, o)))
  );
}

function firstField(item: Json): string | undefined {
  if (!isObject(item) || isList(item)) return undefined;
  const [first] = Object.entries(item);
  return first === undefined ? undefined : canonicalJson([first[0], first[1]]);
}
