import { expect, test } from "vitest";
import { listNames } from "./words.ts";

test.each([
  { names: [], text: "" },
  { names: ["a"], text: "a" },
  { names: ["a", "b"], text: "a and b" },
  { names: ["a", "b", "c"], text: "a, b and c" },
  { names: ["a", "b", "c", "d"], text: "a, b and 2 more" },
])("$text", ({ names, text }) => expect(listNames(names, 3)).toBe(text));
