import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../../test/support/cli/command-line.ts";
import { COMMANDS } from "../commands.ts";
import { bashReply, splitLine } from "../completion.ts";
import { FILES, SCRIPTS, SHELLS } from "./scripts.ts";

const files = {
  "realm.yaml": `version: 1
channels:
  leadership: {}
  launch plans: {}
user_groups:
  staff: { members: [hana@example.org] }
`,
  "broken.yaml": "channels: [",
};
/** The answers for fish and zsh; values only. */
async function at(...words: readonly string[]): Promise<readonly string[]> {
  const { out, err, exitCode } = await runCommandLine(["completion", "fish", "--words", "--", ...words], { files });
  expect([err, exitCode]).toEqual(["", 0]);
  return out.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
}

describe("the candidates at the cursor", () => {
  test.each<{ words: readonly string[]; is: readonly string[] }>([
    { words: ["va"], is: ["validate"] },
    { words: ["help", "va"], is: ["validate"] },
    { words: ["--he"], is: ["--help"] },
    { words: ["apply", "--sign"], is: [] },
    { words: ["apply", "--timeo"], is: ["--timeout"] },
    { words: ["--verbose", "apply", "--timeo"], is: ["--timeout"] },
    { words: ["plan", "--format", ""], is: ["text", "json", "html"] },
    { words: ["plan", "--format", "j"], is: ["json"] },
    { words: ["plan", "--format=j"], is: ["--format=json"] },
    { words: ["plan", "--out", ""], is: [FILES] },
    { words: ["plan", "realm.yaml", ""], is: [FILES] },
    { words: ["show", "realm.plan", ""], is: [] },
    { words: ["plan", "--site", ""], is: [] },
    { words: ["validate", ""], is: [FILES] },
    { words: ["fmt", "a.yaml", ""], is: [FILES] },
    { words: ["completion", ""], is: [...SHELLS] },
    { words: ["access", "#l"], is: ["#leadership", "#launch plans"] },
    { words: ["access", "user_"], is: ["user_group:staff"] },
    { words: ["access", "--file", "realm.yaml", "#le"], is: ["#leadership"] },
    { words: ["access", "--file", "broken.yaml", "#le"], is: [] },
    { words: ["access", "h"], is: ["hana@example.org"] },
    { words: ["access", "--as", "g"], is: ["guest"] },
    { words: ["access", "--groups", ""], is: ["staff"] },
    { words: ["access", "--right", "po"], is: ["post"] },
    { words: ["adopt", "#lead"], is: ["#leadership"] },
    { words: ["explain", "reference/unknown-g"], is: ["reference/unknown-group"] },
    { words: ["api", "get-user-g"], is: ["get-user-groups", "get-user-group-members", "get-user-group-subgroups"] },
    { words: ["nothing", ""], is: COMMANDS.map(({ name }) => name) },
  ])("$words", async ({ words, is }) => {
    expect(await at(...words)).toEqual(is);
  });

  test("every command has words for its options, and completing never runs a command", async () => {
    for (const { name } of COMMANDS) expect(await at(name, "--no-col")).toEqual(["--no-color"]);
  });

  test("an operation of the API is shown with its method and path", async () => {
    const { out } = await runCommandLine(["completion", "fish", "--words", "--", "api", "update-linki"]);
    expect(out).toBe("update-linkifier\tPATCH /realm/filters/{filter_id}\n");
  });

  test("a name with an invisible character is not completed", async () => {
    const hostile = { "realm.yaml": 'version: 1\nchannels:\n  "le\\u200bad": {}\n  leaf: {}\n' };
    const { out } = await runCommandLine(["completion", "fish", "--words", "--", "access", "#le"], { files: hostile });
    expect(out).toBe("#leaf\t\n");
  });
});

describe("a line of bash", () => {
  test.each<{ line: string; words: readonly string[]; value: string; reply: string }>([
    { line: "realmctl pl", words: ["realmctl", "pl"], value: "plan", reply: "plan" },
    { line: "realmctl  access ", words: ["realmctl", "access", ""], value: "#a b", reply: "\\#a\\ b" },
    { line: "realmctl access '#a", words: ["realmctl", "access", "#a"], value: "#a b", reply: "#a b" },
    { line: 'realmctl access "#a', words: ["realmctl", "access", "#a"], value: "#a$b", reply: "#a\\$b" },
    { line: "realmctl access \\#a\\ b", words: ["realmctl", "access", "#a b"], value: "#a b", reply: "\\#a\\ b" },
    // Bash replaces only the text after the last of these characters.
    {
      line: "realmctl access user_group:st",
      words: ["realmctl", "access", "user_group:st"],
      value: "user_group:staff",
      reply: "staff",
    },
    {
      line: "realmctl plan --format=j",
      words: ["realmctl", "plan", "--format=j"],
      value: "--format=json",
      reply: "json",
    },
    {
      line: "realmctl access hana@e",
      words: ["realmctl", "access", "hana@e"],
      value: "hana@example.org",
      reply: "example.org",
    },
    { line: "realmctl access 'it", words: ["realmctl", "access", "it"], value: "it's", reply: "it'\\''s" },
  ])("$line", ({ line, words, value, reply }) => {
    const split = splitLine(line);
    expect(split.words).toEqual(words);
    expect(bashReply(value, split)).toBe(reply);
  });

  test("is passed with --line, and answered with words that bash accepts", async () => {
    const { out } = await runCommandLine(["completion", "bash", "--line", "realmctl access #lau"], { files });
    expect(out).toBe("\\#launch\\ plans\n");
  });
});

test.each(SHELLS)("the script for %s says where to put it", async (shell) => {
  const { out } = await runCommandLine(["completion", shell]);
  expect(out).toBe(SCRIPTS[shell]);
  expect(out).toMatch(new RegExp(`^(#compdef realmctl\\n)?# In ~/.*realmctl completion ${shell}`));
});

test("an unknown shell is an error with advice", async () => {
  const { err, exitCode } = await runCommandLine(["completion", "tcsh"]);
  expect(err).toContain("bash, zsh, fish");
  expect(exitCode).toBe(1);
});
