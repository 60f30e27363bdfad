import { APOSTROPHE, HASH, NOT_PLAIN, RETURN, SPACE, separator } from "./plain-text.ts";

/** A scalar that continues on the next lines: its value, its end, and its last line. */
export interface Folded {
  readonly value: string;
  readonly stop: number;
  readonly end: number;
  readonly next: number;
}

/** The start of such a scalar, the end of its first line, and the start of the next line. `indent`: every line is indented further than this. */
interface Start {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly next: number;
  readonly indent: number;
}

/** A quoted scalar that does not end on its line. Its lines are joined: a line end becomes a space, and an empty line becomes a line end. */
export function foldedQuoted({ text, at, end, next, indent }: Start): Folded {
  const quote = text.charCodeAt(at);
  const parts = [text.slice(at + 1, trimmed(text, at + 1, end))];
  let blanks = 0;
  for (let line = lineAt(text, next); line !== undefined; line = lineAt(text, line.next)) {
    if (line.start === line.end) {
      blanks += 1;
      continue;
    }
    if (line.indent <= indent) throw NOT_PLAIN;
    const close = closing(text, quote, line.start, line.end);
    const stop = close === -1 ? trimmed(text, line.start, line.end) : close;
    parts.push(blanks === 0 ? " " : "\n".repeat(blanks), text.slice(line.start, stop));
    blanks = 0;
    if (close === -1) continue;
    const value = parts.join("");
    if (quote === APOSTROPHE) return { ...line, value: value.replaceAll("''", "'"), stop: close + 1 };
    // An escape may represent a line end, or remove one.
    if (value.includes("\\")) throw NOT_PLAIN;
    return { ...line, value, stop: close + 1 };
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

/** Where the closing quote is on a line, or -1. */
function closing(text: string, quote: number, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (text.charCodeAt(at) !== quote) continue;
    if (quote !== APOSTROPHE || text.charCodeAt(at + 1) !== APOSTROPHE) return at;
    at++;
  }
  return -1;
}

function trimmed(text: string, from: number, end: number): number {
  let stop = end;
  while (stop > from && text.charCodeAt(stop - 1) === SPACE) stop--;
  return stop;
}
