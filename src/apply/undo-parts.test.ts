import { describe, expect, test } from "vitest";
import { call, change, field, planOf, removal, renaming, reorder, thing } from "../../test/support/apply/toy.ts";
import type { Json } from "../model/json.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { spansIn } from "../model/span.ts";
import { IntermediateValues, orderBefore, UndoPlaces } from "./undo-parts.ts";

const object = (name: string, how: string): DeclaredObject => ({
  key: name,
  name,
  absent: false,
  fields: { how },
  spans: spansIn({}),
  at: { file: "x", line: 1, column: 1, endLine: 1, endColumn: 1 },
});
const put = reorder(["a", "b", "c"], ["c", "a", "b"]);

/** The names in the previous order; `!` if the undo declares the object already, and "theirs" if somebody else changed the order. */
const before = (
  own: readonly Change[],
  live: readonly string[],
  { kept, all = own, declared = [] }: { kept?: Json; all?: readonly Change[]; declared?: readonly string[] } = {},
) => {
  const found = orderBefore(own, {
    kept,
    all,
    live,
    declared: declared.map((name) => object(name, "declared")),
    make: (name) => object(name, "made"),
  });
  if (found === undefined) return undefined;
  if (!found.isAsLeft) return ["theirs", found.reorder?.action];
  return found.objects.map(({ name, fields }) => (fields.how === "declared" ? `${name}!` : name));
};

test.each<{
  fact: string;
  own: readonly Change[];
  live: readonly string[];
  more?: Parameters<typeof before>[2];
  order: unknown;
}>([
  {
    fact: "another person's, among objects that the run changed",
    own: [change("a", 1), change("b", 2), change("c", 3), put],
    live: ["b", "a", "c"],
    order: ["theirs", "reorder"],
  },
  {
    fact: "the one that was kept, under exchanged names",
    own: [renaming("b", 1, "a"), renaming("a", 2, "b")],
    live: ["b", "a"],
    more: { kept: ["a", "b"], declared: ["a", "b"] },
    order: ["a!", "b!"],
  },
  {
    fact: "another person's, with a new object",
    own: [put],
    live: ["c", "a", "b", "d"],
    order: ["theirs", "reorder"],
  },
  { fact: "without an object that no longer exists", own: [put], live: ["a", "c"], order: ["a", "c"] },
  {
    fact: "without the position of a removed object whose name another object has now",
    own: [reorder(["a", "b", "c"], ["c", "a"]), removal("b", 2)],
    live: ["b", "a", "c"],
    more: { declared: ["b"] },
    order: ["a", "b!", "c"],
  },
])("the order from before a run is $fact", ({ own, live, more, order }) =>
  expect(before(own, live, more)).toEqual(order),
);

// A swap: `a` is called `a~` until `b` has taken its name; its colour is written once, by the last call.

const of = (name: string, ...fields: readonly string[]) => ({ address: `thing:${name}` as const, fields });
const at = (name: string, field: string, value: string) => ({ address: `thing:${name}` as const, field, value });
const PLAN = planOf(
  [],
  [
    call({
      n: 1,
      operation: "x",
      for: [of("a", "name")],
      expects: [at("a", "name", "a"), at("a", "size", "small"), { ...at("a", "exists", ""), value: true }],
    }),
    call({ n: 2, operation: "x", for: [of("b", "name")], expects: [at("b", "name", "b")] }),
    call({
      n: 3,
      operation: "x",
      for: [of("a", "name", "colour")],
      expects: [at("a", "name", "a~"), at("a", "colour", "red")],
    }),
    call({
      n: 4,
      operation: "x",
      for: [of("new")],
      creates: ["thing:new"],
      expects: [{ address: "thing:new", field: "exists", value: false }],
    }),
  ],
);
const broken = (...sent: readonly number[]) => new IntermediateValues(PLAN, new Set(sent));

describe("a run that was interrupted", () => {
  test("has not changed a field that none of the sent calls writes", () => {
    expect([broken(1).isUntouched("thing:a", "colour"), broken(3).isUntouched("thing:a", "colour")]).toEqual([
      true,
      false,
    ]);
    expect(broken(1).isUntouched("thing:a", "size")).toBe(true);
  });
  test("left a list half done: without the removed members, or with all added ones", () => {
    const run = (...sent: readonly number[]) =>
      new IntermediateValues(
        planOf(
          [],
          [1, 2].map((n) => call({ n, operation: "x", for: [of("a", "members")] })),
        ),
        new Set(sent),
      );
    const change = field("members", ["ada", "ben"], ["ada", "kofi"]);
    const lists = [["ada"], ["kofi", "ben", "ada"], ["ben"], ["ada", "dmitri"], [], ["kofi", "ben", "dmitri"]];
    expect(lists.map((live) => run(1).isIntermediate("thing:a", change, live))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([run(), run(1, 2)].map((other) => other.isIntermediate("thing:a", change, ["ada"]))).toEqual([false, false]);
    expect(run(1).isIntermediate("thing:a", field("members", "ada", ["ada"]), ["ada"])).toBe(false);
  });
  test("found what the first call expects of each field", () => {
    expect(broken(1).fieldsBefore("thing:a")).toEqual({ name: "a", size: "small", colour: "red" });
    expect([broken(1).fieldsBefore("thing:new"), broken(1).fieldsBefore("thing:c")]).toEqual([{}, {}]);
  });
});

const inactive = field("deactivated", true, false);
const [text, colour] = [field("text", "a", "b"), field("colour", "red", "blue")];
const first = change("a", 1, text, colour);
const back = change("b", 2, inactive, text);
const gone = removal("c", 3, text);
const unknown: Change = { ...change("d", 4, inactive), kind: "other" };
const changes = [first, back, gone, unknown];
const other = { ...thing, name: "mark", inactivity: { field: "archived" } } as const;
const inUse = { ...thing, inactivity: { field: "deactivated" } } as const;
const placesOf = () => new UndoPlaces("journal", changes, [other, inUse]);

describe("the place of a declaration of an undo identifies", () => {
  test.each<{ what: string; of: Change; field?: string; part: unknown }>([
    {
      what: "the whole change, for whether the object is active",
      of: back,
      field: "deactivated",
      part: { of: back, kind: "thing" },
    },
    { what: "the whole removal, for a field of it", of: gone, field: "text", part: { of: gone, kind: "thing" } },
    {
      what: "a field of an object of an unknown kind",
      of: unknown,
      field: "deactivated",
      part: { of: inactive, field: "deactivated", kind: "other" },
    },
  ])("$what", ({ of, field: name, part }) => {
    const places = placesOf();
    expect(places.partAt(places.of(of, name))).toEqual(part);
  });

  test("nothing, without a change, in another file, and beyond the run's changes", () => {
    const places = placesOf();
    expect(places.of(undefined)).toEqual({ file: "journal", line: 1, column: 1, endLine: 1, endColumn: 1 });
    expect(places.of(change("e", 5))).toEqual(places.of(undefined));
    const spot = places.of(first);
    expect([
      places.partAt(places.of(undefined)),
      places.partAt(undefined),
      places.partAt({ ...spot, file: "realm.yaml" }),
      places.partAt({ ...spot, column: 99 }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
