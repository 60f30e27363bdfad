import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../src/kinds/registry.ts";

const src = join(import.meta.dirname, "../src");

/** Folders that know kinds by name: their own, the sandbox, which has nothing from them, and the words of each kind's diagnostics. */
const HOME = /^(kinds|sandbox|report\/words\/diagnostics)\//;

/**
 * Files with words that are the names of kinds, too, how many and why. None of them decides anything by the kind of an object: where that seems to
 * be needed, a facet is missing (docs/decisions/0055-facets-of-a-kind.md).
 */
const EXCEPTIONS: { readonly [file: string]: readonly [number: number, why: string] } = {
  "access/scope.ts": [4, "rights are held on channels, groups and the organization: what plans and files call those"],
  "action/reviewed.ts": [
    1,
    "the sign of an id, in what is hashed and shown to nobody: other text would be another approval",
  ],
  "config/synonyms.ts": [5, "what people write for a field, whatever it is that has it"],
  "config/variable-types.ts": [2, "types of variables, as `vars:` names them: a value of the type `channel` is a name"],
  "zulip/snapshot.ts": [3, "the API's names of events"],
  "zulip/operations/messages-and-server.ts": [3, "the API's words for where a message goes"],
};

test("nothing but a kind's own folder knows its name", () => {
  const names = kinds.flatMap(({ name, section }) => [name, section]).filter((name) => !WORDS.has(name));
  // "channel", and `channel:${name}` or "channel:", which are addresses.
  const literal = new RegExp(`["\`](?:${names.join("|")})(?:"|:"|:\\$\\{)`, "g");
  const found: { [file: string]: number } = {};
  for (const path of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    const file = path.replaceAll("\\", "/");
    if (!/\.ts$/.test(file) || /\.test\.ts$|testing\/|example-plans/.test(file) || HOME.test(file)) continue;
    const code = readFileSync(join(src, file), "utf8")
      .replace(/^\s*(\/\/|\/?\*).*$/gm, "")
      // "3 channels" in a sentence: a noun of English.
      .replace(/\bcount\([^,()]+(?:, "[a-z ]+")+\)/g, "");
    const number = [...code.matchAll(literal)].length;
    if (number > 0) found[file] = number;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(EXCEPTIONS).map(([file, [number]]) => [file, number])));
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
