/**
 * What a table says of a word that somebody else wrote. Every object also answers to `constructor` and `toString`, which no table says anything
 * of: a lookup with the word alone gives a function there.
 */
export function own<T>(table: { readonly [word: string]: T }, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
