/**
 * A way to look things up in lists by a key. Each list is gone through once, at the first question: thousands of names are looked up, not searched
 * one by one in thousands.
 * @param keysOf what an item is found by; several keys, or none
 * @returns items of a list with a key, in their order
 */
export function indexed<Item>(
  keysOf: (item: Item) => readonly string[],
): (list: readonly Item[], key: string) => readonly Item[] {
  const known = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();
  return (list, key) => {
    const index = known.get(list) ?? indexOf(list, keysOf);
    known.set(list, index);
    return index.get(key) ?? [];
  };
}

function indexOf<Item>(
  list: readonly Item[],
  keysOf: (item: Item) => readonly string[],
): ReadonlyMap<string, readonly Item[]> {
  const index = new Map<string, Item[]>();
  for (const item of list)
    for (const key of keysOf(item)) {
      const found = index.get(key);
      if (found === undefined) index.set(key, [item]);
      else found.push(item);
    }
  return index;
}
