import { expect, test } from "vitest";
import { nameCycles } from "./context.ts";

test.each<[string, readonly [string, string][], readonly (readonly string[])[]]>([
  ["no names move", [], []],
  [
    "a chain",
    [
      ["a", "b"],
      ["b", "c"],
    ],
    [],
  ],
  [
    "a swap",
    [
      ["a", "b"],
      ["b", "a"],
    ],
    [["a", "b"]],
  ],
  [
    "a cycle of three",
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ],
    [["a", "b", "c"]],
  ],
  [
    "a chain that ends in a cycle",
    [
      ["x", "a"],
      ["a", "b"],
      ["b", "a"],
    ],
    [["a", "b"]],
  ],
  [
    "two cycles",
    [
      ["a", "b"],
      ["c", "d"],
      ["b", "a"],
      ["d", "c"],
    ],
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
])("%s", (_, moves, cycles) => expect(nameCycles(new Map(moves))).toEqual(cycles));
