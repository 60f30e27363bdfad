import { expect, test } from "vitest";
import {
  asText,
  readJsonText,
  setOrder,
  shown,
  shownBytes,
  stripped,
  strippedEnd,
  strippedParameter,
} from "./python.ts";

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

test.each([
  ["spaces, tabs, newlines", " \t\r\n\v\fa \t\r\n\v\f", "a", "a"],
  ["spaces of other widths", "\u00a0\u1680\u2003\u202f\u205f\u3000a\u2028\u2029", "a", "a"],
  ["the next-line control", "\u0085a\u0085", "a", "a"],
  ["the separators of old files", "\u001c\u001fa\u001d\u001e", "a", "\u001c\u001fa\u001d\u001e"],
  ["not the byte order mark", "\ufeffa\ufeff", "\ufeffa\ufeff", "\ufeffa\ufeff"],
  ["not characters without width", "\u200ba\u200b", "\u200ba\u200b", "\u200ba\u200b"],
  ["not white space inside", "a \n b", "a \n b", "a \n b"],
  ["nothing but spaces", " \n ", "", ""],
])("%s", (_fact, text, own, parameter) => {
  expect([stripped(text), strippedParameter(text)]).toEqual([own, parameter]);
  expect(strippedEnd(`a${text}`)).toBe(`a${strippedEnd(text)}`);
});

test.each([
  [
    [4, 5],
    [4, 5],
  ],
  [
    [6, 9],
    [9, 6],
  ],
  [
    [23, 24],
    [24, 23],
  ],
  [
    [8, 4],
    [8, 4],
  ],
  [[1, 1, 1], [1]],
  [[], []],
  [
    [-1, 5, 7],
    [5, -1, 7],
  ],
  [
    [99999, 5, -3],
    [-3, 5, 99999],
  ],
  // Two numbers for the same slot: the second goes where the server's hash table puts it.
  [
    [8, 16, 1],
    [8, 16, 1],
  ],
  [
    [1, 9, 2],
    [1, 2, 9],
  ],
])("the order of %j is %j", (ids, walked) => {
  expect(setOrder(ids)).toEqual(walked);
});

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
