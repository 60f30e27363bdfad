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
    "three in a ring",
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ],
    [["a", "b", "c"]],
  ],
  [
    "a chain into a ring",
    [
      ["x", "a"],
      ["a", "b"],
      ["b", "a"],
    ],
    [["a", "b"]],
  ],
  [
    "two rings",
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
])("%s", (_, moves, rings) => expect(nameCycles(new Map(moves))).toEqual(rings));
