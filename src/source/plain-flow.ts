import { type Diagnostic, error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { DEEPEST, MOST_ALIASED_VALUES } from "./limits.ts";
import {
  AMPERSAND,
  APOSTROPHE,
  ASTERISK,
  BANG,
  BRACE,
  BRACE_END,
  BRACKET,
  BRACKET_END,
  COLON,
  COMMA,
  HASH,
  NOT_PLAIN,
  QUOTE,
  quoteEnd,
  RETURN,
  resolve,
  SPACE,
  unquote,
} from "./plain-text.ts";
import type { SourceText } from "./text.ts";
import { isTree, Offsets, type PlaceTable, setOwn, type Tree } from "./tree.ts";

/** An anchor whose value is being read. */
interface OpenAnchor {
  readonly name: string;
  /** Where its value starts, if it is on the same line. */
  readonly behind: number;
  /** {@link Anchors.size} when it was opened. */
  readonly before: number;
}

/** The values of anchors. Aliases share the value, so an alias bomb costs nothing; its expanded size is counted. */
class Anchors {
  private readonly named = new Map<string, { readonly value: unknown; readonly size: number }>();
  /** The number of keys and values read so far, including those behind aliases: never fewer than the full parser counts. */
  size = 0;
  /** How often an anchor was set or used. */
  changes = 0;
  private aliased = 0;

  /** Binds the name to the value that is being read. An alias inside that value is not allowed. */
  open(name: string, behind: number): OpenAnchor {
    this.changes++;
    this.named.delete(name);
    return { name, behind, before: this.size };
  }

  close({ name, before }: OpenAnchor, value: unknown): void {
    this.named.set(name, { value, size: this.size - before + 1 });
  }

  alias(name: string): unknown {
    this.changes++;
    const anchored = this.named.get(name);
    if (anchored === undefined) throw NOT_PLAIN;
    this.aliased += anchored.size;
    this.size += anchored.size + 1;
    // The full parser decides how many are too many.
    if (this.aliased > MOST_ALIASED_VALUES) throw NOT_PLAIN;
    return anchored.value;
  }
}

/** The end of a name of letters, digits, `_` and `-`. */
function nameEnd(text: string, at: number): number {
  let next = at;
  while (next < text.length && isNameCharacter(text.charCodeAt(next))) next++;
  if (next === at) throw NOT_PLAIN;
  return next;
}

const isNameCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45 || code === 95;

/** Longer keys are not YAML. */
export const LONGEST_KEY = 1000;

/** The part of the plain reader that reads `[…]` and `{…}`. It stores the places that both parts find. */
export class FlowReader {
  protected readonly source: SourceText;
  protected readonly text: string;
  protected readonly places: PlaceTable;
  /** Where the value read last starts and ends. */
  protected valueStart = 0;
  protected valueEnd = 0;
  protected depth = 0;
  /** The end of the line at hand, and where the line after it starts. */
  protected end = 0;
  protected next = 0;
  /** The indentation of the key or dash in front of the outermost bracket, and the number of open brackets. */
  private flowIndent = 0;
  private brackets = 0;
  /** Places of the entries of every unfinished map and list: those of the innermost last. */
  protected readonly pending = new Offsets(1024);
  private readonly settled = new Offsets(4096);
  protected readonly anchors = new Anchors();
  readonly diagnostics: Diagnostic[] = [];

  constructor(source: SourceText, places: PlaceTable) {
    this.source = source;
    this.text = source.text;
    this.places = places;
  }

  /** A map or list is finished: its places are moved to their final position. */
  protected keepPlaces(container: object, keys: string[] | undefined, count: number, mark: number): void {
    this.anchors.size += keys === undefined ? count : count * 2;
    const base = this.pending.moveTo(this.settled, mark);
    this.places.set(container, { keys, offsets: this.settled, base, count, texts: this.source });
  }

  /** A flow collection with simple keys and values; every key has its value and colon on one line. */
  protected flow(at: number, indent: number): unknown {
    this.flowIndent = indent;
    return this.collection(at);
  }

  private collection(at: number): unknown {
    if (++this.depth > DEEPEST) throw NOT_PLAIN;
    this.brackets++;
    const value = this.text.charCodeAt(at) === BRACE ? this.flowMap(at) : this.flowList(at);
    this.brackets--;
    this.depth--;
    return value;
  }

  private flowList(at: number): unknown[] {
    const values: unknown[] = [];
    const mark = this.pending.length;
    let next = this.gap(at + 1);
    while (this.text.charCodeAt(next) !== BRACKET_END) {
      values.push(this.flowValue(next));
      this.pending.push(this.valueStart, this.valueEnd, this.valueStart, this.valueEnd);
      next = this.gap(this.valueEnd);
      const code = this.text.charCodeAt(next);
      if (code === COMMA) next = this.gap(next + 1);
      else if (code !== BRACKET_END) throw NOT_PLAIN;
    }
    this.keepPlaces(values, undefined, values.length, mark);
    this.valueStart = at;
    this.valueEnd = next + 1;
    return values;
  }

  private flowMap(at: number): Tree {
    const { text } = this;
    const tree: Tree = {};
    const keys: string[] = [];
    const mark = this.pending.length;
    let merged: readonly Tree[] | undefined;
    let next = this.gap(at + 1);
    while (text.charCodeAt(next) !== BRACE_END) {
      const first = text.charCodeAt(next);
      const quoted = first === QUOTE || first === APOSTROPHE;
      const keyStart = next;
      const keyStop = quoted ? quoteEnd(text, next, this.end) : this.flowPlainEnd(next);
      const key = quoted ? unquote(text, keyStart, keyStop) : resolve(text, text.slice(keyStart, keyStop), keyStart);
      const colon = this.blanks(keyStop);
      if (typeof key !== "string" || Object.hasOwn(tree, key)) throw NOT_PLAIN;
      if (text.charCodeAt(colon) !== COLON || text.charCodeAt(colon + 1) !== SPACE || colon - keyStart > LONGEST_KEY)
        throw NOT_PLAIN;
      const valueAt = this.blanks(colon + 1);
      const value = this.flowValue(valueAt);
      if (key === "<<" && !quoted) {
        if (merged !== undefined) throw NOT_PLAIN;
        merged = this.merge(valueAt, value);
      } else {
        setOwn(tree, key, value);
        keys.push(key);
        this.pending.push(keyStart, keyStop, this.valueStart, this.valueEnd);
      }
      next = this.gap(this.valueEnd);
      const code = text.charCodeAt(next);
      if (code === COMMA) next = this.gap(next + 1);
      else if (code !== BRACE_END) throw NOT_PLAIN;
    }
    if (merged !== undefined) this.takeOver(tree, keys, merged);
    this.keepPlaces(tree, keys, keys.length, mark);
    this.valueStart = at;
    this.valueEnd = next + 1;
    return tree;
  }

  private flowValue(at: number): unknown {
    if (at >= this.end) throw NOT_PLAIN;
    const first = this.text.charCodeAt(at);
    if (first === BRACE || first === BRACKET) return this.collection(at);
    if (first === ASTERISK) return this.alias(at);
    if (first === AMPERSAND) return this.flowAnchored(at);
    if (first === BANG) return this.flowTagged(at);
    const quoted = first === QUOTE || first === APOSTROPHE;
    const stop = quoted ? quoteEnd(this.text, at, this.end) : this.flowPlainEnd(at);
    const value = quoted ? unquote(this.text, at, stop) : resolve(this.text, this.text.slice(at, stop), at);
    this.valueStart = at;
    this.valueEnd = stop;
    return value;
  }

  private flowAnchored(at: number): unknown {
    const anchor = this.anchorAt(at);
    if (anchor === undefined) throw NOT_PLAIN;
    const value = this.flowValue(anchor.behind);
    this.anchors.close(anchor, value);
    return value;
  }

  private flowTagged(at: number): unknown {
    const tag = tagAt(this.text, at, this.end);
    if (!hasValue(tag, this.text, this.end)) throw NOT_PLAIN;
    return this.meant(tag, () => this.flowValue(tag.behind));
  }

  /** A tag that starts here. */
  protected tagAt(at: number): Tag | undefined {
    return this.text.charCodeAt(at) === BANG ? tagAt(this.text, at, this.end) : undefined;
  }

  /** The value after a tag. The error about an unknown tag comes before the errors inside the value. */
  protected meant(tag: Tag | undefined, read: () => unknown): unknown {
    if (tag === undefined) return read();
    const first = this.diagnostics.length;
    const value = read();
    const meant = tagged(tag, value, this.text.slice(this.valueStart, this.valueEnd));
    if (!isOwn(tag)) return meant;
    // The full parser shows the last exclamation mark before the value.
    if (this.text.lastIndexOf("!", this.valueStart) !== tag.start) throw NOT_PLAIN;
    const fact = error("yaml/tag", { tag: quote(tag.name) }, this.source.span(tag.start, tag.stop));
    this.diagnostics.splice(first, 0, fact);
    this.valueStart = tag.start;
    return meant;
  }

  /** An anchor that starts here, with a blank or the end of the line behind it. */
  protected anchorAt(at: number): OpenAnchor | undefined {
    if (this.text.charCodeAt(at) !== AMPERSAND) return undefined;
    const stop = nameEnd(this.text, at + 1);
    if (!/^[ \r\n]?$/.test(this.text.charAt(stop))) throw NOT_PLAIN;
    const behind = this.blanks(stop);
    // A second anchor, or an anchor for a value that has one.
    if (/[&*]/.test(this.text.charAt(behind))) throw NOT_PLAIN;
    return this.anchors.open(this.text.slice(at + 1, stop), behind);
  }

  protected alias(at: number): unknown {
    const stop = nameEnd(this.text, at + 1);
    // Anything else would belong to the name.
    if (stop < this.end && !/[ ,\]}]/.test(this.text.charAt(stop))) throw NOT_PLAIN;
    this.valueStart = at;
    this.valueEnd = stop;
    return this.anchors.alias(this.text.slice(at + 1, stop));
  }

  /** What `<<: *base` and `<<: [*one, *two]` name. */
  protected merge(at: number, value: unknown): readonly Tree[] {
    const first = this.text.charCodeAt(at);
    const bases: readonly unknown[] = Array.isArray(value) ? value : [value];
    if ((first !== ASTERISK && first !== BRACKET) || !bases.every(isTree)) throw NOT_PLAIN;
    return bases;
  }

  /** The values that a map does not have itself come from the first of the others; they are all from this file. */
  protected takeOver(tree: Tree, keys: string[], bases: readonly Tree[]): void {
    for (const base of bases) {
      const places = this.places.of(base);
      if (places?.keys === undefined) throw NOT_PLAIN;
      let at = places.base;
      for (const key of places.keys) {
        if (!Object.hasOwn(tree, key)) {
          setOwn(tree, key, base[key]);
          keys.push(key);
          const { offsets } = places;
          this.pending.push(offsets.get(at), offsets.get(at + 1), offsets.get(at + 2), offsets.get(at + 3));
        }
        at += 4;
      }
    }
  }

  /** An unquoted scalar ends before a comma, a bracket, the colon of a key or a comment; the following characters show whether it really does. */
  private flowPlainEnd(at: number): number {
    const { text, end } = this;
    let next = at;
    for (; next < end; next++) {
      const code = text.charCodeAt(next);
      if (code === COMMA || code === BRACE || code === BRACKET || code === BRACE_END || code === BRACKET_END) break;
      if (code === COLON && /^[\s,[\]{}]?$/.test(text.charAt(next + 1))) break;
      if (code === HASH && text.charCodeAt(next - 1) === SPACE) break;
    }
    while (text.charCodeAt(next - 1) === SPACE) next--;
    if (next <= at) throw NOT_PLAIN;
    return next;
  }

  /** Skips spaces, comments and line ends. A following line is indented further than the key or dash; only the last bracket may be at their level. */
  private gap(at: number): number {
    const { text } = this;
    let next = this.blanks(at);
    if (next < this.end && text.charCodeAt(next) !== HASH) return next;
    if (next < this.end && text.charCodeAt(next - 1) !== SPACE) throw NOT_PLAIN;
    while (this.next < text.length) {
      const lineStart = this.next;
      next = this.blanks(lineStart);
      this.endLine(next);
      const code = text.charCodeAt(next);
      if (next >= this.end || code === HASH) continue;
      const indent = next - lineStart;
      const closes = this.brackets === 1 && (code === BRACKET_END || code === BRACE_END);
      if (indent < this.flowIndent || (indent === this.flowIndent && !closes)) throw NOT_PLAIN;
      return next;
    }
    throw NOT_PLAIN;
  }

  /** Makes the line at an offset the current one. */
  protected endLine(at: number): void {
    const { text } = this;
    let end = text.indexOf("\n", at);
    if (end === -1) end = text.length;
    this.next = end + 1;
    this.end = text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
  }

  protected blanks(at: number): number {
    let next = at;
    while (this.text.charCodeAt(next) === SPACE) next++;
    return next;
  }
}

