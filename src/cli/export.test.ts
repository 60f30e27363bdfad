import { describe, expect, test } from "vitest";
import { realmOf } from "../../test/support/realm.ts";
import { snapshotText } from "../zulip/snapshot-file.ts";
import { runCommandLine } from "./test-io.ts";

const snapshot = snapshotText(
  realmOf({
    channels: [{ name: "general", description: "Talk" }],
    domains: [{ domain: "a.example", allow_subdomains: false }],
  }),
);
const run = (line: string, files: { readonly [path: string]: string } = {}) =>
  runCommandLine(line.split(" "), { files: { "realm.json": snapshot, ...files } });

test("the file goes to standard output, and validates", async () => {
  const { exitCode, out } = await run("export --snapshot realm.json --kinds channels,domains");
  expect(exitCode).toBe(0);
  expect(out).toContain("channels:\n  general:\n    description: Talk\n\ndomains:\n  a.example: {}\n");
  expect((await run("validate --snapshot realm.json", { "realm.yaml": out })).exitCode).toBe(0);
  expect((await run("plan --snapshot realm.json --detailed-exit-code", { "realm.yaml": out })).exitCode).toBe(0);
});

test("several files", async () => {
  const { exitCode, files, out } = await run("export --snapshot realm.json --out-dir acme --split kind");
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: "" });
  expect(Object.keys(files)).toContain("acme/channels.yaml");
  const plan = await run("plan acme/realm.yaml --snapshot realm.json --detailed-exit-code", files);
  expect(plan).toMatchObject({ exitCode: 0, err: "" });
});

describe("refused", () => {
  test.each([
    { line: "--out realm.json", code: "export/exists" },
    { line: "--split kind", code: "export/where" },
    { line: "--out a.yaml --out-dir b", code: "export/where" },
    { line: "--kinds chanels", code: "export/unknown-section" },
    { line: "--kinds invites", code: "export/unknown-section" },
  ])("$line", async ({ line, code }) => {
    const { exitCode, err, files } = await run(`export --snapshot realm.json ${line}`);
    expect(exitCode).toBe(1);
    expect(err).toContain(`error[${code}]`);
    expect(Object.keys(files)).toEqual(["realm.json"]);
  });
});
