import type { CST, YAMLError } from "yaml";
import { defined, whenDefined } from "../model/defined.ts";
import { type Diagnostic, error, placed } from "../model/diagnostic.ts";
import type { OddCharacter, SyntaxCause } from "../model/diagnostics/syntax.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { SourceText } from "./text.ts";
import { commentedKey } from "./written-twice.ts";
import {
  type Cause,
  causeAbove,
  causeOfAll,
  causeOfLine,
  isBelowEntry,
  keyAbove,
  LONGEST_LINE,
  markedName,
  secondColon,
  unevenText,
  unindentedText,
} from "./yaml-lines.ts";

/** The maximum number of reported errors, since one error in a file causes several errors of the parser. */
const MOST_REPORTED = 20;
/** The maximum number of examined errors, since one line can have a hundred thousand. */
const MOST_LOOKED_AT = 500;

/** The meaning of the parser's errors for the person who wrote the file; of several on one line only the first. */
export function syntaxErrors(
  source: SourceText,
  errors: readonly YAMLError[],
  tokens: readonly CST.Token[],
): Diagnostic[] {
  const conflict = errors.length === 0 ? undefined : mergeConflict(source);
  if (conflict !== undefined) return [conflict];
  const all = causeOfAll(
    source,
    errors.slice(0, MOST_LOOKED_AT).map(({ pos }) => pos),
  );
  if (all !== undefined) return [error("yaml/syntax", all.fact, source.span(...all.at))];
  const found: Diagnostic[] = [];
  let isTemplate = false;
  const lines = new Set<number>();
  const offsets = new Set<number>();
  const indents = new Set<number>();
  let before: Diagnostic | undefined;
  const sorted = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  for (const thrown of sorted.slice(0, MOST_LOOKED_AT)) {
    if (offsets.has(thrown.pos[0])) continue;
    offsets.add(thrown.pos[0]);
    const diagnostic = reword(source, thrown, tokens);
    // What another program would replace is told once, and the lines between its marks are its own, too.
    if (isTemplate) continue;
    isTemplate = has("template-tag", diagnostic);
    const line = diagnostic.at?.line ?? 0;
    if (lines.has(line)) continue;
    lines.add(line);
    // Each line of a list without dashes lacks the same.
    if (has("no-colon", diagnostic) && has("no-colon", before) && before?.at?.line === line - 1) {
      before = diagnostic;
      continue;
    }
    before = diagnostic;
    // Lines that are indented like an earlier wrong one have the same cause, which is often above them.
    const column = has("indent", diagnostic) ? diagnostic.at?.column : undefined;
    if (column !== undefined && indents.has(column)) continue;
    if (column !== undefined) indents.add(column);
    found.push(diagnostic);
    // The parser takes everything behind such a line for something else.
    if (found.length === MOST_REPORTED || has("bracket-indent", diagnostic)) break;
  }
  return found;
}

const has = (cause: SyntaxCause["cause"], diagnostic: Diagnostic | undefined): boolean =>
  diagnostic?.code === "yaml/syntax" && "cause" in diagnostic.fact && diagnostic.fact.cause === cause;

/** Conflict markers that Git leaves in a file: reported once, since each of these lines would be an error. */
function mergeConflict(source: SourceText): Diagnostic | undefined {
  const start = /^<{7}(?: .*)?$/m.exec(source.text);
  const mark = start ?? /^(?:={7}|[>|]{7}(?: .*)?)\r?$/m.exec(source.text);
  if (mark === null) return undefined;
  const at = source.span(mark.index, mark.index + mark[0].trimEnd().length);
  return error("yaml/syntax", { cause: start === null ? "merge-marker" : "merge-conflict" }, at);
}

/** The meaning of an error, and the stretch of text that it is about. */
interface Meaning {
  readonly finding: SyntaxFinding;
  readonly at?: Range;
  readonly opened?: Range;
}

type Range = readonly [start: number, end: number];
type SyntaxFinding =
  | { readonly code: "yaml/syntax"; readonly fact: SyntaxCause }
  | { readonly code: "yaml/tab" | "yaml/too-deep"; readonly fact: Record<never, never> }
  | { readonly code: "yaml/anchor" | "yaml/tag"; readonly fact: { readonly reason: string } };

function reword(source: SourceText, thrown: YAMLError, tokens: readonly CST.Token[]): Diagnostic {
  const { finding, at = thrown.pos, opened } = meaningOf(source, thrown, tokens);
  const odd = oddCharacter(source, at[0]);
  const span = source.span(...withinLine(source.text, at));
  const notes = opened === undefined ? [] : [{ at: source.span(...opened), note: "opened-here" } as const];
  switch (finding.code) {
    case "yaml/syntax":
      return error(finding.code, { ...finding.fact, ...odd }, span, notes);
    case "yaml/tab":
      return error(finding.code, odd, span, notes);
    default:
      return placed(finding, span);
  }
}

