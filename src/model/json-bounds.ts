import type { Json } from "./json.ts";

/** The maximum depth of nested lists and objects; Zulip's own answers stay below 10. */
export const MOST_DEPTH = 100;
/** The maximum number of values: 10,000 channels with 500 subscribers each have half of it. */
export const MOST_VALUES = 10_000_000;

type BoundedJson = { readonly value: Json } | { readonly cause: "no-json" } | JsonBeyond;

/** @property most the number of levels, or of values */
interface JsonBeyond {
  readonly cause: "too-deep" | "too-many";
  readonly most: number;
}

/**
 * Parses JSON from outside. Text that is nested so deeply that a walk would end the process, or that has more parts than fit into memory, is refused
 * before any object is created. The check is one pass over the text, whatever it contains.
 */
export function parseBounded(text: string): BoundedJson {
  const cause = boundsCause(text);
  if (cause !== undefined) return cause;
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch {
    return { cause: "no-json" };
  }
}

/** The limit that a text exceeds; undefined if it exceeds none (the text need not be JSON). */
export function boundsCause(text: string): JsonBeyond | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MOST_DEPTH) return { cause: "too-deep", most: MOST_DEPTH };
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    else if (code === COMMA) values += 1;
    if (values > MOST_VALUES) return { cause: "too-many", most: MOST_VALUES };
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The position of the quote that ends the string at `start`; the last character if no quote ends it. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length - 1;
}
