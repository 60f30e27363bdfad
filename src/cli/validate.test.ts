import { expect, test } from "vitest";
import { smallRealm } from "../../test/invalid/small-realm.ts";
import { runCommandLine } from "../../test/support/cli/command-line.ts";

const valid = "version: 1\nchannels:\n  general: {privacy: public}\n  random:\n";
const wrong = "version: 1\nchannels:\n  general: {privacy: open}\n";
const snapshot = JSON.stringify(smallRealm().snapshot);
const group = (name: string): string =>
  `version: 1\nchannels:\n  general: {permissions: {can_send_message_group: ${name}}}\n`;

test("a file without errors", async () => {
  const ran = await runCommandLine(["validate"], { files: { "realm.yaml": valid } });
  expect(ran).toMatchObject({ exitCode: 0, err: "" });
  expect(ran.out.replaceAll("\n", " ").trimEnd()).toBe(
    "realm.yaml is valid: 2 channels. Names of groups and people were not checked: that needs --live or --snapshot.",
  );
});

test("an error is shown with its line, on standard error", async () => {
  const ran = await runCommandLine(["validate", "other.yaml"], { files: { "other.yaml": wrong } });
  expect(ran).toMatchObject({ exitCode: 1, out: "" });
  expect(ran.err).toBe(`error[field/value]: privacy cannot be "open"
  ┌─ other.yaml:3:22
3 │   general: {privacy: open}
  │                      ^^^^
  = it is web_public, public, private_shared_history or private_protected_history

1 error.
`);
});

test.each([
  ["is not there", undefined, "policy/cannot-read"],
  ["is broken", "policy: {limits: {removals: many}}\n", "policy/limit"],
])("a policy file that %s", async (_, policy, code) => {
  const files = {
    "realm.yaml": `${valid}policy: rails.yaml\n`,
    ...(policy === undefined ? {} : { "rails.yaml": policy }),
  };
  const ran = await runCommandLine(["validate"], { files });
  expect(ran).toMatchObject({ exitCode: 1, out: "" });
  expect(ran.err).toContain(`error[${code}]`);
});

test("a warning is not an error", async () => {
  const ran = await runCommandLine(["validate"], { files: { "realm.yaml": `${valid}profiles: {p: {}}\n` } });
  expect(ran.exitCode).toBe(0);
  expect(ran.err).toMatch(/^warning\[profiles\/unused\][\s\S]*\n1 warning\.\n$/);
  expect(ran.out).toContain("realm.yaml is valid");
});

test("with a snapshot, names are compared with the organization", async () => {
  const right = await runCommandLine(["validate", "--snapshot", "live.json"], {
    files: { "realm.yaml": group("staff"), "live.json": snapshot },
  });
  expect(right.err).toBe("");
  expect(right.exitCode).toBe(0);
  expect(right.out).toContain("Checked against chat.example.org, read 2026-11-21 12:00 UTC.");
  const misspelt = await runCommandLine(["validate", "--snapshot", "live.json"], {
    files: { "realm.yaml": group("stuff"), "live.json": snapshot },
  });
  expect(misspelt.exitCode).toBe(1);
  expect(misspelt.err).toContain('did you mean "staff"');
});

test("a file that is not a snapshot", async () => {
  const ran = await runCommandLine(["validate", "--snapshot", "live.json"], {
    files: { "realm.yaml": valid, "live.json": "{}" },
  });
  expect(ran.exitCode).toBe(1);
  expect(ran.err).toMatch(/^error\[snapshot\//);
});

test("a missing file", async () => {
  const ran = await runCommandLine(["validate"], {});
  expect(ran.exitCode).toBe(1);
  expect(ran.err).toContain("error[config/cannot-read]: realm.yaml cannot be read: there is no such file");
});

test("as JSON", async () => {
  const ran = await runCommandLine(["validate", "--format", "json"], { files: { "realm.yaml": wrong } });
  expect(ran).toMatchObject({ exitCode: 1, err: "" });
  expect(JSON.parse(ran.out)).toMatchObject({
    format: "realmctl.diagnostics",
    errors: 1,
    diagnostics: [{ code: "field/value", at: { file: "realm.yaml", line: 3, column: 22, endLine: 3, endColumn: 26 } }],
  });
});

test("as annotations", async () => {
  const ran = await runCommandLine(["validate", "--format", "github"], { files: { "realm.yaml": wrong } });
  expect(ran).toMatchObject({ exitCode: 1, err: "" });
  expect(ran.out).toMatch(
    /^::error file=realm\.yaml,line=3,endLine=3,col=22,endColumn=25,title=field\/value::privacy cannot/,
  );
});
