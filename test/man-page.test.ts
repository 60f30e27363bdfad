import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";

// generated-docs.test.ts checks that the page is what `npm run generate` writes.
const file = join(import.meta.dirname, "../man/realmctl.1");
const page = readFileSync(file, "utf8");

/** Small images have no groff. .ci/run installs it, so there its absence is a failure. */
const hasGroff = process.env.CI !== undefined || spawnSync("groff", ["--version"], { timeout: 10_000 }).status === 0;

test("has every command, the connection options once, variables and exit codes", () => {
  for (const { name } of COMMANDS) expect(page).toContain(`\n.SS ${name}\n`);
  expect(page.split("\\fB\\-\\-deadline\\fR \\fI<time>\\fR")).toHaveLength(2);
  expect(page).toContain("\\fBREALMCTL_DEADLINE\\fR");
  expect(page).toContain("\n.B 70\n");
});

test("begins with a minimal file, before the commands", () => {
  const file = page.slice(page.indexOf("\n.nf\n") + 5, page.indexOf("\n.fi\n"));
  expect(file).toMatch(/^version: 1\nrealm: .*\nchannels:\n/);
  expect(page.indexOf(file)).toBeLessThan(page.indexOf("\n.SH COMMANDS\n"));
});

test("no text is taken for a groff request, and no Markdown syntax is left", () => {
  const requests = page.split("\n").flatMap((line) => /^\.\S*/.exec(line) ?? []);
  const ours = new Set(['.\\"', ".B", ".I", ".PP", ".SH", ".SS", ".TH", ".TP", ".br", ".fi", ".nf"]);
  expect(requests.filter((request) => !ours.has(request))).toEqual([]);
  expect(page).not.toMatch(/^'|`|\]\(/m);
});

test.runIf(hasGroff)("groff reports no warning", () => {
  const { status, stderr, stdout } = spawnSync("groff", ["-man", "-Tutf8", "-ww", file], {
    encoding: "utf8",
    timeout: 30_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("--deadline");
});
