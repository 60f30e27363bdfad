import { expect, test } from "vitest";
import { resultBlock } from "./result-block.ts";

test.each([
  [0, false],
  [1, false],
  [100, false],
  [10_000, true],
])("%i lines: the end is always shown, and omitted lines are counted", (number, isCut) => {
  // Every character grows to four when it is escaped.
  const lines = Array.from({ length: number }, (_, index) => `  ${index} <<<<<<<<<<`);
  const block = resultBlock(`${[...lines, "", "Applied 1 of 2."].join("\n")}\n`, "x.json", 60_000);
  expect(block.length).toBeLessThanOrEqual(60_000);
  expect(block).toMatch(/^<pre>\n[\s\S]*Applied 1 of 2\.\n<\/pre>\n$/);
  const left = Number(/… and (\d+) more lines, left out here: x\.json/.exec(block)?.[1] ?? 0);
  expect(left > 0).toBe(isCut);
  const shown = (block.match(/&lt;\n/g) ?? []).length;
  // The empty line between the two parts may be left out, too.
  expect(shown + left - (isCut ? 1 : 0)).toBe(number);
});
