import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../model/journal.ts";
import type { MapKind, ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import type { UndoFact } from "../model/run-facts.ts";
import { spansIn } from "../model/span.ts";
import { planOf as planIn } from "./journalled.ts";
import { AT, liveObject, sending, startOf } from "./testing/journals.ts";
import { call, change, field, planOf, removal, renaming, reorder, snapshotOf, thing } from "./testing/toy.ts";
import { undoOf } from "./undo.ts";
import type { Staying } from "./undo-places.ts";

// What an undo does with each kind of change, if the kind has a rule for it.

const settled = (n: number, state: "done" | "failed" | "conflict" | "already-so"): JournalEntry => ({
  entry: "settled",
  at: AT,
  n,
  state,
});
const answered = (n: number, outcome: "applied" | "unknown"): JournalEntry => ({
  entry: "answer",
  at: AT,
  n,
  answer: outcome === "applied" ? { outcome, body: {} } : { outcome, message: "" },
});

interface Options {
  readonly live?: readonly LiveObject[];
  readonly kind?: Partial<MapKind>;
  readonly others?: readonly ResourceKind[];
  readonly entries?: readonly JournalEntry[];
  readonly extra?: Plan["extra"];
  readonly staying?: (changes: readonly Change[]) => Staying;
}
function undone(changes: readonly Change[], calls: readonly Call[], options: Options = {}) {
  const { live = [], kind = {}, others = [], entries, extra, staying } = options;
  const plan: Plan = { ...planOf(changes, calls), ...(extra === undefined ? {} : { extra }) };
  // What stays is named by the changes in the journal.
  const start = startOf(plan);
  const whole = { ...thing, ...kind, live: { read: () => live } };
  const journal = {
    name: "x.jsonl",
    torn: false,
    entries: [start, ...(entries ?? calls.map(({ n }) => sending(n)))],
  };
  const undo = undoOf(
    journal,
    snapshotOf([]),
    [whole, ...others],
    [],
    staying?.((start.entry === "start" && planIn(start.plan)?.changes) || []),
  );
  return { undo, declared: undo.desired.sections.get("things") ?? [], notes: undo.notes.map(({ fact }) => fact) };
}
const forOne = (n: number, name: string, ...fields: readonly string[]): Call =>
  call({ n, operation: "x", for: [{ address: `thing:${name}`, fields }] });
const update = change("a", 1, field("colour", "red", "blue"));
const one = [forOne(1, "a", "colour")];
const blue = [liveObject("a", 1, { colour: "blue" })];

test("the whole declaration, and its source", () => {
  const { undo, declared, notes } = undone([update], one, { live: blue });
  const spot = { file: ".realmctl/x.jsonl", line: 1, column: 2, endLine: 1, endColumn: 2 };
  expect(declared).toEqual([
    {
      key: "A",
      name: "a",
      id: 1,
      absent: false,
      fields: { colour: "red" },
      at: spot,
      spans: spansIn({ colour: { ...spot, line: 2, endLine: 2 } }),
    },
  ]);
  expect(undo.desired).toMatchObject({ manage: { things: "additive" }, ordered: new Set(), warnings: [] });
  expect(notes).toEqual([]);
  expect(undo.partAt(spot)).toMatchObject({ of: { name: "a" }, kind: "thing" });
  expect(undo.partAt({ ...spot, line: 2 })).toMatchObject({ of: { before: "red" }, field: "colour", kind: "thing" });
  expect(undo.partAt({ ...spot, line: 2 })?.of).toBe(undo.partAt({ ...spot, line: 2 })?.of);
  expect(undo.partAt({ ...spot, file: "realm.yaml" })).toBeUndefined();
  expect(undo.partAt({ ...spot, column: 1 })).toBeUndefined();
  expect(undo.partAt(undefined)).toBeUndefined();
});

test("a file that is not a journal undoes nothing", () => {
  const nothing = undoOf({ name: "x", torn: false, entries: [] }, snapshotOf([]), [thing]);
  expect([nothing.desired, nothing.notes, nothing.partAt(undefined)]).toEqual([
    { manage: {}, sections: new Map(), warnings: [] },
    [],
    undefined,
  ]);
  for (const plan of [null, { changes: 1 }, { changes: [] }]) {
    const start: JournalEntry = { entry: "start", at: AT, tool_version: "0", realm: "r", account: "a", plan };
    expect(undoOf({ name: "x", torn: false, entries: [start] }, snapshotOf([]), [thing]).desired.sections.size).toBe(0);
  }
});

test.each<{ about: string; entries: readonly JournalEntry[]; is: boolean }>([
  { about: "was sent", entries: [sending(1)], is: true },
  { about: "was not sent", entries: [], is: false },
  { about: "was sent and found to be done already", entries: [sending(1), settled(1, "already-so")], is: false },
  {
    about: "was sent and replaced by another person's change",
    entries: [sending(1), settled(1, "conflict")],
    is: false,
  },
  { about: "was sent and is done", entries: [sending(1), settled(1, "done")], is: true },
  { about: "was sent and failed, as far as is known", entries: [sending(1), settled(1, "failed")], is: true },
])("a call that $about", ({ entries, is }) =>
  expect(undone([update], one, { live: blue, entries }).declared).toHaveLength(is ? 1 : 0),
);

test.each<{ about: string; entries: readonly JournalEntry[]; is: boolean }>([
  { about: "is known to be done by its answer", entries: [sending(1), answered(1, "applied")], is: true },
  { about: "is known to be done by a reading", entries: [sending(1), settled(1, "done")], is: true },
  { about: "may have failed", entries: [sending(1), answered(1, "unknown")], is: false },
  { about: "failed after all", entries: [sending(1), answered(1, "applied"), settled(1, "failed")], is: false },
])(
  "an object that a call was to create and that does not exist is reported as missing if the call $about",
  ({ entries, is }) => {
    const made = change("a", undefined);
    expect(undone([made], [forOne(1, "a")], { entries, kind: { inactivity: { field: "archived" } } }).notes).toEqual(
      is ? [{ why: "not-found" }] : [],
    );
  },
);

describe("what an undo leaves is reported", () => {
  const reasons = (own: readonly Change[], calls: readonly Call[], options: Options) => {
    const { declared, notes } = undone(own, calls, options);
    return [declared.length, notes];
  };
  test("an object that somebody wants to keep", () => {
    const fact: UndoFact = { why: "deleted" };
    const staying = ([first]: readonly Change[]): Staying => new Map(first === undefined ? [] : [[first, fact]]);
    expect(reasons([update], one, { live: blue, staying })).toEqual([0, [fact]]);
  });
  test("a change that can never be undone", () =>
    expect(reasons([update], one, { live: blue, kind: { undo: { whyStays: () => "service-fixed" } } })).toEqual([
      0,
      [{ why: "gone-for-good", reason: "service-fixed" }],
    ]));
  test("a value that is lost with a change, by the kind or by the change", () => {
    expect(reasons([update], one, { live: blue, kind: { undo: { lostWith: () => "invitation" } } })).toEqual([
      1,
      [{ why: "created-again", lost: "invitation" }],
    ]);
    expect(
      reasons([update], one, {
        live: blue,
        kind: { undo: { lostOnRecreate: "profile-values", lostWith: () => "invitation" } },
      }),
    ).toEqual([1, [{ why: "created-again", lost: "profile-values" }]]);
    const removing = removal("a", 1, field("colour", "red", null));
    expect(reasons([removing], [forOne(1, "a")], { kind: { undo: { lostWith: () => "invitation" } } })).toEqual([
      1,
      [{ why: "created-again", lost: "invitation" }],
    ]);
    expect(
      reasons([removing], [forOne(1, "a")], {
        kind: { undo: { lostOnRecreate: "profile-values", lostWith: () => "invitation" } },
      }),
    ).toEqual([1, [{ why: "created-again", lost: "profile-values" }]]);
    expect(reasons([removing], [forOne(1, "a")], { kind: { undo: { lostWith: () => undefined } } })).toEqual([
      1,
      [{ why: "created-again" }],
    ]);
  });
  test("a value that the account may not restore", () => {
    const asleep = change("a", 1, field("archived", false, true), field("colour", "red", "blue"));
    const both = [forOne(1, "a", "archived", "colour")];
    const live = [liveObject("a", 1, { archived: true, colour: "blue" }, true)];
    const old = { inactivity: { field: "archived", reactivatedFrom: 443 } } as const;
    const { declared, notes } = undone([asleep], both, { live, kind: old });
    expect(notes).toEqual([{ why: "server-too-old", field: "archived", needs: 443, level: 442 }]);
    expect(declared.map(({ fields }) => fields)).toEqual([{ archived: true, colour: "red" }]);
    const same = undone([asleep], both, { live, kind: { inactivity: { field: "archived", reactivatedFrom: 442 } } });
    expect([same.notes, same.declared[0]?.fields]).toEqual([[], { archived: false, colour: "red" }]);
    const woken = change("a", 1, field("archived", true, false));
    expect(
      undone([woken], [forOne(1, "a", "archived")], { live: [liveObject("a", 1, { archived: false })], kind: old })
        .declared[0]?.fields,
    ).toEqual({ archived: true });
  });
});

describe("a created object", () => {
  const made = change("a", undefined, field("colour", null, "blue"));
  const archiving = { inactivity: { field: "archived" } } as const;
  test("loses the names that it needs before it becomes inactive, and is found by its id if another object gets the name", () => {
    const live = [liveObject("a", 5, { colour: "blue" })];
    expect(
      undone([made], one, { live, kind: { ...archiving, undo: { beforeDeactivation: () => ({ folder: null }) } } })
        .declared[0]?.fields,
    ).toEqual({ folder: null, archived: true });
    const others = [made, renaming("b", 2, "a")];
    const kept = undone(others, one, { live: [...live, liveObject("b", 2)] }).declared[0];
    expect([kept?.name, kept?.key, kept?.absent, kept?.id]).toEqual(["a (undone)", "A (UNDONE)", true, 5]);
    const long = "x".repeat(50);
    const longMade = change(long, undefined);
    const away = undone([longMade, renaming("b", 2, long)], [forOne(1, long)], {
      live: [liveObject(long, 5), liveObject("b", 2)],
      kind: archiving,
    });
    expect(away.declared[0]?.name).toBe(`${"x".repeat(40)} (undone 5)`);
    expect(away.notes).toEqual([
      { why: "made-inactive", field: "archived", as: { quoted: `${"x".repeat(40)} (undone 5)`, of: "thing" } },
    ]);
    // A rename of another name, or of another kind, does not matter.
    expect(undone([made, renaming("b", 2, "z")], one, { live }).declared[0]?.name).toBe("a");
    expect(undone([made, { ...renaming("b", 2, "a"), kind: "other" }], one, { live }).declared[0]?.name).toBe("a");
  });
  test("stays inactive if it is already inactive", () =>
    expect(undone([made], one, { live: [liveObject("a", 5, {}, true)], kind: archiving }).declared).toEqual([]));
});

describe("a removed object", () => {
  const removing = removal("a (2)", 1, field("colour", "red", null));
  const distinguishedById = {
    identity: { ...thing.identity, commonName: (name: string) => name.replace(/ \(\d\)$/, "") },
  };
  const calls = [forOne(1, "a (2)")];
  test("that exists needs nothing", () =>
    expect(undone([removing], calls, { live: [liveObject("a (2)", 1)] }).declared).toEqual([]));
  test("that is known only by its id is created once", () => {
    expect(undone([removing], calls, { kind: distinguishedById }).declared.map(({ name }) => name)).toEqual(["a"]);
    const again = undone([removing], calls, { kind: distinguishedById, live: [liveObject("a", 7)] });
    expect([again.declared, again.notes]).toEqual([[], [{ why: "alike" }]]);
    const two = undone([removing, removal("a", 3)], [...calls, forOne(2, "a")], { kind: distinguishedById });
    expect(two.declared.map(({ name }) => name)).toEqual(["a"]);
    expect(two.notes).toContainEqual({ why: "alike" });
  });
});

describe("previous names", () => {
  const withNames: NonNullable<MapKind["file"]["withNames"]> = (own, nameOf) => {
    const to = nameOf("thing", String(own.fields.of ?? ""));
    return own.fields.of === undefined ? own : { ...own, fields: { ...own.fields, of: to } };
  };
  const kind = (): Partial<MapKind> => ({ file: { ...thing.file, withNames } });
  const renamed = renaming("new", 2, "old");
  const other = change("a", 1, field("of", "new", "x"));
  const live = [liveObject("a", 1, { of: "x" }), liveObject("new", 2, { name: "new" }), liveObject("old", 3)];
  const fieldsOf = (declared: readonly DeclaredObject[]) => declared.find(({ name }) => name === "a")?.fields;

  test("are used in restored values, if the rename is undone", () =>
    expect(
      fieldsOf(
        undone([other, renamed], [forOne(1, "a", "of"), forOne(2, "new", "name")], { live, kind: kind() }).declared,
      ),
    ).toEqual({ of: "old" }));
  test("are not used, if the rename stays", () =>
    expect(fieldsOf(undone([other, renamed], [forOne(1, "a", "of")], { live, kind: kind() }).declared)).toEqual({
      of: "new",
    }));
});

describe("an order", () => {
  const calls = [call({ n: 1, operation: "x", for: [{ address: "thing:*", fields: ["order"] }] })];
  const things = (...names: readonly string[]) => names.map((name) => liveObject(name, name.charCodeAt(0)));
  const names = ({ declared, notes }: ReturnType<typeof undone>) => [declared.map(({ name }) => name), notes];

  test("from before a removal is kept for the undo", () => {
    const removing = removal("b", 98);
    const undo = (live: readonly LiveObject[]) =>
      names(undone([removing], [forOne(1, "b")], { live, extra: { order: { thing: ["a", "b", "c"] } } }));
    expect(undo(things("a", "c"))).toEqual([["a", "b", "c"], [{ why: "created-again" }]]);
    expect(undo(things("c", "a"))).toEqual([["b"], [{ why: "created-again" }, { why: "order-changed" }]]);
  });
  test("has the previous names", () => {
    const changes = [reorder(["a", "b", "c"], ["c", "b", "a"]), renaming("b", 98, "z")];
    const live = [liveObject("c", 99), liveObject("b", 98, { name: "b" }), liveObject("a", 97)];
    const own = undone(changes, [...calls, forOne(2, "b", "name")], { live });
    expect(names(own)).toEqual([["a", "z", "c"], []]);
    expect(own.undo.desired.ordered).toEqual(new Set(["things"]));
  });
  test("leaves later objects at the end", () =>
    expect(
      names(
        undone([reorder(["a", "b"], ["b", "a"]), update], [...calls, forOne(2, "a", "colour")], {
          live: [liveObject("b", 98), liveObject("a", 1, { colour: "blue" })],
        }),
      )[0],
    ).toEqual(["a", "b"]));
  test("of another kind, or of a call that was not sent, is not included", () => {
    expect(undone([reorder(["a", "b"], ["b", "a"])], [], { live: things("b", "a") }).declared).toEqual([]);
    const others = { ...thing, name: "other", section: "others" };
    expect(
      undone([reorder(["a", "b"], ["b", "a"])], calls, {
        live: things("b", "a"),
        others: [others],
      }).undo.desired.sections.has("others"),
    ).toBe(false);
  });
});
