import { describe, expect, test } from "vitest";
import { liveObject } from "../../test/support/apply/journals.ts";
import { change, renaming, snapshotOf, thing } from "../../test/support/apply/toy.ts";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { Json } from "../model/json.ts";
import type { MapKind, ResourceKind } from "../model/kind.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { spansIn } from "../model/span.ts";
import { LiveObjects } from "./goals.ts";
import { namedAsBefore, withoutInactive, withoutMissing } from "./undo-parts.ts";

// The restored values of an undo, without the names of inactive people and of objects that no longer exist.

const BEN = "ben@acme.example";
const snapshot = realmOf({ users: { [BEN]: { is_active: false } } });
const BEN_ID = snapshot.users.find(({ delivery_email }) => delivery_email === BEN)?.user_id ?? 0;
const spot = { file: "x", line: 1, column: 1, endLine: 1, endColumn: 1 };
const declared = (
  name: string,
  fields: { [field: string]: Json },
  more: Partial<DeclaredObject> = {},
): DeclaredObject => ({
  key: name,
  name,
  absent: false,
  fields,
  at: spot,
  spans: spansIn({}),
  ...more,
});
const kindOf = (more: Partial<MapKind> = {}): MapKind => ({
  ...PLAIN,
  name: "thing",
  section: "things",
  noun: ["thing", "things"],
  ...more,
});

describe("accounts that are deactivated", () => {
  const things = kindOf({ secrecy: { ...PLAIN.secrecy, fields: { who: "groups", text: "text" } } });
  const people = kindOf({ name: "person", section: "people", isAccount: true });
  const restored = (
    fields: { [field: string]: Json },
    account: readonly DeclaredObject[] = [],
    kinds: readonly ResourceKind[] = [people, things],
  ) => {
    const sections = new Map([
      ["things", [declared("a", fields)]],
      ["people", [...account]],
    ]);
    const { sections: kept, notes } = withoutInactive(sections, snapshot, kinds);
    return { fields: kept.get("things")?.[0]?.fields, notes };
  };
  const note = (kept: boolean, ...names: readonly string[]) => ({
    kind: "thing",
    name: "a",
    fact: { why: "account-inactive", field: "who", people: names.map((quoted) => ({ quoted })), kept },
  });

  test.each<{ about: string; value: Json; rest: Json | undefined; notes: readonly object[] }>([
    {
      about: "are removed from a part that contains nothing else",
      value: { owner: BEN, n: 1 },
      rest: { n: 1 },
      notes: [note(true, BEN)],
    },
    {
      about: "leave no permission for nobody",
      value: { groups: [], users: [BEN] },
      rest: undefined,
      notes: [note(false, BEN)],
    },
  ])("$about", ({ value, rest, notes }) =>
    expect(restored({ who: value, text: BEN, other: BEN })).toStrictEqual({
      fields: { ...(rest === undefined ? {} : { who: rest }), text: BEN, other: BEN },
      notes,
    }),
  );

  test("stay if the undo reactivates them", () => {
    const back = declared(BEN, { deactivated: false }, { id: BEN_ID });
    expect(restored({ who: [BEN] }, [back])).toEqual({ fields: { who: [BEN] }, notes: [] });
    // A change of another account, or of another field, reactivates nobody.
    for (const other of [
      { ...back, id: BEN_ID + 1 },
      { ...back, fields: { deactivated: true } },
      declared(BEN, { deactivated: false }),
    ])
      expect(restored({ who: [BEN] }, [other]).fields).toEqual({ who: [] });
    expect(restored({ who: [BEN] }, [back], [kindOf({ name: "person", section: "people" }), things]).fields).toEqual({
      who: [],
    });
  });
});

