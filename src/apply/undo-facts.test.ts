import { describe, expect, test } from "vitest";
import { AT, liveObject, START, sending } from "../../test/support/apply/journals.ts";
import { call, change, field, removal, renaming, reorder, snapshotOf, thing } from "../../test/support/apply/toy.ts";
import { forOne, type UndoneOptions, undone } from "../../test/support/apply/undone.ts";
import type { JournalEntry } from "../model/journal.ts";
import type { MapKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Call, Change } from "../model/plan.ts";
import type { UndoFact } from "../model/run-facts.ts";
import { spansIn } from "../model/span.ts";
import { undoOf } from "./undo.ts";
import type { Staying } from "./undo-parts.ts";

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
    const start: JournalEntry = { ...START, plan };
    expect(undoOf({ name: "x", torn: false, entries: [start] }, snapshotOf([]), [thing]).desired.sections.size).toBe(0);
  }
});

test.each<{ about: string; entries: readonly JournalEntry[]; is: boolean }>([
  { about: "was sent and found to be done already", entries: [sending(1), settled(1, "already-so")], is: false },
  {
    about: "was sent and replaced by another person's change",
    entries: [sending(1), settled(1, "conflict")],
    is: false,
  },
  { about: "was not sent, because another one failed", entries: [settled(1, "failed")], is: false },
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
  const reasons = (own: readonly Change[], calls: readonly Call[], options: UndoneOptions) => {
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
      [{ why: "not-reversible", reason: "service-fixed" }],
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

test("side effects are reported, together with what the change restores", () => {
  const effect = { effect: "code-language-reset" } as const;
  const seen: unknown[] = [];
  const stays: NonNullable<MapKind["undo"]>["stays"] = ({ name }, fields) => {
    seen.push([name, fields]);
    return name === "b" ? undefined : effect;
  };
  const kind = { undo: { stays } };
  const changes = [update, removal("b", 2, field("colour", "red", null)), removal("c", 3), change("d", undefined)];
  const calls = [...one, forOne(2, "b"), forOne(3, "c"), forOne(4, "d")];
  const live = [...blue, liveObject("d", 4)];
  expect(undone(changes, calls, { live, kind }).undo.notes).toEqual([
    { kind: "thing", name: "a", fact: { why: "side-effect-stays", effect } },
    { kind: "thing", name: "b", fact: { why: "created-again" } },
    { kind: "thing", name: "c", fact: { why: "side-effect-stays", effect } },
    { kind: "thing", name: "c", fact: { why: "created-again" } },
  ]);
  expect(seen).toEqual([
    ["a", { colour: "red" }],
    ["b", {}],
    ["c", {}],
  ]);
  const away = undone([change("d", undefined)], [forOne(1, "d")], {
    live,
    kind: { ...kind, inactivity: { field: "archived" } },
  });
  expect(away.declared[0]?.fields).toEqual({ archived: true });
});

describe("a changed object", () => {
  test("gets what its restored fields need at its creation", () => {
    const declares = (restored: readonly { readonly field: string }[]) => ({ of: restored.map((each) => each.field) });
    const both = change("a", 1, field("colour", "red", "blue"), field("size", 1, 2));
    const { declared } = undone([both], [forOne(1, "a", "colour", "size")], {
      live: [liveObject("a", 1, { colour: "blue", size: 3 })],
      kind: { undo: { declares } },
    });
    expect(declared[0]?.creation).toEqual({ of: ["colour"] });
  });
  test("keeps a field that the server does not show, without a note", () => {
    const { declared, notes } = undone([update], one, { live: [liveObject("a", 1)] });
    expect([declared, notes]).toEqual([[], []]);
  });
  test("keeps a field that no undo may restore", () => {
    const fact: UndoFact = { why: "deleted" };
    const staying = ([first]: readonly Change[]): Staying => new Map(first?.fields.map((each) => [each, fact]));
    const { declared, notes } = undone([update], one, { live: blue, staying });
    expect([declared, notes]).toEqual([[], [fact]]);
  });
  test.each<{ fact: string; kind: Partial<MapKind> }>([
    { fact: "the server cannot reactivate", kind: { inactivity: { field: "archived", reactivatedFrom: 443 } } },
    { fact: "is never inactive", kind: {} },
  ])("that $fact gets another field back from false", ({ kind }) => {
    const { declared, notes } = undone([change("a", 1, field("shown", false, true))], [forOne(1, "a", "shown")], {
      live: [liveObject("a", 1, { shown: true })],
      kind,
    });
    expect([declared[0]?.fields, notes]).toEqual([{ shown: false }, []]);
  });
  test("has a place for its previous name", () => {
    const { declared, undo } = undone([renaming("new", 1, "old")], [forOne(1, "new", "name")], {
      live: [liveObject("new", 1)],
    });
    expect(declared.map(({ name, fields }) => [name, fields])).toEqual([["old", {}]]);
    expect(undo.partAt(declared[0]?.spans.of("name"))).toMatchObject({ field: "name" });
    expect(undone([update], one, { live: blue }).declared[0]?.spans.of("name")).toBeUndefined();
  });
  test("without an id has its name as a field", () => {
    const { kind, address, name, risks } = change("new", undefined);
    const renamed: Change = { action: "update", kind, address, name, risks, fields: [field("name", "old", "new")] };
    const { declared } = undone([renamed], [forOne(1, "new", "name")], { live: [liveObject("new", null)] });
    expect(declared.map((each) => [each.name, each.fields])).toEqual([["new", { name: "old" }]]);
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
  test.each<{ fact: string; live: LiveObject; is: boolean }>([
    { fact: "has a value that nobody can read", live: liveObject("a", 5, { colour: "blue" }), is: true },
    {
      fact: "has the server's value where the call that sets it was not sent",
      live: liveObject("a", 5, { colour: "blue", size: 2, shape: "square" }),
      is: true,
    },
    { fact: "has another value", live: liveObject("a", 5, { colour: "blue", size: 3 }), is: false },
  ])("is removed unless somebody changed it: it $fact", ({ live, is }) => {
    const fields = [field("colour", null, "blue"), field("size", null, 2), field("shape", null, "round")];
    const { declared, notes } = undone(
      [change("a", undefined, ...fields)],
      [forOne(1, "a", "colour", "size"), forOne(2, "a", "shape")],
      { live: [live], entries: [sending(1)] },
    );
    expect([declared.map(({ absent }) => absent), notes]).toEqual(
      is ? [[true], []] : [[], [{ why: "created-and-changed", field: "size" }]],
    );
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
  describe("whose name another object has by now", () => {
    const removed = removal("a", 1, field("colour", "red", null), field("owner", "me", null), field("size", 2, null));
    const left = (live: LiveObject, changes: readonly Change[] = []) => {
      const own = changes.map(({ name }, index) => forOne(index + 2, name, "name"));
      const { declared, notes } = undone([removed, ...changes], [forOne(1, "a"), ...own], { live: [live] });
      return [declared.map(({ name }) => name), notes];
    };
    test.each<{ fact: string; live: LiveObject; notes: readonly UndoFact[] }>([
      {
        fact: "stays removed: somebody created it with other values",
        live: liveObject("a", 7, { colour: "red", size: 3 }),
        notes: [{ why: "alike" }],
      },
      {
        fact: "needs nothing if it was created again with the same values",
        live: liveObject("a", 7, { colour: "red", size: 2 }),
        notes: [],
      },
    ])("$fact", ({ live, notes }) => expect(left(live)).toEqual([[], notes]));
  });
  test("that is known only by its id is created once", () => {
    expect(undone([removing], calls, { kind: distinguishedById }).declared.map(({ name }) => name)).toEqual(["a"]);
    const again = undone([removing], calls, { kind: distinguishedById, live: [liveObject("a", 7)] });
    expect([again.declared, again.notes]).toEqual([[], [{ why: "alike" }]]);
    const three = undone([removal("z", 9), removing, removal("a", 3)], [...calls, forOne(2, "a"), forOne(3, "z")], {
      kind: distinguishedById,
    });
    expect(three.declared.map(({ name }) => name)).toEqual(["z", "a"]);
    expect(three.notes.filter(({ why }) => why === "alike")).toHaveLength(1);
  });
  test.each<{ fact: string; live: readonly LiveObject[]; fields: readonly object[] }>([
    { fact: "is reactivated", live: [liveObject("a (2)", 1, {}, true)], fields: [{ archived: false }] },
    { fact: "was reactivated by somebody", live: [liveObject("a (2)", 1)], fields: [] },
  ])("that became inactive $fact", ({ live, fields }) => {
    const { declared, notes } = undone([removing], calls, { live, kind: { inactivity: { field: "archived" } } });
    expect([declared.map((each) => each.fields), notes]).toEqual([fields, []]);
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
});

describe("an order", () => {
  const calls = [call({ n: 1, operation: "x", for: [{ address: "thing:*", fields: ["order"] }] })];
  const things = (...names: readonly string[]) => names.map((name) => liveObject(name, name.charCodeAt(0)));
  const names = ({ declared, notes }: ReturnType<typeof undone>) => [declared.map(({ name }) => name), notes];

  test("has the previous names", () => {
    const changes = [reorder(["a", "b", "c"], ["c", "b", "a"]), renaming("b", 98, "z")];
    const live = [liveObject("c", 99), liveObject("b", 98, { name: "b" }), liveObject("a", 97)];
    const own = undone(changes, [...calls, forOne(2, "b", "name")], { live });
    expect(names(own)).toEqual([["a", "z", "c"], []]);
    expect(own.undo.desired.ordered).toEqual(new Set(["things"]));
  });
  test("that somebody changed is reported for the whole section", () => {
    const { undo } = undone([removal("b", 98)], [forOne(1, "b")], {
      live: things("c", "a"),
      extra: { order: { thing: ["a", "b", "c"] } },
    });
    expect(undo.notes.at(-1)).toEqual({ kind: "thing", name: "*", fact: { why: "order-changed" } });
  });
  test("does not lose what the run created", () => {
    const changes = [reorder(["a", "b"], ["b", "a", "new"]), change("new", undefined)];
    const own = undone(changes, [...calls, forOne(2, "new")], { live: things("b", "a", "new"), extra: {} });
    expect(own.declared.map(({ name, absent }) => [name, absent])).toEqual([
      ["a", false],
      ["b", false],
      ["new", true],
    ]);
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
