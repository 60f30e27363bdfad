import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

/** `...(x === undefined ? {} : { x })`, and the other way round. */
const CONDITIONAL_SPREAD =
  /\.\.\.\((?:(?!\.\.\.\(|;)[\s\S])*?\?\s*(?:\{\}\s*:\s*\{|\{(?:(?!\.\.\.\(|;)[\s\S])*?\}\s*:\s*\{\}\s*,?\s*\))/;

test.each(["...(x === undefined ? {} : { x })", "...(isNew\n  ? { made: names({ a: 1 }) }\n  : {})"])(
  "the rule on conditional spreads finds %j",
  (text) => expect(text).toMatch(CONDITIONAL_SPREAD),
);

test("what is left out of an object goes through defined(), not through a conditional spread", () => {
  expect(sources.filter(({ text }) => CONDITIONAL_SPREAD.test(text)).map(({ file }) => file)).toEqual([]);
});
