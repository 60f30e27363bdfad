import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { readPattern as readBySandbox } from "../../sandbox/linkifiers/re2-syntax.ts";
import { findInText, LARGEST_PROGRAM, leastSize, mostSize, readPattern, readPatternInText, sizeOf } from "./pattern.ts";

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

test.each([
  "abc",
  "a{0,1000}",
  "(?:ab){10}c",
  "((a{5}b){4}c){3}",
  "[a-z]{20}",
  "[^]{]{7}",
  "a|b|c",
  "(a|bc){30}",
  "\\{3}",
  "x{2,}",
  "(?P<id>\\d{1,9})-[[:alpha:]]{3}",
  "\\Q{9}\\E{3}",
])("%s: the estimate is close to the size that RE2 gives it", (pattern) => {
  const real = RE2JS.compile(pattern).programSize();
  expect(real).toBeLessThan(4 * sizeOf(pattern) + 10);
  expect(sizeOf(pattern)).toBeLessThan(4 * real + 10);
});

/** From thousands of random patterns, those that google-re2 1.1.20251105 compiles, and those that are too large for it. */
const LARGE = {
  compiled: [
    "\\PL{300}",
    "\\p{Lu}{300}",
    "\\p{So}{700}",
    "\\p{Lu}{300}",
    "\\p{Lu}{400}",
    "[^\\pL]{400}",
    "\\P{Lu}{450}",
    "\\p{L}{0,400}",
    "\\p{P}{0,811}",
    "\\p{P}{1000,}",
    "\\p{N}{0,900}",
    "\\p{P}{0,500}",
    "\\p{Lu}{450,}",
    "\\p{Lu}{700,}",
    "\\P{Lu}{3,270}",
    "\\p{So}{0,769}",
    "\\p{So}{0,450}",
    "\\p{So}{900,900}",
    "\\p{N}{0,961}\\PL",
    "\\p{Common}{450}",
    "\\P{Lu}{450,450}",
    "\\p{Common}{500,}",
    "\\p{Common}{1000}",
    "\\D\\p{P}{1000,}\\w",
    "(?:\\pL{400,400})",
    "[\\p{L}\\p{M}]{300}",
    "[\\pL\\pN]{400,400}",
    "\\S{3}[^\\pL]{0,400}",
    "\\p{N}\\p{So}{0,700}",
    "[^a](\\p{L}*){400,}",
    "[\\p{L}\\p{M}]{400,}",
    "a\\PL{2,405}(?i:k)+",
    "\\p{Lu}+.?\\PL{450,}",
    "\\D\\p{Common}{900,}",
    "[^\\pL]{300,}[^\\pL]",
    "[\\p{L}\\p{M}]{300,}",
    "\\pL+\\p{Common}{450}",
    "\\P{Lu}{0,478}\\p{L}+",
    "\\D(?i:k)\\p{L}{400,}",
    "(a|bc)\\p{Lu}{300,}a",
  ],
  refused: [
    "\\pL{900,}",
    "\\pL{450,}",
    "\\pL{0,541}",
    "\\pL{0,669}",
    "\\D\\PL{900,}",
    "\\p{L}{0,450}",
    "\\PL{400,609}",
    "ab*\\pL{900,}",
    "\\P{Lu}{1000}",
    "\\PL{0,833}\\PL",
    "\\P{Lu}{0,969}",
    "\\W\\pL{0,1000}",
    "\\p{L}{900,900}",
    "\\p{L}{700,700}",
    "\\PL{1000}(?i:k)",
    "\\P{Lu}{500,866}",
    "\\p{Z}\\pL{0,700}",
    "[^\\pL]{500}\\p{L}",
    "[é-ü]ab\\PL{1000}",
    "a\\p{N}\\p{L}{900}",
    "\\p{L}\\p{Lu}{900}",
    "\\W[\\pL\\pN]{0,500}",
    "\\pL{0,500}\\p{Any}",
    "\\P{Lu}{1000,1000}",
    "\\w[^\\pL]{50,524}\\S",
    "\\PL{0,731}\\D\\p{So}",
    "[\\pL\\pN]{900}[é-ü]",
    "é{50}\\pL{1000,1000}",
    "[\\p{L}\\p{M}]{0,719}",
    "(?:\\p{L}{450,450})*",
    "\\pL{900,}(?i:k)(ab)",
    "\\S\\p{Lu}{900}(a|bc)",
    "[\\pL\\pN]{1000,1000}",
    "(a|bc)\\p{L}{700,700}",
    "\\PL{0,554}\\p{L}{500}",
    "\\w\\p{L}{0,700}\\P{Lu}",
    "\\PL+(\\P{Lu}.){900,}\\W",
    "(?:é\\pL{900,}\\p{Han})",
    "\\pL{0,701}[[:alpha:]]",
    "[\\pL\\pN][^\\pL]{1000,}",
  ],
};

describe("near the limit, what google-re2 does is between the two estimates", () => {
  test.each(LARGE.compiled)("%s is compiled, and not refused", (pattern) =>
    expect(sizeOf(pattern, leastSize)).toBeLessThanOrEqual(LARGEST_PROGRAM),
  );
  test.each(LARGE.refused)("%s is refused, and not called certain", (pattern) =>
    expect(sizeOf(pattern, mostSize)).toBeGreaterThan(LARGEST_PROGRAM),
  );
});
