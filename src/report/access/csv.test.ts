import { expect, test } from "vitest";
import { csvCell } from "./csv.ts";

test.each([
  ["general", "general"],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["@SUM(1)", "'@SUM(1)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ['=1,"x"', '"\'=1,""x"""'],
  ["a;b", '"a;b"'],
])("%s is not a formula for a spreadsheet: %s", (text, cell) => expect(csvCell(text)).toBe(cell));

test("no name starts a new line", () => {
  expect(csvCell("a\r\nb,c")).not.toMatch(/[\r\n]/);
});
