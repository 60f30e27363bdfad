import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Parser,
  type YAMLError,
} from "yaml";
import { defined, whenDefined } from "../model/defined.ts";
import { type Diagnostic, error, type Finding, finding, placed } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { asJson, type Json } from "../model/json.ts";
import { didYouMean, Patience } from "../model/suggest.ts";
import type { EntryParser, ParsedEntry } from "./entry-parser.ts";
import { DEEPEST, MOST_ALIASED_VALUES } from "./limits.ts";
import { SourceText } from "./text.ts";
import { type Parsed, PlaceTable, setOwn, type Tree } from "./tree.ts";
import { writtenTwice } from "./written-twice.ts";
import { isOddSpace, syntaxErrors, templateCause } from "./yaml-errors.ts";

/** Reads one YAML 1.2 document and reports every error in it. Values are exact whenever no diagnostic is an error. */
export function parseFully(source: SourceText, places: PlaceTable): Parsed {
  const tokens = [...new Parser().parse(source.text)];
  const shape = [...checkDirectives(source, tokens), ...checkDocuments(source, tokens), ...checkDepth(source, tokens)];
  if (shape.length > 0) return { value: undefined, diagnostics: shape };

  const documents = composed(tokens, source.text.length);
  const [document] = documents;
  const errors: YAMLError[] = documents.flatMap((each) => each.errors);
  if (errors.length > 0) return { value: undefined, diagnostics: syntaxErrors(source, errors, tokens) };

  const reader = new TreeReader(source, places);
  const value = document === undefined ? undefined : reader.read(document.contents);
  return { value, diagnostics: reader.diagnostics };
}

function composed(tokens: readonly CST.Token[], end: number): Document.Parsed[] {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    uniqueKeys: false,
    merge: false,
    logLevel: "silent",
  });
  return [...composer.compose(tokens, true, end)];
}

/** Text put before a piece, so that the parser sees an entry of a map, and not its first one. */
const ENTRY_BEFORE = "x: x\n";

/**
 * Reads single entries of a file as {@link parseFully} would read them there. Together they are at most twice the file, so that nested entries cannot
 * make it slow.
 */
export function pieceParser(): EntryParser {
  const errors: YAMLError[] = [];
  const failed: CST.Token[] = [];
  let read = 0;
  return {
    read(source, places, { start, end, indent, depth }) {
      read += end - start;
      if (read > 2 * source.text.length) return undefined;
      const margin = " ".repeat(indent);
      const before = `${margin}${ENTRY_BEFORE}${margin}`;
      const parser = new Parser();
      parser.offset = start - before.length;
      const tokens = [...parser.parse(before + source.text.slice(start, end))];
      if (tokens.some(({ type }) => type === "directive") || checkDepth(source, tokens, depth).length > 0)
        return undefined;
      const [document, ...others] = composed(tokens, end);
      if (document === undefined || others.length > 0) return undefined;
      if (document.errors.length > 0) {
        errors.push(...document.errors);
        failed.push(...tokens);
        return { entries: [], diagnostics: [], last: end, size: 0 };
      }
      if (!isMap(document.contents) || document.contents.flow === true || document.contents.items.length < 2)
        return undefined;
      return new TreeReader(source, places).piece(document.contents.items.slice(1));
    },
    failed: (source) => (errors.length === 0 ? [] : syntaxErrors(source, errors, failed)),
  };
}

function checkDirectives(source: SourceText, tokens: readonly CST.Token[]): Diagnostic[] {
  return tokens.flatMap((token): Diagnostic[] =>
    token.type === "directive"
      ? [error("yaml/directive", {}, source.span(token.offset, token.offset + token.source.length))]
      : [],
  );
}

function checkDocuments(source: SourceText, tokens: readonly CST.Token[]): Diagnostic[] {
  const [first, second] = tokens.filter((token) => token.type === "document");
  if (first === undefined || second === undefined) return [];
  const end = /^\.\.\.(?=\s)/gm;
  for (const { index } of source.text.slice(0, second.offset).matchAll(end))
    if (index > first.offset && second.value !== undefined)
      return [error("yaml/several-documents", { is_end: true }, source.span(index, index + 3))];
  const empty = second.value === undefined ? "second" : first.value === undefined ? "first" : undefined;
  return [error("yaml/several-documents", defined({ empty }), source.span(second.offset, second.offset + 3))];
}

