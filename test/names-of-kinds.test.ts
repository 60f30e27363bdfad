import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../src/kinds/registry.ts";

const src = join(import.meta.dirname, "../src");
/** Folders that may know kinds by name: their own, the sandbox, which has nothing from them, and the model of access. */
const HOME = /^(kinds|sandbox|access|report\/access)\//;

/**
 * Files that still know a kind by its name, and how many times: each is a fact that a facet does not say yet
 * (docs/decisions/0055-facets-of-a-kind.md). A number may only become smaller, and no file may be added.
 */
const LEFT: { readonly [file: string]: number } = {};

test("nothing but a kind's own folder knows its name", () => {
  const names = kinds.flatMap(({ name, section }) => [name, section]).filter((name) => !WORDS.has(name));
  const literal = new RegExp(`"(?:${names.join("|")})"`, "g");
  const found: { [file: string]: number } = {};
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"))) {
    if (!/\.ts$/.test(file) || /\.test\.ts$|testing\/|example-plans/.test(file) || HOME.test(file)) continue;
    const code = readFileSync(join(src, file), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
    const number = [...code.matchAll(literal)].length;
    if (number > 0) found[file] = number;
  }
  expect(found).toEqual(LEFT);
});

/** Words of English and of the format that are names of kinds, too. */
const WORDS: ReadonlySet<string> = new Set(["people", "settings", "bots", "emoji", "domain", "invite", "channel"]);
