import type { Person, Quoted } from "./values.ts";

/** Why the server does not accept the name of an object. */
export type NameCause =
  | { readonly cause: "empty" }
  | { readonly cause: "too-long"; readonly length: number; readonly limit: number }
  /** @property position the position, counted from 1, of a character that no name may have */
  | { readonly cause: "character"; readonly position: number };

/** Another object has the name already. */
export interface NameTaken {
  readonly name: Quoted;
  /** The name of the other object, in its own spelling. */
  readonly held_by: Quoted;
  readonly is_inactive: boolean;
  /** The other object was left under a temporary name by a run that ended early. */
  readonly is_left_over: boolean;
  /** The id that the entry has, the name of the object with that id, and the id of the other object. */
  readonly pinned?: { readonly id: number; readonly is: Quoted; readonly right: number };
}

/** A group that a permission setting cannot name. */
export type GroupRefused =
  | { readonly refused: "list" }
  | { readonly refused: "in-list" | "group" | "not-a-role"; readonly group: Quoted };

/** Names that the account cannot look up, because it does not see everything. */
export interface Unseen {
  readonly account: Person;
  readonly names: readonly Quoted[];
}