/** Checked before any recursion: a megabyte of "[" must not end the process. */
function checkDepth(source: SourceText, tokens: readonly CST.Token[], outside = 0): Diagnostic[] {
  const queue = tokens.map((token) => ({ token, depth: outside }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST)
      return [error("yaml/too-deep", { most: DEEPEST }, source.span(token.offset, token.offset + 1))];
    if (token.type === "document") {
      if (token.value !== undefined) queue.push({ token: token.value, depth });
    } else if ("items" in token) {
      for (const item of token.items) {
        if (item.key) queue.push({ token: item.key, depth: depth + 1 });
        if (item.value) queue.push({ token: item.value, depth: depth + 1 });
      }
    }
  }
  return [];
}

const CORE_TAGS = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((tag) => `tag:yaml.org,2002:${tag}`),
);

interface Anchored {
  readonly value: unknown;
  /** The number of its values, including those behind aliases. */
  readonly size: number;
}

/** Converts nodes to plain values. Aliases share the value they name, so an alias bomb costs nothing until somebody walks it: its size is counted. */
class TreeReader {
  readonly diagnostics: Diagnostic[] = [];
  private readonly source: SourceText;
  private readonly places: PlaceTable;
  private readonly anchors = new Map<string, Anchored | "open">();
  private readonly patience = new Patience();
  private aliased = 0;
  private size = 0;
  private bombReported = false;
  /** Whether a node may have a meaning outside of itself: it has an anchor, is an alias or a merge, or is a key without a map. */
  private isOpen = false;

  constructor(source: SourceText, places: PlaceTable) {
    this.source = source;
    this.places = places;
  }

  /** Entries of a map, if none has an anchor or depends on others. */
  piece(items: readonly Pair[]): ParsedEntry | undefined {
    const tree = this.map(items);
    if (this.isOpen) return undefined;
    const entries = this.places.placed(tree);
    const end = this.finalEnd(items.at(-1));
    return { entries, diagnostics: this.diagnostics, last: end, size: this.size + items.length };
  }

