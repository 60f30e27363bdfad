import { type Diagnostic, error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type EntryParser, entryEnd } from "./entry-parser.ts";
import { DEEPEST } from "./limits.ts";
import { FlowReader, LONGEST_KEY } from "./plain-flow.ts";
import {
  APOSTROPHE,
  ASTERISK,
  BRACE,
  BRACKET,
  COLON,
  DASH,
  type Folded,
  foldedPlain,
  foldedQuoted,
  GREATER,
  HASH,
  NEWLINE,
  NOT_PLAIN,
  PIPE,
  QUOTE,
  quoteEnd,
  quoteEndOnLine,
  RETURN,
  readBlockText,
  resolve,
  SPACE,
  separator,
  unquote,
} from "./plain-text.ts";
import type { SourceText } from "./text.ts";
import { type Parsed, type PlaceTable, setOwn, type Tree } from "./tree.ts";
import { writtenTwice } from "./written-twice.ts";

/*
 * A fast reader for the YAML that people usually write.
 *
 * Terms. Text is *plain* if this reader knows its meaning without the full parser. A *piece* is one entry of a block map that is not plain. The
 * *places* of a map or list are the positions of its keys and values in the text; they are *pending* until the map or list is complete.
 *
 * Premise. The full parser takes ten times as long, and nearly every line of a realm.yaml is plain. A fast reader that is wrong once is worse than a
 * slow one. So this reader refuses everything that it does not fully understand, and its result is that of the full parser; a test compares the two.
 *
 * The idea.
 *     block(indent): a list if the line starts with a dash, otherwise a map; both end at the first line with less indentation
 *     entry:         key, colon, anchor, tag, then a value on the line, or a deeper block on the lines below, or null
 *     whatever is not plain throws NOT_PLAIN:
 *         in a map, after a key, without anchors in it:  undo what the entry added, and let the full parser read this entry alone (pieces.ts)
 *         elsewhere, or if the piece needs its context:  undefined; the caller gives the whole file to the full parser
 *
 * What it does not do. It reports one error itself, a duplicate key. For every other error it is not the reader: the full parser finds the message.
 * It reads one document, without tabs and without a byte order mark.
 */

/**
 * Reads the YAML that people usually write (block maps and lists, flow collections, strings of one line or several, numbers, literal and folded block
 * scalars, comments, anchors, aliases and merges, tags before values) ten times as fast as the full parser. It reports duplicate keys. Undefined
 * for everything else (rare tags, escapes in quoted strings of several lines, every other error …). Its result is that of the full parser; a test
 * compares the two on random files.
 * @param pieces reads the entries that are not plain, each separately, so that they do not slow down the rest of the file
 */
export function readPlain(source: SourceText, places: PlaceTable, pieces?: EntryParser): Parsed | undefined {
  // Checked once, so that the rest of the code can ignore these characters.
  if (/[\t\u0085\u2028\u2029\ufeff]|\r(?!\n)/.test(source.text)) return undefined;
  try {
    const reader = new PlainReader(source, places, pieces);
    const value = reader.document();
    const failed = pieces?.failed(source) ?? [];
    if (failed.some(isOfWholeFile)) return { value: undefined, diagnostics: failed };
    return { value, diagnostics: [...reader.diagnostics, ...failed] };
  } catch (thrown) {
    if (thrown === NOT_PLAIN || thrown === NO_PIECE) return undefined;
    throw thrown;
  }
}

/** Errors whose cause is in other lines, too: nothing else is told of such a file. */
const OF_WHOLE_FILE: ReadonlySet<string> = new Set(["first-indent", "merge-conflict", "template-tag"]);
const isOfWholeFile = ({ fact }: Diagnostic): boolean => "cause" in fact && OF_WHOLE_FILE.has(String(fact.cause));

/** Thrown if no part smaller than the whole file can be left to the full parser. */
const NO_PIECE = new Error("not to be read in pieces");

/** A value after a dash that is neither a map nor a list in block form. */
const STARTS_NO_ENTRY: ReadonlySet<number> = new Set([BRACE, BRACKET, PIPE, GREATER, ASTERISK]);

const isLineEnd = (text: string, at: number): boolean => [NEWLINE, RETURN].includes(text.charCodeAt(at));

/** A map that is being read. */
interface OpenMap {
  readonly tree: Tree;
  readonly keys: string[];
  /** Where the places of its entries start among those that are not settled. */
  readonly mark: number;
  /** Where the last entry ends. */
  last: number;
  merged: readonly Tree[] | undefined;
  /** The position of each key, once a key was found twice. */
  firsts: Map<string, number> | undefined;
  /** Whether a key was read: then the lines are a map. */
  hasKey: boolean;
}

