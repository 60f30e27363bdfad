import { expect, test } from "vitest";
import { nameCycles } from "./name-cycles.ts";

test.each<[string, readonly [string, string][], readonly (readonly string[])[]]>([
  ["nobody moves", [], []],
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
    "three in a cycle",
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ],
    [["a", "b", "c"]],
  ],
  [
    "a chain into a cycle",
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
