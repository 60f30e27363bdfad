/** Rows by their id. */
export type Table<Row> = { readonly [id: number]: Row };

/** A group-setting value in normal form (zulip-api.md §3.7): a named group's id, or an anonymous group. */
export type GroupValue = number | AnonymousGroup;

export interface AnonymousGroup {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

export function table<Row>(list: readonly Row[], idOf: (row: Row) => number): Table<Row> {
  const out: { [id: number]: Row } = {};
  for (const row of list) out[idOf(row)] = row;
  return out;
}

/** The rows of a table, ascending by id. */
export function rows<Row>(table: Table<Row>): Row[] {
  return Object.values(table);
}

/**
 * Finds the ids of rows by something other than their id. It is built once, and then only grows: each row that is added, or gets another key, must be noted;
 * a row that it finds must be looked up again, since a refused call may have taken it back.
 */
export function growingIndex<Rows extends object, Key>(pairsOf: (rows: Rows) => Iterable<readonly [Key, number]>) {
  const indexes = new WeakMap<Rows, Map<Key, Set<number>>>();
  const note = (index: Map<Key, Set<number>>, key: Key, id: number): void => {
    const ids = index.get(key);
    if (ids === undefined) index.set(key, new Set([id]));
    else ids.add(id);
  };
  return {
    find(rows: Rows, key: Key): readonly number[] {
      const index = indexes.get(rows) ?? new Map<Key, Set<number>>();
      if (!indexes.has(rows)) for (const [each, id] of pairsOf(rows)) note(index, each, id);
      indexes.set(rows, index);
      return [...(index.get(key) ?? [])];
    },
    note(rows: Rows, key: Key, id: number): void {
      const index = indexes.get(rows);
      if (index !== undefined) note(index, key, id);
    },
  };
}

export function record<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): Record<Key, Value>;
export function record(keys: readonly string[], make: (key: string) => unknown): object {
  return Object.fromEntries(keys.map((key) => [key, make(key)]));
}
