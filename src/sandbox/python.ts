import { isList, isObject, type Json } from "../model/json.ts";

/** How the server, which is written in Python, formats values in texts for people, and what it takes as true. */

/** Like `str`: text is unchanged, everything else is as in {@link shown}. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : shown(value));

/** Like `repr`, as in source code: `'a\n'`, `None`, `[1, True]`. */
export function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value, (char) => (isPrintable(char) ? char : escapeOf(char)));
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isList(value)) return `[${value.map(shown).join(", ")}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${shown(key)}: ${shown(each)}`)
    .join(", ")}}`;
}

/** The UTF-8 bytes of a text: `b'caf\xc3\xa9'`. */
export function shownBytes(text: string): string {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  return `b${quoted(bytes, (char) => (/[ -~]/.test(char) ? char : hexEscape("x", char, 2)))}`;
}

/** The text in single quotes, or in double quotes if it contains single but no double ones. */
function quoted(text: string, show: (char: string) => string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = "";
  for (const char of text) out += SHORT_ESCAPES[char] ?? (char === quote ? `\\${char}` : show(char));
  return quote + out + quote;
}
const SHORT_ESCAPES: { readonly [char: string]: string } = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Whether the character is assigned, and neither a control character nor white space other than the space. */
const isPrintable = (char: string): boolean => char === " " || !/[\p{C}\p{Z}]/u.test(char);
function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code > 0xffff) return hexEscape("U", char, 8);
  return code > 0xff ? hexEscape("u", char, 4) : hexEscape("x", char, 2);
}
const hexEscape = (letter: string, char: string, digits: number): string =>
  `\\${letter}${(char.codePointAt(0) ?? 0).toString(16).padStart(digits, "0")}`;

/** Empty texts, lists and objects are false, as are 0 and null. */
export const isTruthy = (value: unknown): boolean =>
  isList(value) || isObject(value) ? Object.keys(value).length > 0 : Boolean(value);

/**
 * White space as the server defines it, which differs from JavaScript: the byte order mark is not white space, but the next-line control (U+0085) is,
 * and so are the four separators U+001C to U+001F, for the server's own code but not for its parameter parser.
 */
const SPACE = "\\t-\\r\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SEPARATORS = "\\u001c-\\u001f";

const START = new RegExp(`^[${SPACE}${SEPARATORS}]+`);
const END = new RegExp(`[${SPACE}${SEPARATORS}]+$`);
const PARAMETER_START = new RegExp(`^[${SPACE}]+`);
const PARAMETER_END = new RegExp(`[${SPACE}]+$`);

/** Removes surrounding white space as the server's own code does. */
export const stripped = (text: string): string => strippedEnd(text.replace(START, ""));
export const strippedEnd = (text: string): string => text.replace(END, "");
/** Removes surrounding white space as the server does while it reads a parameter. */
export const strippedParameter = (text: string): string => text.replace(PARAMETER_START, "").replace(PARAMETER_END, "");

/**
 * Some of the server's answers list ids in the order of its hash sets. Small integers are their own hashes, so clients can see an order that depends
 * only on the numbers. This function computes it.
 */
export function setOrder(ids: readonly number[]): number[] {
  let slots: (number | undefined)[] = new Array(8).fill(undefined);
  let used = 0;
  for (const id of new Set(ids)) {
    place(slots, id);
    used += 1;
    if (used * 5 >= (slots.length - 1) * 3) {
      const kept = slots.filter((slot) => slot !== undefined);
      let size = 8;
      while (size <= used * (used > 50_000 ? 2 : 4)) size *= 2;
      slots = new Array(size).fill(undefined);
      for (const each of kept) place(slots, each);
    }
  }
  return slots.filter((slot) => slot !== undefined);
}

/** The number of neighboring slots that are tried before a jump elsewhere. */
const LINEAR_PROBES = 9;

function place(slots: (number | undefined)[], id: number): void {
  const mask = slots.length - 1;
  let perturb = Math.abs(id);
  // Negative ids do not exist, but requests can contain them. The hash −1 is reserved.
  const hash = id === -1 ? -2 : id;
  let at = ((hash % slots.length) + slots.length) % slots.length;
  for (;;) {
    const last = at + LINEAR_PROBES <= mask ? at + LINEAR_PROBES : at;
    for (let probe = at; probe <= last; probe += 1) {
      if (slots[probe] !== undefined) continue;
      slots[probe] = id;
      return;
    }
    perturb = Math.floor(perturb / 32);
    at = (at * 5 + 1 + perturb) & mask;
  }
}

/** Where a token begins that the parsers read in different ways: a text, or a number. */
const TOKEN = /"|-?\d[\d.eE+-]*|-?Infinity|NaN/g;
/** One half of a surrogate pair without the other. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Reads JSON as the server's parser does. It differs from JavaScript's parser in three points: `1.0` and `1e2` are not integers, `NaN` and `Infinity`
 * are numbers, and half a surrogate pair is not text.
 * @throws SyntaxError
 */
export function readJsonText(text: string): unknown {
  return JSON.parse(withTokens(text, asJavaScriptReadsIt));
}

/**
 * The same for the few parameters that the server reads with a stricter parser (`to` of a message): infinite numbers and NaN are not JSON, and whole
 * numbers that need more than 64 bits are not integers.
 * @throws SyntaxError
 */
export function readStrictJsonText(text: string): unknown {
  return JSON.parse(withTokens(text, asStrictParserReadsIt));
}

/** The value, or undefined if the reader refuses the text. */
export function jsonIn<T = Json>(text: string, read: (text: string) => T = JSON.parse): T | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/** A pattern cannot take a whole text: its repetition would not end for one of some million characters, which a bot may store. */
function withTokens(text: string, read: (token: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const end = found[0] === '"' ? endOfText(text, found.index + 1) : TOKEN.lastIndex;
    parts.push(text.slice(from, found.index), read(text.slice(found.index, end)));
    from = end;
    TOKEN.lastIndex = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}
/** The place behind the quotation mark that ends the text. */
function endOfText(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function asJavaScriptReadsIt(token: string): string {
  if (token.startsWith('"')) {
    if (token.includes("\\u") && LONE_SURROGATE.test(JSON.parse(token))) throw new SyntaxError("half a surrogate pair");
    return token;
  }
  if (token.endsWith("y") || token === "NaN") return FRACTION;
  // For the server, a whole number with a point or an exponent is not an integer, so a fraction replaces it: a nearby one, if possible.
  if (!/[.eE]/.test(token) || !Number.isInteger(JSON.parse(token))) return token;
  return Number.isSafeInteger(Number(token)) ? ` ${Number(token)}.25 ` : FRACTION;
}

function asStrictParserReadsIt(token: string): string {
  if (token.startsWith('"')) return asJavaScriptReadsIt(token);
  const value: unknown = JSON.parse(token);
  if (!Number.isFinite(value)) throw new SyntaxError("a number without end");
  if (/[.eE]/.test(token)) return asJavaScriptReadsIt(token);
  return BigInt(token) >= MIN_64_BITS && BigInt(token) < END_OF_64_BITS ? token : FRACTION;
}
const MIN_64_BITS = -(2n ** 63n);
const END_OF_64_BITS = 2n ** 64n;
/** Replaces numbers that JSON cannot represent; it only matters that they are not integers. */
const FRACTION = " 0.25 ";
