import { parseJournal } from "../apply/journal.ts";
import { noJournal, unreadable } from "../apply/journal-lines.ts";
import { planOf } from "../apply/journalled.ts";
import { earlierOf } from "../apply/resume.ts";
import { undoOf } from "../apply/undo.ts";
import type { UndoNote } from "../apply/undo-note.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { UndoFact } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { planChanges } from "../plan/plan.ts";
import { VERSION } from "../version.ts";
import { isSendable } from "../zulip/encode.ts";
import { readsOf, refuseOtherRealm } from "./realm.ts";

/** What would undo a run, and what of it cannot be undone. */
export interface PlannedUndo {
  readonly plan: Plan;
  /** The reading that it was made from. */
  readonly snapshot: Snapshot;
  readonly notes: readonly UndoNote[];
  /** Name of the journal of a run that broke off before this one, and whose other calls this plan does not undo. */
  readonly leaves?: string;
  planAgain(snapshot: Snapshot): Promise<Checked<Plan>>;
}

/**
 * Journal of a run and realm → plan that gives every field its value from before, wherever nobody changed it since. A run that went
 * on from one which broke off is undone together with it when both carried out the same calls (a saved plan).
 * @throws Failure when the journal is none, is of another realm, or the realm cannot be read
 */
export async function planUndo(
  text: string,
  file: string,
  options: {
    readonly reader: ZulipReader;
    readonly kinds?: readonly ResourceKind[];
    /** The text of a journal beside this one; undefined if it no longer exists. */
    readonly readJournal?: (name: string) => Promise<string | undefined>;
  },
): Promise<Checked<PlannedUndo>> {
  const journal = parseJournal(text, file);
  const [start] = journal.entries;
  const done = start?.entry === "start" ? planOf(start.plan) : undefined;
  if (done === undefined) throw noJournal(file);
  const snapshot = await options.reader.snapshot(readsOf(done));
  refuseOtherRealm(done, snapshot, "journal");
  const known = options.kinds ?? kinds;
  const { earlier, leaves } = await earlierOf(journal, done, options.readJournal);
  const staying = new Map<Change, UndoFact>();
  let undo = undoOf(journal, snapshot, known, earlier);
  const planAgain = async (reading: Snapshot): Promise<Checked<Plan>> => {
    try {
      const planned = planChanges({ desired: undo.desired, snapshot: reading, kinds: known, toolVersion: VERSION });
      if (planned.ok && planned.value.calls.some(({ params }) => !isSendable(params)))
        throw new RangeError("a text that is no Unicode, or has a NUL in it");
      return planned;
    } catch (error) {
      // The form of a journal says nothing of its values: of all that is planned from, only these were never checked by a kind.
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      throw unreadable({ journal: file, line: 1, cause: "value", reason: error.message });
    }
  };
  let plan = await planAgain(snapshot);
  // What something needs that stays has to stay too, and what needs that: each round leaves one more as it is, or is the last.
  while (!plan.ok) {
    const before = staying.size;
    for (const diagnostic of plan.diagnostics) {
      const { at, fact } = diagnostic;
      const change = diagnostic.code.endsWith("/in-use") ? undo.changeAt(at) : undefined;
      if (change !== undefined && fact !== undefined)
        staying.set(change, { why: "needed", by: { code: diagnostic.code, fact } });
    }
    // A line of the journal would show nobody where the error is.
    if (staying.size === before)
      return { ok: false, diagnostics: plan.diagnostics.map(({ at: _, ...diagnostic }) => diagnostic) };
    undo = undoOf(journal, snapshot, known, earlier, staying);
    plan = await planAgain(snapshot);
  }
  const { notes } = undo;
  const whole: Plan = { ...plan.value, extra: { ...plan.value.extra, reads: { ...readsOf(done) } } };
  const left = defined({ leaves });
  return { ok: true, value: { plan: whole, snapshot, notes, planAgain, ...left }, warnings: plan.warnings };
}
