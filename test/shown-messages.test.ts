import { expect, test } from "vitest";
import { EXIT } from "../src/model/diagnostic.ts";
import { runCommandLine } from "./support/cli/command-line.ts";

/** Errors that only a command line can show, complete, as a person reads them: no file in test/invalid and no page of the documentation has them. */
const ROWS: readonly { readonly code: string; readonly argv: string; readonly text: string }[] = [
  {
    code: "explain/unknown",
    argv: "explain channels/privcy",
    text: `there is no code "channels/privcy"
 = did you mean "channels"?`,
  },
  {
    code: "apply/replan-saved",
    argv: "apply --plan realm.plan --on-conflict replan",
    text: `a saved plan is applied without changes or not at all: --on-conflict
  replan is for a file
 = leave --on-conflict out, or name the configuration instead of the plan`,
  },
  {
    code: "apply/replan-unseen",
    argv: "apply --yes --on-conflict replan",
    text: `--on-conflict replan asks again, because the new plan includes changes
  of others, and --yes prevents questions
 = leave one of them out; without both, apply asks once, and a conflict stops it`,
  },
  {
    code: "apply/two-sources",
    argv: "apply realm.yaml --plan realm.plan",
    text: `a file and --plan cannot be combined: each of them says what to apply
 = name only one`,
  },
  {
    code: "apply/foreign-without-undo",
    argv: "apply --foreign-journal",
    text: `--foreign-journal is for --undo, and no run is to be undone
 = name the journal with --undo, or leave the option out`,
  },
  {
    code: "apply/verify-without-plan",
    argv: "apply --verify-with env:KEY",
    text: `--verify-with is for a saved plan, and none is given
 = save one with realmctl plan --out FILE and name it, or leave the option out`,
  },
  {
    code: "apply/checksum-without-plan",
    argv: "apply --checksum abc",
    text: `--checksum belongs to a saved plan, and none is given
 = save one with realmctl plan --out FILE and name it, or leave the option out`,
  },
  {
    code: "use/missing-option",
    argv: "comment",
    text: `required option '--to <host>' not specified
 = realmctl comment --help shows what is possible`,
  },
  {
    code: "init/exists",
    argv: "init --yes",
    text: `realm.yaml already exists
 = choose another name with --file, replace it with --force, or take the differences into it:
   realmctl adopt`,
  },
  {
    code: "export/unknown-section",
    argv: "export --kinds chanels",
    text: `there is no section "chanels"
 = did you mean "channels"?`,
  },
  {
    code: "targets/of-plan",
    argv: "apply --plan realm.plan --only channels",
    text: `--only is for planning, and a saved plan is always applied as a whole
 = save a plan of the part: realmctl plan --only … --out FILE`,
  },
  {
    code: "use/given-twice",
    argv: "plan --site a --site b",
    text: `--site is given twice, but can count only once
 = remove one`,
  },
  {
    code: "use/empty-value",
    argv: "plan --site=",
    text: `the value of --site is empty
 = was a variable not set? To use the default, leave it out`,
  },
  {
    code: "plan/sign-without-out",
    argv: "plan --sign-with env:KEY",
    text: `--sign-with signs what --out saves, and --out is missing
 = add --out FILE`,
  },
  {
    code: "api/no-operation",
    argv: "api",
    text: `no operation is named
 = \`realmctl api --list\` shows all of them`,
  },
  {
    code: "api/unknown-operation",
    argv: "api update-realm-icon",
    text: `realmctl knows no operation "update-realm-icon"
 = did you mean "upload-realm-icon"?`,
  },
  {
    code: "api/argument",
    argv: "api get-users x",
    text: `"x" belongs to no parameter
 = write \`realmctl api get-users --name value\``,
  },
];

test.each(ROWS)("$code", async ({ code, argv, text }) => {
  // These commands talk to no server, or did not come to it.
  const isSilent = /^(explain|comment)/.test(argv);
  const env = { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: "0".repeat(32) };
  const files = { "realm.yaml": "version: 1\nchannels: {}\n" };
  const { exitCode, out, err } = await runCommandLine(argv.split(" "), { env, files });
  expect(err).toBe(`error[${code}]: ${text}\n\n1 error.${isSilent ? "" : " Nothing was sent."}\n`);
  expect({ exitCode, out }).toEqual({ exitCode: EXIT.errors, out: "" });
});

test("a journal from a newer version", async () => {
  const files = { "old.jsonl": '{"format":"realmctl.journal","version":99,"entry":"start"}\n' };
  const env = { ZULIP_SITE: "https://chat.example.org", ZULIP_EMAIL: "kim@example.org", ZULIP_API_KEY: "0".repeat(32) };
  const { exitCode, err } = await runCommandLine(["apply", "--undo", "old.jsonl"], { env, files });
  expect(err).toContain(`error[journal/other-version]: the journal old.jsonl has version 99 of the format; this realmctl
  reads version 4 and older
 = nothing is undone; to continue or undo its run, use the realmctl that wrote it
`);
  expect(exitCode).toBe(EXIT.conflict);
});
