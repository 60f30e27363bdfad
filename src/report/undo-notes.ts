import { CHANNEL } from "../access/scope.ts";
import { clean } from "../model/clean.ts";
import type { UndoNote } from "../model/run-facts.ts";
import { below, type Line, nounOf, objectName, printText, shownMessage, shownName } from "./layout.ts";
import type { Style } from "./style.ts";
import { nameList } from "./values.ts";
import { undoText } from "./words/undo.ts";

/** Names of one group that are shown without `all`. */
const MOST_NAMES = 12;

/** The parts that an undo cannot restore. Objects of one kind with the same reason share a line. */
export function renderUndoNotes(notes: readonly UndoNote[], style: Style, all: boolean): string {
  if (notes.length === 0) return "";
  const groups = new Map<string, UndoNote[]>();
  for (const note of notes) {
    const key = `${note.kind}\n${undoText(note.fact)}`;
    groups.set(key, [...(groups.get(key) ?? []), note]);
  }
  const lines = [...groups.values()].flatMap((group): readonly Line[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, name, fact } = first;
    const reason = clean(shownMessage(undoText(fact, group.length === 1 ? "one" : "many")));
    if (group.length === 1) return [{ text: `Not undone: ${objectName(kind, name)} ${reason}.`, indent: 2 }];
    const names = group.map((note) => (kind === CHANNEL ? `#${shownName(note.name)}` : shownName(note.name)));
    const most = all ? Number.POSITIVE_INFINITY : MOST_NAMES;
    return [
      { text: `Not undone: ${nounOf(kind, group.length)} ${reason}.`, indent: 2 },
      below(nameList(style, names, most)),
    ];
  });
  return printText(style, [lines]);
}
