/**
 * Scalars of the plain reader: characters, quotes, and the meaning of unquoted ones. Offsets are in the whole file, `end` is the end of a line: no
 * search goes beyond it.
 */

/** Thrown while reading and caught by {@link readPlain}: most steps can find that the text is not plain, and none of them can continue. */
export const NOT_PLAIN = new Error("not plain");

export const SPACE = 32;
export const NEWLINE = 10;
export const RETURN = 13;
export const BANG = 33;
export const QUOTE = 34;
export const HASH = 35;
export const AMPERSAND = 38;
export const APOSTROPHE = 39;
export const ASTERISK = 42;
export const COMMA = 44;
export const DASH = 45;
export const COLON = 58;
export const GREATER = 62;
export const BRACKET = 91;
const BACKSLASH = 92;
export const BRACKET_END = 93;
export const PIPE = 124;
export const BRACE = 123;
export const BRACE_END = 125;

/** Characters that an unquoted scalar may start with: no YAML indicator, and no white space of any script. */
const PLAIN_START = /[^\s\-?:,[\]{}#&*!|>'"%@`\p{Z}\p{C}]/u;
const asciiTable = (pattern: RegExp) =>
  Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)));
const ASCII_START = asciiTable(PLAIN_START);
/** What a scalar without quotes that is not a string starts with. */
const ASCII_OTHER = asciiTable(/[-+.0-9tTfFnN~]/);

/** An unquoted scalar that is not a string (YAML 1.2 core schema). */
const NULLS = new Set(["", "~", "null", "Null", "NULL"]);
const BOOLEANS = new Map([
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);
const SIMPLE_INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/;
const NUMBER =
  /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const ESCAPES: { readonly [letter: string]: string } = { '"': '"', "\\": "\\", "/": "/", n: "\n", t: "\t" };

/** The colon that ends a key without quotes, or -1; a comment ends the search. (Nothing may search beyond the line.) */
export function separator(text: string, at: number, end: number): number {
  for (let next = at; next < end; next++) {
    const code = text.charCodeAt(next);
    if (code === COLON && (next + 1 === end || text.charCodeAt(next + 1) === SPACE)) return next;
    if (code === HASH && text.charCodeAt(next - 1) === SPACE) return -1;
  }
  return -1;
}

/** The meaning of a text without quotes. */
export function resolve(text: string, written: string, at: number): unknown {
  const first = text.charCodeAt(at);
  const starts = first < 128 ? ASCII_START[first] : PLAIN_START.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
  // -5 is a number; other texts that start with a dash are rare.
  if (!starts && !(first === DASH && SIMPLE_INTEGER.test(written))) throw NOT_PLAIN;
  // Only a scalar made of letters of true, false and null, of ~, digits, signs and dots can be something other than a string.
  if (first >= 128 || ASCII_OTHER[first] !== true) return written;
  if (NULLS.has(written)) return null;
  const truth = BOOLEANS.get(written);
  if (truth !== undefined) return truth;
  if (SIMPLE_INTEGER.test(written)) return Number(written);
  // Fractions, hexadecimal numbers and what looks like one in older YAML.
  if (NUMBER.test(written)) throw NOT_PLAIN;
  return written;
}

/** The position after the closing quote, which must be on the same line. */
export function quoteEnd(text: string, at: number, end: number): number {
  const found = quoteEndOnLine(text, at, end);
  if (found === -1) throw NOT_PLAIN;
  return found;
}

/** The position after the closing quote; -1 if it is not on the line. @param from where the line goes on, if the quote is not on it */
export function quoteEndOnLine(text: string, at: number, end: number, from = at + 1): number {
  if (text.charCodeAt(at) === APOSTROPHE) {
    for (let next = from; next < end; next++)
      if (text.charCodeAt(next) === APOSTROPHE && text.charCodeAt(++next) !== APOSTROPHE) return next;
    return -1;
  }
  for (let next = from; next < end; next++) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) return next + 1;
    if (code === BACKSLASH) next++;
  }
  return -1;
}

export function unquote(text: string, at: number, stop: number): string {
  const inner = text.slice(at + 1, stop - 1);
  if (text.charCodeAt(at) === APOSTROPHE) return inner.replaceAll("''", "'");
  if (!inner.includes("\\")) return inner;
  return inner.replace(/\\(.)/gs, (_, letter: string) => {
    const meant = ESCAPES[letter];
    if (meant === undefined) throw NOT_PLAIN;
    return meant;
  });
}

