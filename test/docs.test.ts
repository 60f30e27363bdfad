import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "bench/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

interface Link {
  readonly page: string;
  readonly label: string;
  readonly target: string;
}

/** Links to files; addresses and anchors are not ours to check. */
function linksOf(page: string): readonly Link[] {
  const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].flatMap(([, label = "", target = ""]) =>
    /^(?:https?:|mailto:|#)/.test(target) ? [] : [{ page, label, target: target.replace(/#.*/, "") }],
  );
}

const links = pages.flatMap(linksOf);

test.each(links)("$page: $target exists", ({ page, target }) => {
  expect(existsSync(join(root, dirname(page), target))).toBe(true);
});

describe("names in links to sources are exported there", () => {
  const named = links.filter(({ label, target }) => target.endsWith(".ts") && /^`\w+`$/.test(label));

  test("there are such links", () => expect(named.length).toBeGreaterThan(30));

  test.each(named)("$label in $target", ({ page, label, target }) => {
    const source = readFileSync(join(root, dirname(page), target), "utf8");
    const name = label.replaceAll("`", "");
    expect(source).toMatch(
      new RegExp(`^export (?:async )?(?:abstract )?(?:function|const|class|interface|type) ${name}\\b`, "m"),
    );
  });
});

/** Names of measured files are those of the day (docs/internals/mutation.md); old entries of the changelog may name what is gone. */
const OF_ANOTHER_DAY: ReadonlySet<string> = new Set(["CHANGELOG.md", "docs/internals/mutation.md"]);

test("sources that pages name are there", () => {
  const missing = pages
    .filter((page) => !OF_ANOTHER_DAY.has(page))
    .flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/`((?:src|test|scripts|bench)\/[\w./-]+\.(?:ts|mjs))`/g)]
        .map(([, path = ""]) => path)
        // A placeholder: src/cli/NAME.ts
        .filter((path) => !/\b[A-Z]{2,}\b/.test(path) && !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
  expect(missing).toEqual([]);
});

describe("sources refer to documents that exist", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const mentions = sources.flatMap((source) =>
    [...readFileSync(join(root, "src", source), "utf8").matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([path]) => ({
      source,
      path,
    })),
  );

  test.each(mentions)("$source: $path", ({ path }) => expect(existsSync(join(root, path))).toBe(true));
});

describe("pages can be found", () => {
  test("the README leads to the index and to the glossary", () => {
    const targets = linksOf("README.md").map(({ target }) => target);
    expect(targets).toEqual(expect.arrayContaining(["docs/README.md", "docs/reference/glossary.md"]));
  });

  test("every page can be reached from the README, link by link", () => {
    const reached = new Set(["README.md"]);
    for (const page of reached)
      if (page.endsWith(".md") && existsSync(join(root, page)))
        for (const { target } of linksOf(page)) reached.add(join(dirname(page), target));
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });

  test("the index of the documentation names every page beside it", () => {
    const targets = new Set(linksOf("docs/README.md").map(({ target }) => target));
    const beside = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
    expect(beside.filter((name) => !targets.has(name))).toEqual([]);
  });
});

test("the glossary has each word once", () => {
  const rows = [...readFileSync(join(root, "docs/reference/glossary.md"), "utf8").matchAll(/^\| ([^|]+) \|/gm)];
  const words = rows.map(([, word = ""]) => word).filter((word) => !/^(?:word|---)$/.test(word));
  expect(words.length).toBeGreaterThan(50);
  // A noun and a verb may be the same word.
  const [nouns, verbs] = [words.slice(0, words.indexOf("validate")), words.slice(words.indexOf("validate"))];
  for (const part of [nouns, verbs]) expect(new Set(part).size).toBe(part.length);
});
