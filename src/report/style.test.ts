import { describe, expect, test } from "vitest";
import { clean } from "../model/clean.ts";
import { grouped } from "../model/words.ts";
import { bounded, cleanJson, displayWidth, dotted, PLAIN, shorten, styleOf, wrap } from "./style.ts";

describe("whether there is colour", () => {
  test.each([
    { env: {}, isTTY: true, colour: true },
    { env: {}, isTTY: false, colour: false },
    { env: { NO_COLOR: "1" }, isTTY: true, colour: false },
    { env: { NO_COLOR: "" }, isTTY: true, colour: true },
    { env: { TERM: "dumb" }, isTTY: true, colour: false },
    { env: { FORCE_COLOR: "1" }, isTTY: false, colour: true },
    { env: { FORCE_COLOR: "0" }, isTTY: true, colour: false },
    { env: { FORCE_COLOR: "1", NO_COLOR: "1" }, isTTY: true, colour: false },
  ])("$env on a terminal: $isTTY", ({ env, isTTY, colour }) => {
    expect(styleOf({ env, isTTY, columns: 80 }).colour).toBe(colour);
  });
});

describe("the width of the terminal", () => {
  test.each([
    { env: {}, isTTY: true, columns: 72, width: 72 },
    { env: {}, isTTY: true, columns: undefined, width: 100 },
    { env: {}, isTTY: true, columns: 0, width: 100 },
    { env: {}, isTTY: false, columns: 72, width: 100 },
    { env: { COLUMNS: "60" }, isTTY: false, columns: undefined, width: 60 },
    { env: { COLUMNS: "wide" }, isTTY: false, columns: undefined, width: 100 },
    { env: {}, isTTY: true, columns: 5, width: 24 },
    { env: {}, isTTY: true, columns: 400, width: 140 },
  ])("$columns columns, $env, on a terminal: $isTTY", ({ env, isTTY, columns, width }) => {
    expect(styleOf({ env, isTTY, columns }).width).toBe(width);
  });
});

describe("which characters it can show", () => {
  test.each([
    { env: {}, unicode: true },
    { env: { LANG: "en_GB.UTF-8" }, unicode: true },
    { env: { LANG: "C" }, unicode: true },
    { env: { LANG: "en_GB.ISO-8859-1" }, unicode: false },
    { env: { LC_ALL: "en_GB.utf8", LANG: "en_GB.ISO-8859-1" }, unicode: true },
    { env: { TERM: "linux" }, unicode: false },
  ])("$env", ({ env, unicode }) => expect(styleOf({ env, isTTY: true }).unicode).toBe(unicode));
});

describe("clean", () => {
  test.each([
    { text: "plain text", safe: "plain text" },
    { text: "Grüße, 東京, 👩‍🚀", safe: "Grüße, 東京, 👩‍🚀" },
    { text: "two\nlines", safe: "two\\nlines" },
    { text: "a\r\tb", safe: "a\\r\\tb" },
    { text: "\u001b[2J", safe: "\\u001b[2J" },
    { text: "\u009b2J", safe: "\\u009b2J" },
    { text: "abc\u202edef", safe: "abc\\u202edef" },
    { text: "\u2066x\u2069", safe: "\\u2066x\\u2069" },
    { text: "a\u200bb\ufeff", safe: "a\\u200bb\\ufeff" },
    { text: "line\u2028end", safe: "line\\u2028end" },
    { text: "\u{e0041}", safe: "\\U000e0041" },
    { text: "half \ud83d", safe: "half \\ud83d" },
    { text: "\u0000", safe: "\\u0000" },
  ])("$safe", ({ text, safe }) => {
    expect(clean(text)).toBe(safe);
    expect(JSON.parse(cleanJson(JSON.stringify(text)))).toBe(text);
  });
});

describe("displayWidth", () => {
  test.each([
    { text: "abc", width: 3 },
    { text: "é", width: 1 },
    { text: "e\u0301", width: 1 },
    { text: "東京", width: 4 },
    { text: "ｆｕｌｌ", width: 8 },
    { text: "🚀", width: 2 },
    { text: "한글", width: 4 },
    { text: "\u001b[31mred\u001b[0m é", width: 5 },
    { text: "→·…", width: 3 },
  ])("$text is $width wide", ({ text, width }) => expect(displayWidth(text)).toBe(width));
});

describe("wrap", () => {
  // If the rest of the text were examined again for every line, this would take an hour.
  test.each([
    { name: "one word", text: "x".repeat(5_000_000), lines: 62_500 },
    { name: "many words", text: "ab ".repeat(1_000_000), lines: 37_038 },
    { name: "wide characters", text: "\u6f22".repeat(1_000_000), lines: 25_000 },
    {
      name: "characters without width, then words",
      text: `a${"\u0301".repeat(1_000_000)}${" b".repeat(2_000)}`,
      lines: 51,
    },
  ])("five million characters: $name", ({ text, lines }) => expect(wrap(text, 80)).toHaveLength(lines));

  test.each([
    { text: "one two three", width: 20, lines: ["one two three"] },
    { text: "one two three", width: 8, lines: ["one two", "three"] },
    { text: "abcdefghij", width: 4, lines: ["abcd", "efgh", "ij"] },
    { text: "東京 大阪", width: 4, lines: ["東京", "大阪"] },
    { text: "", width: 4, lines: [""] },
  ])("$text in $width columns", ({ text, width, lines }) => expect(wrap(text, width)).toEqual(lines));

  test("breaks dotted words between their parts, not within a part", () => {
    expect(wrap(dotted(PLAIN, ["one two", "", "three four"]), 12)).toEqual(["one two ·", "three four"]);
  });
});

test.each([
  { text: "abcdef", width: 6, short: "abcdef" },
  { text: "abcdefg", width: 6, short: "abcde…" },
  { text: "東京大阪", width: 6, short: "東京…" },
])("shorten $text to $width", ({ text, width, short }) => expect(shorten(PLAIN, text, width)).toBe(short));

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [1234567, "1,234,567"],
])("%i is written as %s", (number, text) => expect(grouped(number)).toBe(text));

describe("long texts", () => {
  test.each([
    { about: "one word", text: "x".repeat(1_000_000) },
    { about: "words", text: "word ".repeat(200_000).trimEnd() },
    { about: "wide characters", text: "字".repeat(300_000) },
  ])("$about: wrapped in one pass, nothing lost, no line too wide", ({ text }) => {
    const lines = wrap(text, 80);
    expect(lines.join(text.includes(" ") ? " " : "")).toBe(text);
    expect(lines.every((line) => displayWidth(line) <= 80)).toBe(true);
  });

  test.each([
    { text: "short", most: 20, shown: "short" },
    { text: "exactly twenty chars", most: 20, shown: "exactly twenty chars" },
    { text: "a".repeat(80_000), most: 40, shown: `${"a".repeat(19)}… (80,000 characters)` },
  ])("in at most $most columns: $shown", ({ text, most, shown }) => expect(bounded(PLAIN, text, most)).toBe(shown));
});

test.each([
  [
    "engineering-infrastructure-incidents-and-follow-ups",
    30,
    ["engineering-infrastructure-", "incidents-and-follow-ups"],
  ],
  ["https://incidents.engineering.example.org/browse", 38, ["https://incidents.engineering.example.", "org/browse"]],
  ["abc-defghijklmnopqrstuvw", 12, ["abc-defghijk", "lmnopqrstuvw"]],
])("a long name breaks behind a sign in the second half of a line: %s", (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});
