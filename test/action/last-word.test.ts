import { expect, test, vi } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { Realm } from "../../src/model/realm.ts";
import { GENERAL, WITH_NEWS } from "./file-and-head.ts";
import { repositoryOfTests, SHA, type Step } from "./runner.ts";

const repository = repositoryOfTests();

/** Every way in which a pull request's plan can fail before it has a check of its own. */
const ENDINGS: { readonly [name: string]: readonly [code: string, run: () => Promise<Step>] } = {
  "a pattern of 70 KB": [
    "linkifier",
    () => {
      const pattern = `(?P<id>${"x".repeat(70_000)}`;
      repository.pull(
        GENERAL,
        `${GENERAL}linkifiers:\n  - pattern: '${pattern}'\n    url_template: https://x.example/{id}\n`,
      );
      return repository.run("plan");
    },
  ],
  "a name of 70 KB": [
    "yaml/syntax",
    () => {
      repository.pull(GENERAL, `${GENERAL}  ${"x".repeat(70_000)}: {description: New}\n`);
      return repository.run("plan");
    },
  ],
  "no snapshot": [
    "snapshot/no-artifact",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      return repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } });
    },
  ],
  "a broken snapshot": [
    "artifact/broken",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      repository.github.addArtifact("realmctl-snapshot", { "something-else": "" });
      return repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } });
    },
  ],
  "no credentials": [
    "action/no-credentials",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      return repository.run("plan", { anonymous: true });
    },
  ],
  "credentials that are wrong": [
    "zulip/unauthorized",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      return repository.run("plan", { inputs: { "zulip-api-key": "0".repeat(32) } });
    },
  ],
  "an organization that is not there": [
    "",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      return repository.run("plan", { inputs: { "zulip-site": "http://127.0.0.1:1" } });
    },
  ],
  "a policy that cannot be read": [
    "",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      return repository.run("plan", { inputs: { policy: "nowhere.yaml" } });
    },
  ],
  "the pull request's files cannot be read": [
    "github/",
    () => {
      repository.pull(GENERAL, WITH_NEWS);
      repository.github.refuse.push({ match: /GET .*git\/commits/, status: 403, message: "Resource not accessible" });
      return repository.run("plan");
    },
  ],
};

test.each(Object.entries(ENDINGS))(
  "%s: a reason in the log and in the summary, and one check",
  async (_, [code, run]) => {
    const step = await run();
    expect(step.code).not.toBe(EXIT.done);
    const { checks } = repository.github;
    expect(checks).toMatchObject([{ head_sha: SHA.head, conclusion: "failure" }]);
    expect(checks[0]?.name).toMatch(/^realmctl plan \(.+ into main\)$/);
    expect(step.summary).toContain("❌");
    const reason = checks[0]?.output.summary ?? "";
    expect(reason).toContain(code);
    // More than the counts: the errors, in words.
    expect(reason.replace(/<[^>]*>/g, "").length).toBeGreaterThan(120);
    expect(step.log).toMatch(/^::error |^error /m);
  },
);

test("a bug of realmctl leaves a check too, without the message, which may contain names", async () => {
  repository.pull(GENERAL, WITH_NEWS);
  const bug = vi.spyOn(Realm.prototype, "isAdmin", "get").mockImplementation(() => {
    throw new Error("canary-in-a-bug");
  });
  const step = await repository.run("plan").finally(() => bug.mockRestore());
  expect(step.code).not.toBe(EXIT.done);
  expect(repository.github.checks[0]?.output.title).toBe("action/bug");
  expect(repository.github.checks).toMatchObject([{ conclusion: "failure" }]);
  expect(JSON.stringify([repository.github.checks, step])).not.toContain("canary-in-a-bug");
});
