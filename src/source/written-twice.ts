import { defined } from "../model/defined.ts";

/** Whether a key that is written twice opens a section both times: each may have entries of its own. */
export function writtenTwice(
  text: string,
  ...keys: readonly (readonly [start: number, end: number, ...more: unknown[]])[]
): { readonly is_section?: true } {
  const opens = keys.every(([start, end]) => {
    const lineEnd = text.indexOf("\n", end);
    const after = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
    return (start === 0 || text[start - 1] === "\n") && /^:\s*(?:#.*)?$/.test(after);
  });
  return defined({ is_section: opens ? true : undefined });
}
