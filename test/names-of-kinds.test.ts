import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../src/kinds/registry.ts";

const src = join(import.meta.dirname, "../src");
/**
 * Folders that may know kinds by name: their own, the sandbox, which has nothing from them, the model and the rules of access, which are about channels
 * and groups, and the diagnostics of each kind with their words.
 */
const HOME = /^(kinds|sandbox|access|rules|report\/(access|rules)|(model|report\/words)\/diagnostics)\//;

/**
 * Files that still know a kind by its name, and how many times: each is a fact that a facet does not say yet
 * (docs/decisions/0055-facets-of-a-kind.md). A number may only become smaller, and no file may be added.
 */
const LEFT: { readonly [file: string]: number } = {
  "action/snapshot.ts": 1,
  "adopt/adopt.ts": 1,
  "cli/access.ts": 2,
  "cli/init.ts": 2,
  "cli/init/limits.ts": 18,
  "cli/snapshot.ts": 2,
  "config/profiles.ts": 1,
  "config/synonyms.ts": 3,
  "config/variable-types.ts": 2,
  "export/export.ts": 1,
  "export/text.ts": 2,
  "model/renames.ts": 3,
  "plan/exposure-rights.ts": 6,
  "plan/guard-access.ts": 4,
  "plan/hanging.ts": 1,
  "report/access.ts": 1,
  "report/html-access.ts": 3,
  "report/html.ts": 1,
  "report/layout.ts": 1,
  "report/markdown.ts": 1,
  "report/redact.ts": 3,
  "report/result.ts": 1,
  "report/undo-notes.ts": 1,
  "report/words/risks.ts": 2,
  "source/load.ts": 1,
  "report/words/accounts.ts": 2,
  "workflow/rules.ts": 1,
  "zulip/operations/messages-and-server.ts": 3,
  "zulip/snapshot.ts": 3,
};

test("nothing but a kind's own folder knows its name", () => {
  const names = kinds.flatMap(({ name, section }) => [name, section]).filter((name) => !WORDS.has(name));
  const literal = new RegExp(`"(?:${names.join("|")})"`, "g");
  const found: { [file: string]: number } = {};
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll("\\", "/"),
  )) {
    if (!/\.ts$/.test(file) || /\.test\.ts$|testing\/|example-plans/.test(file) || HOME.test(file)) continue;
    const code = readFileSync(join(src, file), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
    const number = [...code.matchAll(literal)].length;
    if (number > 0) found[file] = number;
  }
  const more = Object.entries(found).filter(([file, number]) => number > (LEFT[file] ?? 0));
  expect(more).toEqual([]);
  expect(Object.keys(LEFT).filter((file) => found[file] === undefined)).toEqual([]);
});

/** Words of English and of the format that are names of kinds, too. */
const WORDS: ReadonlySet<string> = new Set([
  "people",
  "settings",
  "bots",
  "emoji",
  "domain",
  "invite",
  "person",
  "bot",
]);
