import type { Quoted, Word } from "./diagnostics/values.ts";

/** What an account does not see, in words (src/kinds/sight.ts says which account). */
export const UNSEEN = ["private-channels", "others-invitations", "invitations", "addresses"] as const;
export type UnseenWhat = (typeof UNSEEN)[number];

/** Something that the account that reads does not see, so that nothing of it is compared, created or removed. */
export interface Unseen {
  /** Absent for what is seen itself, but names something of the file that is not. */
  readonly what?: UnseenWhat;
  readonly section: Word;
  /** What the file has of it, as far as it was not found: objects, addresses, or fields of settings. */
  readonly names: readonly Quoted[];
}
