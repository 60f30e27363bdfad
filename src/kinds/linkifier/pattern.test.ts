import { describe, expect, test } from "vitest";
import { readPattern as readBySandbox } from "../../sandbox/linkifiers/re2-syntax.ts";
import { findInText, readPattern, readPatternInText } from "./pattern.ts";

function patternOf(source: string) {
  const read = readPattern(source);
  if ("pattern" in read) return read.pattern;
  throw new Error(read.cause.cause);
}

describe("named groups", () => {
  test.each<[string, readonly string[]]>([
    ["plain", []],
    ["([0-9]+)", []],
    ["#(?P<id>[0-9]+)", ["id"]],
    ["(?<named>[a-z]+)", ["named"]],
    ["(?P<a>x)(?P<a>y)", ["a"]],
    ["(?P<1a>x)", ["1a"]],
    ["(?P<größe>x)", ["größe"]],
    ["(?i:(?P<a>x))|(?P<b>y)", ["a", "b"]],
    ["[]a(?P<no>](?P<n>[^\\]]{1,4})", ["n"]],
    ["[[:alpha:](?P<no>](?P<yes>x)", ["yes"]],
    ["\\Q(?P<no>\\E(?P<yes>x)", ["yes"]],
    ["\\(?P<no>(?P<yes>x)", ["yes"]],
  ])("%s", (source, groups) => expect(patternOf(source).groups).toEqual(groups));
});

describe("texts that are not RE2 patterns", () => {
  test.each([
    "(foo",
    "foo)",
    "[a",
    "*a",
    "a**",
    "a????",
    "(?<=a)b",
    "(?!a)b",
    "(?P<a>x)(?P=a)",
    "(a)\\1",
    "(?P<>x)",
    "(?P<a b>x)",
    "a{1001}",
    "\\",
    "\\y",
  ])("%s", (source) => expect(readPattern(source)).toEqual({ cause: expect.anything() }));

  test.each([
    ["(?!a)b", { cause: "look-around" }],
    ["(a)\\1", { cause: "back-reference" }],
    ["(foo", { cause: "syntax", reason: { quoted: "missing closing ): `(foo`" } }],
  ])("%s: %o", (source, cause) => expect(readPattern(source)).toEqual({ cause: cause }));
});

test.each<[string, string, readonly [number, number, Record<string, string>] | undefined]>([
  ["#(?P<id>[0-9]+)", "see #12!", [4, 7, { id: "12" }]],
  ["#(?P<id>[0-9]+)", "none", undefined],
  ["(?P<a>x)|(?P<a>y)", "y", [0, 1, { a: "y" }]],
  ["(?P<a>x)?(?P<b>y)", "y", [0, 1, { a: "", b: "y" }]],
])("%s finds in %j", (source, text, found) => {
  const match = patternOf(source).find(text);
  expect(match && [match.start, match.end, Object.fromEntries(match.groups)]).toEqual(found);
});

test.each<[string, string, readonly [number, number] | undefined]>([
  ["#[0-9]+", "#12", [0, 3]],
  ["#[0-9]+", "(#12)", [1, 4]],
  ["#[0-9]+", "bug#12", undefined],
  ["#[0-9]+", "#12a", undefined],
  ["a|b", "x b", [2, 3]],
  ["a|b", "xb", undefined],
])("%s in a message: %j", (source, text, found) => {
  const pattern = readPatternInText(source);
  const match = pattern === undefined ? undefined : findInText(pattern, text);
  expect(match && [match.start, match.end]).toEqual(found);
});

describe("what RE2 knows, checked with google-re2", () => {
  test.each([
    ["(?P<mood>\\p{Emoji}+)", "invalid character class range: \\p{Emoji}"],
    ["[\\p{Alphabetic}]", "invalid character class range: \\p{Alphabetic}"],
    ["\\p{LC}", "invalid character class range: \\p{LC}"],
    ["\\p{Cn}", "invalid character class range: \\p{Cn}"],
    ["\\P{Grek}", "invalid character class range: \\P{Grek}"],
    ["\\p{greek}", "invalid character class range: \\p{greek}"],
    ["\\p{L}{1,1000}", "pattern too large - compile failed"],
    ["(?:\\p{L}\\p{N}{2}){400}", "pattern too large - compile failed"],
  ])("%s: %s", (pattern, reason) => {
    const said = { quoted: reason };
    expect(readPattern(pattern)).toEqual({ cause: { cause: "syntax", reason: said } });
    expect(readBySandbox(pattern)).toEqual({ reason });
  });

  test.each([
    "\\p{Greek}",
    "\\p{^Lu}",
    "\\pN",
    "[^\\pL\\p{Any}]",
    "\\p{Yi}\\p{Kawi}",
    "\\p{L}{1,400}",
    "a\\C",
    "\\Q\\p{Emoji}\\E",
  ])("%s is a pattern", (pattern) => {
    expect(readPattern(pattern)).toHaveProperty("pattern");
    expect(readBySandbox(pattern)).toHaveProperty("groups");
  });

  test("of a byte, anything is found", () => expect(patternOf("a\\C(?P<n>b)").find("a-b")?.groups.get("n")).toBe("b"));
});