const syntax = (fact: SyntaxCause, at?: Range): Meaning => ({
  finding: { code: "yaml/syntax", fact },
  ...defined({ at }),
});
const because = ({ fact, at }: Cause): Meaning => syntax(fact, at);
const tab = (at: Range): Meaning => ({ finding: { code: "yaml/tab", fact: {} }, at });

function meaningOf(source: SourceText, thrown: YAMLError, tokens: readonly CST.Token[]): Meaning {
  const { text } = source;
  const [start, end] = thrown.pos;
  const said = thrown.message;
  const line = lineAround(text, start);
  const reference = bareReference(text, start) ?? templateAround(line, start);
  if (reference !== undefined) return reference;
  const other = causeOfLine(text, start) ?? causeAbove(text, start);
  if (other !== undefined) return because(other);
  switch (thrown.code) {
    case "TAB_AS_INDENT":
      return tab(tabsAround(text, start));
    case "MULTILINE_IMPLICIT_KEY":
    case "MISSING_CHAR":
      if (/closing ['"]quote/.test(said)) return openQuote(thrown, tokens);
      if (/Implicit (map )?keys|Implicit keys of flow/.test(said)) return missingColon(source, start, end, tokens);
      if (/^Flow (map|sequence)|expected .*[\]}]/i.test(said)) return openBracket(source, thrown, tokens);
      if (/^Missing ,/.test(said)) return syntax({ cause: "comma-before" });
      if (/^Comments must/.test(said)) return syntax({ cause: "comment-space" });
      if (/^Missing space after :/.test(said)) return syntax({ cause: "colon-space" });
      if (/without - indicator/.test(said))
        return commentAbove(text, start) ?? listFieldAt(text, start) ?? syntax({ cause: "no-dash" });
      break;
    case "BAD_INDENT":
      if (/same column|with end of/.test(said) || /All (mapping|sequence)/.test(said))
        return commentAbove(text, start) ?? listFieldAt(text, start) ?? unevenLine(text, start);
      if (/^Flow/.test(said)) return openBracket(source, thrown, tokens);
      if (/Block scalars|leading empty|explicit indent/i.test(said)) return syntax({ cause: "block-indent" });
      break;
    case "BLOCK_AS_IMPLICIT_KEY":
    case "BLOCK_IN_FLOW":
      return misplaced(text, start, said);
    case "BAD_SCALAR_START":
      return startCharacter(text, start);
    case "BAD_DQ_ESCAPE": {
      const sequence = said.slice("Invalid escape sequence ".length);
      return syntax({ cause: "escape", escape: quote(sequence) }, [start, start + sequence.length]);
    }
    case "BAD_ALIAS":
      if (/empty string/.test(said)) return startCharacter(text, start);
      return { finding: { code: "yaml/anchor", fact: { reason: lowerFirst(said) } } };
    case "ALIAS_PROPS":
    case "MULTIPLE_ANCHORS":
      return { finding: { code: "yaml/anchor", fact: { reason: lowerFirst(said) } } };
    case "MULTIPLE_TAGS":
    case "TAG_RESOLVE_FAILED":
    case "BAD_COLLECTION_TYPE":
      return { finding: { code: "yaml/tag", fact: { reason: lowerFirst(said) } } };
    case "RESOURCE_EXHAUSTION":
      return { finding: { code: "yaml/too-deep", fact: {} } };
    case "UNEXPECTED_TOKEN": {
      const meant = unexpectedToken(start, line.start, text, said);
      if (meant !== undefined) return meant;
      break;
    }
    default:
  }
  if (/^\s*\t/.test(line.text)) return tab(tabsAround(text, line.start));
  return syntax({ cause: "other", reason: lowerFirst(said) });
}

