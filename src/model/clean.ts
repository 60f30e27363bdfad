import { replaceInvisible } from "./invisible.ts";

/** Halves of surrogate pairs; the table in src/model has all other characters that could make a terminal show a different text. */
export const HALVES = /\p{Cs}/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Text of the server or of a file, safe to print on one line: `\n`, `\u001b`, `\u202e` (YAML's escapes) instead of their effects. */
export function clean(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : replaceInvisible(text, escaped).replace(HALVES, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return SHORT_ESCAPES[character] ?? (code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`);
}