/** Block maps and lists, line by line. */
class PlainReader extends FlowReader {
  /** The current line: its first character that is not a space, and the column of that character. `start` is -1 after the last line. */
  private start = 0;
  private indent = 0;
  private readonly pieces: EntryParser | undefined;

  constructor(source: SourceText, places: PlaceTable, pieces: EntryParser | undefined) {
    super(source, places);
    this.pieces = pieces;
  }

  document(): unknown {
    this.lineFrom(0);
    if (this.start !== -1 && this.indent === 0 && this.text.slice(this.start, this.end).trimEnd() === "---")
      this.nextLine();
    if (this.start === -1) throw NOT_PLAIN;
    const value = this.block(this.indent);
    if (this.start !== -1) throw NOT_PLAIN;
    return value;
  }

  /** Moves to the next line that has more than a comment. */
  private nextLine(): void {
    this.lineFrom(this.next);
  }

  private lineFrom(offset: number): void {
    const { text } = this;
    let at = offset;
    while (at < text.length) {
      const lineStart = at;
      while (text.charCodeAt(at) === SPACE) at++;
      this.endLine(at);
      if (at < this.end && text.charCodeAt(at) !== HASH) {
        this.start = at;
        this.indent = at - lineStart;
        if (this.indent === 0 && this.isMarker(at)) throw NO_PIECE;
        return;
      }
      at = this.next;
    }
    this.start = -1;
    this.indent = -1;
  }