/** `|`, `|-`, `>` and `>-`: the lines below without their indentation, literal or folded. */
export function readBlockText({ text, at, end: headerEnd, next: below, indent }: Start): Omit<Folded, "end"> {
  const header = text.slice(at, headerEnd);
  if (!/^[|>]-? *(?: #.*)?$/.test(header)) throw NOT_PLAIN;
  const lines: string[] = [];
  let column = -1;
  let stop = headerEnd;
  let next = below;
  for (let line = lineAt(text, below); line !== undefined; line = lineAt(text, line.next)) {
    if (line.start === line.end) {
      // An empty line; spaces beyond the indentation belong to the text.
      if (column === -1 && line.indent > 0) throw NOT_PLAIN;
      lines.push(column === -1 ? "" : text.slice(Math.min(next + column, line.end), line.end));
    } else {
      if (line.indent <= indent) break;
      if (column === -1) column = line.indent;
      if (line.indent < column) throw NOT_PLAIN;
      lines.push(text.slice(next + column, line.end));
      stop = line.end;
    }
    next = line.next;
  }
  // Empty lines at the end do not count; lines with only spaces are left to the full parser.
  while (lines.length > 0 && lines[lines.length - 1] === "") lines.pop();
  if (column === -1 || lines.length === 0 || /^ *$/.test(lines[lines.length - 1] ?? "")) throw NOT_PLAIN;
  if (next >= text.length && text.charCodeAt(text.length - 1) !== NEWLINE) throw NOT_PLAIN;
  while (text.charCodeAt(stop - 1) === SPACE) stop--;
  const value = header.startsWith(">") ? folded(lines) : lines.join("\n");
  return { value: header.charAt(1) === "-" ? value : `${value}\n`, stop, next };
}

/**
 * A line end between two lines at the margin becomes a space; an empty line becomes a line end; around lines that are indented further, everything
 * stays.
 */
function folded(lines: readonly string[]): string {
  let value = "";
  let above: string | undefined;
  let empty = 0;
  for (const line of lines) {
    if (line === "") {
      empty++;
      continue;
    }
    const flows = above !== undefined && !above.startsWith(" ") && !line.startsWith(" ");
    if (flows && empty === 0) value += " ";
    else value += "\n".repeat(empty + (above === undefined || flows ? 0 : 1));
    value += line;
    above = line;
    empty = 0;
  }
  return value;
}

/** A scalar that continues on the next lines: its value, the position after its last character, and its last line. */
export interface Folded {
  readonly value: string;
  readonly stop: number;
  readonly end: number;
  readonly next: number;
}

/** Where such a scalar starts, and the end of that line; all offsets are in the whole file. */
interface Start {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** The start of the next line. */
  readonly next: number;
  /** The indentation of the key or dash: the lines of the text are indented further. */
  readonly indent: number;
}

/** A quoted scalar that does not end on its line. Its lines are joined: a line end becomes a space, and an empty line becomes a line end. */
export function foldedQuoted({ text, at, end, next, indent }: Start): Folded {
  const parts = [text.slice(at + 1, trimmed(text, at + 1, end))];
  let blanks = 0;
  for (let line = lineAt(text, next); line !== undefined; line = lineAt(text, line.next)) {
    if (line.start === line.end) {
      blanks += 1;
      continue;
    }
    if (line.indent <= indent) throw NOT_PLAIN;
    const stop = quoteEndOnLine(text, at, line.end, line.start);
    const last = stop === -1 ? trimmed(text, line.start, line.end) : stop - 1;
    parts.push(blanks === 0 ? " " : "\n".repeat(blanks), text.slice(line.start, last));
    blanks = 0;
    if (stop === -1) continue;
    const value = parts.join("");
    if (text.charCodeAt(at) === APOSTROPHE) return { ...line, value: value.replaceAll("''", "'"), stop };
    // An escape may represent a line end, or remove one.
    if (value.includes("\\")) throw NOT_PLAIN;
    return { ...line, value, stop };
  }
  throw NOT_PLAIN;
}

/** An unquoted scalar whose first line is `first`; undefined if it ends there. */
export function foldedPlain({ text, next, indent }: Start, first: string): Folded | undefined {
  const parts = [first];
  let blanks = 0;
  let found: { readonly stop: number; readonly end: number; readonly next: number } | undefined;
  for (let line = lineAt(text, next); line !== undefined; line = lineAt(text, line.next)) {
    if (line.start === line.end) {
      blanks += 1;
      continue;
    }
    if (line.indent <= indent || text.charCodeAt(line.start) === HASH) break;
    const stop = trimmed(text, line.start, line.end);
    const piece = text.slice(line.start, stop);
    if (separator(text, line.start, line.end) !== -1 || piece.includes(" #")) throw NOT_PLAIN;
    parts.push(blanks === 0 ? " " : "\n".repeat(blanks), piece);
    blanks = 0;
    found = { stop, end: line.end, next: line.next };
  }
  return found && { ...found, value: parts.join("") };
}

/** The line that starts at an offset, with its first character that is not a space, and its indentation. */
function lineAt(text: string, offset: number) {
  if (offset >= text.length) return undefined;
  let end = text.indexOf("\n", offset);
  if (end === -1) end = text.length;
  const next = end + 1;
  if (text.charCodeAt(end - 1) === RETURN && end > offset) end -= 1;
  let start = offset;
  while (start < end && text.charCodeAt(start) === SPACE) start++;
  return { start, end, next, indent: start - offset };
}

function trimmed(text: string, from: number, end: number): number {
  let stop = end;
  while (stop > from && text.charCodeAt(stop - 1) === SPACE) stop--;
  return stop;
}
