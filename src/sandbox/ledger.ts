import type { GroupValue, Table } from "./rows/values.ts";
import type { IdSpace, RealmState } from "./state.ts";

type Undo = () => void;

/**
 * The only way to write to the state. Every write records how to undo it, so a refused call costs as much as it wrote, not a copy of the realm. A
 * call that is not atomic on the server calls `commit` after each step.
 */
export class Ledger {
  readonly state: RealmState;
  private undo: Undo[] = [];
  private open = true;

  constructor(state: RealmState) {
    this.state = state;
  }

  /** Sets one field of a row (or one slot of the state). */
  set<Row extends object, Key extends keyof Row>(row: Row, key: Key, value: Row[Key]): void {
    this.write(row, key, value);
  }

  /** Sets several fields of a row. */
  assign<Row extends object>(row: Row, patch: Partial<Row>): void {
    for (const key of Reflect.ownKeys(patch)) this.write(row, key, Reflect.get(patch, key));
  }

  /** Adds or replaces a row of a table. */
  put<Row>(table: Table<Row>, id: number, row: Row): void {
    this.write(table, String(id), row);
  }

  remove(table: object, key: string | number): void {
    this.check();
    const had = Object.getOwnPropertyDescriptor(table, key);
    if (had === undefined) return;
    this.undo.push(() => Reflect.defineProperty(table, key, had));
    Reflect.deleteProperty(table, key);
  }

  /** Takes the next number of an id space. As with a database sequence, a refused call does not return its number. */
  nextId(space: IdSpace): number {
    const id = this.state.next_id[space];
    Reflect.set(this.state.next_id, space, id + 1);
    return id;
  }

  /** Anonymous groups share the sequence of the named ones. Each time a value becomes an anonymous group, it takes a number. */
  countAnonymous(value: GroupValue, before?: GroupValue): void {
    if (typeof value === "object" && typeof before !== "object") this.nextId("group");
  }

  /** @returns whether the call had written anything since its last commit */
  commit(): boolean {
    const wrote = this.undo.length > 0;
    this.undo = [];
    return wrote;
  }

  rollback(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo = [];
  }

  /** Ends writing: a handler that waits must not write when it continues. */
  close(): void {
    this.open = false;
  }

  private write(row: object, key: PropertyKey, value: unknown): void {
    this.check();
    const had = Object.getOwnPropertyDescriptor(row, key);
    this.undo.push(had === undefined ? () => Reflect.deleteProperty(row, key) : () => Reflect.set(row, key, had.value));
    Reflect.set(row, key, value);
  }

  private check(): void {
    if (!this.open) throw new Error("a call tried to write after it had ended");
  }
}
