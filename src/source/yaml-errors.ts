import type { CST, YAMLError } from "yaml";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { SourceText } from "./text.ts";

/** One mistake makes the parser stumble several times: more than this many say nothing new. */
const MOST_REPORTED = 20;
/** A hundred thousand errors on one line are one mistake: not all of them are looked at. */
const MOST_LOOKED_AT = 500;

/** The parser's errors in words of the person who wrote the file; of several on one line only the first. */
export function syntaxErrors(
  source: SourceText,
  errors: readonly YAMLError[],
  tokens: readonly CST.Token[],
): Diagnostic[] {
  const conflict = errors.length === 0 ? undefined : mergeConflict(source);
  if (conflict !== undefined) return [conflict];
  const found: Diagnostic[] = [];
  const lines = new Set<number>();
  const offsets = new Set<number>();
  const inOrder = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  for (const error of inOrder.slice(0, MOST_LOOKED_AT)) {
    if (offsets.has(error.pos[0])) continue;
    offsets.add(error.pos[0]);
    const diagnostic = reword(source, error, tokens);
    const line = diagnostic.at?.line ?? 0;
    if (lines.has(line)) continue;
    lines.add(line);
    found.push(diagnostic);
    if (found.length === MOST_REPORTED) break;
  }
  return found;
}

/** What Git leaves in a file that two people changed: said once, since each of its lines would be a mistake. */
function mergeConflict(source: SourceText): Diagnostic | undefined {
  const mark = /^<{7}(?: .*)?$/m.exec(source.text);
  if (mark === null) return undefined;
  return {
    code: "yaml/syntax",
    severity: "error",
    message: "a merge conflict starts here that nobody resolved",
    hint: "keep what shall hold of the lines up to >>>>>>>, and delete the marks",
    at: source.span(mark.index, mark.index + mark[0].trimEnd().length),
  };
}

interface Words {
  readonly code?: Diagnostic["code"];
  readonly message: string;
  readonly hint?: string;
  readonly at?: readonly [start: number, end: number];
  readonly note?: { readonly at: readonly [start: number, end: number]; readonly message: string };
}

function reword(source: SourceText, error: YAMLError, tokens: readonly CST.Token[]): Diagnostic {
  const { code = "yaml/syntax", message, hint, at = error.pos, note } = words(source, error, tokens);
  const odd = oddCharacter(source, at[0]) ?? hint;
  return {
    code,
    severity: "error",
    message,
    ...(odd === undefined ? {} : { hint: odd }),
    at: source.span(...withinLine(source.text, at)),
    ...(note === undefined ? {} : { notes: [{ at: source.span(...note.at), message: note.message }] }),
  };
}

