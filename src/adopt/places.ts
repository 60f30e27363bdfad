import type { Span } from "../model/diagnostic.ts";
import { type Json, sameJson } from "../model/json.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import { groupedBy } from "../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { reorderKeys } from "../source/splices.ts";
import { SourceText } from "../source/text.ts";
import { isTree, PlaceTable } from "../source/tree.ts";
import { parseFully } from "../source/yaml.ts";
import { asValue, type FileGoal, GONE } from "./file-goal.ts";

/** The place of an item in its section. */
export interface ItemPlace {
  /** The key or the position of the item; null for a singleton, whose item is the section. */
  readonly entry: string | number | null;
  /** For an entry that stands for several objects: its list, and the position there. */
  readonly part?: { readonly list: string; readonly index: number };
}

/** One file's text and value; the value is what the person wrote, before profiles, defaults and variables are applied. */
export class AdoptFile {
  readonly name: string;
  text: string;
  private tree: { readonly text: string; readonly value: unknown; readonly places: PlaceTable } | undefined;

  /** Section → place of a key → key. */
  private readonly entries = new WeakMap<object, Map<string, ItemPlace>>();

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** A copy that may be changed. */
  value(): { [key: string]: Json } {
    const copy: { [key: string]: Json } = JSON.parse(JSON.stringify(this.parsed().value ?? {}));
    return copy;
  }

  has(section: string): boolean {
    const { value } = this.parsed();
    return isTree(value) && Object.hasOwn(value, section);
  }

  /** The item of a section whose key, or whose value in a list, has this span; or the part of an item with this span. */
  entryAt(kind: ResourceKind, { line, column }: Span): ItemPlace | undefined {
    const { value, places } = this.parsed();
    const section = isTree(value) ? value[kind.section] : undefined;
    if (typeof section !== "object" || section === null) return undefined;
    if (kind.shape === "singleton") return { entry: null };
    let entries = this.entries.get(section);
    if (entries === undefined) {
      entries = new Map();
      const add = (at: Span | undefined, place: ItemPlace): void => {
        if (at !== undefined) entries?.set(`${at.line}:${at.column}`, place);
      };
      for (const { key: entry, value: item } of places.entries(section)) {
        add(places.keySpan(section, [entry]), { entry });
        if (kind.identity?.parts === undefined || !isTree(item)) continue;
        for (const [list, parts] of Object.entries(item))
          if (Array.isArray(parts))
            parts.forEach((_, index) => {
              add(places.valueSpan(item, [list, index]), { entry, part: { list, index } });
            });
      }
      this.entries.set(section, entries);
    }
    return entries.get(`${line}:${column}`);
  }

  private parsed() {
    if (this.tree?.text !== this.text) {
      const places = new PlaceTable();
      const { value } = parseFully(new SourceText(this.name, this.text), places);
      this.tree = { text: this.text, value, places };
    }
    return this.tree;
  }
}

/** Orders sections that are spread over several files. */

/** Objects by the file that declares them, in the order in which the files are read. */
export const blocksOf = (declared: readonly DeclaredObject[]): ReadonlyMap<string, readonly DeclaredObject[]> =>
  groupedBy(declared, ({ at }) => at.file);

/** Whether every number of a list is less than all numbers of the next lists. */
export function followsEachOther(blocks: readonly (readonly number[])[]): boolean {
  let highest = -1;
  for (const block of blocks) {
    if (block.some((rank) => rank < highest)) return false;
    for (const rank of block) highest = Math.max(highest, rank);
  }
  return true;
}

/**
 * The declared object next to which a new one belongs: if order has a meaning, the previous one on the server, so that the order can still be
 * written; otherwise the last one in its folder.
 * @param all in the server's order
 */
export function neighbourOf(
  object: LiveObject,
  all: readonly LiveObject[],
  { diff }: ResourceKind,
  declared: readonly DeclaredObject[],
): DeclaredObject | undefined {
  const byKey = new Map(declared.map((item) => [item.key, item]));
  const { folder } = object.fields;
  const at = all.indexOf(object);
  const near =
    diff?.ordered !== undefined
      ? [...all.slice(0, at).reverse(), ...all.slice(at + 1)]
      : folder === undefined
        ? []
        : all.filter(({ fields }) => sameJson(fields.folder ?? null, folder)).reverse();
  const neighbour = near.find(({ key }) => byKey.has(key));
  return neighbour && byKey.get(neighbour.key);
}

/** Puts the items of a list in the order of the server; false if items were added or removed in this round: then the next round sets the order. */
export function orderList(
  goal: FileGoal,
  { section }: ResourceKind,
  block: readonly DeclaredObject[],
  ranks: ReadonlyMap<string, number>,
): boolean {
  const items = goal.items(section);
  if (items === undefined || items.length !== block.length || items.includes(GONE)) return false;
  const rank = (index: number): number => ranks.get(block[index]?.key ?? "") ?? Number.POSITIVE_INFINITY;
  const positions = items.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
  goal.replaceItems(
    section,
    positions.flatMap((index) => items[index] ?? []),
  );
  return true;
}

/** Puts the keys of a map in the order of the server. Entries that were added, removed or renamed in this round are left to the next. */
export function reorderMap(
  file: AdoptFile,
  goal: FileGoal,
  kind: ResourceKind,
  ranks: ReadonlyMap<string, number>,
): void {
  const { section } = kind;
  const names = Object.keys(asValue(file.value()[section]));
  const wanted = new Set(goal.names(section));
  if (names.length !== wanted.size || names.some((name) => !wanted.has(name))) return;
  const rank = (name: string): number => ranks.get(keyOf(kind, name)) ?? -1;
  const ranked = names.filter((name) => rank(name) >= 0).sort((a, b) => rank(a) - rank(b));
  const next = ranked.values();
  const order = names.map((name) => (rank(name) >= 0 ? (next.next().value ?? name) : name));
  file.text = reorderKeys(file.text, section, order) ?? file.text;
}
