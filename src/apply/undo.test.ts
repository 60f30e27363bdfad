import { expect, test } from "vitest";
import { AT, sending, startOf } from "../../test/support/apply/journals.ts";
import {
  call,
  change,
  channel,
  field,
  planOf,
  removal,
  renaming,
  set,
  snapshotOf,
  thing,
} from "../../test/support/apply/toy.ts";
import type { InactivityFacet } from "../model/facets.ts";
import type { JournalEntry } from "../model/journal.ts";
import type { Json } from "../model/json.ts";
import type { Change, Plan } from "../model/plan.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { undoText } from "../report/undo-notes.ts";
import { undoOf } from "./undo.ts";

/** The journal of a run that sent the given calls and got no answers: the realm has to show the results. */
function journalOf(plan: Plan, sent: readonly number[], more: readonly JournalEntry[] = []) {
  return { name: "x.jsonl", entries: [startOf(plan), ...sent.map(sending), ...more], torn: false };
}

const renamed = change("new", 1, field("name", "old", "new"), field("description", "before", "after"));
const renameCalls = [set(1, 1, "new", "name", "old", "new"), set(2, 1, "new", "description", "before", "after")];
const created = change("made", undefined, field("description", null, "fresh"));
const makeCall = call({ n: 1, operation: "make", for: [{ address: "thing:made", fields: ["description"] }] });
const removeCall = call({ n: 1, operation: "remove", for: [{ address: "thing:gone", fields: [] }] });

interface Row {
  readonly fact: string;
  readonly changes: readonly Change[];
  readonly calls: Plan["calls"];
  readonly sent?: readonly number[];
  readonly live: readonly SnapshotChannel[];
  readonly settled?: JournalEntry;
  readonly inactivity?: InactivityFacet;
  readonly unsettable?: string;
  readonly restores: readonly object[];
  readonly notes?: readonly string[];
}

test.each<Row>([
  {
    fact: "a field that somebody changed since keeps its value, and is named",
    changes: [renamed],
    calls: renameCalls,
    live: [channel(1, "new", "theirs")],
    restores: [{ id: 1, name: "old", fields: {} }],
    notes: ["description stays: it was changed again since"],
  },
  {
    fact: "a call that never took effect needs no undo",
    changes: [renamed],
    calls: renameCalls,
    live: [channel(1, "old", "before")],
    restores: [],
  },
  {
    fact: "only sent calls are undone",
    changes: [renamed],
    calls: renameCalls,
    sent: [2],
    live: [channel(1, "new", "after")],
    restores: [{ name: "new", fields: { description: "before" } }],
  },
  {
    fact: "an object that no longer exists cannot be restored",
    changes: [renamed],
    calls: renameCalls,
    live: [],
    restores: [],
    notes: ["was deleted since: it cannot be restored"],
  },
  {
    fact: "a created object of a kind that can only be deactivated is deactivated",
    changes: [created],
    calls: [makeCall],
    inactivity: { field: "archived" },
    live: [channel(9, "made", "fresh")],
    restores: [{ name: "made", absent: false, fields: { archived: true } }],
    notes: ["cannot be deleted. It is archived instead and keeps its name"],
  },
  {
    fact: "a created object gives up its name for the object that had it before",
    changes: [created, renaming("renamed", 1, "made")],
    calls: [makeCall, set(2, 1, "renamed", "name", "made", "renamed")],
    inactivity: { field: "archived" },
    live: [channel(9, "made", "fresh"), channel(1, "renamed", "")],
    restores: [
      { id: 9, name: "made (undone 9)", fields: { archived: true } },
      { id: 1, name: "made", fields: {} },
    ],
    notes: ["cannot be deleted. It is archived instead, as made (undone 9), because another object gets its name back"],
  },
  {
    fact: "a value that no request can set is named, not promised",
    changes: [renamed],
    calls: renameCalls,
    unsettable: "before",
    live: [channel(1, "new", "after")],
    restores: [{ id: 1, name: "old", fields: {} }],
    notes: ["description stays: the API cannot set the previous value, or this version does not know it"],
  },
  {
    fact: "if somebody deleted a created object, everything is as before",
    changes: [created],
    calls: [makeCall],
    settled: { entry: "settled", at: AT, n: 1, state: "done" },
    live: [],
    restores: [],
  },
  {
    fact: "an object that is identified only by its name is created again as it was, without a note",
    changes: [removal("gone", undefined, field("description", "was", null))],
    calls: [removeCall],
    live: [],
    restores: [{ name: "gone", absent: false, fields: { description: "was" } }],
  },
])("$fact", ({ changes, calls, sent, live, settled, inactivity, unsettable, restores, notes = [] }) => {
  const journal = journalOf(
    planOf(changes, calls),
    sent ?? calls.map(({ n }) => n),
    settled === undefined ? [] : [settled],
  );
  const kind = {
    ...thing,
    ...(inactivity === undefined ? {} : { inactivity }),
    calls: { ...thing.calls, canSet: (_: string, value: Json) => value !== unsettable },
  };
  const undo = undoOf(journal, snapshotOf(live), [kind]);
  const declared = undo.desired.sections.get("things") ?? [];
  expect(declared).toHaveLength(restores.length);
  expect(declared).toMatchObject(restores);
  expect(undo.notes.map(({ fact }) => undoText(fact))).toEqual(notes);
});
