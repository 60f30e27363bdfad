import { expect, test } from "vitest";
import { asText, shown, shownBytes } from "./python-text.ts";

test.each<[unknown, string]>([
  ["", "''"],
  ["it's", `"it's"`],
  [`both ' and "`, `'both \\' and "'`],
  ["a\\b\n\r\t", "'a\\\\b\\n\\r\\t'"],
  ["\0\u007f\u00a0é", "'\\x00\\x7f\\xa0é'"],
  ["\u2028\u{e0001}😀", "'\\u2028\\U000e0001😀'"],
  [null, "None"],
  [true, "True"],
  [1.5, "1.5"],
  [[1, "a", [false]], "[1, 'a', [False]]"],
  [{ a: { "b'": null } }, `{'a': {"b'": None}}`],
])("%j is shown as %s", (value, text) => expect(shown(value)).toBe(text));

test("text is unchanged", () => {
  expect([asText("it's"), asText(false)]).toEqual(["it's", "False"]);
});

test.each([
  ["", "b''"],
  ["caf\u00e9 'x'\n", `b"caf\\xc3\\xa9 'x'\\n"`],
  ["\0\u007f", "b'\\x00\\x7f'"],
])("the bytes of %j: %s", (text, shownAs) => expect(shownBytes(text)).toBe(shownAs));
