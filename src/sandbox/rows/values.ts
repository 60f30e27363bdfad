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

export function record<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): Record<Key, Value>;
export function record(keys: readonly string[], make: (key: string) => unknown): object {
  return Object.fromEntries(keys.map((key) => [key, make(key)]));
}
