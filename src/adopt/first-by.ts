/** Items by a key; the first of several with one key counts. */
export function firstBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return found;
}
