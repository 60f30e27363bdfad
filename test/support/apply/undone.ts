import { planIn } from "../../../src/apply/journal.ts";
import { undoOf } from "../../../src/apply/undo.ts";
import type { Staying } from "../../../src/apply/undo-parts.ts";
import { defined } from "../../../src/model/defined.ts";
import type { JournalEntry } from "../../../src/model/journal.ts";
import type { MapKind, ResourceKind } from "../../../src/model/kind.ts";
import type { LiveObject } from "../../../src/model/objects.ts";
import type { Call, Change, Plan } from "../../../src/model/plan.ts";
import { sending, startOf } from "./journals.ts";
import { call, planOf, snapshotOf, thing } from "./toy.ts";

export interface UndoneOptions {
  readonly live?: readonly LiveObject[];
  readonly kind?: Partial<MapKind>;
  readonly others?: readonly ResourceKind[];
  readonly entries?: readonly JournalEntry[];
  readonly extra?: Plan["extra"];
  readonly staying?: (changes: readonly Change[]) => Staying;
}
/** What an undo of a run that sent calls of a plan declares and notes. */
export function undone(changes: readonly Change[], calls: readonly Call[], options: UndoneOptions = {}) {
  const { live = [], kind = {}, others = [], entries, extra, staying } = options;
  const plan: Plan = { ...planOf(changes, calls), ...defined({ extra }) };
  // What stays is named by the changes in the journal.
  const start = startOf(plan);
  const whole = { ...thing, ...kind, live: { read: () => live } };
  const journal = {
    name: "x.jsonl",
    torn: false,
    entries: [start, ...(entries ?? calls.map(({ n }) => sending(n)))],
  };
  const undo = undoOf(journal, snapshotOf([]), [...others, whole], [], staying?.(planIn(journal)?.changes ?? []));
  return { undo, declared: undo.desired.sections.get("things") ?? [], notes: undo.notes.map(({ fact }) => fact) };
}
/** A call for fields of one thing. */
export const forOne = (n: number, name: string, ...fields: readonly string[]): Call =>
  call({ n, operation: "x", for: [{ address: `thing:${name}`, fields }] });
