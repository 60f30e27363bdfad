import { expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { snapshotText } from "../zulip/snapshot.ts";
import { targetsNamed } from "./flags.ts";

test.each([
  ["channels", ["channels"]],
  ["channels,user_group:staff", ["channels", "user_group:staff"]],
  ["channel:a, b,user_groups", ["channel:a, b", "user_groups"]],
  ["nothing,of that", ["nothing,of that"]],
])("%s", (value, named) => expect(targetsNamed(value)).toEqual(named));

test.each([
  [["plan", "--with-needs"], "targets/nothing-named"],
  [["apply", "--plan", "realm.plan", "--only", "channels"], "targets/of-plan"],
  [["apply", "--undo", "x.jsonl", "--except", "channels"], "targets/of-plan"],
])("%s is refused before anything is read: %s", async (argv, code) => {
  const ran = await runCommandLine(argv, { files: { "realm.yaml": "version: 1\n" } });
  expect(ran.exitCode).toBe(1);
  expect(ran.err).toContain(`error[${code}]`);
});

test("an error elsewhere in the file counts, and a line says why", async () => {
  const run = (line: string, crew = "subgroups: [role:membres]") =>
    runCommandLine(line.split(" "), {
      files: {
        "realm.json": snapshotText(realmOf({ channels: [{ name: "general" }] })),
        "realm.yaml": `version: 1\nchannels: {general: {description: New}}\nuser_groups: {crew: {${crew}}}\n`,
      },
    });
  const part = await run("plan --snapshot realm.json --only channels");
  expect(part.exitCode).toBe(1);
  expect(part.err).toContain("warning[targets/whole-file]");
  expect((await run("plan --snapshot realm.json")).err).not.toContain("targets/whole-file");
  // A name that only the server does not have holds up nothing elsewhere (docs/internals/decisions/0005-unresolved-names-are-findings.md).
  const unresolved = await run("plan --snapshot realm.json --only channels", "members: [nobody@acme.example]");
  expect(unresolved.exitCode).toBe(0);
  expect(unresolved.err).not.toContain("targets/whole-file");
});
