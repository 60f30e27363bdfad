import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { EXIT } from "../model/diagnostic.ts";

/** Errors that a person can correct without an account and a server come first. */
const WRONG = "version: 1\nrealm: https://acme.example.org\nchannels:\n  general: {privacy: secret}\n";
const RIGHT = "version: 1\nrealm: https://acme.example.org\nchannels:\n  general: {}\n";

const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/error\[([^\]]+)\]/g)].flatMap(([, code]) => code ?? []);

describe("without credentials", () => {
  test.each([
    "plan",
    "plan realm.yaml",
    "apply",
    "apply realm.yaml --yes",
    "adopt --all",
    "drift",
    "drift --watch",
    "validate --live",
    "test --live",
    "access --plan realm.yaml",
  ])("%s reports the errors of the file, and then the credentials", async (line) => {
    const ran = await runCommandLine(line.split(" "), {
      files: {
        "realm.yaml": WRONG,
        "realm.test.yaml": "version: 1\ntests: [{name: All, who: guest, cannot: {read: general}}]\n",
      },
    });
    expect(codesIn(ran.err)).toEqual(["field/value", "credentials/missing"]);
    expect(ran.exitCode).toBe(EXIT.errors);
  });

  test("a directory reports the errors of each file", async () => {
    const files = { "d/one.yaml": WRONG, "d/two.yaml": RIGHT.replace("acme", "beta") };
    const ran = await runCommandLine(["plan", "d"], { files });
    expect(codesIn(ran.out + ran.err)).toEqual(["field/value", "credentials/missing", "credentials/missing"]);
  });

  test.each(["apply", "adopt", "plan", "drift"])("%s without a file says that there is none", async (line) => {
    expect(codesIn((await runCommandLine([line])).err)).toEqual(["config/cannot-read"]);
  });

  test("a file without errors leaves the credentials as the only error", async () => {
    const ran = await runCommandLine(["apply"], { files: { "realm.yaml": RIGHT } });
    expect(codesIn(ran.err)).toEqual(["credentials/missing"]);
    expect(ran.exitCode).toBe(EXIT.notAllowed);
  });

  test.each(["apply --undo x.jsonl", "apply --plan x.plan"])("%s needs no file", async (line) => {
    const ran = await runCommandLine(line.split(" "));
    expect(codesIn(ran.err)).toEqual(["credentials/missing"]);
  });
});

describe("a file that does not exist", () => {
  test("comment --to gitlab nope: the host is complete, so the word is the plan", async () => {
    const ran = await runCommandLine(["comment", "--to", "gitlab", "nope"]);
    expect(ran.err).toContain("the plan nope cannot be read: there is no such file");
  });

  test.each(["plan --format json nope", "plan --format=json nope"])("%s: no second format was meant", async (line) => {
    expect(codesIn((await runCommandLine(line.split(" "))).err)).toEqual(["config/cannot-read"]);
  });

  test("test without rules says how to write the first ones", async () => {
    const ran = await runCommandLine(["test"], { files: { "realm.yaml": RIGHT } });
    expect(codesIn(ran.err)).toEqual(["rules/no-rules"]);
    expect(ran.err).toContain("`realmctl test --suggest > realm.test.yaml` writes first ones");
    expect(ran.exitCode).toBe(EXIT.errors);
  });

  test("a file of rules that was named is read as any other file", async () => {
    const ran = await runCommandLine(["test", "--rules", "r.yaml"], { files: { "realm.yaml": RIGHT } });
    expect(codesIn(ran.err)).toEqual(["config/cannot-read"]);
  });
});

test("a directory that is included is said to be one", async () => {
  const ran = await runCommandLine(["validate"], { files: { "realm.yaml": 'version: 1\ninclude: ["."]\n' } });
  expect(ran.err).toContain('"." is the directory of realm.yaml, and only files can be included');
});
