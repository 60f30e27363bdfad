import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { GENERAL, WITH_NEWS } from "./file-and-head.ts";
import { repositoryOfTests, SHA, type StepOptions } from "./runner.ts";

const repository = repositoryOfTests();

const plan = (options: StepOptions = {}) => repository.run("plan", options);
const checks = () => repository.github.checks.map(({ name, conclusion }) => [name.replace(/\(\S+ /, "("), conclusion]);

describe("the base branch of a pull request", () => {
  test.each(["pull_request", "pull_request_target"] as const)(
    "%s: a branch other than the default branch is not planned, and its check has its own name",
    async (event) => {
      repository.pull(GENERAL, WITH_NEWS);
      expect(await plan({ event })).toMatchObject({ code: 0 });
      const step = await plan({ event, base: "unguarded" });
      expect(step.code).toBe(EXIT.refusedByGuard);
      expect(step.log).toContain("title=action/base-branch");
      expect(step.outputs["reviewed-file"]).toBeUndefined();
      expect(checks()).toEqual([
        ["realmctl plan (into main)", "neutral"],
        ["realmctl plan (into unguarded)", "failure"],
      ]);
      expect(repository.github.checks[1]?.output.summary).toContain("unguarded");
    },
  );

  test("the attack: guard rails refuse on main, and a pull request of the same commit to another branch does not replace that check", async () => {
    const guarded = GENERAL.replace("version: 1\n", "version: 1\npolicy: {limits: {changes: 0}}\n");
    repository.pull(guarded, WITH_NEWS.replace("version: 1\n", "version: 1\npolicy: {limits: {changes: 9}}\n"));
    expect(await plan()).toMatchObject({ code: EXIT.refusedByGuard });
    repository.pull(GENERAL, WITH_NEWS);
    const inputs = { "base-branches": "main, elsewhere" };
    expect(await plan({ base: "elsewhere", inputs })).toMatchObject({ code: 0 });
    expect(checks()).toEqual([
      ["realmctl plan (into main)", "failure"],
      ["realmctl plan (into elsewhere)", "neutral"],
    ]);
  });

  test("two files for one organization: the check of one does not cover the other", async () => {
    const guarded = GENERAL.replace("version: 1\n", "version: 1\npolicy: {limits: {changes: 0}}\n");
    repository.pull(guarded, `${guarded}  news: {description: New}\n`);
    repository.github.commits[SHA.base] = { ...repository.github.commits[SHA.base], "teams.yaml": GENERAL };
    repository.file("teams.yaml", GENERAL);
    expect(await plan()).toMatchObject({ code: EXIT.refusedByGuard });
    expect(await plan({ inputs: { file: "teams.yaml" } })).toMatchObject({ code: 0 });
    const [first, second] = checks();
    expect([first?.[1], second?.[1]]).toEqual(["failure", expect.not.stringContaining("failure")]);
    expect(first?.[0]).not.toBe(second?.[0]);
  });

  test("if an input lists branches, the default branch counts only if it is listed", async () => {
    repository.pull(GENERAL, WITH_NEWS);
    const inputs = { "base-branches": "production\nstaging" };
    expect(await plan({ inputs, base: "staging" })).toMatchObject({ code: 0 });
    expect(await plan({ inputs })).toMatchObject({ code: EXIT.refusedByGuard });
  });
});

describe("what apply requires", () => {
  const merge = (inputs: { [name: string]: string } = {}) =>
    repository.run("apply", { event: "push", sha: SHA.main, inputs });
  const APPROVAL = { approval: "required" };

  async function planned(base: string, createdAt: string): Promise<void> {
    const step = await plan({ base, inputs: { "base-branches": "main,other" } });
    expect(step.code).toBe(0);
    repository.upload(step, "realmctl-plan-7", "reviewed-file");
    const newest = repository.github.artifacts.at(-1);
    if (newest !== undefined) newest.created_at = createdAt;
  }

  const review = (state: string, at: string, more: { by?: string; commit?: string; as?: string } = {}): void => {
    const { by = "ada", commit = SHA.head, as = "MEMBER" } = more;
    repository.github.reviews.push({
      user: { login: by },
      state,
      commit_id: commit,
      submitted_at: at,
      author_association: as,
    });
  };

  beforeEach(() => {
    repository.pull(GENERAL, WITH_NEWS);
    repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
  });

  test("a plan of a pull request to another branch does not count for this branch", async () => {
    await planned("other", "2026-11-20T10:00:00Z");
    const step = await merge();
    expect(step).toMatchObject({ code: EXIT.conflict });
    expect(step.log).toContain("title=reviewed/other-base");
    expect(repository.world.writes()).toEqual([]);
  });

  test("a pull request that was merged into another branch does not count", async () => {
    await planned("main", "2026-11-20T10:00:00Z");
    repository.github.merged[SHA.main] = { number: 7, head: SHA.head, base: "other" };
    const step = await merge();
    expect(step.code).toBe(EXIT.refusedByGuard);
    expect(step.log).toContain("title=reviewed/none");
  });

  test("if required, the approval must be later than the plan", async () => {
    await planned("main", "2026-11-20T10:00:00Z");
    review("APPROVED", "2026-11-20T11:00:00Z");
    expect(await merge(APPROVAL)).toMatchObject({ code: 0, outputs: { outcome: "applied" } });
  });

  test("of several plans, the newest one before the approval counts", async () => {
    await planned("main", "2026-11-20T10:00:00Z");
    await planned("main", "2026-11-20T12:00:00Z");
    review("APPROVED", "2026-11-20T11:00:00Z");
    // The later one is never read: it could be of another realm by then.
    const later = repository.github.artifacts.at(-1);
    if (later !== undefined) later.files = { "realmctl-reviewed.json": "{}" };
    expect(await merge(APPROVAL)).toMatchObject({ code: 0 });
  });

  test.each<readonly [string, () => void, string]>([
    ["nobody approved", () => undefined, "nobody who may approve"],
    ["approved before there was a plan", () => review("APPROVED", "2026-11-20T09:00:00Z"), "newer than its approval"],
    [
      "another commit was approved",
      () => review("APPROVED", "2026-11-20T11:00:00Z", { commit: SHA.base }),
      "nobody who may approve",
    ],
    [
      "somebody without the right approved",
      () => review("APPROVED", "2026-11-20T11:00:00Z", { as: "CONTRIBUTOR" }),
      "nobody who may approve",
    ],
    [
      "the approver asked for changes later",
      () => {
        review("APPROVED", "2026-11-20T11:00:00Z");
        review("CHANGES_REQUESTED", "2026-11-20T11:30:00Z");
        review("COMMENTED", "2026-11-20T11:40:00Z");
      },
      "nobody who may approve",
    ],
    [
      "the approver asked for changes on the next page, after reviews that GitHub hides",
      () => {
        review("APPROVED", "2026-11-20T11:00:00Z");
        repository.github.hidden.add("ghost");
        for (let number = 0; number < 100; number += 1) review("COMMENTED", "2026-11-20T11:10:00Z", { by: "ghost" });
        review("CHANGES_REQUESTED", "2026-11-20T11:30:00Z");
      },
      "nobody who may approve",
    ],
    ["the approval was dismissed", () => review("DISMISSED", "2026-11-20T11:00:00Z"), "nobody who may approve"],
  ])("refused, and nothing is sent: %s", async (_, given, words) => {
    await planned("main", "2026-11-20T10:00:00Z");
    given();
    const step = await merge(APPROVAL);
    expect(step.code).toBe(EXIT.refusedByGuard);
    expect(step.log).toContain("title=reviewed/not-approved");
    expect(step.log).toContain(words);
    expect(repository.world.writes()).toEqual([]);
    expect(repository.github.comments.at(-1)?.body).toContain("applied **nothing**");
  });

  test("requiring an approval of an optional review is an error of the workflow", async () => {
    const step = await merge({ approval: "required", reviewed: "if-found" });
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("input approval");
  });
});
