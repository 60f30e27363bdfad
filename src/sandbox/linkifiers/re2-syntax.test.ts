import { describe, expect, test } from "vitest";
import { readPattern } from "./re2-syntax.ts";

describe("what RE2 says about an invalid pattern", () => {
  test.each([
    ["(foo", "missing ): (foo"],
    ["(a(b)", "missing ): (a(b)"],
    ["foo)", "unexpected ): foo)"],
    ["a)b(", "unexpected ): a)b("],
    ["[a", "missing ]: [a"],
    ["x[^]", "missing ]: [^]"],
    ["*a", "no argument for repetition operator: *"],
    ["(|+?)", "no argument for repetition operator: +?"],
    ["(?i){2}", "no argument for repetition operator: {2}"],
    ["a**", "bad repetition operator: **"],
    ["a????", "bad repetition operator: ????"],
    ["a{2}{3}", "bad repetition operator: {2}{3}"],
    ["a{1001}", "invalid repetition size: {1001}"],
    ["a{3,2}", "invalid repetition size: {3,2}"],
    ["(a{100}){11}", "invalid repetition size: {11}"],
    ["(?<=a)b", "invalid perl operator: (?<="],
    ["(?!a)b", "invalid perl operator: (?!"],
    ["(?P=a)", "invalid perl operator: (?P"],
    ["(?x)", "invalid perl operator: (?x"],
    ["(?i-)", "invalid perl operator: (?i-)"],
    ["(?", "invalid perl operator: (?"],
    ["(?P<>x)", "invalid named capture group: (?P<>"],
    ["(?P<a b>x)", "invalid named capture group: (?P<a b>"],
    ["(?P<a", "invalid named capture group: (?P<a"],
    ["(a)\\1", "invalid escape sequence: \\1"],
    ["\\y", "invalid escape sequence: \\y"],
    ["\\x{110000}", "invalid escape sequence: \\x{110000"],
    ["\\xg", "invalid escape sequence: \\xg"],
    ["\\xgg", "invalid escape sequence: \\xgg"],
    ["\\", "trailing \\"],
    ["[z-a]", "invalid character class range: z-a"],
    ["[[:foo:]]", "invalid character class range: [:foo:]"],
    ["\\p{Klingon}", "invalid character class range: \\p{Klingon}"],
    ["\\pX", "invalid character class range: \\pX"],
    ["\\pL{1000}", "pattern too large - compile failed"],
    ["a|(?:[^\\pL_]{50}){10}", "pattern too large - compile failed"],
    ["\\p{Lu}{500}\\p{Ll}{500}", "pattern too large - compile failed"],
    ["\\pL{1000}(", "missing ): \\pL{1000}("],
  ])("%s: %s", (pattern, problem) => {
    expect(readPattern(pattern)).toEqual({ reason: problem });
  });
});

describe("named groups of a pattern", () => {
  test.each<[string, readonly string[]]>([
    ["plain", []],
    ["([0-9]+)", []],
    ["#(?P<id>[0-9]+)", ["id"]],
    ["(?<named>[a-z]+)", ["named"]],
    ["(?P<a>x)(?P<a>y)", ["a"]],
    ["(?P<1a>x)", ["1a"]],
    ["(?P<größe>x)", ["größe"]],
    ["(?i:(?P<a>x))|(?P<b>y)", ["a", "b"]],
    ["[]a](?P<n>[^\\]]{1,4})", ["n"]],
    ["\\Q(?P<no>\\E(?P<yes>x)", ["yes"]],
    ["\\p{Greek}\\PN[[:alpha:]-]\\_{,3}{", []],
    ["(?:)*(a*)*^*", []],
    ["\\pL{400}", []],
    ["\\w{1000}.{1000}[^a]{1000}\\p{Greek}{1000}\\pL*", []],
  ])("%s", (pattern, groups) => {
    expect(readPattern(pattern)).toMatchObject({ groups });
  });
});

test.each([
  ["(?P<a>x)(?P<a>y)|(?<1b>z)", "(?P<g0>x)(?P<g1>y)|(?<g2>z)"],
  ["\\(?P<[(?P<a>]", "\\(?P<[(?P<a>]"],
])("%s, for a library that is strict about names, is %s", (pattern, renamed) => {
  expect(readPattern(pattern)).toMatchObject({ renamed });
});
