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

/** The position after the closing quote; -1 if it is not on the line. */
export function quoteEndOnLine(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) === APOSTROPHE) {
    for (let next = at + 1; next < end; next++)
      if (text.charCodeAt(next) === APOSTROPHE && text.charCodeAt(++next) !== APOSTROPHE) return next;
    return -1;
  }
  for (let next = at + 1; next < end; next++) {
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
