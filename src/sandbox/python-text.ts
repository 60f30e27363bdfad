import { isList, isObject } from "../model/json.ts";

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