  read(node: unknown): unknown {
    if (isAlias(node)) return this.alias(node.source, node.range ?? [0, 0, 0]);
    const before = this.size++;
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    const range = node.range ?? [0, 0, 0];
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag))
      this.report(this.tagBefore(range), finding("yaml/tag", { tag: quote(shownTag(node.tag)) }));
    const { anchor } = node;
    if (anchor !== undefined) {
      this.isOpen = true;
      this.anchors.set(anchor, "open");
    }
    const value = isScalar(node)
      ? this.scalar(node.value, range)
      : isMap(node)
        ? this.map(node.items)
        : this.list(node.items);
    if (anchor !== undefined) this.anchors.set(anchor, { value, size: this.size - before });
    return value;
  }

  private alias(name: string, range: Range): unknown {
    this.isOpen = true;
    const anchored = this.anchors.get(name);
    if (anchored === undefined) {
      const meant = didYouMean(name, this.anchors.keys(), this.patience);
      const suggested = defined({ meant: whenDefined(meant, quote) });
      this.report(range, finding("yaml/unknown-anchor", { anchor: quote(name), ...suggested }));
      return null;
    }
    if (anchored === "open") {
      this.report(range, finding("yaml/recursive-alias", { anchor: quote(name) }));
      return null;
    }
    this.size += anchored.size;
    this.aliased += anchored.size;
    if (this.aliased > MOST_ALIASED_VALUES && !this.bombReported) {
      this.bombReported = true;
      this.report(range, finding("yaml/alias-bomb", { most: MOST_ALIASED_VALUES }));
    }
    return this.bombReported ? null : anchored.value;
  }

  private scalar(value: unknown, range: Range): unknown {
    if (typeof value !== "number") return value;
    const text = this.source.text.slice(range[0], range[1]);
    const whole = /^[-+]?[0-9]+$/.test(text);
    if (!Number.isFinite(value)) this.report(range, finding("yaml/number", { cause: "not-finite", text: quote(text) }));
    else if (Number.isInteger(value) && !Number.isSafeInteger(value))
      this.report(range, finding("yaml/number", { cause: "too-large", text: quote(text), value }));
    else if (whole && /^[-+]?0[0-9]/.test(text))
      this.report(range, finding("yaml/leading-zero", { text: quote(text), value }));
    else if (!whole && significantDigits(text) > 17)
      this.report(range, finding("yaml/number", { cause: "too-many-digits", text: quote(text), value }));
    return value;
  }

  private list(items: readonly unknown[]): unknown[] {
    const values: unknown[] = [];
    this.places.open(values, this.source);
    for (const item of items) {
      const [start, end] = this.extent(item);
      this.places.add(values, undefined, [start, end, start, end]);
      values.push(this.read(item));
    }
    return values;
  }

  private map(items: readonly Pair[]): Tree {
    const tree: Tree = {};
    const seen = new Map<string, Range>();
    const merges: { merged: unknown; range: Range }[] = [];
    this.places.open(tree, this.source);
    for (const { key, value } of items) {
      const range = this.extent(key);
      if (this.isThousands(key, value, range)) continue;
      const name = this.keyName(key, range);
      const values = value === null ? ([range[1], range[1], range[1]] as const) : this.extent(value);
      if (name === undefined) {
        this.read(value);
        continue;
      }
      if (name === MERGE) {
        this.isOpen = true;
        // The value is read here, because the anchor can have another value below.
        merges.push({ merged: this.read(value), range: values });
        continue;
      }
      const first = seen.get(name);
      const read = value === null ? null : this.read(value);
      if (first !== undefined) {
        const notes = [{ at: this.source.span(first[0], first[1]), note: "written-here" } as const];
        const at = this.source.span(range[0], range[1]);
        this.diagnostics.push(
          error("yaml/duplicate-key", { key: quote(name), ...writtenTwice(this.source.text, first, range) }, at, notes),
        );
        setOwn(tree, name, this.places.join(tree[name], read));
        continue;
      }
      seen.set(name, range);
      setOwn(tree, name, read);
      this.places.add(tree, name, [range[0], range[1], values[0], values[1]]);
    }
    for (const { merged, range } of merges) this.merge(tree, seen, merged, range);
    return tree;
  }

  /** `<<: *base` or `<<: [*a, *b]`: a value that the map does not have comes from the first of these that has it. */
  private merge(tree: Tree, seen: Map<string, Range>, merged: unknown, range: Range): void {
    for (const base of Array.isArray(merged) ? merged : [merged]) {
      if (typeof base !== "object" || base === null || Array.isArray(base)) {
        if (base !== null || !this.diagnostics.some(({ code }) => code === "yaml/unknown-anchor"))
          this.report(range, finding("yaml/merge", {}));
        return;
      }
      for (const { key, value } of this.places.entries(base)) {
        if (seen.has(String(key))) continue;
        seen.set(String(key), range);
        setOwn(tree, String(key), value);
        this.places.adopt(tree, base, key);
      }
    }
  }

  private keyName(key: unknown, range: Range): string | typeof MERGE | undefined {
    const value = isAlias(key) || isScalar(key) ? this.read(key) : key;
    if (typeof value === "string") {
      const isPlain = isScalar(key) && key.type === "PLAIN";
      // One program wrote all lines so: the first of them tells it.
      if (isPlain && isOddSpace(value.charAt(0)) && !this.diagnostics.some(isOddIndent))
        this.report(range, finding("yaml/syntax", { cause: "indent", odd: "space" }));
      // In brackets, such a comment and the key below it are one text.
      const slashes = isPlain ? /^(?:\/\/|\/\*)(?=[\s*])/.exec(value)?.[0] : undefined;
      if (slashes !== undefined) {
        this.report(range, finding("yaml/syntax", { cause: "slashes", written: slashes }));
        return undefined;
      }
      return value === "<<" && isPlain ? MERGE : value;
    }
    if (value === null || typeof value === "number" || typeof value === "boolean") {
      const text = this.source.text.slice(range[0], range[1]);
      if (text === "") this.isOpen = true;
      const fact = text === "" ? ({ cause: "missing" } as const) : ({ cause: "value", text: quote(text) } as const);
      this.report(range, finding("yaml/key-not-text", fact));
      // Read as the text that is probably meant, so that its entry is checked and can be named.
      return text === "" ? undefined : text;
    }
    const outer = this.source.text.slice(range[0] - 1, range[1] + 1);
    if (isMap(key) && /^\{\{[^\n]*\}$/.test(outer)) {
      const written = outer + this.source.text.slice(range[1] + 1, range[1] + 2);
      this.report([range[0] - 1, range[1] + 1, range[2]], finding("yaml/syntax", templateCause(written)));
    } else this.report(range, finding("yaml/key-not-text", { cause: "collection" }));
    return undefined;
  }

  /** `{limit: 1,000}`: the comma ends the entry, so the rest of the number is a key. */
  private isThousands(key: unknown, value: unknown, range: Range): boolean {
    if (!isScalar(key) || typeof key.value !== "number" || value !== null) return false;
    const before = /\d{1,3}(?:,\d{3})*,$/.exec(this.source.text.slice(Math.max(0, range[0] - 40), range[0]))?.[0];
    const rest = this.source.text.slice(range[0], range[1]);
    if (before === undefined || !/^\d{3}$/.test(rest)) return false;
    const fact = { cause: "thousands", written: quote(`${before}${rest}`) } as const;
    this.report([range[0] - before.length, range[1], range[2]], finding("yaml/syntax", fact));
    return true;
  }

  /** A node's stretch of text, without the line end of a block scalar or the comment after the last value of a map. */
  private extent(node: unknown): Range {
    if (!isAlias(node) && !isScalar(node) && !isMap(node) && !isSeq(node)) return [0, 0, 0];
    const range = node.range ?? [0, 0, 0];
    const [, end, last] = range;
    // An unknown tag is an error that starts there: what is said about the value with it would be a consequence.
    const isTagged = !isAlias(node) && node.tag !== undefined && !CORE_TAGS.has(node.tag);
    const [start] = isTagged ? this.tagBefore(range) : range;
    if ((isMap(node) || isSeq(node)) && node.flow !== true) {
      const final: unknown = node.items.at(-1);
      if (final !== undefined) return [start, this.finalEnd(final), last];
    }
    let trimmed = end;
    while (trimmed > start && /[ \t\r\n]/.test(this.source.text.charAt(trimmed - 1))) trimmed--;
    return [start, trimmed, last];
  }

  private finalEnd(item: unknown): number {
    if (!isPair(item)) return this.extent(item)[1];
    const [start, end] = item.value === null ? [0, 0] : this.extent(item.value);
    return start === end ? this.extent(item.key)[1] : end;
  }

  /** A node starts after its tag. */
  private tagBefore(range: Range): Range {
    const { text } = this.source;
    let start = text.lastIndexOf("!", range[0]);
    if (start === -1) return range;
    if (text[start - 1] === "!") start--;
    const length = text.slice(start).search(/[\s,\]}]|$/);
    return [start, start + length, range[2]];
  }

  private report(range: Range, finding: Finding): void {
    this.diagnostics.push(placed(finding, this.source.span(range[0], range[1])));
  }
}

type Pair = { readonly key: unknown; readonly value: unknown };
type Range = readonly [start: number, end: number, nodeEnd: number];
const MERGE = Symbol("<<");

const isOddIndent = ({ code, fact }: Diagnostic): boolean => code === "yaml/syntax" && "odd" in fact;
const shownTag = (tag: string): string => tag.replace(/^tag:yaml\.org,2002:/, "!!");
const significantDigits = (text: string): number =>
  text
    .replace(/e.*$/i, "")
    .replace(/[^0-9]/g, "")
    .replace(/^0+/, "").length;

/** The readable part of a document with errors; undefined if nothing can be read. */
export function readableValue(text: string): Json | undefined {
  const { value } = parseFully(new SourceText("", text), new PlaceTable());
  return whenDefined(value, asJson);
}

/** The value of a document with aliases and merges resolved; undefined when it has errors. */
export function documentValue(text: string): Json | undefined {
  const { value, diagnostics } = parseFully(new SourceText("", text), new PlaceTable());
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return whenDefined(value, asJson);
}
