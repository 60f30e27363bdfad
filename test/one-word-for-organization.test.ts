import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * People read "organization"; "realm" is a word of code and of the API (docs/reference/glossary.md). What is in quotation marks in the code, and every page
 * outside of its code spans and blocks, is read by people. The glossary says what the API calls it.
 */

const ROOT = join(import.meta.dirname, "..");
const SPOKEN =
  /\b(?:the|a|an|this|that|your|our|another|each|every|whole|one|two|several|which) realms?\b(?!\.(?:yaml|plan))/i;

const filesIn = (folder: string, end: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(end) && !path.includes(".test."))
    .map((path) => join(folder, path));
const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Texts in quotation marks, one line each, without the comments. */
function textsOf(file: string): readonly string[] {
  const code = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g)].map(([text]) => text);
}
const proseOf = (file: string): readonly string[] =>
  textOf(file)
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/`[^`\n]*`/g, "")
    .split("\n");

test("no message says realm for an organization", () => {
  const files = ["report", "cli", "explain", "kinds", "config", "plan"].flatMap((room) =>
    filesIn(`src/${room}`, ".ts"),
  );
  const found = files.flatMap((file) =>
    textsOf(file).flatMap((text) => (SPOKEN.test(text) ? [`${file}: ${text}`] : [])),
  );
  expect(files.length).toBeGreaterThan(250);
  expect(found).toEqual([]);
});

test("no page for users says it either", () => {
  const pages = [...filesIn("docs", ".md"), "README.md"].filter((file) => !/internals|glossary/.test(file));
  const found = pages.flatMap((file) =>
    proseOf(file).flatMap((line) => (SPOKEN.test(line) ? [`${file}: ${line}`] : [])),
  );
  expect(pages.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
