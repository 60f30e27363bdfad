import { describe, expect, test } from "vitest";
import { readEvent } from "../../src/action/inputs.ts";
import { EXIT } from "../../src/model/diagnostic.ts";
import { Described } from "./described.ts";
import { type EventName, SHA, startedBy } from "./events.ts";
import { BASE, HEAD } from "./file-and-head.ts";
import { repositoryOfFile } from "./runner.ts";

const EVENTS = [
  ["pull_request", {}],
  ["pull_request", { action: "opened" }],
  ["pull_request_target", { headRepository: "stranger/chat" }],
  ["push", {}],
  ["schedule", {}],
  ["workflow_dispatch", {}],
  ["workflow_run", {}],
  ["merge_group", {}],
] as const satisfies readonly (readonly [EventName, object])[];

test.each(EVENTS)("the event %s, %j is as GitHub describes it, and the Action reads it", (name, options) => {
  const { described: known, payload, ref, sha } = startedBy(name, options);
  const described = new Described();
  if (known !== undefined) described.event(known, payload);
  expect(described.violations).toEqual([]);
  const env = { GITHUB_REPOSITORY: "acme/chat", GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_SHA: sha };
  const event = readEvent(env, JSON.stringify(payload));
  expect(event).toMatchObject({ name, sha, ref, defaultBranch: "main", repositoryId: expect.any(Number) });
  const isPull = name.startsWith("pull_request");
  expect(event.pull?.number).toBe(isPull ? 7 : undefined);
  if (isPull) expect(event.pull?.fork).toBe("headRepository" in options);
});

test("an event that differs from GitHub's description is found", () => {
  const described = new Described();
  described.event("push", { ...startedBy("push").payload, mine: true, after: 7 });
  described.event("push-force", {});
  expect(described.violations.join("\n")).toMatch(/\/after must be string[\s\S]*knows no \/mine[\s\S]*no such event/);
});

describe("a step that is started by", () => {
  const repository = repositoryOfFile();

  test.each<{
    event: EventName;
    command: string;
    code: number;
    /** Comments, checks and issues that it writes, and whether it writes to the organization. */
    writes: readonly [comments: number, checks: number, issues: number, organization: boolean];
    says?: string;
    inputs?: { readonly [name: string]: string };
  }>([
    { event: "pull_request", command: "plan", code: EXIT.done, writes: [1, 1, 0, false] },
    { event: "pull_request_target", command: "plan", code: EXIT.done, writes: [1, 1, 0, false] },
    { event: "push", command: "plan", code: EXIT.done, writes: [0, 0, 0, false] },
    { event: "merge_group", command: "plan", code: EXIT.done, writes: [0, 0, 0, false] },
    { event: "workflow_run", command: "plan", code: EXIT.done, writes: [0, 0, 0, false] },
    { event: "workflow_dispatch", command: "plan", code: EXIT.done, writes: [0, 0, 0, false] },
    { event: "schedule", command: "drift", code: EXIT.changesPending, writes: [0, 0, 1, false] },
    { event: "workflow_dispatch", command: "drift", code: EXIT.changesPending, writes: [0, 0, 1, false] },
    ...(["schedule", "workflow_dispatch", "workflow_run"] as const).map((event) => ({
      ...{ event, command: "snapshot", code: EXIT.done, writes: [0, 0, 0, false] as const },
    })),
    ...(["pull_request", "pull_request_target"] as const).map((event) => ({
      ...{ event, command: "apply", code: EXIT.errors, writes: [0, 0, 0, false] as const },
      says: "action/apply-on-pull-request",
    })),
    // What waits in a queue is not merged: no pull request with a reviewed plan has its commit.
    ...(["merge_group", "workflow_run", "workflow_dispatch", "schedule"] as const).map((event) => ({
      ...{ event, command: "apply", code: EXIT.refusedByGuard, writes: [0, 0, 0, false] as const },
      says: "reviewed/none",
    })),
    {
      ...{ event: "workflow_dispatch", command: "apply", code: EXIT.done, writes: [0, 0, 0, true] },
      inputs: { reviewed: "ignore" },
    },
  ])("$event: $command ($code)", async ({ event, command, code, writes, says = "", inputs = {} }) => {
    repository.world.restart();
    repository.restart();
    repository.pull(BASE, HEAD);
    const { github, world } = repository;
    github.git.commits[SHA.main] = { "realm.yaml": HEAD };
    world.writes();
    const step = await repository.run(command, { event, inputs });
    expect(step.log).toContain(says);
    expect(step.code, step.log).toBe(code);
    const wrote = world.writes().length > 0;
    expect([github.comments.length, github.checks.length, github.issues.length, wrote]).toEqual(writes);
    expect(step.summary === "").toBe(code !== EXIT.done && code !== EXIT.changesPending);
  });
});
