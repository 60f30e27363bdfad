import { expect, test } from "vitest";
import { SUMMARY_BUDGET } from "../../src/action/job.ts";
import { alive } from "./alive.ts";
import { MOST } from "./fake-http.ts";
import { repositoryOfFile, SHA, type Step } from "./runner.ts";

/*
 * GitHub's limits, reached: a comment, an issue and a check of 65,536 characters, a summary of 1 MiB, ten annotations of each level from the log of one step
 * and fifty of a job. The fake refuses what GitHub refuses.
 */

const MOST_OF_JOB = 50;
const SUMMARY_BYTES = 2 ** 20;
/** UTF-8 has no more bytes for one unit of UTF-16. */
const MOST_BYTES_OF_UNIT = 3;
const WIDE = "漢字".repeat(20);
/** Each differs from the others, so that none are combined. */
const linkifiers = (number: number): string =>
  `version: 1\nlinkifiers:\n${Array.from(
    { length: number },
    (_, at) => `  - {pattern: "${WIDE}${at}-(?P<id>[0-9]+)", url_template: "https://bugs.example.org/${at}/{id}"}\n`,
  ).join("")}`;
// Half of it is different already, without the pull request.
const [BASE, MANY] = [linkifiers(400), linkifiers(800)];

const repository = repositoryOfFile();

/** The annotations that a runner makes of a log. */
const logged = (step: Step): { readonly [level: string]: number } =>
  Object.fromEntries(
    ["error", "warning", "notice"].map((level) => [
      level,
      step.log.match(new RegExp(`^::${level} `, "gm"))?.length ?? 0,
    ]),
  );

function expectWithin(step: Step): void {
  const counts = Object.values(logged(step));
  expect(Math.max(...counts)).toBeLessThanOrEqual(10);
  expect(counts.reduce((sum, number) => sum + number, 0)).toBeLessThanOrEqual(MOST_OF_JOB);
  expect(Buffer.byteLength(step.summary)).toBeLessThanOrEqual(SUMMARY_BYTES);
}

test("a plan of thousands of different changes: comment, check, summary and annotations", async () => {
  const { github } = repository;
  repository.pull(BASE, MANY);
  const step = await repository.run("plan", { inputs: { rehearse: "false" } });
  expect(step, step.log).toMatchObject({ code: 0, outputs: { comment: "created" } });
  expectWithin(step);
  const body = github.comments[0]?.body ?? "";
  expect(body.length).toBeGreaterThan(MOST.body * 0.8);
  expect(body).toMatch(/… and [\d,]+ more changes, left out here/);
  expect(alive(body)).toEqual([]);
  expect(Buffer.byteLength(step.summary)).toBeGreaterThan(SUMMARY_BYTES / 4);
  expect(SUMMARY_BUDGET * MOST_BYTES_OF_UNIT).toBeLessThan(SUMMARY_BYTES);
  expect(github.checks[0]?.output.summary.length).toBeGreaterThan(MOST.summary * 0.8);
  expect(github.checks[0]?.annotations).toHaveLength(200);

  // Without a check, the first annotations are in the log.
  const alone = await repository.run("plan", { inputs: { rehearse: "false", check: "false", comment: "false" } });
  expectWithin(alone);
  expect(logged(alone)).toEqual({ error: 0, warning: 0, notice: 10 });
});

test("hundreds of errors and warnings", async () => {
  const lines = (number: number, line: (at: number) => string) =>
    Array.from({ length: number }, (_, at) => line(at)).join("");
  const text = `version: 1\nmanage: {channels: additive}\nchannels:\n${lines(300, (at) => `  "a\u2066-${at}": {description: ${WIDE}}\n`)}${lines(300, (at) => `  "b-${at}${WIDE}": {descripton: x}\n`)}`;
  repository.pull(BASE, text);
  for (const [command, event] of [
    ["plan", "pull_request"],
    ["validate", "push"],
    ["drift", "schedule"],
  ] as const) {
    const step = await repository.run(command, { event, ...(event === "pull_request" ? {} : { sha: SHA.main }) });
    expect(step.code).toBe(1);
    expectWithin(step);
    expect(logged(step).error).toBe(command === "plan" ? 0 : 10);
  }
});

test("a drift of thousands of differences: the issue", async () => {
  const { github } = repository;
  repository.file("realm.yaml", MANY);
  const inputs = { "fail-on-drift": "false" };
  const step = await repository.run("drift", { event: "schedule", sha: SHA.main, inputs });
  expect(step.code, step.log).toBe(0);
  expectWithin(step);
  const body = github.issues[0]?.body ?? "";
  expect(body.length).toBeGreaterThan(MOST.body * 0.8);
  expect(alive(body)).toEqual([]);
});
