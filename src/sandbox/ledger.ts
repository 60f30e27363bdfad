import type { GroupValue, Table } from "./rows/values.ts";
import type { IdSpace, RealmState } from "./state.ts";

type Undo = () => void;

/**
 * The only way to write the state. Every write notes how to take it back, so a refused call costs what it wrote and not a
 * copy of the realm. A call that is not atomic on the server calls `commit` after each step.
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

  /** Takes the next number of an id space. Like a database sequence: a refused call does not give it back. */
  nextId(space: IdSpace): number {
    const id = this.state.next_id[space];
    Reflect.set(this.state.next_id, space, id + 1);
    return id;
  }

  /** Anonymous groups take numbers of the same sequence as named ones, each time a value becomes one. */
  countAnonymous(value: GroupValue, before?: GroupValue): void {
    if (typeof value === "object" && typeof before !== "object") this.nextId("group");
  }

  /** @returns whether anything had been written */
  commit(): boolean {
    const wrote = this.undo.length > 0;
    this.undo = [];
    return wrote;
  }

  rollback(): void {
    for (const undo of this.undo.reverse()) undo();
    this.undo = [];
  }

  /** After this nothing can be written: a handler that waits must not write when it continues. */
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