/** A tag before a value on the same line, or before a map or list on the next lines. */
interface Tag {
  /** The tag in the text: `!!str`, `!mine`. */
  readonly name: string;
  readonly start: number;
  readonly stop: number;
  /** The position after the spaces: the start of the value, or the end of the line. */
  readonly behind: number;
}

/** Tags of the core schema that the plain reader knows. Others with `!!` (`!!float`, `!!set`, `!!binary` …) are the full parser's. */
const CORE: ReadonlySet<string> = new Set(["!!str", "!!int", "!!bool", "!!null", "!!map", "!!seq"]);

/** The tag that starts at a `!`. */
function tagAt(text: string, start: number, end: number): Tag {
  let stop = start + 1;
  while (stop < end && text.charCodeAt(stop) !== SPACE) stop++;
  const name = text.slice(start, stop);
  if (!CORE.has(name) && !/^![a-zA-Z0-9_-]+$/.test(name)) throw NOT_PLAIN;
  let behind = stop;
  while (behind < end && text.charCodeAt(behind) === SPACE) behind++;
  const next = text.charCodeAt(behind);
  // An alias has no tag; an anchor after a tag, and a second tag, are rare.
  if (behind < end && (next === ASTERISK || next === AMPERSAND || next === BANG)) throw NOT_PLAIN;
  return { name, start, stop, behind };
}

/** Whether a value is on the line of its tag. */
const hasValue = ({ behind }: Tag, text: string, end: number): boolean =>
  behind < end && text.charCodeAt(behind) !== HASH;

/** Whether the tag is not one of YAML's. The full parser keeps the value, and reports the tag as an error. */
const isOwn = ({ name }: Tag): boolean => !CORE.has(name);

/**
 * The value with a tag.
 * @param value as it would be without the tag
 * @param written its text, for a scalar: a tag can make a number a text
 */
function tagged({ name }: Tag, value: unknown, written: string): unknown {
  const isCollection = typeof value === "object" && value !== null;
  if (name === "!!map" || name === "!!seq") {
    if ((name === "!!map" ? isTree(value) : Array.isArray(value)) && isCollection) return value;
    throw NOT_PLAIN;
  }
  if (name === "!!int" || name === "!!bool" || name === "!!null") {
    const is = name === "!!int" ? "number" : name === "!!bool" ? "boolean" : "object";
    // A text in quotes is a text.
    if (!isCollection && typeof value === is) return value;
    throw NOT_PLAIN;
  }
  if (isCollection && name === "!!str") throw NOT_PLAIN;
  return isCollection || typeof value === "string" ? value : written;
}
