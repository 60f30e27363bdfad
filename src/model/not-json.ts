import { cases, type FactIn } from "./cases.ts";

/** Why a text is not JSON, as the end of a sentence. The place is reported and no text is quoted: it may be the wrong file, with keys in it. */
export const notJsonText = cases("is", {
  empty: "it is empty",
  "cut-off": "it ends too early",
  error: ({ line, column }: { line: number; column: number }) => `there is an error at line ${line}, column ${column}`,
});
export type NotJson = FactIn<typeof notJsonText>;

export function whyNotJson(text: string): NotJson {
  const at = jsonErrorAt(text);
  if (text.trim() === "") return { is: "empty" };
  if (at >= text.trimEnd().length) return { is: "cut-off" };
  const before = text.slice(0, at);
  return { is: "error", line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

/** A mark, a number or a name, or the beginning of a text. */
const TOKEN = /[ \t\r\n]*(?:([{}[\]:,])|(")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = "value" | "value-or-]" | "key" | "key-or-}" | ":" | ", or end";

/** The position where a text stops being JSON, in UTF-16 units; its length if it is truncated (or valid). */
export function jsonErrorAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const [whole, mark, quote, other] = TOKEN.exec(text) ?? [];
    if (whole === undefined) return wordAt(text, at);
    const next = follow(expected, { mark, isText: quote !== undefined, isValue: other !== undefined }, open);
    const end = quote === undefined ? at + whole.length : textEnd(text, at + whole.length);
    if (next === undefined || end === undefined) return wordAt(text, at);
    expected = next;
    at = end;
    if (open.length === 0 && expected === ", or end" && text.slice(at).trim() === "") return text.length;
  }
}

/** The position after the closing quote, or the text's length if no quote closes it; undefined if what is between the quotes is not a JSON string. */
function textEnd(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text.charCodeAt(at) < 0x20) return undefined;
    if (text[at] !== "\\") continue;
    ESCAPE.lastIndex = at;
    const [whole] = ESCAPE.exec(text) ?? [];
    if (whole === undefined) return at + 6 > text.length ? text.length : undefined;
    at += whole.length - 1;
  }
  return text.length;
}

/** What may follow a token; undefined: the token is not allowed here. Updates `open`. */
function follow(
  expected: Expected,
  { mark, isText, isValue }: { readonly mark: string | undefined; readonly isText: boolean; readonly isValue: boolean },
  open: ("{" | "[")[],
): Expected | undefined {
  const isWanted = expected === "value" || expected === "value-or-]";
  if (expected === ":") return mark === ":" ? "value" : undefined;
  if (expected === "key" || expected === "key-or-}") {
    if (isText) return ":";
    return expected === "key-or-}" && mark === "}" ? closed(open) : undefined;
  }
  if (isWanted && (isText || isValue)) return ", or end";
  if (isWanted && (mark === "{" || mark === "[")) {
    open.push(mark);
    return mark === "{" ? "key-or-}" : "value-or-]";
  }
  if (expected === "value-or-]" && mark === "]") return closed(open);
  if (expected !== ", or end") return undefined;
  const last = open.at(-1);
  if (mark === "," && last !== undefined) return last === "{" ? "key" : "value";
  return (mark === "}" && last === "{") || (mark === "]" && last === "[") ? closed(open) : undefined;
}

function closed(open: ("{" | "[")[]): Expected {
  open.pop();
  return ", or end";
}

/** The next token after spaces. */
function wordAt(text: string, at: number): number {
  const rest = /[^ \t\r\n]/g;
  rest.lastIndex = at;
  return rest.exec(text)?.index ?? text.length;
}
