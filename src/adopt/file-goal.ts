import { isList, isObject, type Json, mapOf } from "../model/json.ts";

type Value = { [key: string]: Json };

/** Marks an item of a list that is removed; no text of a file can be equal to it. */
export const GONE = "\u0000gone";

export const asValue = (value: Json | undefined): Value => ({ ...mapOf(value) });

/** The goal for one file. A change costs as much as the entry that it changes, however many others there are. */
export class FileGoal {
  private readonly top: Map<string, Json>;
  /** The copies of sections that were changed. */
  private readonly sections = new Map<string, Json[] | Map<string, Json>>();

  constructor(value: Value) {
    this.top = new Map(Object.entries(value));
  }

  /** Items of a section that is a list; removed ones are marked as GONE, so that positions stay valid. */
  items(section: string): readonly Json[] | undefined {
    const entries = this.open(section);
    return Array.isArray(entries) ? entries : undefined;
  }

  /** Names in a section that is a map. */
  names(section: string): readonly string[] {
    const entries = this.open(section);
    return Array.isArray(entries) ? [] : [...entries.keys()];
  }

  /** @param entry null for the section as a whole */
  item(section: string, entry: string | number | null): Json | undefined {
    const entries = this.open(section);
    if (entry === null) return Array.isArray(entries) ? entries : Object.fromEntries(entries);
    return Array.isArray(entries) ? entries[Number(entry)] : entries.get(String(entry));
  }

  set(section: string, entry: string | number | null, item: Json): void {
    if (entry === null) {
      this.sections.set(section, new Map(Object.entries(asValue(item))));
      return;
    }
    const entries = this.open(section);
    if (!Array.isArray(entries)) this.put(section, String(entry), item);
    else if (typeof entry === "number" && entry < entries.length) entries[entry] = item;
  }

  remove(section: string, entry: string | number | null): void {
    if (entry === null) return;
    const entries = this.open(section);
    if (Array.isArray(entries)) this.set(section, entry, GONE);
    else entries.delete(String(entry));
  }

  append(section: string, item: Json): void {
    const entries = this.open(section);
    if (!Array.isArray(entries)) this.sections.set(section, [item]);
    else entries.push(item);
  }

  put(section: string, name: string, item: Json): void {
    const entries = this.open(section);
    if (Array.isArray(entries)) this.sections.set(section, new Map([[name, item]]));
    else this.sections.set(section, entries.set(name, item));
  }

  replaceItems(section: string, items: readonly Json[]): void {
    this.sections.set(section, [...items]);
  }

  /** Other names for entries of a map, and their values with them. */
  rename(section: string, names: ReadonlyMap<string, string>, renamed: (item: Json) => Json): void {
    const entries = this.open(section);
    if (Array.isArray(entries)) return;
    const pairs = [...entries].map(([name, item]): [string, Json] => {
      const to = names.get(name);
      return to === undefined ? [name, item] : [to, renamed(item)];
    });
    this.sections.set(section, new Map(pairs));
  }

  giveVariable(name: string, value: Json): void {
    this.top.set("values", { ...asValue(this.top.get("values")), [name]: value });
  }

  /** The value without removed items. */
  value(): Value {
    const value = Object.fromEntries(this.top);
    for (const [section, entries] of this.sections)
      value[section] = Array.isArray(entries) ? entries : Object.fromEntries(entries);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, isList(item) ? item.flatMap(withoutGone) : item]),
    );
  }

  private open(section: string): Json[] | Map<string, Json> {
    const known = this.sections.get(section);
    if (known !== undefined) return known;
    const value = this.top.get(section);
    const entries = isList(value) ? [...value] : new Map(Object.entries(asValue(value)));
    // A new section is written only when something is put into it.
    if (value !== undefined) this.sections.set(section, entries);
    return entries;
  }
}

/** An item that stays, without its removed parts; if nothing else is left, it is removed. */
function withoutGone(item: Json): readonly Json[] {
  if (item === GONE) return [];
  if (!isObject(item) || isList(item)) return [item];
  const lists = Object.entries(asValue(item)).map(([key, value]): [string, Json] => [
    key,
    isList(value) ? value.filter((part) => part !== GONE) : value,
  ]);
  const emptied = lists.some(([key, value]) => isList(value) && value.length === 0 && !isEmpty(item[key]));
  return emptied ? [] : [Object.fromEntries(lists)];
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
