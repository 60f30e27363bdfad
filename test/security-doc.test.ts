import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/internals/threats.md"), "utf8");
const rows = [...page.matchAll(/^\| (.+) \| (.+) \| ([^|]+) \|$/gm)]
  .map(([, threat = "", , tests = ""]) => ({ threat, tests }))
  .filter(({ threat }) => threat !== "threat" && threat !== "---");

test("the tables have rows", () => expect(rows.length).toBeGreaterThan(50));

test.each(rows)("$threat: each test exists in the file that the row names, under that name", ({ tests }) => {
  const named = [...tests.matchAll(/`([^`]+)` ((?:"[^"]+"(?:, )?)+)/g)];
  // Nothing else is in the cell: no file without a test name, no test name without a file.
  expect(tests.replaceAll(/`([^`]+)` ((?:"[^"]+"(?:, )?)+)/g, "")).toBe("");
  for (const [, file = "", quoted = ""] of named) {
    expect(file).toMatch(/^(?:src|test)\/.+\.test\.ts$/);
    expect(existsSync(join(root, file)), file).toBe(true);
    const text = readFileSync(join(root, file), "utf8");
    for (const [, name = ""] of quoted.matchAll(/"([^"]+)"/g)) expect(text, `${file} ${name}`).toContain(name);
  }
});
