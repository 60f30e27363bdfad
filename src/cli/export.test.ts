import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../test/support/cli/command-line.ts";
import { realmOf } from "../../test/support/realm.ts";
import { SCHEMA_STORE } from "../config/schema-store.ts";
import { kinds } from "../kinds/registry.ts";
import { snapshotText } from "../zulip/snapshot.ts";

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

test("the help names every section that is written only with --kinds", async () => {
  const { out } = await run("export --help");
  const except = kinds.filter(({ yaml }) => yaml?.onRequest === true).map(({ section }) => section);
  expect(except).toContain("people");
  const [, named = ""] = /\(default: all except ([^)]*)\)/.exec(out.replaceAll(/\s+/g, " ")) ?? [];
  expect(named.split(/, | and /)).toEqual(except);
});

test("several files", async () => {
  const { exitCode, files, out } = await run("export --snapshot realm.json --out-dir acme --split kind");
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: "" });
  expect(Object.keys(files)).toContain("acme/channels.yaml");
  const plan = await run("plan acme/realm.yaml --snapshot realm.json --detailed-exit-code", files);
  expect(plan).toMatchObject({ exitCode: 0, err: "" });
});

describe("the first line names the schema: the project's own, or the published one", () => {
  const installed = "node_modules/realmctl/schemas/realm.schema.json";
  const cloned = "schemas/realm.schema.json";
  test.each([
    { line: "--out realm.yaml", there: installed, file: "realm.yaml", named: installed },
    { line: "--out realm.yaml", there: cloned, file: "realm.yaml", named: cloned },
    { line: "--out acme/realm.yaml", there: cloned, file: "acme/realm.yaml", named: `../${cloned}` },
    { line: "--out-dir a/b --split kind", there: cloned, file: "a/b/realm.yaml", named: `../../${cloned}` },
    { line: "--out-dir a/b --split kind", there: cloned, file: "a/b/channels.yaml", named: `../../${cloned}` },
    { line: "--out realm.yaml", there: "other.json", file: "realm.yaml", named: SCHEMA_STORE.realm.url },
    {
      line: "--out-dir a/b --split kind",
      there: "other.json",
      file: "a/b/channels.yaml",
      named: SCHEMA_STORE.realm.url,
    },
    { line: "--out realm.yaml --schema x.json", there: cloned, file: "realm.yaml", named: "x.json" },
  ])("$line with $there: $named in $file", async ({ line, there, file, named }) => {
    const { files } = await run(`export --snapshot realm.json ${line}`, { [there]: "{}" });
    expect(/^# yaml-language-server: \$schema=(.*)$/m.exec(files[file] ?? "not written")?.[1]).toBe(named);
    expect(files[file]).toBeDefined();
  });
});

describe("refused", () => {
  test.each([
    { line: "--out realm.json", code: "export/exists" },
    { line: "--out .", code: "output/not-written" },
    { line: "--out new.json", code: "output/other-ending" },
    { line: "--force --out /readonly/realm.yaml", code: "output/not-written" },
    { line: "--split kind", code: "export/where" },
    { line: "--out a.yaml --out-dir b", code: "export/where" },
    { line: "--kinds chanels", code: "export/unknown-section" },
    { line: "--kinds invites", code: "export/not-read" },
  ])("$line", async ({ line, code }) => {
    const { exitCode, err, files } = await run(`export --snapshot realm.json ${line}`);
    expect(exitCode).toBe(1);
    expect(err).toContain(`error[${code}]`);
    expect(Object.keys(files)).toEqual(["realm.json"]);
  });
});
