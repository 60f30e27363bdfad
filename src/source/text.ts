import { invisibleIn } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, error, type Span, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { LARGEST_FILE_BYTES } from "./limits.ts";

/** One file's text, and lines and columns for its offsets. The index of lines is built when the first span is asked for. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  private starts: readonly number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** From offset `start` to offset `end`, exclusive; both are limited to the text. */
  span(start: number, end: number): Span {
    const from = Math.max(0, Math.min(start, this.text.length));
    const to = Math.max(from, Math.min(end, this.text.length));
    const line = this.lineAt(from);
    const endLine = this.lineAt(to);
    return {
      file: this.file,
      line: line + 1,
      column: from - this.startOf(line) + 1,
      endLine: endLine + 1,
      endColumn: to - this.startOf(endLine) + 1,
    };
  }

  /** The text of a line, counted from 1, without its end. */
  line(number: number): string {
    const start = this.lineStarts()[number - 1];
    if (start === undefined) return "";
    const end = this.lineStarts()[number] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, "");
  }

  private startOf(line: number): number {
    return this.lineStarts()[line] ?? 0;
  }

  private lineAt(offset: number): number {
    const starts = this.lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private lineStarts(): readonly number[] {
    if (this.starts !== undefined) return this.starts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.starts = starts;
    return starts;
  }
}

/** A file that cannot be read, or whose reading failed. */
export function tooLarge(file: string): Diagnostic {
  const at = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return error("yaml/too-large", { file, most_bytes: LARGEST_FILE_BYTES }, at);
}

