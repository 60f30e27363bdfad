import type { UndoFact } from "../model/run-facts.ts";

/** Something that an undo leaves as it is, or cannot restore entirely. */
export interface UndoNote {
  readonly kind: string;
  readonly name: string;
  readonly fact: UndoFact;
}
