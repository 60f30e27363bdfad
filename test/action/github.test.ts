import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { DOCUMENTED } from "./documented.ts";
import { GENERAL, WITH_NEWS } from "./file-and-head.ts";
import { repositoryOfTests, SHA, type Step, type StepOptions } from "./runner.ts";

const repository = repositoryOfTests();

/** How to run each command of the table, in a repository where it has everything to do. */
const RUNS: { readonly [command: string]: () => Promise<Step> } = {
  plan: () => repository.run("plan"),
  "plan with snapshot: artifact": () => repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } }),
  apply: () => repository.run("apply", { event: "push", sha: SHA.main }),
  drift: () => drift({}),
  "drift with adopt-pull-request: true": () => drift({ "adopt-pull-request": "true" }),
  snapshot: () => repository.run("snapshot", { event: "push", sha: SHA.main }),
  validate: () => repository.run("validate", { event: "push", anonymous: true }),
};
const drift = (inputs: StepOptions["inputs"]): Promise<Step> =>
  repository.run("drift", { event: "schedule", sha: SHA.main, inputs: { "fail-on-drift": "false", ...inputs } });

/** A pull request with a reviewed plan, an older comment, a snapshot, and an earlier drift run. */
async function everythingToDo(): Promise<void> {
  const { github } = repository;
  repository.file("realm.yaml", GENERAL);
  repository.upload(await repository.run("snapshot", { event: "push" }), "realmctl-snapshot", "snapshot-file");
  github.git.commits[SHA.main] = { "realm.yaml": WITH_NEWS };
  repository.pull(GENERAL, WITH_NEWS);
  const plan = await repository.run("plan");
  repository.upload(plan, "realmctl-plan-7", "reviewed-file");
  const [comment] = github.comments;
  if (comment !== undefined) github.comments.unshift({ ...comment, id: 1 });
  github.merged[SHA.main] = { number: 7, head: SHA.head };
  const before = await drift({ issue: "false" });
  repository.upload(before, before.outputs["artifact-name"] ?? "", "memory-file");
  repository.pull(GENERAL, WITH_NEWS.replace("New", "Newest"));
  github.writes();
}

describe("permissions", () => {
  test("the table has every command", () => expect([...DOCUMENTED.keys()].sort()).toEqual(Object.keys(RUNS).sort()));

  test.each([...DOCUMENTED.keys()])(
    "%s does everything with the permissions that the table states",
    async (command) => {
      await everythingToDo();
      if (command === "apply") repository.file("realm.yaml", WITH_NEWS);
      repository.github.permissions = DOCUMENTED.get(command);
      const step = await RUNS[command]?.();
      expect(step?.log).not.toContain("github/");
      expect(step).toMatchObject({ code: EXIT.done });
    },
  );

  const rows = [...DOCUMENTED].flatMap(([command, rights]) =>
    Object.entries(rights).map(([name, right]) => ({ command, name, right, rights })),
  );
  /** Permissions that only the checkout needs, or without which the command can work. */
  const spare = (command: string, name: string): boolean =>
    (name === "contents" && /^(apply|drift|snapshot|validate)/.test(command) && !command.includes("adopt")) ||
    (name === "actions" && command.startsWith("drift"));

  test.each(rows.filter(({ command, name }) => !spare(command, name)))(
    "$command without $name: $right says so",
    async ({ command, name, right, rights }) => {
      await everythingToDo();
      if (command === "apply") repository.file("realm.yaml", WITH_NEWS);
      repository.github.permissions = { ...rights, [name]: undefined };
      const step = await RUNS[command]?.();
      expect(step?.log).toContain("title=github/not-allowed");
      expect(step?.log).toMatch(new RegExp(`permission "${name}: (${right}|read)"`));
      expect(step?.code).toBe(EXIT.notAllowed);
    },
  );

  test("drift without the permission actions: read continues, and says what is unknown", async () => {
    await everythingToDo();
    repository.github.permissions = { contents: "read", issues: "write" };
    const step = await drift({});
    expect(step).toMatchObject({ code: 0, outputs: { "unmanaged-new": "" } });
    expect(step.log).toContain("The previous run is not known: GitHub refused to list artifacts");
  });
});