function words(source: SourceText, error: YAMLError, tokens: readonly CST.Token[]): Words {
  const { text } = source;
  const [start, end] = error.pos;
  const said = error.message;
  const line = lineAround(text, start);
  const reference = bareReference(text, start);
  if (reference !== undefined) return reference;
  switch (error.code) {
    case "TAB_AS_INDENT":
      return {
        code: "yaml/tab",
        message: "a tab cannot indent a line",
        hint: "indent with blanks",
        at: tabsAround(text, start),
      };
    case "MULTILINE_IMPLICIT_KEY":
    case "MISSING_CHAR":
      if (/closing ['"]quote/.test(said)) return openQuote(error, tokens);
      if (/Implicit (map )?keys|Implicit keys of flow/.test(said)) return missingColon(source, start, end, tokens);
      if (/^Flow (map|sequence)|expected .*[\]}]/i.test(said)) return openBracket(text, error, tokens);
      if (/^Missing ,/.test(said))
        return { message: "a comma is missing before this", hint: "separate the values by commas" };
      if (/^Comments must/.test(said))
        return {
          message: "a blank is missing before the # of a comment",
          hint: "put the text in quotes if the # belongs to it",
        };
      if (/^Missing space after :/.test(said))
        return { message: "a blank is missing after the colon", hint: 'write "key: value"' };
      if (/without - indicator/.test(said))
        return { message: "this is neither a list entry nor part of one", hint: 'start the line with "- "' };
      break;
    case "BAD_INDENT":
      if (/same column|with end of/.test(said) || /All (mapping|sequence)/.test(said))
        return {
          message: "this line is not indented like the ones it belongs to",
          hint: "entries of one map or list start in the same column",
          at: firstWord(text, start),
        };
      if (/^Flow/.test(said)) return openBracket(text, error, tokens);
      if (/Block scalars|leading empty lines|explicit indentation/i.test(said))
        return {
          message: "the lines of this text block are indented unevenly",
          hint: "indent every line at least as far as the first",
        };
      break;
    case "BLOCK_AS_IMPLICIT_KEY":
    case "BLOCK_IN_FLOW":
      return misplaced(text, start, said);
    case "BAD_SCALAR_START": {
      const character = text.charAt(start);
      return {
        message: `a value cannot start with ${character}`,
        hint: character === "@" ? 'put it in quotes; groups and people are written without "@"' : "put it in quotes",
        at: firstWord(text, start),
      };
    }
    case "BAD_DQ_ESCAPE": {
      const sequence = said.slice("Invalid escape sequence ".length);
      return {
        message: `there is no escape ${sequence} in double quotes`,
        hint: "write \\\\ for a backslash, or use single quotes, where it stands for itself",
        at: [start, start + sequence.length],
      };
    }
    case "BAD_ALIAS":
    case "ALIAS_PROPS":
    case "MULTIPLE_ANCHORS":
      return { code: "yaml/anchor", message: `this anchor or alias is malformed: ${lowerFirst(said)}` };
    case "MULTIPLE_TAGS":
    case "TAG_RESOLVE_FAILED":
    case "BAD_COLLECTION_TYPE":
      return {
        code: "yaml/tag",
        message: `this tag cannot be used here: ${lowerFirst(said)}`,
        hint: "delete it: values are plain",
      };
    case "RESOURCE_EXHAUSTION":
      return { code: "yaml/too-deep", message: "lists and maps are nested too deep here" };
    case "UNEXPECTED_TOKEN":
      if (/^Unexpected , in|empty item/.test(said))
        return { message: "a value is missing before this comma", hint: "delete the comma, or write a value" };
      if (/flow-(map|seq)-end|flow-error-end|Unexpected [\]}]/.test(said))
        return { message: "this bracket closes nothing", hint: "delete it, or put the text in quotes" };
      if (/block-seq-ind on same line with key/.test(said))
        return {
          message: "a list cannot start on the line of its key",
          hint: "start it on a line of its own, or write [a, b]",
        };
      if (/Block scalar header/.test(said) || /[|>][-+0-9]*\s+$/.test(text.slice(line.start, start)))
        return {
          message: "a text cannot start on the line of | or >",
          hint: "start it on the next line, or write it in quotes without the sign",
        };
      if (/at node end$/.test(said))
        return {
          message: "this follows after the end of a value",
          hint: "put the whole value in quotes, or delete what is too much",
        };
      break;
    default:
  }
  if (/^\s*\t/.test(line.text))
    return {
      code: "yaml/tab",
      message: "a tab cannot indent a line",
      hint: "indent with blanks",
      at: tabsAround(text, line.start),
    };
  return { message: `this is not valid YAML here: ${lowerFirst(said)}` };
}

/** A map or list where a simple value was expected. */
function misplaced(text: string, start: number, said: string): Words {
  if (/flow/i.test(said) && !/^-\s/.test(text.slice(start, start + 2)))
    return {
      message: "a comma is missing in here",
      hint: "separate the entries by commas",
      at: [start, Math.max(start + 1, text.indexOf(":", start))],
    };
  if (/flow/i.test(said))
    return {
      message: "entries with dashes cannot stand inside of brackets",
      hint: "write [a, b]",
      at: [start, start + 1],
    };
  if (/block sequence/i.test(said))
    return {
      message: "an entry of a list stands between the entries of a map",
      hint: "take the dash out and write a key, or indent the entry below the key it belongs to",
      at: firstWord(text, start),
    };
  const [first, end] = valueAfter(text, start);
  if (/: |:$/.test(text.slice(first, end)))
    return {
      message: 'a second ": " on one line',
      hint: "put the value in quotes if the colon belongs to it",
      at: [first, end],
    };
  // The value seems to go on with the next lines, until one of them has a colon.
  const next = /\n[ ]*(?=[^\s])/y;
  next.lastIndex = end;
  return {
    message: "this line is indented further than the entries before it",
    hint: "entries of one map start in the same column",
    at: valueAfter(text, next.test(text) ? next.lastIndex : first),
  };
}

