import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generatedDocs, WRITTEN } from "../scripts/generated-docs.ts";
import { readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import { liveObjects } from "../src/model/kind.ts";
import { Realm } from "../src/model/realm.ts";
import { casesOf } from "./support/cases.ts";
import { lookAt } from "./support/pictures.ts";

const root = join(import.meta.dirname, "..");
const files = await generatedDocs(root);

/** Fields that every reading shows, of each kind, in any of the cases' organizations. */
const SEEN = new Map<string, Set<string>>(kinds.map(({ name }) => [name, new Set()]));
for (const { live } of casesOf())
  for (const kind of kinds)
    for (const { fields } of liveObjects(kind, new Realm(live)) ?? [])
      for (const field of Object.keys(fields)) SEEN.get(kind.name)?.add(field);

/** Fields that name an object, or say how to find it: neither is a value of the object. */
const INSTRUCTIONS = new Set([
  ...["was", "id", "absent", "replaces", "replace", "overrides_builtin", "lift_restriction", "send_until"],
  ...["name", "emails", "channel", "pattern", "language"],
]);

test("pages and examples are as `npm run generate` writes them", () => {
  const stale = [...files].filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text,
  );
  expect(stale.map(([path]) => path)).toEqual([]);
});

test.each(["docs/diagnostics", "docs/reference"])("%s holds no outdated page", (directory) => {
  const pages = readdirSync(join(root, directory), { recursive: true, encoding: "utf8" });
  expect(
    pages
      .map((name) => `${directory}/${name}`)
      .filter((path) => path.endsWith(".md") && !files.has(path) && !WRITTEN.has(path)),
  ).toEqual([]);
});

describe.each(kinds.map((kind) => ({ section: kind.section, kind })))("$section", ({ section, kind }) => {
  const notes = kind.docs;

  test("gives the initial value of every field in a new object", () => {
    expect(Object.keys(kind.file.fields).filter((field) => notes.defaults[field] === undefined)).toEqual([]);
  });

  test("says who may change the fields", () => {
    const page = files.get(`docs/reference/${section}.md`) ?? "";
    for (const [field, who] of Object.entries(notes.whoMay ?? {})) {
      expect(page).toContain(`${field}\` | ${who} |`);
      expect(field in kind.file.fields || field in notes.defaults).toBe(true);
    }
  });

  test("says what is compared instead of every field that the API does not return", () => {
    const page = files.get(`docs/reference/${section}.md`) ?? "";
    const unseen = Object.entries(notes.unseen ?? {});
    for (const [field, compared] of unseen) expect(page).toContain(`| \`${field}\` | ${compared} |`);
    const pictures = Object.keys(kind.file.fields).filter((field) => kind.file.fields[field]?.isPicture === true);
    const hidden = [...page.matchAll(/^\| `(?:permissions\.)?(\w+)`[^|]*\| /gm)]
      .flatMap(([, field = ""]) => field)
      .filter((field) => !INSTRUCTIONS.has(field) && !SEEN.get(kind.name)?.has(field));
    expect(unseen.map(([field]) => field).sort()).toEqual([...new Set([...hidden, ...pictures])].sort());
  });

  test("has a valid example of this section", async () => {
    const text = `version: 1\n${notes.example}\n`;
    const read = await readConfig({ file: "realm.yaml", readFile: async () => text, lookAt, kinds });
    expect(read.ok ? [] : read.diagnostics).toEqual([]);
    expect(read.ok && read.value.sections.get(section)?.length).toBeGreaterThan(0);
  });
});

test("most codes have an example from a real run", () => {
  const pages = [...files].filter(([path]) => /^docs\/diagnostics\/.*\/.*\.md$/.test(path));
  expect(pages.filter(([, text]) => text.includes("## Example")).length).toBeGreaterThan(110);
});
