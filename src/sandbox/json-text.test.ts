import { expect, test } from "vitest";
import { readJsonText } from "./json-text.ts";

test.each<[string, unknown]>([
  ["1", 1],
  [" -0 ", -0],
  ['{"a": [true, null, "x"]}', { a: [true, null, "x"] }],
  ['"1.0 and NaN and \\"2.0\\""', '1.0 and NaN and "2.0"'],
  ['"\\ud83d\\ude00\\u0000"', "😀\0"],
  ["1.5", 1.5],
])("%s is what JavaScript makes of it", (text, value) => {
  expect(readJsonText(text)).toEqual(value);
});

test.each(["x", "\n", '"'])("a text of six million times %j is read", (piece) => {
  const text = piece.repeat(6_000_000);
  expect(readJsonText(JSON.stringify({ text, n: 1 }))).toEqual({ text, n: 1 });
});

test.each(["1.0", "1e2", "-2E+1", "[3.00]", "NaN", "Infinity", "[-Infinity]"])("%s contains no integer", (text) => {
  const value = readJsonText(text);
  expect(Number.isInteger(Array.isArray(value) ? value[0] : value)).toBe(false);
});

test.each([
  "",
  "01",
  "1.",
  ".5",
  "1NaN",
  "NaNNaN",
  "-NaN",
  "+1",
  "{",
  "[1,]",
  "'a'",
  '"\t"',
  '"\\x"',
  '"\\ud800"',
  '["\\udc00"]',
  "\ufeff1",
])("%j is not JSON", (text) => {
  expect(() => readJsonText(text)).toThrow(SyntaxError);
});
