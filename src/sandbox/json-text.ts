import type { Json } from "../model/json.ts";

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
