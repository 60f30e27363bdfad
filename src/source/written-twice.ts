import { defined, whenDefined } from "../model/defined.ts";
import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { commentedKey } from "./commented-key.ts";

/** Whether a key that is written twice opens a section both times: each may have entries of its own. */
export function writtenTwice(
  text: string,
  ...keys: readonly (readonly [start: number, end: number, ...more: unknown[]])[]
): { readonly is_section?: true; readonly comment?: Quoted } {
  const opens = keys.every(([start, end]) => {
    const lineEnd = text.indexOf("\n", end);
    const after = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
    return (start === 0 || text[start - 1] === "\n") && /^:\s*(?:#.*)?$/.test(after);
  });
  const [first, second] = keys;
  const comment =
    first === undefined || second === undefined
      ? undefined
      : commentedKey(text, second[0], (margin) => margin < columnOf(text, second[0]), first[1]);
  return defined({ is_section: opens ? true : undefined, comment: whenDefined(comment?.written, quote) });
}

const columnOf = (text: string, at: number): number => at - (text.lastIndexOf("\n", at - 1) + 1);