function unexpectedToken(at: number, lineStart: number, text: string, said: string): Meaning | undefined {
  const before = text.slice(lineStart, at);
  const template = TEMPLATE.exec(before);
  if (template !== null) {
    const from = lineStart + template.index;
    return syntax(templateCause(template[0]), [from, from + template[0].length]);
  }
  // `**bold** text`: the first word was read as an alias.
  const alias = /(?<=[\s[{,])\*[^\s,\]}]*\s+$/.exec(before);
  if (alias !== null) return startCharacter(text, lineStart + alias.index);
  const cause = /^,\s*(?:#.*)?$/.test(lineAround(text, at).text.slice(at - lineStart))
    ? "comma-at-end"
    : unexpected(said, before);
  return cause === undefined ? undefined : syntax({ cause });
}

/** A name that is a comment, in the column of a line that fits nothing. */
function commentAbove(text: string, start: number): Meaning | undefined {
  const [at] = firstWord(text, start);
  const indent = at - lineAround(text, at).start;
  const found = commentedKey(text, at, (margin) => margin === indent);
  return found && syntax({ cause: "commented-key", written: quote(found.written) }, found.at);
}

function unevenLine(text: string, start: number): Meaning {
  const at = firstWord(text, start);
  const first = unevenText(text, at[0]);
  return syntax(first === undefined ? { cause: "indent" } : { cause: "block-first", first }, at);
}

const startCharacter = (text: string, at: number): Meaning =>
  because(
    markedName(text, at) ?? {
      fact: { cause: "start-character", character: text.charAt(at) },
      at: firstWord(text, at),
    },
  );

/** `{{ company }}`: other programs replace it, and YAML reads it as a map whose key is a map. */
const TEMPLATE = /\{\{[-~]?\s*([^{}]*?)\s*[-~]?\}\}/;

/** The template that an error is in: YAML reads it as a map, and stumbles over what another program would have evaluated. */
function templateAround(line: ReturnType<typeof lineAround>, at: number): Meaning | undefined {
  for (const { 0: written, index } of line.text.slice(0, LONGEST_LINE).matchAll(new RegExp(TEMPLATE, "g"))) {
    const start = line.start + index;
    const end = start + written.length;
    if (start <= at && at < end) return syntax(templateCause(written), [start, end]);
  }
  return undefined;
}

/** @param written from its first brace on */
export function templateCause(written: string): SyntaxCause {
  const [whole = written, inner = ""] = TEMPLATE.exec(written) ?? [];
  const name = /^\$?\.?(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)$/.exec(inner)?.[1]?.toLowerCase();
  return { cause: "template", written: quote(whole), ...defined({ variable: whenDefined(name, quote) }) };
}

/** A field of the entry of a list that is not indented as far as the field behind the dash of the entry. */
function listFieldAt(text: string, start: number): Meaning | undefined {
  const at = firstWord(text, start);
  const line = lineAround(text, at[0]);
  if (!/^ *[\w-]+:(?: |$)/.test(line.text)) return undefined;
  // The line above is the entry, or a field of it.
  const fields = text
    .slice(Math.max(0, line.start - 2000), line.start)
    .split("\n")
    .slice(0, -1)
    .reverse();
  const indent = at[0] - line.start;
  const dash = fields.findIndex((field) => /^ *- /.test(field));
  const column = /^ *- +/.exec(fields[dash] ?? "")?.[0].length ?? 0;
  if (column <= indent || fields.slice(0, dash).some((field) => /^ */.exec(field)?.[0].length !== column))
    return undefined;
  return syntax({ cause: "list-field", column: column + 1 }, at);
}

/** @param before the text on the line before the token */
function unexpected(said: string, before: string) {
  if (/^Unexpected , in|empty item/.test(said)) return "value-before-comma";
  if (/flow-(map|seq)-end|flow-error-end|Unexpected [\]}]/.test(said)) return "stray-bracket";
  if (/block-seq-ind on same line with key/.test(said)) return "list-on-key-line";
  if (/Block scalar header/.test(said) || /[|>][-+0-9]*\s+$/.test(before)) return "block-header";
  return /at node end$/.test(said) ? "after-value" : undefined;
}

/** A map or list where a simple value was expected. */
function misplaced(text: string, start: number, said: string): Meaning {
  const role = /flow/i.test(said) ? roleWithSpace(text, start) : undefined;
  if (role !== undefined) return role;
  if (/flow/i.test(said) && !/^-\s/.test(text.slice(start, start + 2)))
    return syntax({ cause: "comma-inside" }, [start, Math.max(start + 1, text.indexOf(":", start))]);
  if (/flow/i.test(said)) return syntax({ cause: "dash-in-brackets" }, [start, start + 1]);
  // A tab in the indentation of the list below: without it, the list would belong to this key.
  const tabbed = /:?[ ]*\r?\n[ ]*\t/y;
  tabbed.lastIndex = start;
  if (/block sequence/i.test(said))
    return tabbed.test(text)
      ? tab(tabsAround(text, tabbed.lastIndex - 1))
      : syntax({ cause: "dash-in-map" }, firstWord(text, start));
  const [first, end] = valueAfter(text, start);
  if (/: |:$/.test(text.slice(first, end))) return syntax(secondColon(text, first, end), [first, end]);
  // The value seems to continue on the next lines, until one of them has a colon.
  const next = /\n[ ]*(?=[^\s])/y;
  next.lastIndex = end;
  return syntax({ cause: "indent-more" }, valueAfter(text, next.test(text) ? next.lastIndex : first));
}

