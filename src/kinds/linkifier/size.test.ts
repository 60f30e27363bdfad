import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { sizeOf } from "./size.ts";

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