  /** `---` and `...` at the start of a line; the first may open the document. */
  private isMarker(at: number): boolean {
    const { text } = this;
    if (text.startsWith("...", at)) return true;
    // Line by line: a pattern with spaces across line ends would try every way to divide the empty lines.
    return text.startsWith("---", at) && /^ *[^ \r\n#]/m.test(text.slice(0, at));
  }

  private block(indent: number): unknown {
    if (++this.depth > DEEPEST) throw NOT_PLAIN;
    const value = this.isDash() ? this.list(indent) : this.map(indent);
    this.depth--;
    return value;
  }

  /** Whether the current line is an entry of a list. */
  private isDash(): boolean {
    if (this.text.charCodeAt(this.start) !== DASH) return false;
    const next = this.text.charCodeAt(this.start + 1);
    return this.start + 1 >= this.end || next === SPACE;
  }

  private map(indent: number): Tree {
    const map: OpenMap = {
      tree: {},
      keys: [],
      mark: this.pending.length,
      last: this.start,
      merged: undefined,
      firsts: undefined,
      hasKey: false,
    };
    const first = this.start;
    while (this.indent === indent && this.start !== -1) {
      if (this.pieces === undefined) this.entry(map, indent);
      else this.entryOrPiece(map, indent, this.pieces);
    }
    if (this.indent > indent) throw NOT_PLAIN;
    const { tree, keys, merged, mark } = map;
    if (merged !== undefined) this.takeOver(tree, keys, merged);
    this.keepPlaces(tree, keys, keys.length, mark);
    this.valueStart = first;
    this.valueEnd = map.last;
    return tree;
  }

  private entry(map: OpenMap, indent: number): void {
    const { text } = this;
    if (this.isDash()) throw NOT_PLAIN;
    const keyStart = this.start;
    const colon = this.keyEnd(keyStart, this.end);
    const { key, keyStop } = this;
    map.hasKey = true;
    let at = colon + 1;
    while (text.charCodeAt(at) === SPACE) at++;
    if (key === "<<" && keyStop - keyStart === 2) {
      if (map.merged !== undefined || Object.hasOwn(map.tree, key)) throw NOT_PLAIN;
      map.merged = this.merge(at, this.inline(at, indent));
      map.last = this.valueEnd;
      return;
    }
    const value = this.behind(at, indent, keyStop);
    map.last = this.valueEnd;
    this.keep(map, key, value, keyStart, keyStop);
  }

  /**
   * The value behind the colon of a key, or behind a dash.
   * @param keyStop where a value that is not there has its place
   * @param dash where the dash is
   */
  private behind(from: number, indent: number, keyStop?: number, dash?: number): unknown {
    let at = from;
    const anchor = this.anchorAt(at);
    if (anchor !== undefined) at = anchor.behind;
    const tag = this.tagAt(at);
    if (tag !== undefined) at = tag.behind;
    const isMarked = anchor !== undefined || tag !== undefined;
    let value: unknown;
    if (at >= this.end || this.text.charCodeAt(at) === HASH) {
      // Nothing on the line: the value is what follows with more indentation, a list that starts below the key, or null.
      this.nextLine();
      if (this.indent > indent) value = this.meant(tag, () => this.block(this.indent));
      else if (isMarked) throw NOT_PLAIN;
      else if (dash === undefined && this.start !== -1 && this.indent === indent && this.isDash())
        value = this.block(indent);
      else {
        value = null;
        this.valueStart = keyStop ?? at;
        this.valueEnd = this.valueStart;
      }
    } else if (dash !== undefined && this.startsEntry(at)) {
      // Here an anchor or a tag would belong to the first key.
      if (isMarked) throw NOT_PLAIN;
      // `- key: value` and `- - value`: the entry's own map or list starts in this column.
      this.start = at;
      this.indent = indent + (at - dash);
      value = this.block(this.indent);
    } else value = tag === undefined ? this.inline(at, indent) : this.meant(tag, () => this.inline(at, indent));
    if (anchor !== undefined) this.anchors.close(anchor, value);
    return value;
  }

  /** Puts the entry whose value was just read into its map, or reports that the map has the key already. */
  private keep(map: OpenMap, key: string, value: unknown, keyStart: number, keyStop: number): void {
    const { tree, keys, mark } = map;
    if (Object.hasOwn(tree, key)) {
      // The first position of each key is looked up in a table: in a file full of errors, every line could ask for it.
      map.firsts ??= new Map(keys.map((known, index) => [known, index]));
      this.reportTwice(key, [keyStart, keyStop], mark + 4 * (map.firsts.get(key) ?? 0));
      setOwn(tree, key, this.places.join(tree[key], value));
      return;
    }
    map.firsts?.set(key, keys.length);
    setOwn(tree, key, value);
    keys.push(key);
    this.pending.push(keyStart, keyStop, this.valueStart, this.valueEnd);
  }

  /** An entry that is not plain is read separately by the full parser: the partial result is discarded. */
  private entryOrPiece(map: OpenMap, indent: number, pieces: EntryParser): void {
    const { start, depth } = this;
    const [names, size, places, reported] = [
      this.anchors.changes,
      this.anchors.size,
      this.pending.length,
      this.diagnostics.length,
    ];
    map.hasKey = map.keys.length > 0;
    try {
      this.entry(map, indent);
    } catch (thrown) {
      // Without a key it may not be a map at all. Anchors in the piece, or before it, also have a meaning outside of it.
      if (thrown !== NOT_PLAIN || !map.hasKey || this.anchors.changes !== names) throw thrown;
      this.depth = depth;
      this.pending.length = places;
      this.diagnostics.length = reported;
      const end = entryEnd(this.text, start, indent);
      if (end === undefined) throw NO_PIECE;
      const piece = pieces.read(this.source, this.places, { start, end, indent, depth });
      if (piece === undefined) throw NO_PIECE;
      this.anchors.size = size + piece.size;
      for (const { key, value, at } of piece.entries) {
        [, , this.valueStart, this.valueEnd] = at;
        this.keep(map, key, value, at[0], at[1]);
      }
      map.last = piece.last;
      // The places of the piece's own values come first, as everywhere.
      this.diagnostics.splice(reported, 0, ...piece.diagnostics);
      this.lineFrom(end);
    }
  }

  /** @param first the position of the places of the first entry with the key, which is the one that counts */
  private reportTwice(key: string, [start, stop]: readonly [number, number], first: number): void {
    const before = [this.pending.get(first), this.pending.get(first + 1)] as const;
    const notes = [{ at: this.source.span(...before), note: "written-here" }] as const;
    const fact = { key: quote(key), ...writtenTwice(this.text, before, [start, stop]) };
    this.diagnostics.push(error("yaml/duplicate-key", fact, this.source.span(start, stop), notes));
  }

  private list(indent: number): unknown[] {
    const { text } = this;
    const values: unknown[] = [];
    const mark = this.pending.length;
    const first = this.start;
    let last = first;
    while (this.indent === indent && this.start !== -1 && this.isDash()) {
      const dash = this.start;
      let at = dash + 1;
      while (text.charCodeAt(at) === SPACE) at++;
      const value = this.behind(at, indent, undefined, dash);
      values.push(value);
      this.pending.push(this.valueStart, this.valueEnd, this.valueStart, this.valueEnd);
      last = this.valueEnd;
    }
    if (this.indent > indent) throw NOT_PLAIN;
    this.keepPlaces(values, undefined, values.length, mark);
    this.valueStart = first;
    this.valueEnd = last;
    return values;
  }

  /** Whether a map or list starts here, after the dash of a list. */
  private startsEntry(at: number): boolean {
    const { text } = this;
    const first = text.charCodeAt(at);
    if (first === DASH) return at + 1 >= this.end || text.charCodeAt(at + 1) === SPACE;
    if (STARTS_NO_ENTRY.has(first)) return false;
    if (first === QUOTE || first === APOSTROPHE) {
      let after = quoteEndOnLine(this.text, at, this.end);
      if (after === -1) return false;
      while (text.charCodeAt(after) === SPACE) after++;
      return text.charCodeAt(after) === COLON;
    }
    const colon = separator(this.text, at, this.end);
    return colon !== -1;
  }

  // The key, and its end, that `keyEnd` found in addition to the colon.
  private key = "";
  private keyStop = 0;

  /** Reads the key of a line; returns the position of its colon. */
  private keyEnd(at: number, end: number): number {
    const { text } = this;
    const first = text.charCodeAt(at);
    let colon: number;
    if (first === QUOTE || first === APOSTROPHE) {
      const stop = quoteEnd(this.text, at, end);
      this.key = unquote(this.text, at, stop);
      this.keyStop = stop;
      colon = stop;
      while (text.charCodeAt(colon) === SPACE) colon++;
      if (text.charCodeAt(colon) !== COLON || !this.endsKey(colon, end)) throw NOT_PLAIN;
    } else {
      colon = separator(this.text, at, end);
      if (colon === -1) throw NOT_PLAIN;
      let stop = colon;
      while (text.charCodeAt(stop - 1) === SPACE) stop--;
      const key = text.slice(at, stop);
      if (typeof resolve(this.text, key, at) !== "string") throw NOT_PLAIN;
      this.key = key;
      this.keyStop = stop;
    }
    if (colon - at > LONGEST_KEY) throw NOT_PLAIN;
    return colon;
  }

  private endsKey(colon: number, end: number): boolean {
    return colon + 1 >= end || this.text.charCodeAt(colon + 1) === SPACE;
  }

  /** A value on the line of its key or dash, without continuation lines. */
  private inline(at: number, indent: number): unknown {
    const first = this.text.charCodeAt(at);
    if (first === PIPE || first === GREATER) return this.blockText(at, indent);
    let value: unknown;
    if (first === ASTERISK) {
      value = this.alias(at);
      this.onlyComment(this.valueEnd);
    } else if (first === BRACE || first === BRACKET) {
      value = this.flow(at, indent);
      this.onlyComment(this.valueEnd);
    } else if (first === QUOTE || first === APOSTROPHE) {
      value = this.quoted(at, indent);
      this.onlyComment(this.valueEnd);
    } else value = this.plain(at, indent);
    this.nextLine();
    // The line is indented too far.
    if (this.indent > indent) throw NOT_PLAIN;
    return value;
  }

  private quoted(at: number, indent: number): string {
    this.valueStart = at;
    const stop = quoteEndOnLine(this.text, at, this.end);
    if (stop === -1) return this.folded(foldedQuoted({ text: this.text, at, end: this.end, next: this.next, indent }));
    this.valueEnd = stop;
    return unquote(this.text, at, stop);
  }

  /** The current line becomes the one that the scalar ends on. */
  private folded({ value, stop, end, next }: Folded): string {
    this.valueEnd = stop;
    this.end = end;
    this.next = next;
    return value;
  }

  private plain(at: number, indent: number): unknown {
    const { text, end } = this;
    if (separator(this.text, at, end) !== -1) throw NOT_PLAIN;
    let stop = at + 1;
    while (stop < end && (text.charCodeAt(stop) !== HASH || text.charCodeAt(stop - 1) !== SPACE)) stop++;
    while (text.charCodeAt(stop - 1) === SPACE) stop--;
    this.valueStart = at;
    this.valueEnd = stop;
    const first = resolve(this.text, text.slice(at, stop), at);
    // After a comment, a scalar does not continue.
    if (stop < end && text.charCodeAt(end - 1) !== SPACE) return first;
    const more = this.goesOn(indent)
      ? foldedPlain({ text, at, end, next: this.next, indent }, text.slice(at, stop))
      : undefined;
    return more === undefined ? first : this.folded(more);
  }

  /** Whether the next line is indented further, or empty. Nearly always it is not. */
  private goesOn(indent: number): boolean {
    const { text, next } = this;
    for (let at = next; at <= next + indent; at++) if (text.charCodeAt(at) !== SPACE) return isLineEnd(text, at);
    return true;
  }

  /** After the end of a quote or bracket: spaces, a comment, or nothing. */
  private onlyComment(at: number): void {
    let next = at;
    while (this.text.charCodeAt(next) === SPACE) next++;
    if (next >= this.end || (next > at && this.text.charCodeAt(next) === HASH)) return;
    throw NOT_PLAIN;
  }

  private blockText(at: number, indent: number): string {
    const { value, stop, next } = readBlockText({ text: this.text, at, end: this.end, next: this.next, indent });
    this.valueStart = at;
    this.valueEnd = stop;
    this.lineFrom(next);
    return value;
  }
}
