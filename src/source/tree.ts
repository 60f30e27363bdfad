import type { Diagnostic, Path, Span } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { SourceText } from "./text.ts";

/** A map of the file: only its own keys count, so `toString` and `__proto__` are names like any other. */
export type Tree = { [key: string]: unknown };

/** A growing list of offsets in one block of memory, so that hundreds of thousands of them cost the garbage collector nothing. */
export class Offsets {
  private block: Int32Array;
  length = 0;

  constructor(capacity = 16) {
    this.block = new Int32Array(capacity);
  }

  get(at: number): number {
    return this.block[at] ?? 0;
  }

  set(at: number, value: number): void {
    this.block[at] = value;
  }

  push(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const { length } = this;
    this.reserve(length + 4);
    this.block[length] = keyStart;
    this.block[length + 1] = keyEnd;
    this.block[length + 2] = valueStart;
    this.block[length + 3] = valueEnd;
    this.length = length + 4;
  }

  /** Moves everything from a position on to the end of another list; returns its start there. */
  moveTo(target: Offsets, from: number): number {
    const base = target.length;
    const count = this.length - from;
    target.reserve(base + count);
    for (let n = 0; n < count; n++) target.block[base + n] = this.block[from + n] ?? 0;
    target.length = base + count;
    this.length = from;
    return base;
  }

  private reserve(length: number): void {
    if (length <= this.block.length) return;
    const larger = new Int32Array(Math.max(length, this.block.length * 2));
    larger.set(this.block);
    this.block = larger;
  }
}

/** The places of the entries of one map or list. Offsets, because spans are rarely needed and a line index takes time. */
interface Places {
  /** Keys in file order; undefined for a list. (An object would put a key such as "2024" first.) */
  readonly keys: string[] | undefined;
  /** Four numbers for each entry, from `base` on: start and end of its key (for a list entry, of its value), then of its value. */
  readonly offsets: Offsets;
  readonly base: number;
  count: number;
  /** The file of every entry, or one for each when they come from several. */
  texts: SourceText | SourceText[];
  /** Built for large maps when a key is first looked up. */
  index?: Map<string, number>;
}

interface Entry {
  readonly key: string | number;
  readonly value: unknown;
}

/** Stores where the entries of every map and list were written, separately from the values. */
export class PlaceTable {
  private readonly places = new Map<object, Places>();
  /** Maps and lists of what is written twice: copies, to which more can be added. */
  private readonly joined = new WeakSet<object>();

  set(container: object, places: Places): void {
    this.places.set(container, places);
  }

  /** Prepares a map that will take entries from others; `like` is one of them. */
  start(target: object, like: object): void {
    const texts = this.places.get(like)?.texts;
    const first = Array.isArray(texts) ? texts[0] : texts;
    if (first !== undefined) this.open(target, first);
  }

  of(container: object): Places | undefined {
    return this.places.get(container);
  }

  /** An empty map or list, ready for {@link PlaceTable.add} and {@link PlaceTable.adopt}. */
  open(container: object, text: SourceText): void {
    const keys = Array.isArray(container) ? undefined : [];
    this.places.set(container, { keys, offsets: new Offsets(), base: 0, count: 0, texts: text });
  }

  /** Adds an entry at the end of a container that was opened. `key` is undefined for a list. */
  add(container: object, key: string | undefined, at: readonly [number, number, number, number]): void {
    const places = this.places.get(container);
    if (places === undefined) return;
    if (key !== undefined) places.keys?.push(key);
    places.offsets.push(...at);
    places.count++;
  }

  /** Adds an entry at the end, taken from another container together with its place. */
  adopt(target: object, source: object, key: string | number, as: string | number = key): void {
    const to = this.places.get(target);
    const from = this.places.get(source);
    const at = from === undefined ? -1 : positionOf(from, key);
    if (to === undefined || from === undefined || at === -1) return;
    const old = to.keys === undefined ? -1 : positionOf(to, as);
    const position = old === -1 ? to.count : old;
    if (old === -1) {
      to.keys?.push(String(as));
      to.offsets.push(0, 0, 0, 0);
      to.index?.set(String(as), to.count);
      to.count++;
    }
    for (let n = 0; n < 4; n++) to.offsets.set(to.base + position * 4 + n, from.offsets.get(from.base + at * 4 + n));
    const text = textAt(from, at);
    if (!Array.isArray(to.texts)) {
      const before = to.texts;
      if (before === text) return;
      to.texts = Array.from({ length: to.count }, () => before);
    }
    to.texts[position] = text;
  }

  /** Gives entries of a map other keys, at the same places. @param keys each key → the one that the entry has now; the other entries are no longer there */
  rename(map: Tree, keys: ReadonlyMap<string, string>): void {
    const before: Tree = {};
    const places = this.places.get(map);
    if (places === undefined) return;
    this.places.set(before, places);
    this.start(map, before);
    for (const [key, from] of keys) this.adopt(map, before, from, key);
  }

  /**
   * The value of a key that is written twice, which is an error: the first value, and the entries of the second that it does not have, so that these are
   * checked in the same run.
   */
  join(first: unknown, second: unknown): unknown {
    const isList = Array.isArray(first) && Array.isArray(second);
    if (!isList && !(isTree(first) && isTree(second))) return first;
    const whole: unknown[] | Tree = this.joined.has(first) ? first : isList ? [] : {};
    if (whole !== first) {
      this.joined.add(whole);
      this.start(whole, this.places.get(first)?.count === 0 ? second : first);
      this.addAll(whole, first);
    }
    this.addAll(whole, second);
    return whole;
  }

