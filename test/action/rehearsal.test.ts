import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { repositoryOfFile, SHA, type Step } from "./runner.ts";

/**
 * An organization that claims to allow channel names of 80 characters, but refuses those of more than 60: the plan is made, and only a rehearsal
 * shows the refusal.
 */
const from = JSON.parse(readFileSync(join(import.meta.dirname, "../recordings/realm.json"), "utf8"));
from.register.max_stream_name_length = 80;
const repository = repositoryOfFile({ from });
beforeEach(() => repository.world.sandbox.reset());

const BASE = "version: 1\nchannels:\n  general: {description: Everything}\n";
const LONG = "merger-with-umbra-".repeat(4);
const SAID = "Channel name too long (limit: 60 characters).";
const head = (name: string): string => `${BASE}  ${name}: {privacy: private_shared_history}\n`;
const comment = (): string => repository.github.comments.at(-1)?.body ?? "";
const check = () => repository.github.checks.at(-1);
const shows = (step: Step): string => repository.published([step]);

test("a plan that fails its rehearsal fails the check, with the call and the server's words, and without hidden names", async () => {
  repository.pull(BASE, head(LONG));
  const step = await repository.run("plan");
  expect(step.code).toBe(EXIT.refusedByGuard);
  expect(check()).toMatchObject({ conclusion: "failure" });
  for (const text of [comment(), step.log])
    expect(text).toMatch(/the rehearsal stops at call \d of 2 \(subscribe, for `?#new private channel 1/);
  expect(comment()).toContain(SAID);
  expect(comment()).toMatch(/Rehearsed: \d of 2 calls succeeds? · call \d is the first that fails/);
  expect(step.log).toContain(SAID);
  expect(shows(step).includes("umbra")).toBe(false);
});

test("a plan that passes its rehearsal says so in the comment, and hides names there too", async () => {
  repository.pull(BASE, head("merger-with-umbra"));
  const step = await repository.run("plan");
  expect(step.code).toBe(EXIT.done);
  expect(check()).toMatchObject({ conclusion: "neutral" });
  expect(comment()).toContain("Rehearsed: both calls succeed · the result matches the file · nothing opens in between");
  expect(step.summary).toContain("Rehearsed: both calls succeed");
  expect(shows(step).includes("umbra")).toBe(false);
});

test("nothing is hidden where names may be shown", async () => {
  repository.pull(
    BASE,
    `${BASE}  news-desk: {subscribers: {users: [${repository.world.credentials().ZULIP_EMAIL}]}}\n`,
  );
  const step = await repository.run("plan", { inputs: { "show-private-names": "true" } });
  expect(step.code).toBe(EXIT.done);
  expect(comment()).toMatch(/Rehearsed: .*the result matches the file/);
});

test("with rehearse: false there is no rehearsal, and the comment does not claim one", async () => {
  repository.pull(BASE, head(LONG));
  const step = await repository.run("plan", { inputs: { rehearse: "false" } });
  expect(step.code).toBe(EXIT.done);
  expect(`${comment()}${step.log}${step.summary}`).not.toMatch(/Rehearsed|rehearsal/);
});

test("apply rehearses the plan first: a plan that fails is not started, unless rehearse: false", async () => {
  repository.file("realm.yaml", head(LONG));
  const before = repository.world.writes().length;
  const inputs = { reviewed: "ignore", comment: "false" };
  const tried = await repository.run("apply", { event: "push", sha: SHA.main, inputs });
  expect(tried).toMatchObject({ code: EXIT.refusedByGuard, log: expect.stringContaining(SAID) });
  expect(tried.log).toMatch(/the rehearsal stops at call \d of 2/);
  expect(tried.log).not.toContain("umbra");
  expect(repository.world.writes()).toHaveLength(before);
  const sent = await repository.run("apply", {
    event: "push",
    sha: SHA.main,
    inputs: { ...inputs, rehearse: "false" },
  });
  expect(sent.code).toBe(EXIT.appliedInPart);
  expect(sent.log).toContain(SAID);
  expect(repository.world.writes().length).toBeGreaterThan(before);
});

test("a snapshot that hides names is not rehearsed: missing data would cause refusals without a reason", async () => {
  repository.file("realm.yaml", BASE);
  const snapshot = await repository.run("snapshot", { event: "schedule", sha: SHA.main });
  expect(snapshot.code).toBe(EXIT.done);
  repository.upload(snapshot, "realmctl-snapshot", "snapshot-file");
  repository.pull(BASE, head(LONG));
  const step = await repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } });
  expect(step.code).toBe(EXIT.done);
  expect(`${comment()}${step.log}`).not.toMatch(/Rehearsed|rehearsal/);
  expect(shows(step).includes("umbra")).toBe(false);
});
