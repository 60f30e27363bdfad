import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT_CODES } from "../../src/explain/exit-codes.ts";
import { repositoryOfFile } from "../action/runner.ts";
import { blocksOf } from "./blocks.ts";
import { Walk } from "./walk.ts";

/** docs/production.md, word by word: its commands, its files, and what it says is on the screen. */
const page = readFileSync(join(import.meta.dirname, "../../docs/production.md"), "utf8");
const blocks = blocksOf(page);
const repository = repositoryOfFile();
let walk: Walk;
beforeAll(() => {
  walk = new Walk(repository);
});
afterAll(() => walk.end());

// One after another: each step finds what the earlier ones left.
test("the path runs as shown", async () => {
  const failures: string[] = [];
  for (const block of blocks) {
    const failure = await walk.step(block).catch(String);
    if (failure !== undefined) failures.push(`docs/production.md:${block.line}: ${failure}`);
  }
  expect(failures.join("\n\n")).toBe("");
});

test("it is a path: its steps are numbered one after the other, and each says what is on the screen", () => {
  const steps = page.split(/^## (?=\d+\. )/m).slice(1);
  expect(steps.map((step) => Number.parseInt(step, 10))).toEqual(steps.map((_, at) => at + 1));
  expect(steps.slice(0, -1).filter((step) => !step.includes("**On the screen:**"))).toEqual([]);
});

test("every secret and environment that the jobs name was made on the way, and no other", () => {
  expect(walk.unused()).toEqual([]);
});

test("the last step has every exit code that a job can end with", () => {
  const red = page.slice(page.indexOf("When it is red\n"), page.indexOf("## On GitLab"));
  const codes = [...red.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
  const ofJobs = EXIT_CODES.map(({ code }) => code).filter((code) => code > 0 && code < 10);
  expect([...new Set(codes)]).toEqual(ofJobs);
});
