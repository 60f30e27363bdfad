import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { blocksOf } from "../documentation/blocks.ts";
import { realmOf } from "../support/realm.ts";
import { rehearse } from "./example.ts";
import { unexportedTypes } from "./exports.ts";

let directory: string;
const said: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "realmctl-library-"));
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
  const [block] = blocksOf(readFileSync("docs/library.md", "utf8")).filter(({ language }) => language === "ts");
  expect(block?.text).toBe(readFileSync("test/library/example.ts", "utf8"));
});

test("the example plans, applies and exports", async () => {
  const exported = await rehearse(
    file("version: 1\nchannels:\n  lobby: {description: Who comes in}\n"),
    realmOf({}),
    directory,
  );
  expect(said.join("\n")).toMatch(/1 channel created[\s\S]*characters of HTML\napplied: \d+ calls/);
  expect(exported).toContain("description: Who comes in");
});

test("the example shows the errors of a file", async () => {
  const shown = await rehearse(file("version: 1\nchanels:\n  lobby: {}\n"), realmOf({}), directory);
  expect(shown).toMatch(/realm\.yaml:2:1/);
  expect(said).toEqual([]);
});
