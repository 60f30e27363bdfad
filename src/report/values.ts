import { clean } from "../model/clean.ts";
import { canonicalJson, isList, isObject, type Json } from "../model/json.ts";
import type { Change, FieldChange } from "../model/plan.ts";
import { isInactivityField } from "../model/tally.ts";
import { quoted, valueText } from "../model/value-text.ts";
import { count, grouped } from "../model/words.ts";
import { difference } from "./difference.ts";
import type { Varied } from "./entries.ts";
import { displayWidth, paint, type Style, shorten, sign } from "./style.ts";

/** The members of a set as a person names them, or undefined when the value is not a set. */
function membersOf(value: Json): readonly string[] | undefined {
  if (isList(value)) return value.every((item) => !isList(item) && !isObject(item)) ? value.map(valueText) : undefined;
  if (!isObject(value)) return undefined;
  const { groups, users } = value;
  const keys = Object.keys(value).length;
  const known = (isList(groups) ? 1 : 0) + (isList(users) ? 1 : 0);
  if (known === 0 || known !== keys) return undefined;
  return [...(isList(groups) ? groups : []), ...(isList(users) ? users : [])].map((item) => valueText(item));
}

interface SetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly string[];
}

/** What is added to a set and removed from it; undefined if the values are not sets or have nothing in common (then an arrow says more). */
function setChange(before: Json, after: Json): SetChange | undefined {
  // `staff` and {groups: [staff], users: […]} are both sets of names; two plain names are not worth it.
  if (typeof before === "string" && typeof after === "string") return undefined;
  const from = typeof before === "string" ? [valueText(before)] : membersOf(before);
  const to = typeof after === "string" ? [valueText(after)] : membersOf(after);
  if (from === undefined || to === undefined) return undefined;
  const [had, has] = [new Set(from), new Set(to)];
  const kept = to.filter((name) => had.has(name));
  if (kept.length === 0 && from.length > 0 && to.length > 0) return undefined;
  return { added: to.filter((name) => !had.has(name)), removed: from.filter((name) => !has.has(name)), kept };
}

/** Names joined by commas; of more than `most` names, the others are counted. */
export function nameList(style: Style, names: readonly string[], most: number): string {
  if (names.length <= most + 1) return names.join(", ");
  return `${names.slice(0, most).join(", ")} ${sign(style, "more")} and ${grouped(names.length - most)} more`;
}

/** One difference as one or two short lines; `columns` is the width beside the field's name. */
export function changeLines(style: Style, change: FieldChange, columns: number, all: boolean): readonly string[] {
  return withNote(style, change, valueLines(style, change, columns, all));
}

/** One difference as lines of a `diff`: the previous value, if there is one, and then the new one, which never look alike. What stays has no sign of a diff. */
export function diffLines(
  style: Style,
  change: FieldChange,
  columns: number,
  all: boolean,
  longest: number,
): readonly string[] {
  const { before, after, hidden } = change;
  // In a diff, what is added and what is removed are different lines.
  if (hidden === true || setChange(before, after) !== undefined) return changeLines(style, change, 0, all);
  const areTexts = typeof before === "string" && typeof after === "string";
  const lines =
    before === null || after === null
      ? [before === null ? [] : `- ${valueText(before)}`, after === null ? [] : `+ ${valueText(after)}`].flat()
      : wordLines(
          style,
          areTexts ? before : valueText(before),
          areTexts ? after : valueText(after),
          columns,
          all,
          longest,
        );
  return withNote(style, change, lines);
}

function withNote(style: Style, change: FieldChange, lines: readonly string[]): readonly string[] {
  if (change.unset !== true) return lines;
  const last = lines.at(-1) ?? "";
  // No line of the file asked for it: the reader would look for one.
  return [...lines.slice(0, -1), `${last} ${paint(style, "dim", UNSET_NOTE)}`];
}

const UNSET_NOTE = "(not in the file: default)";
/** The note on a value that the server gives to the account that creates an object, although no call mentions it. */
export const IMPLIED_NOTE = "(implied)";

/** The text for two different values that look the same, because the difference is hidden. */
const hiddenText = (field: string): string =>
  field === "name" ? "renamed; both names are hidden" : "changed; what differs is hidden";

/** Both values of a field on one line. */
export const arrowText = ({ field, before, after, hidden }: FieldChange, style: Style): string =>
  hidden === true ? hiddenText(field) : `${valueText(before)} ${sign(style, "arrow")} ${valueText(after)}`;

function valueLines(style: Style, change: FieldChange, columns: number, all: boolean): readonly string[] {
  const { field, before, after, hidden } = change;
  if (hidden === true) return [hiddenText(field)];
  const most = all ? Number.POSITIVE_INFINITY : 6;
  const set = setChange(before, after);
  if (set !== undefined) return setLines(style, set, after, most, all ? 0 : columns);
  if (before === null && typeof after !== "string") return [valueText(after)];
  const from = valueText(before);
  const to = valueText(after);
  const arrow = arrowText(change, style);
  const prose = typeof before === "string" && typeof after === "string" && before.includes(" ") && after.includes(" ");
  if (!prose && displayWidth(arrow) <= columns) return [arrow];
  if (typeof before === "string" && typeof after === "string") return wordLines(style, before, after, columns, all);
  return [paint(style, "remove", `- ${from}`), paint(style, "add", `+ ${to}`)];
}

