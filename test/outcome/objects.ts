import type { File, Item } from "./file.ts";
import { type LiveItem, type Rules, whoIsWho } from "./identity.ts";
import type { Ref, Row, Rows } from "./seen.ts";

/** Objects of one kind afterwards, and the names that they have then. */
export interface After {
  readonly rows: Rows;
  /** The object in use that a name in the file means. */
  readonly called: (name: string) => Ref;
  /** The objects of the file's items. An item that is to be removed and does not exist has no object. */
  readonly refs: ReadonlyMap<Item, Ref>;
}

export interface Kind {
  readonly section: string;
  readonly key: (name: string) => string;
  /** As the server stores it. */
  readonly spelled: (name: string) => string;
  /** Objects that no file can describe. */
  readonly isFixed?: (row: Row) => boolean;
  /** The fields that the item gives, except its name and whether it is inactive. `row` is the existing object; undefined for a new one. */
  readonly says: (item: Item, called: (name: string) => Ref, row: Row | undefined) => Row;
  /** A new object with no values from the file. */
  readonly fresh: Row;
}

/**
 * Kinds whose objects have ids and names and can be inactive: declared objects are in use (decision 3); undeclared ones stay, or become inactive if
 * the section is `exact`.
 */
export function objectsAfter(kind: Kind, file: File, now: Rows): After {
  const items = file.items(kind.section);
  const things = Object.entries(now).flatMap(([ref, row]) =>
    kind.isFixed?.(row) === true ? [] : [liveItemOf(ref, row)],
  );
  const calledNow = nameTable(kind, now);
  const rules: Rules = {
    key: kind.key,
    distance: (item, { id }) => {
      const row = now[id] ?? {};
      const said = { inactive: item.goes, ...kind.says(item, calledNow, row) };
      return Object.entries(said).filter(([field, value]) => !isSame(value, row[field])).length;
    },
  };
  const found = whoIsWho(items ?? [], things, rules);
  const refs = new Map<Item, Ref>();
  for (const item of items ?? []) {
    const thing = found.get(item);
    if (thing !== undefined) refs.set(item, thing.id);
    else if (!item.goes) refs.set(item, `new:${kind.spelled(item.name)}`);
  }

  // Names first: fields refer to other objects by their later names (decision 2).
  const named: { [ref: string]: Row } = {};
  for (const [ref, row] of Object.entries(now)) {
    const stays = kind.isFixed?.(row) === true || file.isAside(kind.section, kind.key, String(row.name));
    const goes = file.isExact(kind.section) && !stays;
    named[ref] = goes ? { ...row, inactive: true } : row;
  }
  for (const [item, ref] of refs)
    named[ref] = { ...(now[ref] ?? kind.fresh), name: kind.spelled(item.name), inactive: item.goes };
  const called = nameTable(kind, named);
  const rows = { ...named };
  for (const [item, ref] of refs) rows[ref] = { ...named[ref], ...kind.says(item, called, now[ref]) };
  return { rows, called, refs };
}

/** A name means the object in use that has it. */
function nameTable({ key }: Kind, rows: Rows): (name: string) => Ref {
  const known = new Map<string, Ref>();
  for (const [ref, { name, inactive }] of Object.entries(rows))
    if (inactive !== true) known.set(key(String(name)), refOf(ref));
  return (name) => known.get(key(name)) ?? `new:nothing called ${name}`;
}

function liveItemOf(ref: string, { name, inactive }: Row): LiveItem {
  return { id: Number(ref), name: String(name), inactive: inactive === true };
}

/** Keys of JavaScript objects are strings. */
export function refOf(key: string): Ref {
  return key.startsWith("new:") ? `new:${key.slice(4)}` : Number(key);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
