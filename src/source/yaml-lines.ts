import type { SyntaxCause } from "../model/diagnostics/syntax.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { SourceText } from "./text.ts";

/*
 * Errors of the parser whose cause is another line, or a notation of another program: what the parser says about the place where it noticed would lead
 * away from it.
 */

export interface Cause {
  readonly fact: SyntaxCause;
  readonly at: readonly [start: number, end: number];
}

/** The cause of everything else in the file: its first line is indented and the others are not. */
export function causeOfAll({ text }: SourceText, errors: readonly (readonly [number, number])[]): Cause | undefined {
  const first = /^(?![ ]*(?:#|\r?$)).*\S/m.exec(text);
  if (first === null || !/^ +[\w-]+:(?: |$)/.test(first[0])) return undefined;
  const end = first.index + first[0].length;
  const isOutside = errors.some(
    ([at]) => at > end && /^[\w-]+:/m.test(lineAt(text, at).text) && at === lineAt(text, at).start,
  );
  const indent = first[0].search(/\S/);
  return isOutside ? { fact: { cause: "first-indent" }, at: [first.index + indent, end] } : undefined;
}

/** What a line is that no YAML can have. */
export function causeOfLine(text: string, at: number): Cause | undefined {
  const line = lineAt(text, at);
  const within = (found: RegExpExecArray, fact: SyntaxCause): Cause => {
    const start = line.start + found.index;
    return { fact, at: [start, start + found[0].trimEnd().length] };
  };
  const tag = /\{%.*?%\}|\{#.*?#\}|<%.*?%>/.exec(line.text);
  if (tag !== null) return within(tag, { cause: "template-tag", written: quote(tag[0]) });
  const comment = /(?:(?<=^\s*)|(?<=[\s{[,}\]]))(?:\/\/|\/\*)(?=[\s*]|$).*/.exec(line.text);
  if (comment !== null && at <= line.start + comment.index + 2)
    return within(comment, { cause: "slashes", written: comment[0].slice(0, 2) });
  const dots = /^\s*(?:- +)?(?:…|\.\.\.|\[(?:…|\.\.\.)\]|<snip>)\s*$/.exec(line.text);
  if (dots !== null) {
    const written = dots[0].trim();
    const start = line.start + line.text.indexOf(written);
    return { fact: { cause: "left-out", written }, at: [start, start + written.length] };
  }
  const box = /(?<=^ *- +)\[[ xX]?\](?= +\S)/.exec(line.text);
  if (box !== null) return within(box, { cause: "check-box" });
  if (isOfShell(line.text, text)) return { fact: { cause: "shell-line" }, at: trimmed(line) };
  const dashes = /(?<=^\s*)--(?= ).*/.exec(line.text);
  if (dashes !== null) return within(dashes, { cause: "dashes" });
  const bullet = bulletOf(line) ?? dashWithoutSpace(text, line);
  if (bullet !== undefined) return bullet;
  const wide = /(?<=^\s*[^\s：][^：]*)：(?=\s|$)/.exec(line.text) ?? /(?<=[{[].*)，(?=[^"']*[}\]])/.exec(line.text);
  if (wide !== null)
    return within(wide, { cause: "full-width", written: wide[0], meant: wide[0] === "：" ? ":" : "," });
  return undefined;
}

/** What the line above is, if it is what the parser stumbled over a line later: `**eng**:` is an alias to it. */
export function causeAbove(text: string, at: number): Cause | undefined {
  const here = lineAt(text, at);
  const bold = (line: Line): Cause | undefined => {
    const found = /^ *(?:- +)?(?=\*\*[^*\n])/.exec(line.text);
    return found === null ? undefined : markedName(text, line.start + found[0].length);
  };
  const above = here.start === 0 ? undefined : lineAt(text, here.start - 1);
  return bold(here) ?? (above && (bold(above) ?? bulletOf(above)));
}

/** `• ada@example.org`: the sign of a list elsewhere. */
function bulletOf({ start, text }: Line): Cause | undefined {
  const [found, margin = "", written = ""] = /^( *)([•·▪◦‣–—−*]|\d{1,3}[.)]) +(?=\S)/.exec(text) ?? [];
  if (found === undefined) return undefined;
  return { fact: { cause: "bullet", written }, at: [start + margin.length, start + margin.length + written.length] };
}

/** `-ada@example.org` below an entry of a list that has its space. */
function dashWithoutSpace(text: string, line: Line): Cause | undefined {
  const [found, margin = ""] = /^( *)-(?![\s-]).*/.exec(line.text) ?? [];
  if (found === undefined || !isBelowEntry(text, line, margin.length)) return undefined;
  return { fact: { cause: "dash-space" }, at: trimmed(line) };
}

/** Whether the line above starts an entry of a list in this column. */
export function isBelowEntry(text: string, { start }: Pick<Line, "start">, indent: number): boolean {
  return start > 0 && lineAt(text, start - 1).text.startsWith(`${" ".repeat(indent)}- `);
}

/** The key on the line above, if it is in the same column and has no value: what follows it is perhaps its list. */
export function keyAbove(text: string, at: number): string | undefined {
  const here = lineAt(text, at);
  if (here.start === 0) return undefined;
  const [, margin = "", key] = /^( *)([\w-]+):[ ]*\r?$/.exec(lineAt(text, here.start - 1).text) ?? [];
  return key !== undefined && margin.length === here.text.search(/\S/) ? key : undefined;
}

/** A name, or a whole value, between marks of Markdown that YAML has another meaning for. */
export function markedName(text: string, at: number): Cause | undefined {
  const rest = lineAt(text, at).text.slice(at - lineAt(text, at).start);
  const [written, mark = ""] = /^(`|\*{1,2})[^`*\n]+\1(?=:(?:\s|$)|\s*(?:[,\]}]|$))/.exec(rest) ?? [];
  if (written === undefined) return undefined;
  const meant = written.slice(mark.length, -mark.length);
  return {
    fact: {
      cause: "marked",
      mark,
      written: quote(written),
      meant: quote(meant),
      is_name: rest[written.length] === ":",
    },
    at: [at, at + written.length],
  };
}

/** What a second colon on a line belongs to: a name, or a field of the entry whose name is before it; otherwise only a text. */
export function secondColon(text: string, first: number, end: number): SyntaxCause {
  const line = lineAt(text, first);
  const value = text.slice(first, end);
  const before = text
    .slice(line.start, first)
    .replace(/^ *(?:- +)?/, "")
    .trimEnd();
  if (value.endsWith(":")) return { cause: "second-colon", name: quote(`${before} ${value.slice(0, -1)}`) };
  const field = /^[a-z][a-z_]*(?=: )/.exec(value)?.[0];
  if (field === undefined) return { cause: "second-colon" };
  return { cause: "second-colon", field: quote(field), of: quote(before.replace(/:$/, "")), line: quote(value) };
}

/** How far the first line of a text block is indented, if this line is part of the text and indented less. */
export function unevenText(text: string, at: number): number | undefined {
  const indent = lineAt(text, at).text.search(/\S/);
  let first = 0;
  for (let [end, lines] = [lineAt(text, at).start - 1, 0]; end > 0 && lines < MOST_ABOVE; lines += 1) {
    const above = lineAt(text, end);
    const own = above.text.search(/\S/);
    if (own >= 0 && own < indent)
      return first > indent && /:[ ]+[|>][-+]*\s*(?:#.*)?$/.test(above.text) ? first : undefined;
    if (own >= 0) first = own;
    end = above.start - 1;
  }
  return undefined;
}

/** `cat > realm.yaml <<EOF`, and the line that ends such a text. */
function isOfShell(line: string, text: string): boolean {
  if (/<<-? *['"]?\w+['"]?\s*$/.test(line) || /^(?:PS )?[A-Z]:\\[^>]*> ?\S/.test(line)) return true;
  const end = /^(\w+)\s*$/.exec(line)?.[1];
  return end !== undefined && ["<<", "<< ", "<<-", "<<'", '<<"'].some((sign) => text.includes(`${sign}${end}`));
}

/** Lines of a text behind `|` that start in the column of its key: the first of them, since each would be an error of its own. */
export function unindentedText(text: string, at: number): Cause | undefined {
  const here = lineAt(text, at);
  const indent = here.text.search(/\S/);
  let first = here;
  for (let [end, lines] = [here.start - 1, 0]; end > 0 && lines < MOST_ABOVE; lines += 1) {
    const above = lineAt(text, end);
    if (above.text.search(/\S/) !== indent) return undefined;
    if (/:[ ]+[|>][-+0-9]*\s*(?:#.*)?$/.test(above.text))
      return { fact: { cause: "block-text", least: indent + 1 }, at: trimmed(first) };
    first = above;
    end = above.start - 1;
  }
  return undefined;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
  const end = text.indexOf("\n", offset);
  return { start, text: text.slice(start, Math.min(end === -1 ? text.length : end, start + LONGEST_LINE)) };
}

/** Of a longer line, only this many characters are looked at: some of the patterns look back from every character. */
export const LONGEST_LINE = 2_000;
/** The maximum number of lines above an error that are looked at. */
const MOST_ABOVE = 200;

const trimmed = ({ start, text }: Line): readonly [number, number] => [
  start + Math.max(0, text.search(/\S/)),
  start + text.trimEnd().length,
];
