import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Help and prompts have their texts here; diagnostics have theirs in src/model/diagnostics (docs/internals/decisions/0007-findings-are-facts.md). */
test("commands return facts: none of them contains the text of a diagnostic", () => {
  const worded = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => {
      const text = readFileSync(join(import.meta.dirname, name), "utf8");
      return /severity: "(error|warning)",\s*message|\bcode: "[a-z_-]+\/[a-z-]+",\s*(severity|message)|WordedDiagnostic/.test(
        text,
      );
    });
  expect(worded).toEqual([]);
});
