import type { UndoFact } from "../model/run-facts.ts";

/** Something that undoing leaves as it is, or cannot bring back entirely. */
export interface UndoNote {
  readonly kind: string;
  readonly name: string;
  readonly fact: UndoFact;
}
