import { expect, test } from "vitest";
import { change } from "../../test/support/example-plans.ts";
import { foldCase } from "../kinds/names.ts";
import type { Desired } from "../model/desired.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { spansIn } from "../model/span.ts";
import { diagnosticLines, diagnosticsMarkdown } from "../report/action/diagnostics.ts";
import { deletionFinder, diagnosticAnnotations } from "./annotations.ts";

const at = (line: number) => ({ file: "realm.yaml", line, column: 3, endLine: line, endColumn: 9 });

/** A base version with this number of channels, one on each line; the head version has none of them. */
function deletedChannels(number: number) {
  const declared = Array.from(
    { length: number },
    (_, index): DeclaredObject => ({
      key: foldCase(`c${index}`),
      name: `c${index}`,
      absent: false,
      fields: {},
      at: at(index + 3),
      spans: spansIn({}),
    }),
  );
  const base: Desired = { manage: {}, sections: new Map([["channels", declared]]), warnings: [] };
  const text = `version: 1\nchannels:\n${declared.map(({ name }) => `  ${name}: {description: about ${name}}\n`).join("")}`;
  return { base, text };
}

test.each([
  { head: "version: 1\nchannels:\n  c0: {description: about c0}\n", name: "c1", line: 3 },
  { head: "# new\nversion: 1\nchannels:\n  c1: {description: about c1}\n", name: "c0", line: 4 },
  { head: "", name: "c1", line: 1 },
])("$name was at line $line, which is its line now", ({ head, name, line }) => {
  const { base, text } = deletedChannels(2);
  const find = deletionFinder(base, new Map([["realm.yaml", text]]), new Map([["realm.yaml", head]]));
  expect(find(change({ action: "remove", name }))?.span.line).toBe(line);
});

test("an error that quotes 70 KB keeps its code, its reason and its check, and the errors after it", () => {
  const pattern = "(?P<a>".repeat(12_000);
  const found = [
    { code: "linkifiers/pattern", severity: "error", message: `cannot be read: ${pattern}`, hint: pattern, at: at(4) },
    { code: "channels/default-private", severity: "error", message: "privacy cannot be open", at: at(9) },
  ] as const;
  const list = diagnosticsMarkdown(found, 57_000);
  expect(list.length).toBeLessThan(20_000);
  expect(list).toContain("linkifiers/pattern");
  expect(list).toContain("cannot be read");
  expect(list).toContain("privacy cannot be open");
  expect(diagnosticLines(found).join("\n").length).toBeLessThan(6000);
  // GitHub refuses a whole check for one message of more than 64 KB.
  for (const { message } of diagnosticAnnotations(found)) expect(message.length).toBeLessThan(6000);
});
