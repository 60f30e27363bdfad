import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/**
 * Records of decisions: few, each true today. Code, tests and pages for developers name them by path or number; pages for users give the reason instead.
 */
const root = join(import.meta.dirname, "..");
const folder = "docs/internals/decisions";
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const names = readdirSync(join(root, folder))
  .filter((name) => name !== "README.md")
  .sort();
const numbers = new Set(names.map((name) => Number(name.slice(0, 4))));

const NOT_OURS = /(?:^|\/)(?:node_modules|dist|\.pages|\.cache|decisions\.test\.ts)(?:\/|$)/;
const TEXT = /\.(?:ts|mjs|js|md|py|ya?ml|json|sh|1)$/;

const files = ["", "src", "test", "docs", "scripts", "bench", "examples", "site", "man", "schemas", ".ci", ".github"]
  .flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: directory !== "", encoding: "utf8" }).map((name) =>
      join(directory, name),
    ),
  )
  .filter((path) => (TEXT.test(path) || path === ".ci/run") && !NOT_OURS.test(path))
  .filter((path) => statSync(join(root, path)).isFile());

const isForUsers = (path: string): boolean =>
  /^(?:README|SECURITY|CHANGELOG)\.md$|^(?:docs|man|examples|schemas|site)\//.test(path) &&
  !path.startsWith("docs/internals/");

const MENTION = /\bdecisions? (?:number )?\(?(\d{1,4})\b/gi;
const PATH = /decisions\/(\d{4}[\w-]*(?:\.md)?)/g;

/** What a text says about decisions that is not so. */
function wrongIn(path: string, text: string): readonly string[] {
  const missing = [...text.matchAll(PATH)].flatMap(([, name = ""]) => (names.includes(name) ? [] : [name]));
  const mentions = [...text.matchAll(MENTION)];
  const unknown = mentions.flatMap(([words, number]) => (numbers.has(Number(number)) ? [] : [words]));
  const told = isForUsers(path) ? mentions.map(([words]) => `${words} (say the reason)`) : [];
  const elsewhere = /\bdocs\/decisions\b/.test(`${path} ${text}`) ? [`not in ${folder}`] : [];
  return [...missing, ...unknown, ...told, ...elsewhere].map((wrong) => `${path}: ${wrong}`);
}

test("there are at most 35, numbered one after the other, and the index has each with its title", () => {
  expect(names.length).toBeGreaterThan(20);
  expect(names.length).toBeLessThanOrEqual(35);
  expect([...numbers]).toEqual(names.map((_, index) => index + 1));
  const rows = names.map((name) => {
    const title = /^# (\d+)\. (.+)\n/.exec(read(join(folder, name)));
    expect(Number(title?.[1]), name).toBe(Number(name.slice(0, 4)));
    return `| [${name.slice(0, 4)}](${name}) | ${title?.[2]} |`;
  });
  expect(read(join(folder, "README.md")).match(/^\| \[.*$/gm)).toEqual(rows);
});

describe.each(names)("%s", (name) => {
  const text = read(join(folder, name));

  test("says what was decided, why, and what it costs", () =>
    expect([...text.matchAll(/^## (\w+)/gm)].map(([, heading]) => heading)).toEqual(["Decided", "Why", "Costs"]));

  test("names code that exists", () =>
    expect(
      [...text.matchAll(/`((?:src|test|scripts|bench|docs)\/[^` ]*)`/g)].flatMap(([, path = ""]) =>
        existsSync(join(root, path)) ? [] : [path],
      ),
    ).toEqual([]));
});

test("every reference names a record, and pages for users name none by number", () => {
  expect(files.length).toBeGreaterThan(2_000);
  const texts = files.map((path) => ({ path, text: read(path) }));
  expect(texts.filter(({ text }) => text.match(PATH) !== null).length).toBeGreaterThan(40);
  expect(texts.flatMap(({ path, text }) => wrongIn(path, text))).toEqual([]);
});

test.each([
  ["src/x.ts", "// docs/internals/decisions/0001-no-state-file.md, decision 2", []],
  ["src/x.ts", "// docs/internals/decisions/0001-a-state-file.md", ["src/x.ts: 0001-a-state-file.md"]],
  ["src/x.ts", "// (docs/internals/decisions/0001)", ["src/x.ts: 0001"]],
  ["src/x.ts", "// decision 99", ["src/x.ts: decision 99"]],
  ["docs/policy.md", "([Decision 2](x))", ["docs/policy.md: Decision 2 (say the reason)"]],
  ["docs/decisions/0034-one-more.md", "", ["docs/decisions/0034-one-more.md: not in docs/internals/decisions"]],
])("a wrong reference is found: %s, %s", (path, text, found) => expect(wrongIn(path, text)).toEqual(found));
