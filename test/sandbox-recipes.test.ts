import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshotOf } from "../src/rehearsal/rehearse.ts";
import { createSandbox } from "../src/sandbox/index.ts";
import { snapshotText } from "../src/zulip/snapshot.ts";
import { blocksOf } from "./documentation/blocks.ts";

/** The recipe in docs/sandbox.md for tests of a Node project, run as it is written there; test/python/test_recipes.py runs the recipe for Python. */
const page = readFileSync(join(import.meta.dirname, "../docs/sandbox.md"), "utf8");
const AsyncFunction: new (...source: string[]) => (...given: unknown[]) => Promise<unknown> = Object.getPrototypeOf(
  async () => {},
).constructor;

test("a sandbox in the tests of a Node project", async () => {
  const [recipe, another] = blocksOf(page).filter(
    ({ language, text }) => language === "ts" && text.includes("createSandbox"),
  );
  expect([recipe === undefined, another]).toEqual([false, undefined]);
  const text = recipe?.text ?? "";
  // Provides its import: the library, under the name by which users import it.
  expect(text).toContain('import { createSandbox } from "realmctl";');
  const body = text.replace(/^import .*$/gm, "");
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "recordings/realm.json"), "utf8"));
  const snapshot = snapshotText(await snapshotOf(createSandbox({ from: recorded }), Date.UTC(2026, 10, 22)));
  const given = { createSandbox: (await import("realmctl")).createSandbox, readFileSync: () => snapshot };
  const run = new AsyncFunction(...Object.keys(given), `${body}\nreturn answer;`);
  const answer = await run(...Object.values(given));
  expect(answer).toBeInstanceOf(Response);
  if (!(answer instanceof Response)) return;
  expect(JSON.parse(await answer.text())).toMatchObject({ result: "success", full_name: "Ada Okafor", is_owner: true });
});
