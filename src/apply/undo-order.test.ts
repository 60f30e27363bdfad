import { expect, test } from "vitest";
import type { Json } from "../model/json.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { change, field, removal, renaming, reorder } from "./testing/toy.ts";
import { orderBefore } from "./undo-order.ts";

const object = (name: string, how: string): DeclaredObject => ({
  key: name,
  name,
  absent: false,
  fields: { how },
  spans: {},
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
    fact: "none where the run put nothing in order",
    own: [change("a", 1, field("x", ["b"], ["c"]))],
    live: ["a"],
    order: undefined,
  },
  { fact: "none where the section has none", own: [put], live: ["a"], more: { kept: "a" }, order: undefined },
  { fact: "the one from before", own: [change("a", 1), put], live: ["c", "a", "b"], order: ["a", "b", "c"] },
  {
    fact: "the one from before, if the order never arrived",
    own: [put],
    live: ["a", "b", "c"],
    order: ["a", "b", "c"],
  },
  { fact: "somebody else's", own: [put], live: ["b", "a", "c"], order: ["theirs", "reorder"] },
  {
    fact: "somebody else's, with an object that is new",
    own: [put],
    live: ["c", "a", "b", "d"],
    order: ["theirs", "reorder"],
  },
  {
    fact: "the one from before, with a new object elsewhere",
    own: [put],
    live: ["a", "d", "b", "c"],
    order: ["a", "b", "c"],
  },
  { fact: "without an object that is gone", own: [put], live: ["a", "c"], order: ["a", "c"] },
  {
    fact: "with what is declared already",
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
    fact: "somebody else's, where one was kept",
    own: [change("x", 9)],
    live: ["b", "a"],
    more: { kept: ["a", "b"] },
    order: ["theirs", undefined],
  },
  {
    fact: "with an object that the run removed, declared to be made again",
    own: [put, removal("b", 2)],
    live: ["a", "c"],
    more: { declared: ["b"] },
    order: ["a", "b!", "c"],
  },
  {
    fact: "without the place of an object that was removed, whose name another one has by now",
    own: [reorder(["a", "b", "c"], ["c", "a"]), removal("b", 2)],
    live: ["b", "a", "c"],
    more: { declared: ["b"] },
    order: ["a", "b!", "c"],
  },
  {
    fact: "by new names where objects were renamed",
    own: [reorder(["a", "old", "c"], ["c", "a", "new"]), renaming("new", 2, "old")],
    live: ["a", "new", "c"],
    more: { declared: ["old"] },
    order: ["a", "old!", "c"],
  },
  {
    fact: "by old names where the order was kept for the undo",
    own: [change("x", 9)],
    live: ["a", "new"],
    more: { kept: ["a", "old"], all: [renaming("new", 2, "old")], declared: ["old"] },
    order: ["a", "old!"],
  },
])("an order from before a run is $fact", ({ own, live, more, order }) =>
  expect(before(own, live, more)).toEqual(order),
);
