import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { arrowsOf, patternOf, rulesOf } from "../scripts/arrows.mjs";

/** `npm run arrows` holds src/ against CONTRIBUTING's table; here is what shows that it would find something. */
const root = join(import.meta.dirname, "..");
const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const arrows = arrowsOf(contributing);
const folders = arrows.map(({ folder }) => folder);

test("the table names every folder and every file of src/, and nothing that does not exist", () => {
  const entries = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter(({ name }) => !name.endsWith(".test.ts"))
    .map((entry) => `src/${entry.name}${entry.isDirectory() ? "/" : ""}`);
  const isNamed = (entry: string): boolean =>
    folders.some((folder) => folder === entry || new RegExp(patternOf(folder)).test(entry));
  expect(entries.filter((entry) => !isNamed(entry))).toEqual([]);
  const isThere = (folder: string): boolean =>
    entries.some((entry) => entry === folder.replace("<kind>/", "") || new RegExp(patternOf(folder)).test(entry));
  expect(folders.filter((folder) => !isThere(folder))).toEqual([]);
});

const Cruised = z.object({
  summary: z.object({
    violations: z.array(z.object({ rule: z.object({ name: z.string() }), from: z.string(), to: z.string() })),
  }),
});

/** The rules that the files given break, each as `rule: from → to`. */
function broken(files: { readonly [path: string]: string }): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), "realmctl-arrows-"));
  try {
    const all = {
      "node_modules/yaml/package.json": '{"name": "yaml", "main": "index.js"}',
      "node_modules/yaml/index.js": "",
      "src/model/plan.ts": "export interface Plan {}",
      "src/version.ts": "export const V = 1;",
      ...files,
    };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    const options = { parser: "swc", tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" } };
    writeFileSync(join(directory, "rules.json"), JSON.stringify({ forbidden: rulesOf(arrows), options }));
    const command = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
    const args = [command, "--config", "rules.json", "--output-type", "json", "src"];
    const { stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" });
    const { violations } = Cruised.parse(JSON.parse(stdout)).summary;
    return violations.map(({ rule, from, to }) => `${rule.name.replace(/.*:/, "")}: ${from} → ${to}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("an import that the table does not allow is found", () => {
  test.each<{ name: string; files: { [path: string]: string }; found: string[] }>([
    {
      name: "the plan imports the command line",
      files: { "src/plan/a.ts": 'import { b } from "../cli/b.ts"; b();', "src/cli/b.ts": "export const b = () => 1;" },
      found: ["src/plan/: src/plan/a.ts → src/cli/b.ts"],
    },
    {
      name: "the plan imports only a type of it",
      files: {
        "src/plan/a.ts": 'import type { B } from "../cli/b.ts"; export type A = B;',
        "src/cli/b.ts": "export type B = 1;",
      },
      found: ["src/plan/: src/plan/a.ts → src/cli/b.ts"],
    },
    {
      name: "one kind imports another one",
      files: {
        "src/kinds/x/a.ts": 'import { b } from "../y/b.ts"; b();',
        "src/kinds/y/b.ts": 'export { c as b } from "./c.ts";',
        "src/kinds/y/c.ts": "export const c = () => 1;",
      },
      found: ["src/kinds/<kind>/: src/kinds/x/a.ts → src/kinds/y/b.ts"],
    },
    {
      name: "the sandbox imports a kind",
      files: {
        "src/sandbox/a.ts": 'import { k } from "../kinds/k.ts"; k();',
        "src/kinds/k.ts": "export const k = () => 1;",
      },
      found: ["src/sandbox/: src/sandbox/a.ts → src/kinds/k.ts"],
    },
    {
      name: "the core reads a file",
      files: { "src/plan/a.ts": 'import { readFileSync } from "node:fs"; readFileSync("x");' },
      found: ["src/plan/: src/plan/a.ts → fs"],
    },
    {
      name: "a third-party package",
      files: { "src/config/a.ts": 'import { parse } from "yaml"; parse("");' },
      found: ["src/config/: src/config/a.ts → node_modules/yaml/index.js"],
    },
    {
      name: "a folder without a row",
      files: { "src/nouveau/a.ts": 'import { V } from "../version.ts"; export default V;' },
      found: ["no-row-in-CONTRIBUTING: src/nouveau/a.ts → src/version.ts"],
    },
    {
      name: "an import that the table allows",
      files: {
        "src/plan/a.ts":
          'import type { Plan } from "../model/plan.ts"; import { b } from "./b.ts"; export type A = Plan; b();',
        "src/plan/b.ts": "export const b = () => 1;",
        "src/cli/c.ts":
          'import { b } from "../plan/b.ts"; import { readFileSync } from "node:fs"; readFileSync(String(b()));',
      },
      found: [],
    },
  ])("$name", ({ files, found }) => expect(broken(files)).toEqual(found));
});
