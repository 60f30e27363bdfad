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

/** Names that docs/glossary.md has another word for. */
const OLD_NAMES = [
  "accepts",
  "beFresh",
  "dormant",
  "excessOf",
  "Held",
  "hit",
  "knot",
  "knotOf",
  "landed",
  "loosened",
  "lostAnew",
  "putAway",
  "reached",
  "ring",
  "ringOf",
  "rings",
  "sleeps",
  "strangeIn",
  "Thing",
  "told",
  "unsaid",
  "wakes",
  "wants",
];

/** The code without comments and texts. */
const bare = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replaceAll(/`(?:[^`\\$]|\\.|\$(?!\{))*`/g, "``");

test("one word for one thing: the names that the glossary replaced stay gone", () => {
  const names = OLD_NAMES.join("|");
  // Where something is named so, not in a sentence.
  const old = new RegExp(
    `\\b(?:const|let|function|type|interface|readonly) (?:${names})\\b|(?<=[{,(;]\\s*)(?:${names})(?:\\(|\\??:)`,
    "g",
  );
  const found = sources
    .filter(({ file }) => !file.startsWith("sandbox/"))
    .flatMap(({ file, text }) => [...bare(text).matchAll(old)].map(([name]) => `${file}: ${name}`));
  expect([...new Set(found)]).toEqual([]);
  expect(bare('const hit = `${told} // "ring"`; // wants')).toMatch(old);
});

test("a comment on a declaration stands on its own: none goes on from the one before", () => {
  expect(sources.filter(({ text }) => /\/\*\*\s*(?:\*\s*)?…/.test(text)).map(({ file }) => file)).toEqual([]);
});

test("no text was committed in the middle of a merge", () => {
  const root = join(import.meta.dirname, "..");
  const texts = ["", "docs", "docs/decisions", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: "utf8" })
      .filter((name) => /\.(?:md|ya?ml)$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((name) => /^(?:<{7}|>{7}) /m.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
