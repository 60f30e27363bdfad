import type { Span } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { SourceText } from "../source/text.ts";
import { isTree, PlaceTable } from "../source/tree.ts";
import { parseFully } from "../source/yaml.ts";

/** The place of an item in its file: its section, and its key or position in it. */
export interface ItemPlace {
  readonly file: string;
  readonly section: string;
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
  private readonly entries = new WeakMap<object, Map<string, Pick<ItemPlace, "entry" | "part">>>();

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
  entryAt(kind: ResourceKind, { line, column }: Span): Pick<ItemPlace, "entry" | "part"> | undefined {
    const { value, places } = this.parsed();
    const section = isTree(value) ? value[kind.section] : undefined;
    if (typeof section !== "object" || section === null) return undefined;
    if (kind.shape === "singleton") return { entry: null };
    let entries = this.entries.get(section);
    if (entries === undefined) {
      entries = new Map();
      const add = (at: Span | undefined, place: Pick<ItemPlace, "entry" | "part">): void => {
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
