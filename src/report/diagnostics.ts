import { clean } from "../model/clean.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { Diagnostic, Ending, Span } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { addTo } from "../model/lazy.ts";
import { KEY_IN_FILE, withoutKeys } from "../model/secrets.ts";
import { count, grouped } from "../model/words.ts";
import { type Alike, alikeIn, diagnosticLikeness, sameFor } from "./alike.ts";
import { elapsedText, shownMessage } from "./layout.ts";
import { displayWidth, type Paint, paint, runnable, type Style, unglued, wrap } from "./style.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "./words/diagnostics.ts";

export interface DiagnosticsInput {
  readonly diagnostics: readonly (Diagnostic | SaidDiagnostic)[];
  /** File, as spans name it → its text. For other files, no lines are shown. */
  readonly sources: ReadonlyMap<string, string>;
  readonly style: Style;
  /** The text after the number of errors on the last line; default: "Nothing was sent."; null: no last line. */
  readonly ending?: string | null;
}

const ENDINGS = {
  "nothing-sent": "Nothing was sent.",
  "nothing-changed": "Nothing was changed.",
  "nothing-written": "Nothing was written.",
  "nothing-changed-or-written": "Nothing was changed or written.",
  "sent-stays": "Requests that were already sent stay in effect; the journal in .realmctl has their results.",
  "watching-on": "Watching on.",
  "not-said": "",
} as const satisfies Record<Extract<Ending, string>, string>;

/** The state of the server and of files when a command stops. */
export const endingText = (ending: Ending): string =>
  typeof ending === "string" ? ENDINGS[ending] : `Trying again in ${elapsedText(ending.again_in_ms)}.`;

/** Every file of which lines will be shown. */
export function filesOf(diagnostics: readonly (Diagnostic | SaidDiagnostic)[]): readonly string[] {
  const spans = diagnostics
    .map(wordedDiagnostic)
    .flatMap(({ at, notes = [], unquotable }) =>
      unquotable ? [] : [...(at ? [at] : []), ...notes.map((note) => note.at)],
    );
  return [...new Set(spans.map((span) => span.file))];
}

