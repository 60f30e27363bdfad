import type { Path, Span } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { SourceText } from "./text.ts";

/** A map of the file: its own keys only, so `toString` and `__proto__` are names like any other. */
export type Tree = { [key: string]: unknown };

/** Where the entries of one map or list stand. Offsets, because spans are rarely needed and a line index is not free. */
export interface Places {
  /** Keys in file order; undefined for a list. (An object would put a key such as "2024" first.) */
  readonly keys: string[] | undefined;
  /** Four numbers for each entry: start and end of its key (for a list: of its value), start and end of its value. */
  readonly offsets: number[];
  /** The file of every entry, or one for each when they come from several. */
  texts: SourceText | SourceText[];
  /** Built for large maps when somebody looks for a key. */
  index?: ReadonlyMap<string, number>;
}

export interface Entry {
  readonly key: string | number;
  readonly value: unknown;
}

/** Remembers for every map and list where its entries were written, apart from the values themselves. */
export class PlaceTable {
  private readonly places = new Map<object, Places>();

  set(container: object, places: Places): void {
    this.places.set(container, places);
  }

  /** Makes ready a map that will take entries over from others, `like` being one of them. */
  start(target: object, like: object): void {
    const texts = this.places.get(like)?.texts;
    const first = Array.isArray(texts) ? texts[0] : texts;
    if (first !== undefined) this.places.set(target, { keys: [], offsets: [], texts: first });
  }

  /** Adds an entry at the end, taken over from another container together with its place. */
  adopt(target: object, source: object, key: string | number, as: string | number = key): void {
    const to = this.places.get(target);
    const from = this.places.get(source);
    const at = from === undefined ? -1 : positionOf(from, key);
    if (to === undefined || from === undefined || at === -1) return;
    const old = to.keys === undefined ? -1 : positionOf(to, as);
    const to4 = (old === -1 ? to.offsets.length / 4 : old) * 4;
    if (old === -1) to.keys?.push(String(as));
    for (let n = 0; n < 4; n++) to.offsets[to4 + n] = from.offsets[at * 4 + n] ?? 0;
    const text = textAt(from, at);
    if (!Array.isArray(to.texts)) {
      const before = to.texts;
      if (before === text) return;
      to.texts = Array.from({ length: to.offsets.length / 4 }, () => before);
    }
    to.texts[to4 / 4] = text;
  }

  /** Entries in file order. */
  entries(container: object): readonly Entry[] {
    if (Array.isArray(container)) return container.map((value: unknown, key) => ({ key, value }));
    return (this.places.get(container)?.keys ?? Object.keys(container)).map((key) => ({
      key,
      value: child(container, key),
    }));
  }

  /**
   * The place of the value at a path below a map or list. When the path leads nowhere, the key of the nearest ancestor that is
   * written; undefined when not even the first step is.
   */
  valueSpan(container: object, path: Path): Span | undefined {
    return this.find(container, path, "value");
  }

  /** The place of the key at a path (of a list entry: of its value); nearest ancestor as in {@link PlaceTable.valueSpan}. */
  keySpan(container: object, path: Path): Span | undefined {
    return this.find(container, path, "key");
  }

  private find(container: object, path: Path, want: "key" | "value"): Span | undefined {
    let current: unknown = container;
    let found: Span | undefined;
    for (const [depth, step] of path.entries()) {
      if (typeof current !== "object" || current === null) return found;
      const places = this.places.get(current);
      const at = places === undefined ? -1 : positionOf(places, step);
      if (places === undefined || at === -1) return found;
      const last = depth === path.length - 1;
      // A value that is not written (`general:`) has no place but its key.
      const written = places.offsets[at * 4 + 2] !== places.offsets[at * 4 + 3];
      const from = at * 4 + (last && want === "value" && written ? 2 : 0);
      found = textAt(places, at).span(places.offsets[from] ?? 0, places.offsets[from + 1] ?? 0);
      current = child(current, step);
    }
    return found;
  }
}

const LARGE = 16;

function positionOf(places: Places, key: string | number): number {
  const { keys, offsets } = places;
  if (keys === undefined) {
    const at = Number(key);
    return Number.isInteger(at) && at >= 0 && at * 4 < offsets.length ? at : -1;
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

/** Sets an own property even when its name is `__proto__`. */
export function setOwn(target: Tree, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

export function isTree(value: unknown): value is Tree {
  return isObject(value);
}
