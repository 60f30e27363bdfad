/**
 * The entry of a table for a word that somebody else wrote. Every object also has `constructor` and `toString`, which no table contains: a plain
 * look-up would return a function there.
 */
export function own<T>(table: { readonly [word: string]: T }, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
