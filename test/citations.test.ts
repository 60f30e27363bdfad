import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/**
 * Comments, tests and pages cite the server's contract by section: `zulip-api.md §3.7`, or `§3.7` for short. `§16.5` and `§15.3.20` are items in the
 * numbered list of a section; so is `§3.3 quirk 5`.
 */
const root = join(import.meta.dirname, "..");
const contract = readFileSync(join(root, "docs/internals/zulip-api.md"), "utf8");

/** Numbers that can be cited, from the headings and the numbered lists below them. */
function sectionsOf(markdown: string): ReadonlySet<string> {
  const sections = new Set<string>();
  let section = "";
  for (const line of markdown.split("\n")) {
    const heading = /^#+ (\d+(?:\.\d+)*) /.exec(line)?.[1];
    const point = /^(\d+)\. /.exec(line)?.[1];
    if (heading !== undefined) {
      section = heading;
      sections.add(section);
    } else if (point !== undefined) sections.add(`${section}.${point}`);
  }
  return sections;
}

interface Citation {
  readonly at: string;
  readonly cited: string;
}

function citationsOf(path: string, text: string): readonly Citation[] {
  return [...text.matchAll(/§ ?(\d+(?:\.\d+)*)(?:,? quirk (\d+))?/g)].map(({ 1: section, 2: quirk, index }) => ({
    at: `${path}:${text.slice(0, index).split("\n").length}`,
    cited: quirk === undefined ? `${section}` : `${section}.${quirk}`,
  }));
}

const files = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].concat(
  ["src", "test", "docs", "scripts", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|mjs|py|md)$/.test(name) && name !== "citations.test.ts")
      .map((name) => join(folder, name)),
  ),
);
const citations = files.flatMap((path) => citationsOf(path, readFileSync(join(root, path), "utf8")));
const sections = sectionsOf(contract);

test("there are sections and citations", () => {
  expect(sections.size).toBeGreaterThan(150);
  expect(citations.length).toBeGreaterThan(300);
});

test("every cited section exists", () => {
  expect(citations.filter(({ cited }) => !sections.has(cited))).toEqual([]);
});

test("a citation of a missing section is found", () => {
  const found = citationsOf("x.ts", "// one\n// zulip-api.md §3.7, §99.1 and §3.3 quirk 5, §3.3 quirk 77 (§15.3.20)");
  expect(found.filter(({ cited }) => !sections.has(cited))).toEqual([
    { at: "x.ts:2", cited: "99.1" },
    { at: "x.ts:2", cited: "3.3.77" },
  ]);
});

describe("the page's own table of contents", () => {
  const anchors = new Set(
    [...contract.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
  const linked = [...contract.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);

  test("has working links to every chapter", () => {
    expect(linked.filter((anchor) => !anchors.has(anchor))).toEqual([]);
    expect(linked).toHaveLength([...contract.matchAll(/^## /gm)].length);
  });
});
