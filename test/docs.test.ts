import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
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

test.each(links)("$page: $target is there", ({ page, target }) => {
  expect(existsSync(join(root, dirname(page), target))).toBe(true);
});

describe("what a link to a source calls by name is exported there", () => {
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

describe("sources point at documents that exist", () => {
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

test("the index of decisions names every decision", () => {
  const files = readdirSync(join(root, "docs/decisions")).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const listed = linksOf("docs/decisions/README.md").map(({ target }) => target);
  expect(listed).toEqual(files.sort());
});
