/** Of older servers, it is not known what else they have: nothing of them is newer than this version, except rights that they describe. */
export const OLDEST_COMPLETE = 384;

/**
 * The keys of a server's objects that this version knows neither as settings nor as facts about them, sorted.
 * @param known the keys that are known, managed or not
 */
export function keysBeyond(objects: Iterable<object>, known: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const object of objects) for (const key of Object.keys(object)) if (!known.has(key)) found.add(key);
  return [...found].sort();
}