/** @param columns what is added, removed and kept is on one line if it fits into these columns */
function setLines(style: Style, set: SetChange, after: Json, most: number, columns: number): readonly string[] {
  if (set.added.length === 0 && set.removed.length === 0) return [`now in this order: ${valueText(after)}`];
  const lines: string[] = [];
  if (set.added.length > 0) lines.push(paint(style, "add", `+ ${nameList(style, set.added, most)}`));
  if (set.removed.length > 0) lines.push(paint(style, "remove", `- ${nameList(style, set.removed, most)}`));
  if (set.kept.length > 0 && set.kept.length <= 3) lines.push(paint(style, "dim", `= ${set.kept.join(", ")}`));
  else if (set.kept.length > 0) lines.push(paint(style, "dim", `= ${count(set.kept.length, "other")} stay`));
  const fitting = [lines, [...lines.slice(0, -1), `= ${count(set.kept.length, "other")} stay`]]
    .slice(0, set.kept.length > 1 ? 2 : 1)
    .map((parts) => parts.join("  "))
    .find((line) => displayWidth(line) <= columns);
  return fitting === undefined ? lines : [fitting];
}

/** The number of equal words that are shown beside a difference. */
const CONTEXT_WORDS = 4;

/** Words, blanks between them, and every other sign by itself. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|./gsu) ?? [];

const hasOuterBlank = (text: string): boolean => clean(text) !== clean(text).trim();

/** A part of a difference, as a text. */
interface TextPart {
  readonly state: "same" | "removed" | "added";
  readonly text: string;
}

/** The beginnings and ends that two texts share, so that what is left of them differs from its first character on. */
function sharedEnds(from: string, to: string): readonly [head: string, tail: string] {
  const [a, b] = [[...from], [...to]];
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return [a.slice(0, head).join(""), tail === 0 ? "" : a.slice(-tail).join("")];
}

/** Words that would be cut are compared by their characters: where they are cut, they may still be equal. */
function partsOf(from: string, to: string, longest: number): readonly TextPart[] {
  const parts = difference(wordsOf(from), wordsOf(to)).map(({ state, items }) => ({ state, text: items.join("") }));
  const finer = parts.flatMap((part, index): readonly TextPart[] => {
    const pair = [parts[index - 1], part, parts[index + 1]].filter((one) => one !== undefined);
    const other = pair.find(({ state }) => state !== "same" && state !== part.state);
    if (
      part.state === "same" ||
      other === undefined ||
      pair.every(({ state, text }) => state === "same" || displayWidth(text) <= longest)
    )
      return [part];
    const [head, tail] = sharedEnds(part.text, other.text);
    const own = { ...part, text: part.text.slice(head.length, part.text.length - tail.length) };
    const [isFirst, isLast] = [parts[index + 1] === other, parts[index - 1] === other];
    return [...(isFirst ? [same(head)] : []), own, ...(isLast ? [same(tail)] : [])];
  });
  const merged: TextPart[] = [];
  for (const part of finer) {
    const last = merged.at(-1);
    if (last?.state === "same" && part.state === "same") merged.splice(-1, 1, same(last.text + part.text));
    else merged.push(part);
  }
  return merged;
}

const same = (text: string): TextPart => ({ state: "same", text });

/** The columns of equal text that are shown beside a difference: a text without spaces is one word. */
const CONTEXT_COLUMNS = 40;

/** What is shown of equal words: some of them beside each difference. */
function contextText(style: Style, words: readonly string[], isFirst: boolean, isLast: boolean): string {
  const more = sign(style, "more");
  const text = words.join(" ");
  const start = words.slice(0, CONTEXT_WORDS).join(" ");
  const end = words.slice(-CONTEXT_WORDS).join(" ");
  const head = isFirst ? "" : [...start].slice(0, CONTEXT_COLUMNS).join("");
  const tail = isLast ? "" : [...end].slice(-CONTEXT_COLUMNS).join("");
  const isFew = words.length <= CONTEXT_WORDS * 2;
  if (isFew && displayWidth(text) <= CONTEXT_COLUMNS * 3) return text;
  // A blank says that whole words are left out.
  const [before, after] = [head === start && !isFew ? " " : "", tail === end && !isFew ? " " : ""];
  return `${head}${head === "" ? "" : before}${more}${tail === "" ? "" : after}${tail}`;
}

/**
 * Two different texts, one below the other: the differing words are marked by colour, and long stretches of equal words are left out, so that the
 * differences are on the line.
 * @param longest the maximum number of columns of a line
 */
