/** `npm run soak`: every row of every table, and many more random runs. */
export const isSoak = process.env.REALMCTL_RUNS !== undefined;

/**
 * Every n-th row of a table that is too long for CI, always the same ones; all of them in `npm run soak`. A table that crosses two lists
 * samples with an `n` that has no factor in common with the length of the inner list, so that each entry of both is met.
 */
export function oneIn<T>(n: number, rows: readonly T[]): readonly T[] {
  return isSoak ? rows : rows.filter((_, index) => index % n === Math.floor(n / 2));
}
