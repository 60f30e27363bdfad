import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "..", "..");

/**
 * Code that finds facts (except schemas and tables of operations, whose texts are documentation): sentences about them belong to their definitions and to `src/report/words/`
 * (docs/internals/decisions/0007-findings-are-facts.md).
 */
const FOLDERS = [
  "model",
  "kinds",
  "config",
  "plan",
  "apply",
  "access",
  "adopt",
  "export",
  "source",
  "zulip",
  "workflow",
  "rules",
  "action",
];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (file) => file.endsWith(".ts") && !/\.test\.ts$|(^|\/)(testing|cases|operations)\/|schemas?\.ts$/.test(file),
    )
    .map((file) => join(folder, file));

/** A description in a schema is for the published JSON Schema, like a comment. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\.describe\(\s*"(?:[^"\\]|\\.)*",?\s*\)/gm, "");

/** `message: "three words here"`, `const hint = …`, also behind a condition. */
const WORDING =
  /\b(?:message|hint|why|words)\s*[:=](?!=)(?!\s*words\()\s*[^"`;{}]{0,80}?["`](?:[^"`\n]* ){2,}[^"`\n]*["`]/;
/** `refuse("some/code", "three words here")`, also with one argument between. */
const REFUSAL = /\w\(\s*"[a-z_-]+\/[a-z-]+",\s*(?:[\w.]+,\s*)?["`](?:[^"`\n]* ){2,}[^"`\n]*["`]/;

test("a sentence about a diagnostic is written in its definition, and nowhere else", () => {
  const files = FOLDERS.flatMap(filesIn).filter((file) => !file.startsWith(join("model", "diagnostics")));
  const found = files.filter((file) => {
    const text = withoutComments(readFileSync(join(SOURCES, file), "utf8"));
    return WORDING.test(text) || REFUSAL.test(text);
  });
  expect(found).toEqual([]);
});

/** The types of facts in a file: declared ones, those of the definitions, and those of the rows of `cases`. */
const factTypes = (text: string): readonly string[] => [
  ...[...text.matchAll(/^(?:export )?(?:interface|type) \w+(?:.|\n(?! *\n))*/gm)].map(([type]) => type),
  ...[...text.matchAll(/: diagnostic<((?:.|\n)*?)>\(\{\n/g)].map(([, type = ""]) => type),
  ...[...text.matchAll(/^ +(?:"[\w-]+"|\w+): \(\s*(?:\w+|\{[^}]*\}): (\{[^}]*\})/gm)].map(([, type = ""]) => type),
];

test("every text in a fact says whether a person wrote it: `string` is not a type of facts", () => {
  const own = /\/(?:cases|values|words|definition|definitions)\.ts$/;
  const types = filesIn("model/diagnostics")
    .filter((file) => !own.test(file))
    .flatMap((file) => factTypes(withoutComments(readFileSync(join(SOURCES, file), "utf8"))));
  expect(types.length).toBeGreaterThan(400);
  expect(types.filter((type) => /\bstring\b/.test(type))).toEqual([]);
});

test("the same holds for risks and guard rails: texts are `Quoted`, all else is a word or has its own form", () => {
  const [, facts = ""] = readFileSync(join(SOURCES, "model/fact-forms.ts"), "utf8").split("const Reach");
  const [before = ""] = facts.split("export const Span");
  expect(before).toContain("Quoted");
  expect(before).not.toContain("z.string()");
});