/** Decodes UTF-8, without the byte order mark that some editors write. Text that was decoded elsewhere is returned as it is. */
export function decodeText(file: string, content: string | Uint8Array): SourceText | Diagnostic {
  if (content.length > LARGEST_FILE_BYTES) return tooLarge(file);
  if (typeof content === "string") return new SourceText(file, content.replace(/^\ufeff/, ""));
  try {
    return new SourceText(file, new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    const wide = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
    const readable = new SourceText(file, new TextDecoder("utf-8").decode(content));
    if (wide) return wideEncoding(readable);
    const bad = readable.text.indexOf("\ufffd");
    return error("yaml/encoding", { cause: "bytes", ...byteAt(content, readable, bad) }, readable.span(bad, bad + 1));
  }
}

/** The first byte that is not UTF-8, and what it is in the encoding that Windows has most often. */
function byteAt(content: Uint8Array, { text }: SourceText, bad: number): { byte: number; character?: string } {
  const mark = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf ? 3 : 0;
  const byte = content[mark + new TextEncoder().encode(text.slice(0, bad)).length] ?? 0;
  const character = new TextDecoder("windows-1252").decode(Uint8Array.of(byte));
  return { byte, ...defined({ character: /[\p{L}\p{P}\p{Sc}]/u.test(character) ? character : undefined }) };
}

/** The error about a file in UTF-16 or UTF-32, reported once: otherwise every character would be an error. */
function wideEncoding(source: SourceText): Diagnostic {
  const width = /\0\0\0/.test(source.text.slice(0, 1000)) ? "UTF-32" : "UTF-16";
  return error("yaml/encoding", { cause: "wide", encoding: width }, source.span(0, 0));
}

/** Text of two or four bytes for each character, read as if each had one byte: nearly every second byte is zero. */
function isWide(text: string): boolean {
  const start = text.slice(0, 1000);
  // Pictures and programs have many zero bytes in a row.
  if (!start.includes("\0") || start.includes("\0\0\0\0")) return false;
  return start.split("\0").length - 1 >= start.length / 3;
}

/** How archives, pictures, PDF and programs begin; a byte that no text has was replaced. */
const BINARY = /^(?:PK\p{Cc}|\p{Cc}\ufffd\p{Cc}|\ufffdPNG\r|GIF8|%PDF-|\ufffd{3,}|\p{Cc}ELF|7z\ufffd)/u;

/** Whether the file is a picture, an archive or a program: it has many characters that texts do not have. */
function isBinary(text: string): boolean {
  if (BINARY.test(text)) return true;
  const start = text.slice(0, 4000);
  return start.includes("\0") && (start.match(FORBIDDEN)?.length ?? 0) > MOST_REPORTED;
}

/** What YAML forbids in a file (1.2.2 §5.1), and a carriage return that ends no line. */
const FORBIDDEN = new RegExp(
  [
    "[\\u{0}-\\u{8}\\u{b}\\u{c}\\u{e}-\\u{1f}\\u{7f}-\\u{84}\\u{86}-\\u{9f}\\u{fffe}\\u{ffff}]",
    "\\p{Cs}",
    "\\r(?!\\n)",
  ].join("|"),
  "gu",
);
/** Invisible characters that are not reported as such: layout, and characters with their own code. */
const OTHERWISE_TOLD = new RegExp(`^(?:[\\n\\r\\t]|${FORBIDDEN.source})$`, "u");
const MOST_REPORTED = 10;

/** Characters that must not or should not be in a file; at most ten of each. */
export function checkCharacters(source: SourceText): Diagnostic[] {
  const { text } = source;
  // True for nearly every file, and ten times as fast as the checks below.
  if (!/[^\n -~]/.test(text)) return [];
  if (isWide(text)) return [wideEncoding(source)];
  if (isBinary(text)) return [error("yaml/encoding", { cause: "binary" }, source.span(0, 0))];
  const at = text.indexOf("\r");
  if (at !== -1 && !text.includes("\n") && text.includes("\r", at + 1))
    return [error("yaml/control-character", { character: null, is_everywhere: true }, source.span(at, at + 1))];
  const found: Diagnostic[] = [];
  const replaced = text.indexOf("\ufffd");
  if (replaced !== -1) found.push(error("yaml/encoding", { cause: "replaced" }, source.span(replaced, replaced + 1)));
  const colours = TERMINAL_CODE.exec(text);
  if (colours !== null) {
    const fact = { character: "U+001B", code: quote(colours[0].slice(1)) };
    found.push(error("yaml/control-character", fact, source.span(colours.index, colours.index + colours[0].length)));
  }
  const forbidden = text.search(FORBIDDEN) === -1 ? [] : text.matchAll(FORBIDDEN);
  for (const { 0: character, index } of firstOf(forbidden)) {
    if (colours !== null && character === "\u001b") continue;
    const fact = { character: character === "\r" ? null : codePoint(character) };
    found.push(error("yaml/control-character", fact, source.span(index, index + character.length)));
  }
  for (const { character, index } of firstOf(invisibleIn(text), ({ character }) => !OTHERWISE_TOLD.test(character))) {
    const at = source.span(index, index + character.length);
    found.push(warning("yaml/invisible-character", { character: codePoint(character) }, at));
  }
  for (const { 1: before = "", 2: quoted = "", index } of text.matchAll(TYPOGRAPHIC)) {
    const at = index + before.length;
    if (/(?:^|\s)#/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))) continue;
    found.push(warning("yaml/typographic-quotes", { text: quote(quoted) }, source.span(at, at + quoted.length)));
  }
  return found;
}

/** What colours a text in a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is searched
const TERMINAL_CODE = /\u001b\[[0-9;]{0,20}[A-Za-z]/;

/** A key or a value between typographic quotes, which word processors and messengers make of plain ones. */
const TYPOGRAPHIC = /((?:[:,-] |[[{] ?|^ *(?=[^ \n][^\n]*:)) *)([“„‘«][^“”„‘’«»\n]*[“”’»])(?= *(?:[:,\]}]|\r?$))/gm;

function* firstOf<Found>(all: Iterable<Found>, isTold: (found: Found) => boolean = () => true): Iterable<Found> {
  let count = 0;
  for (const found of all) {
    if (!isTold(found)) continue;
    yield found;
    if (++count === MOST_REPORTED) return;
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