/** `{can_mention_group: role: members}` */
function roleWithSpace(text: string, start: number): Meaning | undefined {
  const [line] = /^role: +\w+/.exec(text.slice(start, start + 100)) ?? [];
  const of = /(\w+): *$/.exec(text.slice(Math.max(0, start - 100), start))?.[1];
  if (line === undefined || of === undefined) return undefined;
  return syntax({ cause: "second-colon", field: quote("role"), of: quote(of), line: quote(line) }, [
    start,
    start + line.length,
  ]);
}

/** Text where a key should be: the colon, or the space after it, was forgotten. */
function missingColon(source: SourceText, start: number, end: number, tokens: readonly CST.Token[]): Meaning {
  const { text } = source;
  const found = enclosing(tokens, start, (token) => /quoted/.test(token.type));
  if (found !== undefined && /^["']/.test(text.slice(found.offset)) && "source" in found && found.source.includes("\n"))
    return syntax({ cause: "quote-on-line", quote: text.charAt(found.offset) }, [found.offset, found.offset + 1]);
  // YAML reads a scalar over several lines here; a person sees the first of its lines without a colon.
  const written =
    text
      .slice(start, Math.max(start + 1, end))
      .split("\n")[0]
      ?.trimEnd() ?? "";
  const at: Range = [start, start + Math.max(1, written.length)];
  const line = lineAround(text, start);
  if (/^\s*\t/.test(line.text)) return tab(tabsAround(text, line.start));
  const block = unindentedText(text, start);
  if (block !== undefined) return because(block);
  const next = /\n\s*(?=["\w][^\n]*:)/y;
  next.lastIndex = start + written.length;
  const open = enclosing(tokens, start, (token) => token.type === "flow-collection" && !isClosed(token));
  const isIn =
    open === undefined && enclosing(tokens, start, (token) => token.type === "flow-collection") !== undefined;
  // `{"version": 1⏎ "channels": {}}`: two entries, and no comma between them.
  if (isIn && next.test(text)) return syntax({ cause: "comma-before" }, firstWord(text, next.lastIndex));
  if (/^[\w./-]+:\S/.test(written)) return syntax({ cause: "colon-space" }, at);
  if (/^[\w./-]+\s*=/.test(written)) return syntax({ cause: "equals" }, at);
  if (isBelowEntry(text, line, start - line.start)) return syntax({ cause: "no-dash" }, at);
  const of = keyAbove(text, start);
  return syntax({ cause: "no-colon", text: quote(written), ...defined({ of: whenDefined(of, quote) }) }, at);
}

function openQuote(thrown: YAMLError, tokens: readonly CST.Token[]): Meaning {
  const found = enclosing(tokens, thrown.pos[0], (token) => /quoted/.test(token.type));
  const start = found?.offset ?? thrown.pos[0];
  return syntax({ cause: "open-quote" }, [start, start + 1]);
}

function openBracket(source: SourceText, thrown: YAMLError, tokens: readonly CST.Token[]): Meaning {
  const { text } = source;
  const [at] = thrown.pos;
  const open = enclosing(tokens, at, (token) => token.type === "flow-collection" && !isClosed(token));
  const start = open?.offset ?? at;
  const bracket = open?.type === "flow-collection" ? open.start.source : "[";
  const found = text.charAt(at);
  if (open?.type === "flow-collection" && thrown.code === "BAD_INDENT") {
    const closes = found === CLOSING[bracket];
    if (closes || (!/[\]}]/.test(found) && isClosedIn(text.slice(start, start + LONGEST_BRACKETS)))) {
      const line = source.span(start, start).line;
      const fact = { bracket, line, least: open.indent + 1, ...defined({ found: closes ? found : undefined }) };
      return { ...syntax({ cause: "bracket-indent", ...fact }, firstWord(text, at)), opened: [start, start + 1] };
    }
  }
  if (open !== undefined && /[\]}]/.test(found))
    return { ...syntax({ cause: "other-bracket", found, bracket }, [at, at + 1]), opened: [start, start + 1] };
  // "#" behind a space starts a comment, which then has the closing bracket.
  const { text: rest } = lineAround(text, start);
  const has_comment = /\s#.*[\]}]/.test(rest.slice(start - lineAround(text, start).start)) || undefined;
  return syntax({ cause: "open-bracket", bracket, ...defined({ has_comment }) }, [start, start + 1]);
}

