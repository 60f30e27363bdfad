import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pageOf } from "../support/forge-page.mjs";
import fc from "../support/random.ts";
import { alive } from "./alive.ts";
import { GENERAL } from "./file-and-head.ts";
import { LOUD, PARTS, words } from "./hostile-words.ts";
import { type Repository, repositoryOfTests, SHA, type Step } from "./runner.ts";

const repository = repositoryOfTests();

const SEED = fc.readConfigureGlobal().seed ?? 0;
const NAMES = [
  ...new Set(fc.sample(words(PARTS, 58), { numRuns: 60, seed: SEED }).map((name, at) => `${name}${at % 7}`)),
];
const TEXTS = fc.sample(words([...PARTS, ...LOUD], 900), { numRuns: NAMES.length, seed: SEED + 1 });

/** In a file `$` begins a reference. */
const written = (text = ""): string => JSON.stringify(text.replaceAll("${", () => "$${"));
const HEAD = GENERAL.concat(
  ...NAMES.map((name, at) => `  ${JSON.stringify(name)}: {description: ${written(TEXTS[at])}}\n`),
);

/** Log lines that the runner would obey, except annotations with our titles. */
function obeyed(log: string): readonly string[] {
  return log
    .split(/\r?\n|\r/)
    .filter(
      (line) =>
        (/^\s*::/.test(line) && !/^::(error|warning|notice) title=[\w/%: -]+[,:]/.test(line)) || line.includes("##["),
    );
}

function expectHarmless(steps: readonly Step[]): void {
  const { comments, issues, checks, git } = repository.github;
  const texts = [
    ...comments.map(({ body }) => body),
    ...issues.flatMap((issue) => [issue.body, ...issue.comments]),
    ...git.pulls.map(({ body }) => body),
    ...checks.map(({ output }) => output.summary),
    ...steps.map(({ summary }) => summary),
  ];
  expect(texts.join("").length).toBeGreaterThan(1000);
  for (const text of texts) {
    expect(alive(text)).toEqual([]);
    // Only the end of a text can be what the next run remembers.
    const lines = text.trimEnd().split("\n");
    const last = lines.findLastIndex((line) => !line.startsWith("<!-- "));
    expect(lines.slice(0, last + 1).filter((line) => /^ {0,3}(?:<!--|\/)/.test(line))).toEqual([]);
    const page = pageOf(text);
    for (const tag of ["details", "summary", "ul", "li", "pre"])
      expect(page.split(`<${tag}>`).length, tag).toBe(page.split(`</${tag}>`).length);
  }
  for (const title of [...issues, ...git.pulls].map((one) => one.title)) expect(title).not.toMatch(/[@<`\p{Cc}]/u);
  for (const message of checks.flatMap(({ annotations }) => annotations.map((one) => one.message)))
    expect(message).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
  for (const step of steps) {
    expect(obeyed(step.log)).toEqual([]);
    expect(step.log).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(JSON.stringify(step.outputs)).not.toContain("pwned");
    for (const name of ["report-file", "page-file"]) {
      const file = step.outputs[name];
      if (file === undefined) continue;
      const text = readFileSync(file, "utf8");
      expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      if (name === "page-file") {
        expect(text.match(/<(script|img|iframe)\b[^>]*>/g)).toEqual(["<script>"]);
        for (const [link] of text.matchAll(/<a\b[^>]*>/g)) expect(link).toMatch(/^<a href="#[\w-]+">$/);
      }
    }
  }
}

test("this test detects what a runner would execute", () => {
  expect(
    obeyed("fine\n::error title=a/b,file=x::text\n::error::pwned\n  ::set-output name=a::b\nx ##[error]y"),
  ).toHaveLength(3);
});

test("names and texts are only shown, whatever they contain: plan, apply, drift, the pull request, and the log", async () => {
  repository.pull(GENERAL, HEAD);
  repository.github.git.commits[SHA.main] = { "realm.yaml": HEAD };
  repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
  const steps: Step[] = [];
  const run = async (...args: Parameters<Repository["run"]>): Promise<Step> => {
    const step = await repository.run(...args);
    steps.push(step);
    return step;
  };
  expect(await run("plan")).toMatchObject({ code: 0, outputs: { changes: String(NAMES.length + 1) } });
  await run("plan", { inputs: { check: "false", comment: "false" } });
  expect(await run("apply", { event: "push", sha: SHA.main, inputs: { reviewed: "ignore" } })).toMatchObject({
    code: 0,
  });
  // Somebody writes such texts into the organization, too.
  for (const [at, name] of NAMES.slice(0, 20).entries())
    await repository.world.editChannel(name, {
      description: `${(TEXTS[at + 20] ?? "").replaceAll(/\s/g, " ")} by hand`,
    });
  await repository.world.subscribe("::error::pwned @octocat <img src=x>");
  const adopt = { "adopt-pull-request": "true", "fail-on-drift": "false" };
  expect(await run("drift", { event: "schedule", sha: SHA.main, inputs: adopt })).toMatchObject({
    code: 0,
    outputs: { drift: "20", "adopt-pull-request": "500" },
  });
  expectHarmless(steps);
});

test("errors that quote them, and a server that answers with them", async () => {
  const broken = HEAD.replaceAll(/description: /g, "descripton: ").concat(
    ...NAMES.map((name) => `  ${JSON.stringify(`${name}\u0007\u001b[1m`)}: {privacy: ${JSON.stringify(name)}}\n`),
  );
  repository.pull(GENERAL, broken);
  const steps = [
    await repository.run("plan"),
    await repository.run("validate", { event: "push" }),
    await repository.run("drift", { event: "schedule", sha: SHA.main }),
    await repository.run("snapshot", { event: "push", sha: SHA.main }),
  ];
  expect(steps.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  repository.pull(GENERAL, HEAD);
  repository.github.refuse.push({ match: /POST|issues$/, status: 422, message: PARTS.join("\n") });
  steps.push(await repository.run("plan"), await repository.run("drift", { event: "schedule", sha: SHA.main }));
  expectHarmless(steps);
});
