import { expect, test } from "vitest";
import { matchesWildcard } from "./wildcard.ts";

const STARS = "*a".repeat(200);

test.each([
  ["", "", true],
  ["", "a", false],
  ["*", "", true],
  ["?", "", false],
  ["abc", "abc", true],
  ["abc", "abcd", false],
  ["abcd", "abc", false],
  ["a*c", "abbc", true],
  ["a*c", "abcb", false],
  ["*b*", "abc", true],
  ["a*bc", "abbbc", true],
  ["*.yaml", "x.yaml.yaml", true],
  ["**", "anything", true],
  ["?", "\u{1f600}", true],
  ["??", "\u{1f600}", false],
  ["a?c", "a\nc", true],
  ["a*", "*", false],
  ["[ab].+", "a.", false],
  ["[ab].+", "[ab].+", true],
  // Patterns with which a regular expression would never finish.
  [`${"*".repeat(60)}x`, "y".repeat(500), false],
  [STARS, "a".repeat(199), false],
  [STARS, "a".repeat(400), true],
])("%j, %j: %j", (pattern, text, matches) => expect(matchesWildcard(pattern, text)).toBe(matches));
