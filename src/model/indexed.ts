/**
 * An index of lists by a key. Each list is indexed once, at the first look-up, so that thousands of names are not searched one by one in thousands of
 * items.
 * @param keysOf the keys of an item; several, or none
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
