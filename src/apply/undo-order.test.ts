import { expect, test } from "vitest";
import { change, field, removal, renaming, reorder } from "../../test/support/apply/toy.ts";
import type { Json } from "../model/json.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { spansIn } from "../model/span.ts";
import { orderBefore } from "./undo-order.ts";

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
    fact: "none if the run reordered nothing",
    own: [change("a", 1, field("x", ["b"], ["c"]))],
    live: ["a"],
    order: undefined,
  },
  { fact: "none if the section has no order", own: [put], live: ["a"], more: { kept: "a" }, order: undefined },
  { fact: "the previous one", own: [change("a", 1), put], live: ["c", "a", "b"], order: ["a", "b", "c"] },
  {
    fact: "the previous one, if the request for the order never arrived",
    own: [put],
    live: ["a", "b", "c"],
    order: ["a", "b", "c"],
  },
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
  { fact: "another person's", own: [put], live: ["b", "a", "c"], order: ["theirs", "reorder"] },
  {
    fact: "another person's, with a new object",
    own: [put],
    live: ["c", "a", "b", "d"],
    order: ["theirs", "reorder"],
  },
  {
    fact: "the previous one, with a new object elsewhere",
    own: [put],
    live: ["a", "d", "b", "c"],
    order: ["a", "b", "c"],
  },
  { fact: "without an object that no longer exists", own: [put], live: ["a", "c"], order: ["a", "c"] },
  {
    fact: "with the objects that are declared already",
    own: [put],
    live: ["c", "a", "b"],
    more: { declared: ["b"] },
    order: ["a", "b!", "c"],
  },
  {
    fact: "the one that was kept",
    own: [change("x", 9)],
    live: ["a", "b"],
    more: { kept: ["a", "b"] },
    order: ["a", "b"],
  },
  {
    fact: "another person's, if an order was kept",
    own: [change("x", 9)],
    live: ["b", "a"],
    more: { kept: ["a", "b"] },
    order: ["theirs", undefined],
  },
  {
    fact: "with an object that the run removed, declared to be created again",
    own: [put, removal("b", 2)],
    live: ["a", "c"],
    more: { declared: ["b"] },
    order: ["a", "b!", "c"],
  },
  {
    fact: "without the position of a removed object whose name another object has now",
    own: [reorder(["a", "b", "c"], ["c", "a"]), removal("b", 2)],
    live: ["b", "a", "c"],
    more: { declared: ["b"] },
    order: ["a", "b!", "c"],
  },
  {
    fact: "by new names if objects were renamed",
    own: [reorder(["a", "old", "c"], ["c", "a", "new"]), renaming("new", 2, "old")],
    live: ["a", "new", "c"],
    more: { declared: ["old"] },
    order: ["a", "old!", "c"],
  },
  {
    fact: "by old names if the order was kept for the undo",
    own: [change("x", 9)],
    live: ["a", "new"],
    more: { kept: ["a", "old"], all: [renaming("new", 2, "old")], declared: ["old"] },
    order: ["a", "old!"],
  },
])("the order from before a run is $fact", ({ own, live, more, order }) =>
  expect(before(own, live, more)).toEqual(order),
);