const CLOSING: { readonly [bracket: string]: string } = { "[": "]", "{": "}" };
const LONGEST_BRACKETS = 10_000;

/** Whether the bracket at the start of a text is closed in it, wherever its lines start. */
function isClosedIn(text: string): boolean {
  const open: string[] = [];
  for (const [character] of text.matchAll(/[[\]{}]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'|[ \t\n]#.*/g)) {
    const closing = CLOSING[character];
    if (closing !== undefined) open.push(closing);
    else if (/[\]}]/.test(character.charAt(0)) && open.pop() !== character) return false;
    if (open.length === 0) return true;
  }
  return false;
}

function isClosed(token: CST.FlowCollection): boolean {
  const end = token.start.source === "{" ? "flow-map-end" : "flow-seq-end";
  return token.end.some(({ type }) => type === end);
}

/** The innermost token of a type that starts at or before an offset. */
function enclosing(
  tokens: readonly CST.Token[],
  offset: number,
  wanted: (token: CST.Token) => boolean,
): CST.Token | undefined {
  let best: CST.Token | undefined;
  const queue = [...tokens];
  for (let token = queue.pop(); token !== undefined; token = queue.pop()) {
    if (token.offset <= offset && wanted(token) && (best === undefined || token.offset >= best.offset)) best = token;
    if (token.type === "document" && token.value !== undefined) queue.push(token.value);
    if ("items" in token)
      for (const item of token.items) {
        if (item.key) queue.push(item.key);
        if (item.value) queue.push(item.value);
      }
  }
  return best;
}

function lineAround(text: string, offset: number): { readonly start: number; readonly text: string } {
  const start = text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
  const end = text.indexOf("\n", offset);
  return { start, text: text.slice(start, end === -1 ? text.length : end) };
}

function tabsAround(text: string, offset: number): [number, number] {
  const line = lineAround(text, offset);
  const tab = text.indexOf("\t", line.start);
  const start = tab === -1 || tab > line.start + line.text.length ? offset : tab;
  let end = start + 1;
  while (text[end] === "\t") end++;
  return [start, end];
}

/** The range of the first word on the line at or after an offset. */
function firstWord(text: string, offset: number): [number, number] {
  let start = offset;
  while (text[start] === " ") start++;
  let end = start;
  while (end < text.length && !/[\s,\]}]/.test(text.charAt(end))) end++;
  return [start, Math.max(end, start + 1)];
}

function valueAfter(text: string, offset: number): [number, number] {
  const [start] = firstWord(text, offset);
  const end = text.indexOf("\n", start);
  return [start, (end === -1 ? text : text.slice(0, end)).trimEnd().length];
}

/** An error is shown on one line; at the very end, on the last line with text. */
function withinLine(text: string, [start, end]: readonly [number, number]): [number, number] {
  let from = Math.min(start, text.length);
  if (from === text.length) while (from > 0 && /\s/.test(text.charAt(from - 1))) from--;
  const lineEnd = text.indexOf("\n", from);
  return [from, Math.max(from, Math.min(end, lineEnd === -1 ? text.length : lineEnd))];
}

const SPACES = /[\u{a0}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}]/u;
export const isOddSpace = (character: string): boolean => SPACES.test(character);
/** Text copied from a web page or a word processor has other spaces than the plain one, and typographic quotes. */
function oddCharacter(source: SourceText, offset: number): OddCharacter {
  const line = lineAround(source.text, offset).text;
  if (SPACES.test(line)) return { odd: "space" };
  return defined({ odd: /[“”„‘]/.test(line) ? "quotes" : undefined });
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** `[${name}]`: braces inside brackets or braces belong to YAML, so a reference to a variable needs quotes there. */
function bareReference(text: string, at: number): Meaning | undefined {
  const start = [at, at - 1].find((from) => text.startsWith("${", from));
  const written = start === undefined ? undefined : /^\$\{[^\s{}]*\}/.exec(text.slice(start, start + 200))?.[0];
  if (start === undefined || written === undefined) return undefined;
  // The suggested quotes contain the rest of the text, too.
  const lead =
    /(?:[[{,]|:[ ])[ ]*([^[\]{},:#"'][^[\]{},:#"']*)?$/.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? "";
  const rest = /^(?:\$\{[^\s{}]*\}|[^[\]{},#"'\n])*/.exec(text.slice(start, start + 200))?.[0] ?? written;
  return syntax(
    { cause: "bare-reference", reference: quote(written), quoted_text: quote(`${lead}${rest.trimEnd()}`) },
    [start, start + written.length],
  );
}
