import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAccountKind } from "../src/access/scope.ts";
import { kinds } from "../src/kinds/registry.ts";

const src = join(import.meta.dirname, "../src");

/** Folders that know kinds by name: the kinds' own, and the sandbox, which imports nothing from them. */
const HOME = /^(kinds|sandbox)\//;
/** A kind's diagnostics are in a file named after its section: that file may contain the name of that kind, and of no other. */
const OWN_WORDS = new Map(
  kinds.map(({ name, section }) => [`model/diagnostics/${section.replaceAll("_", "-")}.ts`, [name, section]]),
);

/**
 * Files with names of kinds, how many, and why: words of published formats and of the API. Where code seems to need the name of a kind, a facet is
 * missing (docs/internals/decisions/0029-a-kind-is-facets-in-one-folder.md).
 */
const EXCEPTIONS: { readonly [file: string]: readonly [number: number, why: string] } = {
  "access/scope.ts": [
    16,
    "what has rights, holds rights or gives rights, as plans and files call it: reports read a saved plan without the kinds",
  ],
  "model/facets.ts": [1, "groups stand in permissions and in lists of people of every kind"],
  "report/plan-entries.ts": [1, "what mails is never left out of a plan: a test compares it with the kinds that mail"],
  "report/object-names.ts": [2, "plurals of English that do not end in s"],
  "zulip/snapshot.ts": [3, "the API's names of events"],
  "model/diagnostics/policies.ts": [1, "an example of a protection"],
  "zulip/operations/messages-and-server.ts": [3, "the API's words for where a message goes"],
};

/** English words that are also names of kinds, and the files that mean only the word. `count(3, "channel")` needs no line. */
const WORDS: { readonly [word: string]: { readonly why: string; readonly files: readonly string[] } } = {
  person: {
    why: "somebody: a form in the JSON Schema, a column of CSV, a value of a rule, advice about an address",
    files: ["config/issues.ts", "config/schema-sharing.ts", "report/access/csv.ts", "rules/schema.ts"],
  },
  people: {
    why: "several of them: a form in the JSON Schema, those who hold a right, what people write for everybody",
    files: ["config/schema-sharing.ts", "model/names-meant.ts", "rules/check.ts"],
  },
  channels: { why: "what people write as a command", files: ["model/diagnostics/called-here.ts"] },
  bot: {
    why: "a note behind the name of an account, a column of CSV",
    files: ["report/access/csv.ts", "report/words/names.ts"],
  },
  bots: { why: "a field of rules", files: ["rules/read.ts"] },
  invite: { why: "the word of a right in rules", files: ["access/words.ts", "model/permission-settings.ts"] },
  domain: { why: "a restriction to domains, in risks of a plan", files: ["model/fact-forms.ts"] },
};

/** File → the names of kinds in it, each as often as it occurs. */
function namesByFile(): ReadonlyMap<string, readonly string[]> {
  const names = kinds.flatMap(({ name, section }) => [name, section]);
  // "channel", and addresses: `channel:${name}` or "channel:", "settings:organization", `bot:#${id}`. An example in a sentence is none.
  const literal = new RegExp(`["\`](${names.join("|")})(?:"|:"|:#|:\\$\\{|:organization")`, "g");
  const found = new Map<string, readonly string[]>();
  for (const path of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    const file = path.replaceAll("\\", "/");
    if (!/\.ts$/.test(file) || /\.test\.ts$/.test(file) || HOME.test(file)) continue;
    const code = readFileSync(join(src, file), "utf8")
      .replace(/^\s*(\/\/|\/?\*).*$/gm, "")
      .replace(/\/\/ .*$/gm, "")
      // Members of types.
      .replace(/\b(?:Omit|Pick)<[^<>]*>|(?<=\w)\["\w+"\]/g, "")
      // "3 channels" in a sentence: a noun of English.
      .replace(/\bcount\([^,()]+(?:, "[a-z ]+")+\)/g, "");
    const own = OWN_WORDS.get(file) ?? [];
    found.set(
      file,
      [...code.matchAll(literal)].map(([, name]) => String(name)).filter((name) => !own.includes(name)),
    );
  }
  return found;
}

describe("only a kind's own folder contains its name", () => {
  const found = namesByFile();

  test("these are the only exceptions", () => {
    const counts: { [file: string]: number } = {};
    for (const [file, names] of found) {
      const all = file in EXCEPTIONS ? names : names.filter((name) => WORDS[name]?.files.includes(file) !== true);
      if (all.length > 0) counts[file] = all.length;
    }
    expect(counts).toEqual(Object.fromEntries(Object.entries(EXCEPTIONS).map(([file, [number]]) => [file, number])));
  });

  test("no exception is out of date", () => {
    const unused = Object.entries(WORDS).flatMap(([word, { files }]) =>
      files.filter((file) => found.get(file)?.includes(word) !== true).map((file) => `${word}: ${file}`),
    );
    expect(unused).toEqual([]);
  });
});

test("the kinds that access treats as accounts are the kinds of accounts", () => {
  const accounts = kinds.filter(({ name }) => isAccountKind(name)).map(({ name }) => name);
  expect(accounts).toEqual(kinds.filter(({ isAccount }) => isAccount === true).map(({ name }) => name));
});