/** Text where a key should be: the colon, or the blank after it, was forgotten. */
function missingColon(source: SourceText, start: number, end: number, tokens: readonly CST.Token[]): Words {
  const { text } = source;
  const quote = enclosing(tokens, start, (token) => /quoted/.test(token.type));
  if (quote !== undefined && /^["']/.test(text.slice(quote.offset)) && "source" in quote && quote.source.includes("\n"))
    return {
      message: "the quote that opens here is not closed on this line",
      hint: `close it with ${text.charAt(quote.offset)}`,
      at: [quote.offset, quote.offset + 1],
    };
  // A text over several lines is what YAML made of it; the first of its lines without a colon is what a person sees.
  const written =
    text
      .slice(start, Math.max(start + 1, end))
      .split("\n")[0]
      ?.trimEnd() ?? "";
  const at: [number, number] = [start, start + Math.max(1, written.length)];
  if (/^\s*\t/.test(lineAround(text, start).text))
    return {
      code: "yaml/tab",
      message: "a tab cannot indent a line",
      hint: "indent with blanks",
      at: tabsAround(text, lineAround(text, start).start),
    };
  if (/^[\w./-]+:\S/.test(written))
    return { message: "a blank is missing after the colon", hint: 'write "key: value"', at };
  if (/^[\w./-]+\s*=/.test(written))
    return { message: "this is not YAML: = sets nothing", hint: 'write "key: value"', at };
  return { message: `${JSON.stringify(written)} has no value: a colon is missing`, hint: 'write "key: value"', at };
}

function openQuote(error: YAMLError, tokens: readonly CST.Token[]): Words {
  const quote = enclosing(tokens, error.pos[0], (token) => /quoted/.test(token.type));
  const start = quote?.offset ?? error.pos[0];
  return {
    message: "the quote that opens here is never closed",
    hint: "close it, and double a quote that belongs to the text",
    at: [start, start + 1],
  };
}

function openBracket(text: string, error: YAMLError, tokens: readonly CST.Token[]): Words {
  const [at] = error.pos;
  const open = enclosing(tokens, at, (token) => token.type === "flow-collection" && !isClosed(token));
  const start = open?.offset ?? at;
  const bracket = open?.type === "flow-collection" ? open.start.source : "[";
  const found = text.charAt(at);
  if (open !== undefined && /[\]}]/.test(found))
    return {
      message: `this ${found} does not close the ${bracket}`,
      hint: `write ${closing(bracket)} here, or delete it`,
      at: [at, at + 1],
      note: { at: [start, start + 1], message: "opened here" },
    };
  return {
    message: `the ${bracket} that opens here is never closed`,
    hint: `close it with ${closing(bracket)}`,
    at: [start, start + 1],
  };
}

const closing = (bracket: string): string => (bracket === "{" ? "}" : "]");

function isClosed(token: CST.FlowCollection): boolean {
  const end = token.start.source === "{" ? "flow-map-end" : "flow-seq-end";
  return token.end.some(({ type }) => type === end);
}

/** The innermost token of a sort that starts at or before an offset. */
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

/** From an offset, or the next text after it on the line, to the end of the word. */
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

/** A mistake is shown on one line, and on the last one that has text when it stands at the very end. */
function withinLine(text: string, [start, end]: readonly [number, number]): [number, number] {
  let from = Math.min(start, text.length);
  if (from === text.length) while (from > 0 && /\s/.test(text.charAt(from - 1))) from--;
  const lineEnd = text.indexOf("\n", from);
  return [from, Math.max(from, Math.min(end, lineEnd === -1 ? text.length : lineEnd))];
}

const BLANKS = /[\u{a0}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}]/u;
/** Text copied from a web page or a word processor brings blanks that are none and quotes that quote nothing. */
function oddCharacter(source: SourceText, offset: number): string | undefined {
  const line = lineAround(source.text, offset).text;
  if (BLANKS.test(line)) return "a blank on this line is not a plain one (a non-breaking space, perhaps): type it anew";
  if (/[“”„]/.test(line)) return "the quotes on this line are typographic ones: type them anew";
  return undefined;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** `[${name}]`: braces inside of brackets or braces are YAML's own, so a reference to a variable needs quotes there. */
function bareReference(text: string, at: number): Words | undefined {
  const start = [at, at - 1].find((from) => text.startsWith("${", from));
  const written = start === undefined ? undefined : /^\$\{[^\s{}]*\}/.exec(text.slice(start, start + 200))?.[0];
  if (start === undefined || written === undefined) return undefined;
  // The rest of the text goes into the quotes, too.
  const lead =
    /(?:[[{,]|:[ ])[ ]*([^[\]{},:#"'][^[\]{},:#"']*)?$/.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? "";
  const rest = /^(?:\$\{[^\s{}]*\}|[^[\]{},#"'\n])*/.exec(text.slice(start, start + 200))?.[0] ?? written;
  return {
    message: `${written} needs quotes inside of brackets and braces`,
    hint: `write "${lead}${rest.trimEnd()}"`,
    at: [start, start + written.length],
  };
}
