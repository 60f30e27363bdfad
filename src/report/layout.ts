import { clean } from "../model/clean.ts";
import type { Diagnostic, Span } from "../model/diagnostic.ts";
import { type Change, type Plan, unresolvedIn } from "../model/plan.ts";
import { count } from "../model/words.ts";
import { counted, pluralOf } from "./object-names.ts";
import { bounded, displayWidth, PLAIN, padTo, paint, runnable, type Style, unglued, wrap } from "./style.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

export { changeName, counted, headingOf, isSingleton, objectName, pluralOf, shownName } from "./object-names.ts";

/** The minimum width for places at the right margin. */
export const ROOM_FOR_MARGIN = 51;

/** A line of a report, which a terminal wraps to its width. A string is shown as it is; nothing is shown without text. */
export type Line =
  | string
  | {
      readonly text: string;
      /** What is before the text, and the indent of the lines below it: by default, as far. */
      readonly lead?: string;
      readonly indent?: number;
      /** What the line is about, in a column of its own. */
      readonly label?: string;
      /** Shown at the right margin. */
      readonly place?: string;
    };

export const below = (text: string, indent = 4): Line => ({ text, lead: " ".repeat(indent) });

/** Paragraphs with empty lines between them; empty paragraphs are left out. */
export function printText(style: Style, paragraphs: readonly (readonly Line[])[]): string {
  const filled = paragraphs
    .map((lines) => lines.flatMap((line) => linesOf(style, line)))
    .filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.map((line) => unglued(line).trimEnd()).join("\n")).join("\n\n")}\n`;
}

function linesOf(style: Style, line: Line): readonly string[] {
  if (typeof line === "string") return [line];
  const { text, lead = "", indent = displayWidth(lead), place = "", label } = line;
  if (text === "") return [];
  if (label === undefined) return placed(style, lead, indent, text, place);
  if (style.width < ROOM_FOR_MARGIN) return wrapped(style, `${label}: ${text}`, "", 2);
  return wrapped(style, text, padTo(label, 13), 13);
}

/** `realm.yaml:40`; empty if no file is the cause. */
export function placeText(at: Span | undefined): string {
  return at === undefined || at.file === "" ? "" : `${clean(at.file)}:${at.line}`;
}

/** A line with the place at the right margin, or on a line of its own when both do not fit; on a narrow terminal the place is the last word. */
export function placed(style: Style, lead: string, indent: number, text: string, place: string): readonly string[] {
  const room = style.width - indent;
  if (place === "") return wrapped(style, text, lead, indent);
  const isShort = style.width < ROOM_FOR_MARGIN && style.file !== undefined;
  const shown = paint(style, "dim", isShort ? place.replace(`${style.file}:`, ":") : place);
  if (style.width < ROOM_FOR_MARGIN || displayWidth(place) > room / 2)
    return wrapped(style, `${text}  ${shown}`, lead, indent);
  const lines = [...wrap(text, room)];
  const last = lines.at(-1) ?? "";
  const gap = room - displayWidth(last) - displayWidth(place);
  if (gap >= 2) {
    lines[lines.length - 1] = `${last}${" ".repeat(gap)}${shown}`;
  } else {
    lines.push(`${" ".repeat(Math.max(0, room - displayWidth(place)))}${shown}`);
  }
  return lines.map((line, index) => (index === 0 ? lead : " ".repeat(indent)) + line);
}

export function wrapped(style: Style, text: string, lead: string, indent: number): readonly string[] {
  return wrap(text, style.width - indent).map((line, index) => (index === 0 ? lead : " ".repeat(indent)) + line);
}

/** The minimum width for values beside their names; with less, names are on separate lines. */
const ROOM_FOR_VALUES = 24;

/** The columns of an object's fields: `label` columns for the name (0: a separate line), then `value` columns. */
interface FieldColumns {
  readonly label: number;
  readonly value: number;
}

export function fieldColumns(style: Style, fields: readonly { readonly field: string }[]): FieldColumns {
  const label = Math.min(40, Math.max(12, ...fields.map(({ field }) => displayWidth(clean(field))))) + 2;
  const value = style.width - 6 - label;
  if (style.width < ROOM_FOR_MARGIN || value < ROOM_FOR_VALUES) return { label: 0, value: style.width - 8 };
  return { label, value };
}

/** The name of a field and, beside or below it, its value's lines; what does not fit is wrapped with a hanging indent. */
export function fieldRows(
  style: Style,
  name: string,
  values: readonly string[],
  columns: FieldColumns,
): readonly string[] {
  const label = clean(name);
  const [only = ""] = values;
  if (columns.label === 0 && values.length === 1 && displayWidth(label) + 2 + displayWidth(only) <= style.width - 6)
    return [`      ${label}: ${only}`];
  const lines = values.flatMap((value) =>
    wrap(value, columns.value - 2).map((line, index) => (index === 0 ? line : `  ${line}`)),
  );
  if (columns.label === 0 || displayWidth(label) + 2 > columns.label) {
    const indent = Math.max(0, Math.min(6, style.width - displayWidth(label)));
    const below = " ".repeat(columns.label === 0 ? 8 : 6 + columns.label);
    return [...wrapped(style, label, " ".repeat(indent), indent), ...lines.map((line) => below + line)];
  }
  return lines.map((line, index) => `      ${padTo(index === 0 ? label : "", columns.label)}${line}`);
}

/** Host and, where it is not the root, path of a realm's address. */
export function realmName(url: string): string {
  return clean(url.replace(/^https?:\/\//, "").replace(/\/$/, ""));
}

/** The text "a sandbox of chat.example.org"; empty if the realm is not a copy. */
export function sandboxText({ sandbox_of }: { readonly sandbox_of?: string }): string {
  return sandbox_of === undefined ? "" : `a sandbox of ${realmName(sandbox_of)}`;
}

/** A moment (ISO 8601) as `2026-11-21 12:04 UTC`. */
export function momentText(iso: string): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso);
  return found === null ? clean(iso) : `${found[1]} ${found[2]} UTC`;
}

export function nounOf(kind: string, number: number): string {
  return count(number, clean(kind).replaceAll("_", " "), pluralOf(kind));
}

/** An estimated duration: "about 2 s", "about 4 min", "about 1 h 20 min". */
export function durationText(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes} min`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A measured duration: "40 ms", "0.4 s", "75 s", "4 min 5 s". */
export function elapsedText(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 90_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** An error or warning in short: its sentence, its place, its hint. The long form with the lines of the file is diagnostics.ts. */
export function diagnosticLines(diagnostic: Diagnostic, style: Style): readonly Line[] {
  const { code, severity, message, at, hint } = wordedDiagnostic(diagnostic);
  const head = paint(style, severity === "error" ? "risk" : "change", `${severity}[${clean(code)}]`);
  const place =
    at === undefined || severity !== "error" || at.file === "" ? placeText(at) : `${placeText(at)}:${at.column}`;
  return [
    { lead: "  ", text: `${head}: ${clean(shownMessage(message))}`, place },
    below(clean(shownMessage(runnable(hint ?? "", style.advised)))),
  ];
}

/** The maximum length of a message, which may quote a value such as a linkifier's pattern. */
const LONGEST_MESSAGE = 2000;

/** A message, or the beginning and the length of a very long one. JSON has the whole message. */
export function shownMessage(message: string): string {
  return bounded(PLAIN, message, LONGEST_MESSAGE);
}

/** The files that the changes come from, without duplicates. */
export function fileNames(changes: readonly { readonly at?: Span }[]): readonly string[] {
  return [...new Set(changes.flatMap(({ at }) => (at === undefined ? [] : [clean(at.file)])))];
}

/** Whether the object is removed because no item of the file names it. */
export function isUndeclared({ undeclared, action, at }: Change): boolean {
  return undeclared === true || (action === "remove" && at === undefined);
}

/** The text about an object that is removed because no item names it. Its place is the entry of `manage:`. */
export function undeclaredText(at: Span | undefined): string {
  return at === undefined ? "not in the file" : `not in the file, ${placeText(at)}`;
}

/** The text "4 channels, 1 linkifier match."; empty if nothing matches. */
export function matchText(matches: Plan["matches"]): string {
  const all = Object.entries(matches);
  const some = all.filter(([, number]) => number > 0);
  // A section with nothing in it is worth a word only if there is nothing else.
  const numbers = some.length === 0 ? all : some;
  if (numbers.length === 0) return "";
  const total = numbers.reduce((sum, [, number]) => sum + number, 0);
  return `${numbers.map(([section, number]) => counted(section, number)).join(", ")} ${total === 1 ? "matches" : "match"}.`;
}

/** How many errors leave something as it is, and what: the rest of the plan does not show it. */
export function leftAloneText(plan: Plan): string {
  const all = unresolvedIn(plan);
  const [one, those] = all.some(({ unresolved }) => unresolved?.isHeld === true)
    ? ["what it is about", "what they are about"]
    : ["what needs this name", "what needs these names"];
  return all.length === 0 ? "" : `${count(all.length, "error")}: ${all.length === 1 ? one : those} is left as it is.`;
}