  /** Adds the entries of a map or list, with their places. @param twice what to do with a key that the map has already: nothing */
  addAll(
    target: unknown[] | Tree,
    source: unknown[] | Tree,
    twice: (key: string, value: unknown) => void = () => {},
  ): void {
    for (const { key, value } of this.entries(source)) {
      if (Array.isArray(target)) {
        target.push(value);
        this.adopt(target, source, key, target.length - 1);
      } else if (Object.hasOwn(target, key)) twice(String(key), value);
      else {
        setOwn(target, String(key), value);
        this.adopt(target, source, key);
      }
    }
  }

  /** A copy of a map, with the places. @param keyOf the key of an entry there; undefined leaves the entry out */
  copy(map: Tree, keyOf: (key: string) => string | undefined = (key) => key): Tree {
    const whole: Tree = {};
    this.start(whole, map);
    for (const { key, value } of this.entries(map)) {
      const name = keyOf(String(key));
      if (name === undefined) continue;
      setOwn(whole, name, value);
      this.adopt(whole, map, key, name);
    }
    return whole;
  }

  /** Every map and list of the file, once: aliases share theirs. Each comes before those in it. @param without keys of the root, with all below them */
  *containers(root: Tree, without: readonly string[] = []): Generator<object> {
    const found = new Set<object>([root]);
    for (const container of found) {
      yield container;
      for (const { key, value } of this.entries(container))
        if (typeof value === "object" && value !== null && (container !== root || !without.includes(String(key))))
          found.add(value);
    }
  }

  /** Entries in file order. */
  entries(container: object): readonly Entry[] {
    if (Array.isArray(container)) return container.map((value: unknown, key) => ({ key, value }));
    return (this.places.get(container)?.keys ?? Object.keys(container)).map((key) => ({
      key,
      value: child(container, key),
    }));
  }

  /** The entries of a map that was just read, with the offsets of their keys and values. */
  placed(map: Tree): { readonly key: string; readonly value: unknown; readonly at: Place }[] {
    const { keys = [], offsets, base } = this.places.get(map) ?? {};
    if (offsets === undefined || base === undefined) return [];
    return keys.map((key, n) => {
      const at = base + 4 * n;
      return {
        key,
        value: map[key],
        at: [offsets.get(at), offsets.get(at + 1), offsets.get(at + 2), offsets.get(at + 3)],
      };
    });
  }

  /**
   * The place of the value at a path below a map or list. If the path does not exist, the key of the nearest existing ancestor; undefined if not even
   * the first step exists.
   */
  valueSpan(container: object, path: Path): Span | undefined {
    return this.find(container, path, "value");
  }

  /** The place of the key at a path (for a list entry, of its value); nearest ancestor as in {@link PlaceTable.valueSpan}. */
  keySpan(container: object, path: Path): Span | undefined {
    return this.find(container, path, "key");
  }

  private find(container: object, path: Path, want: "key" | "value"): Span | undefined {
    let current: unknown = container;
    let nearest: Places | undefined;
    let at = -1;
    let depth = 0;
    for (const step of path) {
      if (typeof current !== "object" || current === null) break;
      const places = this.places.get(current);
      const position = places === undefined ? -1 : positionOf(places, step);
      if (places === undefined || position === -1) break;
      [nearest, at] = [places, position];
      depth += 1;
      current = child(current, step);
    }
    if (nearest === undefined) return undefined;
    // A value that is not written (`general:`) has only the place of its key.
    const { offsets } = nearest;
    const base = nearest.base + at * 4;
    const written = offsets.get(base + 2) !== offsets.get(base + 3);
    const from = base + (depth === path.length && want === "value" && written ? 2 : 0);
    return textAt(nearest, at).span(offsets.get(from), offsets.get(from + 1));
  }
}

const LARGE = 16;

function positionOf(places: Places, key: string | number): number {
  const { keys, count } = places;
  if (keys === undefined) {
    const at = Number(key);
    return Number.isInteger(at) && at >= 0 && at < count ? at : -1;
  }
  const name = String(key);
  if (keys.length < LARGE) return keys.indexOf(name);
  if (places.index === undefined || places.index.size !== keys.length)
    places.index = new Map(keys.map((each, at) => [each, at]));
  return places.index.get(name) ?? -1;
}

function textAt(places: Places, at: number): SourceText {
  if (!Array.isArray(places.texts)) return places.texts;
  const text = places.texts[at];
  if (text === undefined) throw new RangeError(`no entry ${at}`);
  return text;
}

function child(container: object, key: string | number): unknown {
  if (Array.isArray(container)) return container[Number(key)];
  return isTree(container) ? container[key] : undefined;
}

/** Where the key and the value start and end. */
export type Place = readonly [keyStart: number, keyEnd: number, valueStart: number, valueEnd: number];

/** Sets an own property even when its name is `__proto__`. */
export function setOwn(target: Tree, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

export function isTree(value: unknown): value is Tree {
  return isObject(value);
}

/** The result of reading a text. */
export interface Parsed {
  /** Plain maps, lists, texts, numbers, booleans and null; undefined when there is nothing or it cannot be read. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}
