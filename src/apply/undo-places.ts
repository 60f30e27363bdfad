import type { Span } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import type { UndoFact } from "../model/run-facts.ts";

/**
 * A part of what an undo restores or leaves: a change of the run, one field of a change, or (by address and name) a field that the run removed and
 * did not get to restore.
 */
export interface UndoPart {
  readonly of: Change | FieldChange | string;
  /** Absent for a whole change. */
  readonly field?: string;
  /** The kind of the object that the part belongs to. */
  readonly kind: string;
}

/** Parts that are not undone, and why. */
export type Staying = ReadonlyMap<UndoPart["of"], UndoFact>;

/**
 * The places of an undo's declarations. They have no lines in a file, so their places say which part of the run each one undoes: the column is the
 * number of the change (the first column means no change), and the line that of the field (the first line means the whole object).
 */
export class UndoPlaces {
  private readonly file: string;
  private readonly changes: readonly Change[];
  private readonly numbers: ReadonlyMap<Change, number>;
  private readonly kinds: readonly ResourceKind[];
  private readonly kept: { readonly address: Address; readonly field: string }[] = [];

  constructor(file: string, changes: readonly Change[], kinds: readonly ResourceKind[]) {
    this.file = file;
    this.changes = changes;
    this.numbers = new Map(changes.map((change, index) => [change, index]));
    this.kinds = kinds;
  }

  of(change: Change | undefined, field?: string): Span {
    if (change === undefined) return this.at(1, 1);
    const index = change.fields.findIndex((candidate) => candidate.field === field);
    return this.at(index + 2, (this.numbers.get(change) ?? -1) + 2);
  }

  /** The place of a field that no change of the run names. */
  ofKept(address: Address, field: string): Span {
    this.kept.push({ address, field });
    return this.at(2, this.changes.length + 1 + this.kept.length);
  }

  partAt(at: Span | undefined): UndoPart | undefined {
    if (at?.file !== this.file) return undefined;
    const index = at.column - 2;
    const kept = this.kept[index - this.changes.length];
    if (kept !== undefined) {
      const { address, field } = kept;
      return { of: `${address}\n${field}`, field, kind: address.slice(0, address.indexOf(":")) };
    }
    const change = this.changes[index];
    if (change === undefined) return undefined;
    const field = change.action === "update" ? change.fields[at.line - 2] : undefined;
    const inactivity = this.kinds.find(({ name }) => name === change.kind)?.inactivity?.field;
    // No value of an object is restored if the object stays inactive, or stays active although the undo should deactivate it.
    if (field === undefined || field.field === inactivity) return { of: change, kind: change.kind };
    return { of: field, field: field.field, kind: change.kind };
  }

  private at(line: number, column: number): Span {
    return { file: this.file, line, column, endLine: line, endColumn: column };
  }
}
