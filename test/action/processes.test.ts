import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { isWrite } from "../e2e/world.ts";
import { bundleOf } from "../support/bundle.ts";
import { GENERAL, WITH_NEWS } from "./file-and-head.ts";
import { NODES, type Repository, repositoryOfTests, SHA, type Step, TOKEN } from "./runner.ts";

// The bundle as GitHub starts it, one process for each step. Other tests cover what the commands report, without processes.
/** Somebody cancels the run during the next write. */
let isCancelled = false;
const before: Interceptor["before"] = async ({ method, path }) => {
  if (!isCancelled || !isWrite({ method, path })) return undefined;
  isCancelled = false;
  for (const interrupt of repository.cancel) interrupt();
  return undefined;
};
const repository = repositoryOfTests({ script: bundleOf("action"), interceptors: [{ before }] });

test.each(NODES)("every command, from the first snapshot to the closed issue (%s)", async (node) => {
  const { github, world } = repository;
  const log: string[] = [];
  const run = async (command: string, options: Parameters<Repository["run"]>[1] = {}): Promise<Step> => {
    const step = await repository.run(command, { node, ...options });
    log.push(step.log);
    return step;
  };
  const push = { event: "push", sha: SHA.main } as const;
  const nightly = { event: "schedule", sha: SHA.main, inputs: { "adopt-pull-request": "true" } } as const;
  const pullJob = {
    event: "pull_request_target",
    fork: true,
    anonymous: true,
    inputs: { snapshot: "artifact" },
  } as const;

  repository.file("realm.yaml", GENERAL.replace("description:", "descripton:"));
  const broken = await run("validate", { ...push, anonymous: true });
  expect(broken).toMatchObject({ code: EXIT.errors, outputs: { errors: "1", "exit-code": "1" } });
  expect(broken.log).toMatch(/^::error title=[^:]*file=realm.yaml,line=4/m);
  repository.file("realm.yaml", GENERAL);
  expect(await run("validate", { ...push, anonymous: true })).toMatchObject({ code: 0, outputs: { errors: "0" } });

  const snapshot = await run("snapshot", push);
  expect(snapshot).toMatchObject({ code: 0, outputs: { "artifact-name": "realmctl-snapshot" } });
  repository.upload(snapshot, "realmctl-snapshot", "snapshot-file");

  repository.pull(GENERAL, WITH_NEWS);
  const first = await run("plan", pullJob);
  expect(first).toMatchObject({ code: 0, outputs: { comment: "created", changes: "2", "exit-code": "0" } });
  expect(first.summary).toContain("This pull request: 1");
  expect(github.checks).toMatchObject([{ conclusion: "neutral", annotations: [{ start_line: 5 }] }]);
  expect(await run("plan", pullJob)).toMatchObject({ outputs: { comment: "unchanged" } });
  repository.pull(GENERAL, WITH_NEWS.replace("New", "Newest"));
  const last = await run("plan", pullJob);
  expect(last).toMatchObject({ outputs: { comment: "edited" } });
  repository.upload(last, last.outputs["artifact-name"] ?? "", "reviewed-file", { head_sha: SHA.head });

  github.merged[SHA.main] = { number: 7, head: SHA.head };
  github.git.commits[SHA.main] = { "realm.yaml": WITH_NEWS.replace("New", "Newest") };
  expect(await run("apply", push)).toMatchObject({ code: 0, outputs: { outcome: "applied" } });
  expect(github.comments[1]?.body).toContain("Applied 2 of 2");

  expect(await run("drift", nightly)).toMatchObject({ code: 0, outputs: { drift: "0", "issue-number": "" } });
  const path = `/streams/${world.channel("general").stream_id}`;
  await world.edit("owner", "PATCH", path, { description: "Anything" });
  const opened = await run("drift", nightly);
  expect(opened).toMatchObject({ code: EXIT.changesPending, outputs: { drift: "1", "adopt-pull-request": "500" } });
  expect(github.issues).toMatchObject([{ state: "open", body: expect.stringContaining("#general") }]);
  await world.edit("owner", "PATCH", path, { description: "Everything" });
  expect(await run("drift", nightly)).toMatchObject({ code: 0, outputs: { drift: "0" } });
  expect([github.issues[0]?.state, github.git.pulls[0]?.state]).toEqual(["closed", "closed"]);

  const shown = log.join("");
  for (const secret of [TOKEN, world.credentials().ZULIP_API_KEY ?? ""]) expect(shown).not.toContain(secret);
});

test("a cancelled run finishes the current call, and says what remains", async () => {
  // The signal takes a moment: there is enough work to interrupt.
  const linkifiers = Array.from({ length: 25 }, (_, at) => {
    return `  - {pattern: "${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[at]}-(?P<id>[0-9]+)", url_template: "https://x.example.org/{id}"}\n`;
  });
  repository.file("realm.yaml", `version: 1\nlinkifiers:\n${linkifiers.join("")}`);
  repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
  // The guard rails of the commit before the push count, too.
  repository.github.commits[SHA.base] = { "realm.yaml": "version: 1\n" };
  isCancelled = true;
  const step = await repository.run("apply", { event: "push", sha: SHA.main, inputs: { reviewed: "ignore" } });
  expect(step).toMatchObject({ code: EXIT.appliedInPart, outputs: { outcome: "stopped", changes: "25" } });
  const done = repository.world.writes().length;
  expect(done).toBeLessThan(25);
  expect(repository.github.comments[0]?.body).toContain(`done ${done} · not sent ${25 - done}`);
});
