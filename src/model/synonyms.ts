/** Words of people who know the server's API, other programs or everyday speech. Only errors use them, to suggest what was meant. */
export interface Synonyms {
  /** What people write for the section. */
  readonly section?: readonly string[];
  /** Field → what people write for it. */
  readonly fields?: { readonly [field: string]: readonly string[] };
  /** A word that a field can have as its value → what people write for it. */
  readonly values?: { readonly [word: string]: readonly string[] };
  /** What people write as a field of its own → the line that says the same: `invite_only` → `privacy: private_shared_history`. */
  readonly lines?: { readonly [word: string]: string };
}
