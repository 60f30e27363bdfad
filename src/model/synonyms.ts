/** Words of the server's API, other programs or everyday speech. Only errors use them, to suggest what was meant. */
export interface Synonyms {
  /** Other words for the section. */
  readonly section?: readonly string[];
  /** Field → other words for it. */
  readonly fields?: { readonly [field: string]: readonly string[] };
  /** A value of a field → other words for it. */
  readonly values?: { readonly [word: string]: readonly string[] };
  /** Words that people use as a field → the line that says the same: `invite_only` → `privacy: private_shared_history`. */
  readonly lines?: { readonly [word: string]: string };
}
