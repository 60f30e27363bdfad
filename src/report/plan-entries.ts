import { clean } from "../model/clean.ts";
import type { Span } from "../model/diagnostic.ts";
import { groupedBy } from "../model/lazy.ts";
import type { Change, FieldChange, Plan } from "../model/plan.ts";
import { isInactivityField, isRemoval } from "../model/tally.ts";
import { type Entry, entriesOf, MOST_OWN_TEXTS, variedOf } from "./entries.ts";
import {
  changeName,
  fieldColumns,
  fieldRows,
  fileNames,
  isUndeclared,
  nounOf,
  placed,
  placeText,
  shownName,
  undeclaredText,
  wrapped,
} from "./layout.ts";
import { displayWidth, dotted, PLAIN, padTo, paint, type Style, shorten, sign } from "./style.ts";
import { removedWord, totalsText } from "./tally.ts";
import { fieldLines, nameList, ownValueText, shownFields, variedText } from "./values.ts";

/**
 * Changes take at most about this many lines of {@link PLAIN}'s width without `all`, so a narrow terminal shows the same ones. What mails, takes an
 * object away or has a risk besides less access is shown beyond it.
 */
const MOST_LINES = 44;
/** The kinds whose changes send mails (`calls.mails` of src/kinds: a test compares them). */
export const MAILING_KINDS: readonly string[] = ["invite"];
/** Of each kind of change, as many come before the others. */
const LEAST_ENTRIES = 2;

const MARK = { create: "+", update: "~", remove: "-", reorder: "~" } as const satisfies Record<
  Change["action"],
  string
>;

const MARK_PAINT = { create: "add", update: "change", remove: "remove", reorder: "change" } as const;

/** The changes in the order of the file: a line for an object, or for a group of similar ones, and its fields beside or below it. */
export function planLines({ changes }: Pick<Plan, "changes">, style: Style, all: boolean): readonly string[] {
  const entries = entriesOf(inFileOrder(changes), all);
  const lines = new Map<Entry, readonly string[]>();
  let left = all ? Number.POSITIVE_INFINITY : MOST_LINES;
  for (const entry of all ? entries : mostImportantFirst(entries)) {
    if (!all) left -= entryLines(entry, { ...style, width: PLAIN.width }, all).length;
    if (left < 0 && lines.size > 0 && !isAlwaysShown(entry)) break;
    lines.set(entry, entryLines(entry, style, all));
  }
  const hidden = entries.filter((entry) => !lines.has(entry)).flatMap((entry) => entry.changes);
  return [
    ...entries.flatMap((entry) => lines.get(entry) ?? []),
    ...(hidden.length === 0
      ? []
      : wrapped(style, `and ${totalsText(hidden, style, false)} (--all shows each)`, `    ${sign(style, "more")} `, 6)),
  ];
}

