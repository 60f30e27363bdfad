type Fields<T> = { readonly [name: string]: T };

/**
 * Adds a field to an object whose value is computed when it is first used: a plan usually needs none of the lists of people in channels and groups.
 * Copying the object with `...` computes it; {@link overlaid} does not.
 * @param make pure: returns the same value whenever it is called
 */
export function lazily<T>(object: { [name: string]: T }, name: string, make: () => T): void {
  let known: { readonly value: T } | undefined;
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      known ??= { value: make() };
      return known.value;
    },
  });
}

/** The fields of the first object, replaced by those of the second. Fields that were not computed yet stay uncomputed. */
export function overlaid<T>(below: Fields<T>, above: Fields<T>): Fields<T> {
  const made: { [name: string]: T } = {};
  for (const fields of [below, above]) Object.defineProperties(made, Object.getOwnPropertyDescriptors(fields));
  return made;
}

/** A function that computes its result at the first call only. So the forms of sections that a file does not have are never created. */
export function once<T>(make: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: make() };
    return known.value;
  };
}

/**
 * What the function returns for an object, computed once for each object and kept as long as the object exists. Other arguments must follow from the
 * object, since only those of the first call count.
 */
export function oncePer<Of extends object, More extends readonly unknown[], T>(
  make: (of: Of, ...more: More) => T,
): (of: Of, ...more: More) => T {
  const known = new WeakMap<Of, { readonly value: T }>();
  return (of, ...more) => {
    const kept = known.get(of) ?? { value: make(of, ...more) };
    known.set(of, kept);
    return kept.value;
  };
}

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

export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
