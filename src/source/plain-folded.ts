import { APOSTROPHE, HASH, NOT_PLAIN, RETURN, SPACE, separator } from "./plain-text.ts";

/** A text that goes on in the lines below: what it says, where it ends, and the line that it ends on. */
export interface Folded {
  readonly value: string;
  readonly stop: number;
  readonly end: number;
  readonly next: number;
}

/** Where such a text starts, where its first line ends, and where the line after it starts. `indent`: every line is further in than this. */
interface Start {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly next: number;
  readonly indent: number;
}

/** A quoted text that does not end on its line. Lines become one: a line end is a space, and an empty line is a line end. */
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
    // An escape may stand for a line end, or take one away.
    if (value.includes("\\")) throw NOT_PLAIN;
    return { ...line, value, stop: close + 1 };
  }
  throw NOT_PLAIN;
}

/** A text without quotes of which `first` is the first line; undefined when it ends there. */
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

/** The line that starts at an offset, its first character that is no blank, and how far in that is. */
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
