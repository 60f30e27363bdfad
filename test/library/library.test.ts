import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as library from "realmctl";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { blocksOf } from "../documentation/blocks.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { realmOf } from "../support/realm.ts";
import { rehearse } from "./example.ts";
import { unexportedTypes } from "./exports.ts";

let directory: string;
const said: string[] = [];
beforeEach(() => {
  directory = temporaryDirectory("library");
  said.length = 0;
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    said.push(line);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

function file(text: string): string {
  const path = join(directory, "realm.yaml");
  writeFileSync(path, text);
  return path;
}

test("every type in a signature of the library can be imported by its name", () => {
  expect(unexportedTypes("src/index.ts")).toEqual([]);
});

test("the page shows the same example that runs here", () => {
  const [block] = blocksOf(readFileSync("docs/internals/library.md", "utf8")).filter(
    ({ language }) => language === "ts",
  );
  expect(block?.text).toBe(readFileSync("test/library/example.ts", "utf8"));
});

/** Command → functions with which a program does the same; none: it stays with the commands, as the page says. */
const FUNCTIONS_OF: { readonly [command: string]: readonly string[] } = {
  init: [],
  plan: ["planRealm", "renderPlan", "renderPlanMarkdown", "renderPlanHtml", "renderPlanJson", "planFileText", "hmacOf"],
  apply: ["applyRealm", "openSavedPlan", "checkSavedPlan", "planUndo", "guardUndo", "renderResult", "renderResultJson"],
  history: [],
  sync: [],
  drift: ["driftOf", "watchDrift", "renderDrift", "renderDriftHtml", "renderDriftJson"],
  access: ["answerAccess", "answerAccessChanges", "accessMatrix"],
  test: ["answerRules", "suggestRules"],
  show: ["parsePlanFile", "openSavedPlan", "isSignedWith", "renderPlan"],
  comment: [],
  validate: ["validateRealm", "renderDiagnostics", "diagnosticsJson", "diagnosticsGithub", "diagnosticsSarif"],
  fmt: ["formatYaml"],
  export: ["exportRealm", "exportNotes"],
  adopt: ["adoptable", "adopt", "notTaken"],
  explain: ["CODES", "pageOf", "pageText"],
  snapshot: ["createClient"],
  whoami: [],
  api: ["createClient"],
  sandbox: ["createSandbox", "serve"],
  demo: [],
  completion: [],
};

test("each command has its functions, or the page says that it stays with the commands", () => {
  const page = readFileSync("docs/internals/library.md", "utf8");
  const [, stays = ""] = page.split("These stay with the commands");
  expect(Object.keys(FUNCTIONS_OF).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  for (const [command, functions] of Object.entries(FUNCTIONS_OF)) {
    if (functions.length === 0) expect(stays).toContain(`\`${command}\``);
    expect(functions.filter((name) => !(name in library) || !page.includes(`\`${name}`))).toEqual([]);
  }
});

test("the example plans, applies and exports", async () => {
  const exported = await rehearse(
    file("version: 1\nchannels:\n  lobby: {description: Who comes in}\n"),
    realmOf({}),
    directory,
  );
  expect(said.join("\n")).toMatch(/Plan: 1 to create[\s\S]*characters of HTML\napplied: \d+ calls/);
  expect(exported).toContain("description: Who comes in");
});

test("the example shows the errors of a file", async () => {
  const shown = await rehearse(file("version: 1\nchanels:\n  lobby: {}\n"), realmOf({}), directory);
  expect(shown).toMatch(/realm\.yaml:2:1/);
  expect(said).toEqual([]);
});
