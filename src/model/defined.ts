/** The same object, with fields that may be undefined as optional ones. */
type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields that are undefined: an undefined field is not the same as a missing one. */
export function defined<const T extends object>(object: T): Defined<T>;
export function defined(object: { readonly [field: string]: unknown }): object {
  // A loop, since this is called ten times for each object of a large organization.
  const kept: { [field: string]: unknown } = {};
  for (const field in object) if (object[field] !== undefined) kept[field] = object[field];
  return kept;
}

/** The result of `make` for a value; undefined if there is no value. */
export const whenDefined = <T, R>(value: T | undefined, make: (value: T) => R): R | undefined =>
  value === undefined ? undefined : make(value);

/**
 * The entry of a table for a word that somebody else wrote. Every object also has `constructor` and `toString`, which no table contains: a plain
 * look-up would return a function there.
 */
export function own<T>(table: { readonly [word: string]: T }, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** A table by each of the words that mean the same. */
export const byWord = <Meaning extends string>(
  words: { readonly [meaning in Meaning]: readonly string[] },
): { readonly [word: string]: Meaning } =>
  Object.fromEntries(keysOf(words).flatMap((meaning) => words[meaning].map((word) => [word, meaning] as const)));

/** The words of a table that has no others than its type says. */
export function keysOf<Key extends string>(table: { readonly [word in Key]: unknown }): readonly Key[];
export function keysOf(table: object): readonly string[] {
  return Object.keys(table);
}
