import { expect, test } from "vitest";
import { kinds } from "../kinds/registry.ts";
import { readWhole } from "./guards.ts";

test("a missing policy file is an error at the line that names it", async () => {
  const read = await readWhole({
    file: "realm.yaml",
    readFile: async (path) => {
      if (path === "realm.yaml") return "version: 1\npolicy: nope.yaml\nchannels: {}\n";
      throw Object.assign(new Error("no"), { code: "ENOENT" });
    },
    kinds,
  });
  expect(read.ok ? [] : read.diagnostics).toEqual([
    {
      code: "policy/cannot-read",
      severity: "error",
      fact: { file: "nope.yaml", why: { code: "ENOENT", words: expect.any(String) } },
      at: { file: "realm.yaml", line: 2, column: 9, endLine: 2, endColumn: 18 },
    },
  ]);
});