/** Errors and warnings with the lines they are about, as a terminal shows them; empty without any. */
export function renderDiagnostics({
  diagnostics,
  sources,
  style,
  ending = ENDINGS["nothing-sent"],
}: DiagnosticsInput): string {
  if (diagnostics.length === 0) return "";
  const frames = new Frames(sources, style);
  const blocks = [...folded(diagnostics)].map((shown) => ("more" in shown ? frames.more(shown) : frames.group(shown)));
  const last = ending === null ? "" : `\n${summary(diagnostics, ending)}\n`;
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n${last}`;
}

/** With more of one code than this, the first {@link IN_FULL} are shown with their lines, {@link IN_LINES} other sentences in one line each, and the others are counted. */
const MOST_ALIKE = 10;
const IN_FULL = 5;
const IN_LINES = 20;

interface Folded {
  readonly more: readonly (Diagnostic | SaidDiagnostic)[];
}

/** The diagnostics in their order; those that repeat a code too often are together behind the last one that is shown in full. */
function* folded(diagnostics: DiagnosticsInput["diagnostics"]): Iterable<Alike<Diagnostic | SaidDiagnostic> | Folded> {
  const kindOf = ({ first: { severity, code } }: Alike<Diagnostic | SaidDiagnostic>): string => `${severity} ${code}`;
  const groups = alikeIn(diagnostics, diagnosticLikeness);
  const ofCode = new Map<string, Alike<Diagnostic | SaidDiagnostic>[]>();
  for (const group of groups) addTo(ofCode, kindOf(group), group);
  for (const group of groups) {
    const same = ofCode.get(kindOf(group)) ?? [];
    if (same.length <= MOST_ALIKE) yield group;
    else if (same.slice(0, IN_FULL).includes(group)) {
      yield group;
      if (same[IN_FULL - 1] === group)
        yield { more: same.slice(IN_FULL).flatMap(({ first, others }) => [first, ...others]) };
    }
  }
}

function summary(diagnostics: DiagnosticsInput["diagnostics"], ending: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const counts = [
    ...(errors > 0 ? [count(errors, "error")] : []),
    ...(warnings > 0 ? [count(warnings, "warning")] : []),
  ].join(", ");
  return unglued(errors > 0 && ending !== "" ? `${counts}. ${ending}` : `${counts}.`);
}

/** A character of the source as it is printed. */
interface Cell {
  readonly shown: string;
  readonly width: number;
  /** Position in the line, in UTF-16 units. */
  readonly at: number;
}

const TAB_WIDTH = 4;
const NARROWEST = 24;

class Frames {
  private readonly lines = new Map<string, readonly string[]>();
  private readonly sources: ReadonlyMap<string, string>;
  private readonly style: Style;

  constructor(sources: ReadonlyMap<string, string>, style: Style) {
    this.sources = sources;
    this.style = style;
  }

  /** A diagnostic, and the objects and places of those that are like it. */
  group(group: Alike<Diagnostic | SaidDiagnostic>): string[] {
    const others = sameFor(this.style, group);
    return this.block(group.first, others === "" ? [] : [others]);
  }

  private block(given: Diagnostic | SaidDiagnostic, others: readonly string[]): string[] {
    const diagnostic = wordedDiagnostic(given);
    const { at, notes = [], unquotable = false } = diagnostic;
    const { advised } = this.style;
    const hint = whenDefined(diagnostic.hint, (advice) => runnable(advice, advised));
    const footnotes = (diagnostic.footnotes ?? []).map((note) => runnable(note, advised));
    const spans = [...(at === undefined ? [] : [at]), ...notes.map((note) => note.at)];
    const margin = Math.max(0, ...spans.map((span) => String(span.line).length)) + 1;
    const how: Paint = diagnostic.severity === "error" ? "risk" : "change";
    const head = `${diagnostic.severity}[${diagnostic.code}]`;
    const sentence = wrap(
      `${head}: ${clean(shownMessage(diagnostic.message))}`,
      Math.max(NARROWEST, this.style.width - 2),
    );
    const lines = sentence.map((line, at) =>
      at > 0 ? `  ${line}` : line.startsWith(head) ? paint(this.style, how, head) + line.slice(head.length) : line,
    );
    let left = hint;
    const keyAdvice =
      hint !== KEY_IN_FILE && spans.some((span) => !unquotable && this.hasKey(span)) ? [KEY_IN_FILE] : [];
    if (at !== undefined) {
      const framed = this.frame(at, margin, { sign: "^", how, text: hint, unquotable });
      lines.push(...framed.lines);
      if (framed.saidText) left = undefined;
    }
    for (const note of notes) {
      const framed = this.frame(note.at, margin, { sign: "-", how: "dim", text: note.message, unquotable });
      lines.push(...framed.lines);
      if (!framed.saidText) lines.push(...this.footnote(note.message, margin));
    }
    for (const text of [...(left === undefined ? [] : [left]), ...keyAdvice, ...footnotes, ...others])
      lines.push(...this.footnote(text, margin));
    return lines;
  }

  /** Diagnostics of one code: each sentence once, with its places. */
  more({ more }: Folded): string[] {
    const places = new Map<string, string[]>();
    for (const given of more) {
      const { at, message } = wordedDiagnostic(given);
      const place = at === undefined ? [] : [`${clean(at.file)}:${at.line}:${at.column}`];
      const said = places.get(message);
      if (said === undefined) places.set(message, place);
      else said.push(...place);
    }
    const width = Math.max(NARROWEST, this.style.width - 4);
    const lines = [...places].slice(0, IN_LINES).flatMap(([message, at]) => {
      const rest = at.length > IN_FULL ? ` and ${grouped(at.length - IN_FULL)} more places` : "";
      const where = at.length === 0 ? "" : `${at.slice(0, IN_FULL).join(", ")}${rest}: `;
      return wrap(`${where}${clean(shownMessage(message))}`, width).map(
        (line, row) => `  ${row > 0 ? "  " : ""}${line}`,
      );
    });
    const left = places.size - IN_LINES;
    const [first] = more;
    const head =
      first === undefined
        ? ""
        : `${first.severity}[${first.code}], ${grouped(more.length)} more (--format json has all):`;
    return [head, ...lines, ...(left > 0 ? [`  and ${grouped(left)} more`] : [])];
  }

  /** The place, its line, and the signs below it with a text if there is room for one. */
  private frame(
    span: Span,
    margin: number,
    under: {
      readonly sign: string;
      readonly how: Paint;
      readonly text: string | undefined;
      readonly unquotable: boolean;
    },
  ): { readonly lines: readonly string[]; readonly saidText: boolean } {
    const { style } = this;
    const indent = " ".repeat(margin);
    const bar = paint(style, "dim", style.unicode ? "│" : "|");
    const corner = paint(style, "dim", style.unicode ? "┌─" : "-->");
    const lines = [`${indent}${corner} ${clean(span.file)}:${span.line}:${span.column}`];
    const source = under.unquotable ? undefined : this.line(span);
    if (source === undefined) return { lines, saidText: false };

    const room = Math.max(20, style.width - margin - 3);
    const cells = cellsNear(source, span.column - 1, room);
    const from = span.column - 1;
    const to = span.endLine > span.line ? source.trimEnd().length : span.endColumn - 1;
    const window = cut(cells, from, Math.max(to, from + 1), room, style.unicode ? "…" : "...");
    const number = paint(style, "dim", String(span.line).padStart(margin - 1));
    lines.push(`${number} ${bar} ${window.text}`.trimEnd());
    const signs = paint(style, under.how, under.sign.repeat(window.signs));
    const text = under.text === undefined ? undefined : clean(under.text);
    const fits = text !== undefined && window.before + window.signs + 1 + displayWidth(text) <= room;
    lines.push(`${indent}${bar} ${" ".repeat(window.before)}${signs}${fits ? ` ${text}` : ""}`);
    return { lines, saidText: fits || text === undefined };
  }

  private footnote(text: string, margin: number): string[] {
    const lines = wrap(clean(shownMessage(text)), Math.max(NARROWEST, this.style.width - margin - 2));
    return lines.map((line, at) => `${" ".repeat(margin)}${at === 0 ? "=" : " "} ${line}`);
  }

  /** The line as it is shown: terminals and logs of CI keep what they are told. */
  private line(span: Span): string | undefined {
    const line = this.written(span);
    return line === undefined ? undefined : withoutKeys(line);
  }

  private hasKey(span: Span): boolean {
    return this.line(span) !== this.written(span);
  }

  private written(span: Span): string | undefined {
    let lines = this.lines.get(span.file);
    if (lines === undefined) {
      const text = this.sources.get(span.file);
      if (text === undefined) return undefined;
      lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
      this.lines.set(span.file, lines);
    }
    return lines[span.line - 1];
  }
}

/**
 * How many characters of a line are examined on each side of a place. With ten thousand errors in one long line, examining the whole line for each
 * would take too long.
 */
const NEAR = 1_000;

/**
 * The line around a place; usually all of it. If more is left out, a cell marks it that is too wide to be shown. Tabs become spaces, and control and
 * invisible characters become visible.
 */
export function cellsNear(line: string, place: number, room: number): readonly Cell[] {
  const isHalf = (index: number): boolean => /[\udc00-\udfff]/.test(line.charAt(index));
  const from = Math.max(0, Math.min(place, line.length) - NEAR);
  const start = isHalf(from) ? from + 1 : from;
  const to = place + room + NEAR;
  const end = isHalf(to) ? to + 1 : to;
  const rest = (at: number): Cell => ({ shown: "", width: room + 1, at });
  return [
    ...(start > 0 ? [rest(0)] : []),
    ...toCells(line.slice(start, end), start),
    ...(end < line.length ? [rest(end)] : []),
  ];
}

function toCells(line: string, start: number): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  let at = start;
  for (const character of line) {
    const shown = character === "\t" ? " ".repeat(TAB_WIDTH - (column % TAB_WIDTH)) : clean(character);
    const width = displayWidth(shown);
    cells.push({ shown, width, at });
    column += width;
    at += character.length;
  }
  return cells;
}

interface Window {
  readonly text: string;
  /** Columns before the signs. */
  readonly before: number;
  /** How many signs stand below the text. */
  readonly signs: number;
}

/** The visible part of a line: all of it, or the part around the span that fits. */
function cut(cells: readonly Cell[], from: number, to: number, room: number, more: string): Window {
  const total = widthOf(cells);
  const first = cells.findIndex((cell) => cell.at >= from);
  const start = first === -1 ? cells.length : first;
  const after = cells.findIndex((cell) => cell.at >= to);
  const end = after === -1 ? cells.length : Math.max(after, start);
  const marked = Math.max(1, widthOf(cells.slice(start, end)));
  if (total <= room)
    return { text: cells.map((cell) => cell.shown).join(""), before: widthOf(cells.slice(0, start)), signs: marked };

  const edge = displayWidth(more);
  const wanted = Math.min(marked, room - 2 * edge);
  // A third of the remaining room is used before the span: the text before it matters more than the text after it.
  let lead = Math.floor((room - wanted - 2 * edge) / 3);
  let left = start;
  while (left > 0 && lead >= (cells[left - 1]?.width ?? 0)) {
    left--;
    lead -= cells[left]?.width ?? 0;
  }
  let space = room - (left > 0 ? edge : 0) - edge;
  let right = left;
  while (right < cells.length && space >= (cells[right]?.width ?? 0)) {
    space -= cells[right]?.width ?? 0;
    right++;
  }
  const text = cells
    .slice(left, right)
    .map((cell) => cell.shown)
    .join("");
  const before = (left > 0 ? edge : 0) + widthOf(cells.slice(left, start));
  return {
    text: `${left > 0 ? more : ""}${text}${right < cells.length ? more : ""}`,
    before,
    signs: Math.max(1, widthOf(cells.slice(start, Math.min(end, right)))),
  };
}

function widthOf(cells: readonly Cell[]): number {
  let width = 0;
  for (const cell of cells) width += cell.width;
  return width;
}

/** Diagnostics as data, for `--format json`. */
export function diagnosticsJson(diagnostics: readonly (Diagnostic | SaidDiagnostic)[]): JsonObject {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return {
    format: "realmctl.diagnostics",
    version: 2,
    errors,
    warnings: diagnostics.length - errors,
    diagnostics: diagnostics.map(wordedDiagnostic).map(({ code, severity, message, hint, footnotes, at, notes }) => ({
      code,
      severity,
      message,
      ...defined({
        hint,
        footnotes,
        at,
        notes: notes === undefined ? undefined : notes.map((note) => ({ at: note.at, message: note.message })),
      }),
    })),
  };
}

/** Workflow commands of GitHub Actions, one on each line: they become annotations of the changed lines. */
export function diagnosticsGithub(diagnostics: readonly (Diagnostic | SaidDiagnostic)[]): string {
  return diagnostics
    .map(wordedDiagnostic)
    .map(({ code, severity, message, hint, footnotes = [], at, notes = [] }) => {
      const place: readonly (readonly [string, string | number])[] =
        at === undefined
          ? []
          : [
              ["file", at.file],
              ["line", at.line],
              ["endLine", at.endLine],
              ["col", at.column],
              // GitHub's end column is inclusive, and only valid within one line.
              ...(at.endLine === at.line ? [["endColumn", Math.max(at.column, at.endColumn - 1)] as const] : []),
            ];
      const properties = [...place, ["title", code] as const].map(
        ([name, value]) => `${name}=${escapeProperty(value)}`,
      );
      const noted = notes.map((note) => `${note.at.file}:${note.at.line}: ${note.message}`);
      const text = [message, ...(hint === undefined ? [] : [hint]), ...footnotes, ...noted].map(clean).join("\n");
      return `::${severity} ${properties.join(",")}::${escapeData(text)}\n`;
    })
    .join("");
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (value: string | number): string =>
  escapeData(clean(String(value)))
    .replaceAll(":", "%3A")
    .replaceAll(",", "%2C");
