import { defined, whenDefined } from "../model/defined.ts";
import { type Quoted, quote } from "../model/diagnostics/values.ts";

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

/** A name behind "#", as Zulip writes channels, which has lines of its own below it. */
const COMMENTED = /^( *)#([^\s#:!][^\s:]*):[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*?\1 +(?=[^\s#])/gm;
/** How far back and on is looked. */
const NEAR = 10_000;

/** The range of a name that is a comment, and what is written. */
interface CommentedKey {
  readonly written: string;
  readonly at: readonly [start: number, end: number];
}

/**
 * `#incidents:` above a position: YAML takes it for a comment, and what is below it for a part of the entry before.
 * @param after only behind this position
 * @param fits whether its column is the one of a key that explains what is wrong at the position
 */
export function commentedKey(
  text: string,
  at: number,
  fits: (indent: number) => boolean,
  after = 0,
): CommentedKey | undefined {
  const from = text.lastIndexOf("\n", Math.max(after, at - NEAR)) + 1;
  let found: CommentedKey | undefined;
  for (const { 0: whole, 1: margin = "", 2: name = "", index } of text.slice(from, at + NEAR).matchAll(COMMENTED)) {
    const start = from + index + margin.length;
    if (start > at + margin.length) break;
    const between = text
      .slice(from + index + whole.length, at)
      .split("\n")
      .slice(1, -1);
    const isLeft = between.some((line) => /\S/.test(line) && line.search(/\S/) < margin.length);
    if (start >= after && fits(margin.length) && !isLeft)
      found = { written: `#${name}`, at: [start, start + name.length + 2] };
  }
  return found;
}