describe("names of objects that no longer exist", () => {
  const live = (...names: readonly string[]) => ({
    read: () => names.map((name, id) => ({ key: name, name, id, fields: {}, inactive: false })),
  });
  const groups = (names: readonly string[], more: Partial<MapKind> = {}) =>
    kindOf({ name: "group", section: "groups", live: live(...names), ...more });
  /** Its fields name groups. */
  const naming = kindOf({
    file: {
      ...PLAIN.file,
      withNames: (object, nameOf) => {
        for (const value of Object.values(object.fields))
          for (const name of [value].flat()) nameOf("group", String(name));
        return object;
      },
    },
  });
  const restored = (
    fields: { [field: string]: Json },
    kinds: readonly ResourceKind[],
    sections: ReadonlyMap<string, readonly DeclaredObject[]> = new Map(),
    name = "a",
  ) => {
    const all = new Map([["things", [declared(name, fields)]], ...sections]);
    const { sections: kept, notes } = withoutMissing(all, realmOf({}), kinds);
    return [kept.get("things")?.[0]?.fields, notes.map(({ kind, name: of, fact }) => [kind, of, fact])];
  };
  const { file, calls, docs } = PLAIN;
  const singleton: ResourceKind = {
    file,
    calls,
    docs,
    name: "one",
    section: "one",
    noun: ["one", "ones"],
    shape: "singleton",
    live: { read: () => ({}) },
    secrecy: { name: "public", snapshot: () => ({}) },
  };
  const missing = (field: string, name: string) => [
    "thing",
    "a",
    { why: "name-missing", field, name: { quoted: name, of: "group" } },
  ];

  test("the first of several is reported", () =>
    expect(restored({ who: ["crew", "gone", "lost"] }, [naming, groups(["crew"])])).toEqual([
      {},
      [missing("who", "gone")],
    ]));
  test.each([
    { about: "of the object itself", fields: { who: "a" }, kinds: [naming, groups([])] },
    {
      about: "of a kind that was not read",
      fields: { who: "gone" },
      kinds: [naming, groups([], { live: { read: () => undefined } })],
    },
    {
      about: "that the server has, beside kinds that the undo does not restore",
      fields: { who: "crew" },
      kinds: [naming, groups(["crew"], { file: { ...thing.file, withNames: (object) => object } }), singleton],
    },
  ])("stay if they are names $about", ({ fields, kinds }) => expect(restored(fields, kinds)).toEqual([fields, []]));

  test("are not those of objects that the undo creates again, but are those of objects that it removes", () => {
    const back = (more: Partial<DeclaredObject>) => new Map([["groups", [declared("gone", {}, more)]]]);
    expect(restored({ who: "gone" }, [naming, groups([])], back({}))).toEqual([{ who: "gone" }, []]);
    expect(restored({ who: "gone" }, [naming, groups([])], back({ absent: true }))[0]).toEqual({});
  });
});

describe("names in the objects of an undo", () => {
  /** A kind whose objects name other objects of it in `of`. */
  const naming: MapKind = {
    ...thing,
    live: { read: () => [liveObject("live", 3)] },
    file: {
      ...thing.file,
      withNames: (object, nameOf) => ({ ...object, fields: { of: nameOf("thing", String(object.fields.of)) } }),
    },
  };
  const plain = kindOf({ name: "plain", section: "plains" });
  const objects = new LiveObjects([naming, plain], snapshotOf([]));
  const ofEach = (
    changes: Parameters<typeof namedAsBefore>[1],
    sections: ReadonlyMap<string, readonly DeclaredObject[]>,
  ) =>
    [...namedAsBefore(sections, changes, objects, [plain, naming])].map(([section, objects]) => [
      section,
      objects.map(({ fields }) => fields.of),
    ]);
  const things = new Map([
    [
      "things",
      [declared("old", { of: "new" }, { id: 1 }), declared("b", { of: "other" }), declared("c", { of: "now" })],
    ],
    ["plains", [declared("p", { of: "new" })]],
  ]);

  const now = { kind: "thing", address: "thing:now", name: "now", fields: [], risks: [] } as const;
  test.each<{ fact: string; changes: Parameters<typeof namedAsBefore>[1]; of: readonly unknown[] }>([
    { fact: "are the old ones of renamed objects", changes: [renaming("new", 1, "old")], of: ["old", "other", "now"] },
    {
      fact: "are the plan's if the server has no such object",
      changes: [renaming("now", 9, "x")],
      of: ["new", "other", "now"],
    },
    { fact: "stay if nothing was renamed", changes: [change("new", 1)], of: ["new", "other", "now"] },
    {
      fact: "stay if the renamed object has no id",
      changes: [{ ...now, action: "update", was: "old" }],
      of: ["new", "other", "now"],
    },
    {
      fact: "stay for an object of an unknown kind",
      changes: [{ ...renaming("new", 1, "old"), kind: "unknown" }],
      of: ["new", "other", "now"],
    },
  ])("$fact", ({ changes, of }) =>
    expect(ofEach(changes, things)).toEqual([
      ["things", of],
      ["plains", ["new"]],
    ]),
  );

  test("sections that are not declared stay undeclared", () => {
    const empty: ReadonlyMap<string, readonly DeclaredObject[]> = new Map();
    expect(ofEach([renaming("new", 1, "old")], empty)).toEqual([]);
    expect(namedAsBefore(things, [], objects, [naming])).toBe(things);
  });
});
