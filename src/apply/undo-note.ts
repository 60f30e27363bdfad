/** Something that undoing leaves as it is, or cannot bring back entirely. */
export interface UndoNote {
  readonly kind: string;
  readonly name: string;
  /** One sentence without the name: "description was changed again since". */
  readonly message: string;
}