function wordLines(
  style: Style,
  before: string,
  after: string,
  columns: number,
  all: boolean,
  longest = Number.POSITIVE_INFINITY,
): readonly string[] {
  // Spaces at an end are visible only between quotes; other white space there has escapes.
  const [from, to] = [before, after].some(hasOuterBlank) ? [quoted(before), quoted(after)] : [before, after];
  const parts = partsOf(from, to, columns * 2);
  // Up to three lines are shown completely.
  const fits = Math.max(displayWidth(before), displayWidth(after)) <= columns * 3;
  const line = (own: "added" | "removed", how: Style): string => {
    if ((own === "added" ? after : before) === "") return paint(how, own, '""');
    const pieces = parts.map(({ state, text }, index): string => {
      const shown = clean(text);
      if (state === "same")
        return fits || all ? shown : contextText(how, shown.split(" "), index === 0, index === parts.length - 1);
      if (state !== own) return "";
      return paint(how, own, all ? shown : shorten(how, shown, columns * 2));
    });
    const whole = pieces.join("");
    return displayWidth(whole) > longest ? shorten(how, whole, longest) : whole;
  };
  const plain = { ...style, colour: false };
  const [removed, added] =
    line("removed", plain) === line("added", plain)
      ? firstDifference(style, before, after, columns)
      : [line("removed", style), line("added", style)];
  return [`${paint(style, "remove", "-")} ${removed}`.trimEnd(), `${paint(style, "add", "+")} ${added}`.trimEnd()];
}

/** Where two texts begin to differ: for those that would look alike otherwise, because of an escape or of what is left out. */
function firstDifference(style: Style, before: string, after: string, columns: number): readonly [string, string] {
  const [from, to] = [clean(quoted(before)), clean(quoted(after))];
  const more = sign(style, "more");
  const [head] = sharedEnds(from, to);
  const near = [...head].slice(-CONTEXT_COLUMNS).join("");
  const part = (text: string): string =>
    `${near === head ? "" : more}${near}${shorten(style, text.slice(head.length), columns)}`;
  return [part(from), part(to)];
}

function newValueText(style: Style, value: Json, columns: number, all: boolean): string {
  const text = valueText(value);
  return all ? text : shorten(style, text, Math.max(columns * 3, 60));
}

/**
 * A field of a change, as lines: its only value, the positions of what moved, or both values.
 * @param most how many items of an order
 * @param changed the lines of a value that changes
 */
export function fieldLines(
  style: Style,
  field: FieldChange,
  action: Change["action"],
  { columns, all, most }: { readonly columns: number; readonly all: boolean; readonly most: number },
  changed: typeof changeLines = changeLines,
): readonly string[] {
  const own = fieldValue(field, action);
  if (own !== undefined) return [wholeValueText(style, field, own, columns, all)];
  const { before, after } = field;
  if (action === "reorder" && isList(before) && isList(after)) return orderLines(style, before, after, most);
  return changed(style, field, columns, all);
}

/** The value of a field of an object that is created or removed, and whether a line of the file asked for it. */
function wholeValueText(style: Style, change: FieldChange, value: Json, columns: number, all: boolean): string {
  const text = newValueText(style, value, columns, all);
  return change.implied === true ? `${text} ${paint(style, "dim", IMPLIED_NOTE)}` : text;
}

/** The one value of a field of an object that is created or removed: the new or the previous one. Undefined if the value changes. */
function fieldValue({ before, after }: FieldChange, action: Change["action"]): Json | undefined {
  if (action === "create") return after;
  return action === "remove" ? before : undefined;
}

/** The fields of a change that say more than its headline: not those without a value, and not the state that a removal ends. */
export const shownFields = ({ fields, action }: Change): readonly FieldChange[] =>
  fields.filter(
    (change) => fieldValue(change, action) !== null && !(action === "remove" && isInactivityField(change.field)),
  );

/** A value of one of several similar changes, on one line; undefined if the change does not have the field. */
export function ownValueText(style: Style, change: Change, field: string): string | undefined {
  const own = change.fields.find((candidate) => candidate.field === field);
  if (own === undefined) return undefined;
  const only = fieldValue(own, change.action);
  return only === undefined ? arrowText(own, style) : valueText(only);
}

/** A field of similar changes whose values differ: "different values → Now: x", "27 different values". */
export function variedText(style: Style, { shared, different }: Varied, columns: number, all: boolean): string {
  if (shared !== undefined)
    return `different values ${sign(style, "arrow")} ${newValueText(style, shared, columns, all)}`;
  return different === 0 ? hiddenText("") : count(different, "different value");
}

/** The new and the old positions of the items of a list that moved, one line each: `2  staff  (was 5)`. An item that others only pass by has not moved. */
export function orderLines(
  style: Style,
  before: readonly Json[],
  after: readonly Json[],
  most: number,
): readonly string[] {
  const [from, to] = [before.map(canonicalJson), after.map(canonicalJson)];
  const was = new Map(from.map((item, index) => [item, index + 1]));
  const there = new Set(difference(from, to).flatMap(({ state, items }) => (state === "added" ? items : [])));
  const moved = after.flatMap((item, index) => {
    const key = canonicalJson(item);
    if (!there.has(key)) return [];
    const from = was.get(key);
    return [`${index + 1}  ${valueText(item)}  ${from === undefined ? "(new)" : `(was ${from})`}`];
  });
  if (moved.length <= most + 1) return moved;
  return [...moved.slice(0, most), `${sign(style, "more")} and ${moved.length - most} more`];
}
