import type { Change } from "../../model/plan.ts";
import { changeName } from "../layout.ts";
import { clean, count } from "../style.ts";

/** Texts of annotations at the lines of a file. */

const nameOf = (change: Change): string => clean(changeName(change));

export const deletedHere = (change: Change, oldLine: number): string =>
  `${nameOf(change)} is removed: line ${oldLine} of the base version had it, and was deleted here`;

export const fieldChanges = (change: Change, field: string): string => `${nameOf(change)}: ${clean(field)} changes`;

const WORD = { create: "created", remove: "removed", reorder: "reordered" } as const;

export const objectChanges = (change: Change & { readonly action: keyof typeof WORD }): string =>
  `${nameOf(change)}: ${WORD[change.action]}`;

/** The effects of one line, at a readable length. */
export function annotationText(texts: readonly string[]): string {
  const shown = texts.slice(0, 20).map((text) => (text.length > 400 ? `${text.slice(0, 399)}…` : text));
  return [
    ...shown,
    ...(texts.length > 20 ? [`and ${count(texts.length - 20, "more change", "more changes")}`] : []),
  ].join("\n");
}
