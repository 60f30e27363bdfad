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
])("%s", (_, moves, cycles) => expect(nameCycles(new Map(moves))).toEqual(cycles));