describe("GitHub's refusals", () => {
  test.each([
    ["no such token", /./, 401, "Bad credentials", {}, "the token is not valid", "github/not-allowed"],
    [
      "a secondary limit",
      /POST .*comments/,
      403,
      "You have exceeded a secondary rate limit",
      { "retry-after": "3600" },
      "run the job again in 3600 s",
      "github/rate-limit",
    ],
    [
      "the hourly limit",
      /POST .*comments/,
      403,
      "API rate limit exceeded for installation",
      {},
      "later",
      "github/rate-limit",
    ],
    ["a rule", /check-runs/, 422, "No commit found for SHA", {}, "will be refused again", "github/refused"],
    ["an outage", /check-runs/, 503, "No server is available", {}, "githubstatus.com", "github/unreachable"],
  ])("%s", async (_, match, status, message, headers, words, code) => {
    repository.pull(GENERAL, WITH_NEWS);
    repository.github.refuse.push({ match, status, message, headers });
    const step = await repository.run("plan");
    expect(step.code).not.toBe(0);
    expect(step.log).toContain(`title=${code}`);
    expect(step.log).toContain(words);
  });

  test("rate limit: it waits, and everything is done once", async () => {
    repository.pull(GENERAL, WITH_NEWS);
    for (const [match, status] of [
      [/POST .*comments/, 403],
      [/graphql query/, 429],
      [/check-runs/, 429],
    ] as const)
      repository.github.refuse.push({ match, status, message: "slow down", headers: { "retry-after": "1" }, times: 1 });
    const step = await repository.run("plan");
    expect(step.code).toBe(0);
    expect(step.log.match(/GitHub was asked too often: waiting 1 s/g)).toHaveLength(3);
    expect(repository.github.comments).toHaveLength(1);
    expect(repository.github.checks).toHaveLength(1);
  });

  test("issues are turned off", async () => {
    repository.file("realm.yaml", WITH_NEWS);
    repository.github.refuse.push({
      match: /GET .*issues/,
      status: 410,
      message: "Issues has been disabled in this repository.",
    });
    const step = await drift({});
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.log).toContain("turn issues on");
  });

  test("no token: reported before any request", async () => {
    repository.pull(GENERAL, WITH_NEWS);
    const step = await repository.run("plan", { inputs: { "github-token": "" } });
    expect(step.code).toBe(EXIT.notAllowed);
    expect(step.log).toContain("title=github/no-token");
  });

  test("an event that is not a pull request's, or not JSON", async () => {
    repository.pull(GENERAL, WITH_NEWS);
    const step = await repository.run("plan", { env: { GITHUB_REPOSITORY: "acme" } });
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("title=action/event");
  });

  test("nobody listens", async () => {
    repository.pull(GENERAL, WITH_NEWS);
    await repository.github.end();
    const step = await repository.run("plan");
    expect(step.code).toBe(EXIT.unreachable);
    expect(step.log).toContain("title=github/unreachable");
    repository.github.end = async () => {};
  });
});

describe("pages and batches", () => {
  test("our comment is found after a hundred others, and more than fifty annotations all arrive", async () => {
    const many = Array.from({ length: 230 }, (_, index) => `  team-${index}: {description: "Team ${index}"}\n`).join(
      "",
    );
    repository.pull(GENERAL, GENERAL + many);
    const { github } = repository;
    for (let id = 1; id <= 250; id += 1)
      github.comments.push({ id, pull: 7, body: `Nice ${id}`, author: "ada", minimised: false, edits: 0 });
    await repository.run("plan");
    expect(github.comments).toHaveLength(251);
    github.writes();
    expect((await repository.run("plan", { inputs: { check: "false" } })).outputs.comment).toBe("unchanged");
    expect(github.annotationBatches).toEqual([50, 50, 50, 50]);
    expect(new Set(github.checks[0]?.annotations.map(({ start_line }) => start_line)).size).toBe(200);
  });

  test("the snapshot is found after a hundred newer artifacts that do not count; its download gets no token", async () => {
    repository.file("realm.yaml", GENERAL);
    repository.upload(await repository.run("snapshot", { event: "push" }), "realmctl-snapshot", "snapshot-file");
    for (let number = 0; number < 120; number += 1)
      repository.github.addArtifact("realmctl-snapshot", {}, { head_branch: `branch-${number}` });
    repository.pull(GENERAL, WITH_NEWS);
    expect((await repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } })).code).toBe(0);
    expect(repository.github.downloads.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test("our issue is found after a hundred others", async () => {
    repository.file("realm.yaml", WITH_NEWS);
    await drift({});
    for (let number = 1; number <= 150; number += 1)
      repository.github.issues.push({
        number,
        title: "Else",
        body: "",
        state: "open",
        author: "ada",
        comments: [],
        edits: 0,
      });
    repository.github.writes();
    await drift({});
    expect(repository.github.writes()).toEqual([]);
  });
});

describe("what the previous run saw", () => {
  const upload = (step: Step): void => repository.upload(step, step.outputs["artifact-name"] ?? "", "memory-file");
  const appear = (name: string): Promise<void> => repository.world.subscribe(name);

  test("new unmanaged objects are known without an issue, with the time since when they exist", async () => {
    repository.file("realm.yaml", GENERAL);
    repository.world.file("realm.yaml", GENERAL);
    await repository.world.realmctl("apply --yes");
    const first = await drift({});
    expect(first.outputs).toMatchObject({ "unmanaged-new": "", drift: "0" });
    upload(first);
    const second = await drift({});
    expect(second.outputs["unmanaged-new"]).toBe("0");
    upload(second);
    await appear("newcomer");
    const third = await drift({});
    expect(third.outputs["unmanaged-new"]).toBe("1");
    expect(third.summary).toContain("(1 new since the previous run)");
    upload(third);
    expect((await drift({})).outputs["unmanaged-new"]).toBe("0");
    expect(repository.github.issues).toEqual([]);
  });

  test("a new private channel is noticed by name, not by count, and nobody can guess names from the stored data", async () => {
    const secret = async (name: string): Promise<void> => repository.world.subscribe(name, { invite_only: true });
    repository.file("realm.yaml", GENERAL);
    await secret("canary-one");
    upload(await drift({}));
    await secret("canary-two");
    const step = await drift({});
    expect(step.outputs["unmanaged-new"]).toBe("1");
    expect(readFileSync(step.outputs["memory-file"] ?? "", "utf8")).not.toContain("canary");
  });

  test("an artifact that a branch uploaded under that name is ignored", async () => {
    repository.file("realm.yaml", GENERAL);
    const step = await drift({ issue: "false" });
    repository.upload(step, step.outputs["artifact-name"] ?? "", "memory-file", { head_branch: "evil" });
    expect((await drift({ issue: "false" })).outputs["unmanaged-new"]).toBe("");
  });
});
