/** Words of the server's API, other programs or everyday speech. Only errors use them, to suggest what was meant. */
export interface Synonyms {
  /** Other words for the section. */
  readonly section?: readonly string[];
  /** Field → other words for it. */
  readonly fields?: { readonly [field: string]: readonly string[] };
  /** A value of a field → other words for it. */
  readonly values?: { readonly [word: string]: readonly string[] };
  /**
   * Words that people use as a field → the line that says the same if the value affirms the word, and if it denies it: `invite_only` →
   * `privacy: private_shared_history`, `privacy: public`. A field alone leaves the value to the writer.
   */
  readonly lines?: { readonly [word: string]: readonly [affirmed: string, denied: string] };
  /** Words that people use as a field → how another part of the file says it: `default` → `default_channels: [general]`. */
  readonly elsewhere?: { readonly [word: string]: string };
  /** What people write inside such an object as if it were a field, and how it is written. */
  readonly inside?: string;
  /** Of a list: the field that people write as the key of a map, and the one that they write as its value; empty if an entry is only a name. */
  readonly entry?: readonly [key?: string, value?: string];
  /** The field without which such an entry sends nothing. */
  readonly besides?: string;
}

/** Words, written as lines of them: one field is one line of a table. */
export const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(" "));
