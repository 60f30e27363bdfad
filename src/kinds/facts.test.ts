import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The requirements of a schema for a value are a fact (`src/model/value-form.ts`); its sentence is in src/model/diagnostics/fields.ts. */
test.each(["kinds", "config"])("no schema and no check in src/%s has the text of an error", (folder) => {
  const root = join(import.meta.dirname, "..", folder);
  const worded = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => /\b(error|message): *(\(|["`])/.test(readFileSync(join(root, name), "utf8")));
  expect(worded).toEqual([]);
});
