import { isList } from "../model/json.ts";
import type { Change, FieldChange, Plan } from "../model/plan.ts";
import { isRemoval } from "../model/tally.ts";
import { type Entry, entriesOf, MOST_OWN_TEXTS, variedOf } from "./entries.ts";
import {
  changeName,
  fieldColumns,
  fieldRows,
  headingOf,
  isUndeclared,
  nounOf,
  placed,
  placeText,
  shownName,
  undeclaredText,
  wrapped,
} from "./layout.ts";
import { clean, displayWidth, dotted, padTo, paint, type Style, shorten, sign } from "./style.ts";
import { removedWord } from "./tally.ts";
import {
  changeLines,
  fieldValue,
  nameList,
  newValueText,
  orderLines,
  ownValueText,
  shownFields,
  variedText,
  wholeValueText,
} from "./values.ts";

/** The maximum number of entries (a change or a group of similar ones) that are shown without `all`. */
const MOST_ENTRIES = 60;

const MARK = { create: "+", update: "~", remove: "-", reorder: "~" } as const satisfies Record<
  Change["action"],
  string
>;

const MARK_PAINT = { create: "add", update: "change", remove: "remove", reorder: "change" } as const;

/** The changes of each section: a line for an object, or for a group of similar ones, and its fields below it. */
export function sectionBlocks(plan: Plan, style: Style, all: boolean): readonly (readonly string[])[] {
  const kinds = [...new Set(plan.changes.map((change) => change.kind))];
  let left = all ? Number.POSITIVE_INFINITY : MOST_ENTRIES;
  return kinds.map((kind) => {
    const entries = entriesOf(
      plan.changes.filter((change) => change.kind === kind),
      all,
    );
    const shown = entries.slice(0, Math.max(left, 3));
    left -= shown.length;
    const hidden = entries.slice(shown.length).reduce((sum, entry) => sum + entry.changes.length, 0);
    const lines = [
      paint(style, "bold", headingOf(kind, entries[0]?.changes ?? [])),
      ...shown.flatMap((entry) => entryLines(entry, style, all)),
    ];
    if (hidden > 0) lines.push(`    ${sign(style, "more")} and ${hidden} more (--all shows every one)`);
    return lines;
  });
}

function entryLines(entry: Entry, style: Style, all: boolean): readonly string[] {
  const { first } = entry;
  const risky = entry.changes.some((change) => change.risks.length > 0);
  const lead = `${risky ? paint(style, "risk", "!") : " "} ${paint(style, MARK_PAINT[first.action], MARK[first.action])} `;
  const lines = [...placed(style, lead, 4, entryTitle(entry, style), entryPlace(entry, style))];
  // If every object has a different text, the text is shown with its name.
  const named = entry.varying.size > 0 && entry.changes.length <= MOST_OWN_TEXTS;
  if (entry.changes.length > 1 && !named) {
    const names = entry.changes.map((change) => shownName(change.name));
    lines.push(...wrapped(style, nameList(style, names, MOST_OWN_TEXTS), "      ", 6));
  }
  const fields = shownFields(first).filter(({ field }) => first.action !== "create" || !INLINE.has(field));
  const columns = fieldColumns(
    style,
    fields.map(({ field }) => field),
  );
  for (const field of fields) {
    const values = fieldValues(field, first.action, entry, columns.value, style, all);
    lines.push(...fieldRows(style, field.field, values, columns));
  }
  return lines;
}

/** Fields of a new object that are readable on its own line. */
const INLINE = new Set(["privacy", "folder", "name", "archived"]);

function entryTitle({ first, changes }: Entry, style: Style): string {
  const name =
    changes.length > 1
      ? paint(style, "bold", `${nounOf(first.kind, changes.length)} alike`)
      : paint(
          style,
          "bold",
          first.action === "reorder" ? "order" : first.singleton === true ? changeName(first) : shownName(first.name),
        );
  const notes: string[] = [];
  if (changes.length === 1 && first.was !== undefined && first.was !== first.name)
    notes.push(`(was: ${shownName(first.was)})`);
  if (first.action === "create") {
    for (const { field, after } of first.fields) {
      if (after === null || (field === "name" && after === first.name) || !INLINE.has(field)) continue;
      notes.push(field === "privacy" ? clean(String(after)) : `${field} ${newValueText(style, after, 40, false)}`);
    }
  }
  if (isRemoval(first)) notes.push(removedWord([first]));
  return notes.length === 0 ? name : `${name}  ${dotted(style, notes)}`;
}

function entryPlace({ first, changes }: Entry, style: Style): string {
  if (changes.length === 1) return isUndeclared(first) ? undeclaredText(first.at) : placeText(first.at);
  if (changes.every(isUndeclared)) return undeclaredText(first.at);
  const lines = changes.flatMap((change) => (change.at === undefined ? [] : [change.at.line]));
  const file = first.at?.file;
  if (lines.length < changes.length || file === undefined || file === "") return "";
  if (changes.some((change) => change.at?.file !== file)) return `${placeText(first.at)} ${sign(style, "more")}`;
  const [from, to] = [Math.min(...lines), Math.max(...lines)];
  return `${clean(file)}:${from}${from === to ? "" : `${sign(style, "more")}${to}`}`;
}

function fieldValues(
  field: FieldChange,
  action: Change["action"],
  entry: Entry,
  columns: number,
  style: Style,
  all: boolean,
): readonly string[] {
  if (entry.varying.has(field.field)) return ownValues(field.field, entry, columns, style);
  const own = fieldValue(field, action);
  if (own !== undefined) return [wholeValueText(style, field, own, columns, all)];
  if (action === "reorder" && isList(field.before) && isList(field.after)) {
    return orderLines(style, field.before, field.after, all ? Number.POSITIVE_INFINITY : 12);
  }
  return changeLines(style, field, columns, all);
}

/** The values of a field that differs in each of many similar changes. */
function ownValues(field: string, entry: Entry, columns: number, style: Style): readonly string[] {
  const { changes } = entry;
  if (changes.length > MOST_OWN_TEXTS) {
    const text = variedText(style, variedOf(entry, field), columns, false);
    return [`${text} ${paint(style, "dim", "(--all shows each)")}`];
  }
  const width = Math.max(...changes.map(({ name }) => displayWidth(shownName(name)))) + 2;
  return changes.flatMap((change) => {
    const value = ownValueText(style, change, field);
    return value === undefined ? [] : [shorten(style, `${padTo(shownName(change.name), width)}${value}`, columns * 3)];
  });
}
