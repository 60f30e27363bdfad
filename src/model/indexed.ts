import { oncePer } from "./lazy.ts";

/**
 * An index of lists by a key. Each list is indexed once, at the first look-up, so that thousands of names are not searched one by one in thousands of
 * items.
 * @param keysOf the keys of an item: any number
 * @returns items of a list with a key, in their order
 */
export function indexed<Item>(
  keysOf: (item: Item) => readonly string[],
): (list: readonly Item[], key: string) => readonly Item[] {
  const indexOf = oncePer((list: readonly Item[]): ReadonlyMap<string, readonly Item[]> => {
    const index = new Map<string, Item[]>();
    for (const item of list) for (const key of keysOf(item)) addTo(index, key, item);
    return index;
  });
  return (list, key) => indexOf(list).get(key) ?? [];
}

/** Items with the same key, in the order in which the keys first occur. (`Map.groupBy` is not in Node 20.) */
export function groupedBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Adds an item to the list of a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