/** Sections in the order of their first items, and the items of a section as the file has them. What no line asks for comes last in its section. */
function inFileOrder(changes: readonly Change[]): readonly Change[] {
  const files = new Map(fileNames(changes).map((file, index) => [file, index]));
  const order = (one: Change, other: Change): number => {
    const [a, b] = [placeOf(one), placeOf(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return (files.get(a.file) ?? 0) - (files.get(b.file) ?? 0) || a.line - b.line || a.column - b.column;
  };
  return [...groupedBy([...changes].sort(order), ({ kind }) => kind).values()].flat();
}

/** The item of the file. The entry of `manage:` is above all items. */
const placeOf = (change: Change): Span | undefined => (isUndeclared(change) ? undefined : change.at);

/** What is always shown, then what is marked and some of each kind of change, then the others. */
function mostImportantFirst(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Map<string, number>();
  const ranked = entries.map((entry) => {
    const { first } = entry;
    const key = `${first.kind} ${first.action}`;
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return { entry, rank: isAlwaysShown(entry) ? 0 : isRisky(entry) ? 1 : number <= LEAST_ENTRIES ? 2 : 3 };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

const isAlwaysShown = ({ first, changes }: Entry): boolean =>
  isRemoval(first) ||
  MAILING_KINDS.includes(first.kind) ||
  changes.some(({ risks }) => risks.some(({ kind }) => kind !== "narrows"));

const isRisky = ({ changes }: Entry): boolean => changes.some(({ risks }) => risks.length > 0);

function entryLines(entry: Entry, style: Style, all: boolean): readonly string[] {
  const { first, changes } = entry;
  const lead = `${isRisky(entry) ? paint(style, "risk", "!") : " "} ${paint(style, MARK_PAINT[first.action], MARK[first.action])} `;
  const place = entryPlace(entry, style);
  const fields = shownFields(first).filter((field) => !isTitle(field, first) && (all || !isSaidBefore(field, first)));
  const columns = fieldColumns(style, fields);
  const valued = fields.map((field) => ({
    field,
    values: fieldValues(field, first.action, entry, columns.value, style, all),
  }));
  const beside = valued
    .filter(({ field, values }) => isBeside(field, first, all) && values.length === 1)
    .sort((a, b) => Number(INLINE.has(b.field.field)) - Number(INLINE.has(a.field.field)));
  const below = valued.filter((one) => !beside.includes(one));
  const title = entryTitle(
    entry,
    beside.map(({ field, values: [text = ""] }) => besideText(field, text, first)),
    style,
  );
  const [only] = below;
  // One short difference needs no line of its own.
  if (!all && changes.length === 1 && only !== undefined && below.length === 1 && only.values.length === 1) {
    const short = placed(style, lead, 4, `${title}  ${besideText(only.field, only.values[0] ?? "", first)}`, place);
    if (short.length <= (columns.label === 0 ? 3 : 1)) return short;
  }
  const lines = [...placed(style, lead, 4, title, place)];
  // If every object has a different text, the text is shown with its name.
  if (changes.length > 1 && !(entry.varying.size > 0 && changes.length <= MOST_OWN_TEXTS)) {
    const names = changes.map((change) => shownName(change.name));
    const most = isRemoval(first) ? names.length : MOST_OWN_TEXTS;
    lines.push(...wrapped(style, nameList(style, names, most), "      ", 6));
  }
  for (const { field, values } of below) lines.push(...fieldRows(style, field.field, values, columns));
  return lines;
}

const isTitle = ({ field, after }: FieldChange, { action, name }: Change): boolean =>
  action === "create" && field === "name" && after === name;

/** Whether the note behind the name says it, or the server does it for every new object. */
const isSaidBefore = ({ field, implied }: FieldChange, change: Change): boolean =>
  implied === true || (field === "name" && isRenamed(change)) || (isInactivityField(field) && isRemoval(change));

/** Whether the title has the previous name. Where names are hidden, both can look the same. */
const isRenamed = ({ was, name }: Change): boolean => was !== undefined && was !== name;

/** Fields of a new object that are always on its own line, and the first ones there. */
const INLINE = new Set(["privacy", "folder", "archived"]);

/** Whether the value is on the line of its object: all values of an object are new, or are gone. */
const isBeside = ({ field }: FieldChange, { action }: Change, all: boolean): boolean =>
  action === "create" ? !all || INLINE.has(field) : action === "remove" && !all;

const besideText = ({ field }: FieldChange, value: string, { action }: Change): string =>
  field === "privacy" || action === "reorder" ? value : `${clean(field)}: ${value}`;

function entryTitle({ first, changes }: Entry, beside: readonly string[], style: Style): string {
  const name = paint(
    style,
    "bold",
    changes.length > 1 ? `${nounOf(first.kind, changes.length)} alike` : changeName(first),
  );
  const notes = [
    changes.length === 1 && first.was !== undefined && isRenamed(first) ? `(was: ${shownName(first.was)})` : "",
    isRemoval(first) ? removedWord([first]) : "",
    ...beside,
  ].filter((note) => note !== "");
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
  return fieldLines(style, field, action, { columns, all, most: all ? Number.POSITIVE_INFINITY : 12 });
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
