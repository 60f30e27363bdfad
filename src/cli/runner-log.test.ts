import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { withoutCommands } from "./run.ts";

/** Lines that a runner would execute: GitHub's strips white space first, and finds `##[` anywhere. */
const obeyed = (log: string): readonly string[] =>
  log.split(/\r?\n|\r/).filter((line) => line.trim().startsWith("::") || line.includes("##["));

const NAMES = ["::error::pwned", "##[add-mask]a", "::set-output name=drift::0", "::stop-commands::x", "%0A::error::x"];
const REALM = `version: 1\nchannels:\n${NAMES.map((name) => `  ${JSON.stringify(name)}: {privcy: public}\n`).join("")}`;
const GITHUB = { GITHUB_ACTIONS: "true" };

test.each([
  ["::error::x", ": :error::x"],
  ["  ::error::x\n\u00a0::warning::y", "  : :error::x\n\u00a0: :warning::y"],
  ["a ::error::x", "a ::error::x"],
  ["# ##[error]x", "# # #[error]x"],
  ["fine: yes", "fine: yes"],
])("%j is %j", (text, is) => {
  expect(withoutCommands(text)).toBe(is);
  expect(withoutCommands(is)).toBe(is);
  expect(obeyed(is)).toEqual([]);
});

describe("a file with commands for a runner in its names", () => {
  test.each([
    "validate",
    "plan --snapshot s.json",
    "validate realm.yaml ::error::x",
    "::error::x",
    "explain ##[error]x",
  ])("%s: no line is executed in a job", async (line) => {
    const surroundings = { files: { "realm.yaml": REALM }, env: GITHUB };
    const ran = await runCommandLine(line.split(" "), surroundings);
    expect(ran.exitCode).toBe(1);
    expect(ran.err).toMatch(/error\[/);
    expect(obeyed(ran.out + ran.err)).toEqual([]);
    const elsewhere = await runCommandLine(line.split(" "), { ...surroundings, env: {} });
    expect(withoutCommands(elsewhere.err)).toBe(ran.err);
  });

  test("without this protection, a runner would execute some of them", async () => {
    const { err } = await runCommandLine(["validate"], { files: { "realm.yaml": REALM } });
    expect(obeyed(err)).not.toEqual([]);
  });

  test("annotations are executed, and documents are not changed", async () => {
    const files = { "realm.yaml": REALM };
    const github = await runCommandLine(["validate", "--format", "github"], { files, env: GITHUB });
    const [annotations, others] = [/^::(?:error|warning) /, /./].map((form) =>
      github.out.split("\n").filter((line) => form.test(line)),
    );
    expect(annotations).toEqual(others);
    expect(annotations?.filter((line) => line.startsWith("::error "))).toHaveLength(NAMES.length);
    const json = await runCommandLine(["validate", "--format", "json"], { files, env: GITHUB });
    expect(json.out).toBe((await runCommandLine(["validate", "--format", "json"], { files })).out);
    const formatted = await runCommandLine(["fmt", "realm.yaml"], { files, env: GITHUB });
    expect(formatted.files).toEqual((await runCommandLine(["fmt", "realm.yaml"], { files })).files);
  });
});
