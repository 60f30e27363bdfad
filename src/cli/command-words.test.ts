import { expect, test } from "vitest";
import { runnable } from "../report/style.ts";
import { advisedBy, connectionWords, ending, verifyWords } from "./command-words.ts";
import { CONNECTION, GUARDS, NEEDS, TARGETS } from "./flags.ts";
import { commandOf } from "./options.ts";

test("a suggested command checks the saved plan with the same signature and checksum, and has the same time limits", () => {
  expect(ending(...verifyWords({ verifyWith: "plan.key", checksum: "abc" }))).toBe(
    " --checksum abc --verify-with plan.key",
  );
  expect(ending(...verifyWords({ verifyWith: "-" }))).toBe(" --verify-with ./-");
  expect(ending(...verifyWords({}))).toBe("");
  expect(ending(...connectionWords({ timeout: 300 }))).toBe(" --timeout 300");
});

/** What a sentence advises when this command line gives it. */
function advised(line: string, sentence: string): string {
  const [name = "", ...words] = line.split(" ");
  const command = commandOf(name, [...CONNECTION, NEEDS, ...TARGETS, ...GUARDS])
    .argument("[files...]")
    .option("--snapshot <file>")
    .option("--file <file>");
  command.parse(words, { from: "user" });
  return runnable(sentence, advisedBy(command));
}

const PART = "plan org.yaml --only channels --allow removals --policy p.yaml --zuliprc rc";
test.each([
  {
    line: PART,
    says: "realmctl plan",
    to: "realmctl plan org.yaml --only channels --zuliprc rc --policy p.yaml --allow removals",
  },
  {
    line: PART,
    says: "realmctl apply",
    to: "realmctl apply org.yaml --only channels --zuliprc rc --policy p.yaml --allow removals",
  },
  { line: PART, says: "realmctl drift", to: "realmctl drift org.yaml --only channels --zuliprc rc --policy p.yaml" },
  { line: PART, says: "realmctl adopt channel:x", to: "realmctl adopt --file org.yaml --zuliprc rc channel:x" },
  { line: PART, says: "realmctl whoami", to: "realmctl whoami --zuliprc rc" },
  // The advice says itself which part.
  {
    line: PART,
    says: "realmctl apply --only settings",
    to: "realmctl apply org.yaml --zuliprc rc --policy p.yaml --allow removals --only settings",
  },
  { line: "apply --only channels --with-needs", says: "realmctl drift", to: "realmctl drift --only channels" },
  {
    line: "plan --snapshot s.json",
    says: "realmctl adopt channel:x",
    to: "realmctl adopt --snapshot s.json channel:x",
  },
  { line: "plan --snapshot s.json", says: "realmctl apply", to: "realmctl apply" },
  // The file that a saved plan was made from is not known.
  { line: "apply x.plan --zuliprc rc", says: "realmctl plan --out FILE", to: "realmctl plan --zuliprc rc --out FILE" },
  // Another `--policy`, which says what happens to objects.
  { line: "export --policy exact", says: "realmctl plan", to: "realmctl plan" },
])("advised by $line: $says", ({ line, says, to }) => expect(advised(line, says)).toBe(to));
