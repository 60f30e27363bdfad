const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|-?Infinity|NaN/gs;
/** Half of a surrogate pair without the other. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Reads JSON as the server's parser does, which differs in three points from JavaScript's: `1.0` and `1e2` are no whole
 * numbers, `NaN` and `Infinity` are numbers, and half a surrogate pair is no text.
 * @throws SyntaxError
 */
export function readJsonText(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, asJavaScriptReadsIt));
}

/**
 * The same for the few parameters that a stricter parser of the server's reads (`to` of a message): only numbers that end
 * are JSON, and whole ones that need more than 64 bits are no integers.
 * @throws SyntaxError
 */
export function readStrictJsonText(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, asStrictParserReadsIt));
}

function asJavaScriptReadsIt(token: string): string {
  if (token.startsWith('"')) {
    if (token.includes("\\u") && LONE_SURROGATE.test(JSON.parse(token))) throw new SyntaxError("half a surrogate pair");
    return token;
  }
  if (token.endsWith("y") || token === "NaN") return FRACTION;
  // A whole number with a point or an exponent is none to the server: a fraction stands for it, near it where there is one.
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
/** Stands for numbers that JSON cannot write; nothing asks more of them than that they are no integers. */
const FRACTION = " 0.25 ";
