import { expect, test } from "vitest";
import { codeIn, pageOf, shapeOf } from "../../../test/support/forge-page.mjs";
import { resultBlock } from "./pages.ts";

test.each([
  [0, false],
  [1, false],
  [100, false],
  [10_000, true],
])("%i lines: the end is always shown, and omitted lines are counted", (number, isCut) => {
  const lines = Array.from({ length: number }, (_, index) => `  ${index} <<<<<<<<<<`);
  const block = resultBlock(`${[...lines, "", "Applied 1 of 2."].join("\n")}\n`, "x.json", 60_000);
  expect(block.length).toBeLessThanOrEqual(60_000);
  expect(block).toMatch(/^```text\n[\s\S]*Applied 1 of 2\.\n```\n$/);
  const left = Number(/… and ([\d,]+) more lines, left out here: x\.json/.exec(block)?.[1]?.replace(",", "") ?? 0);
  expect(left > 0).toBe(isCut);
  const shown = (block.match(/<\n/g) ?? []).length;
  // The empty line between the two parts may be left out, too.
  expect(shown + left - (isCut ? 1 : 0)).toBe(number);
});

test("a text with fences in it stays one block", () => {
  const text = "a\n```\n[x](https://evil.example)\n\n````diff\n`````x";
  const page = pageOf(resultBlock(text, "x.json", 60_000));
  expect(shapeOf(page)).toBe("<pre>");
  expect(codeIn(page).join("").replaceAll(/\n+/g, "\n")).toBe(`${text.replaceAll(/\n+/g, "\n")}\n`);
});
