import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import type { Interceptor } from "../../src/sandbox/index.ts";
import { isWrite } from "../e2e/world.ts";
import { journalText, START } from "../support/apply/journals.ts";
import { BASE, HEAD, organizationInLine } from "./file-and-head.ts";
import { repositoryOfTests, SHA } from "./runner.ts";

/** Happens during the first write of a test. */
let cancelAtWrite: (() => void) | undefined;
beforeEach(() => {
  cancelAtWrite = undefined;
});
const before: Interceptor["before"] = async ({ method, path }) => {
  if (isWrite({ method, path })) cancelAtWrite?.();
  return undefined;
};
const repository = repositoryOfTests({ from: await organizationInLine(), interceptors: [{ before }] });

describe("apply on merge", () => {
  const merge = (inputs: { [name: string]: string } = {}) =>
    repository.run("apply", { event: "push", sha: SHA.main, inputs });

  beforeEach(() => {
    repository.pull(BASE, HEAD);
    repository.github.merged[SHA.main] = { number: 7, head: SHA.head };
  });

  async function review(): Promise<void> {
    const step = await repository.run("plan", { inputs: { comment: "false", check: "false" } });
    repository.upload(step, step.outputs["artifact-name"] ?? "", "reviewed-file", { head_sha: SHA.head });
    repository.github.writes();
  }

  test("the reviewed plan is applied, and the result is posted on the pull request", async () => {
    await review();
    const step = await merge();
    expect(step).toMatchObject({ code: 0, outputs: { outcome: "applied" } });
    expect(step.log).toMatch(
      /^Sending 2 writes for 2 changes\.\n {2}✓ channels: created #news · archived #sandbox\n\nApplied 2 of 2/m,
    );
    expect(step.log + repository.github.comments[0]?.body).not.toContain("--undo");
    expect(repository.github.comments).toMatchObject([{ pull: 7, body: expect.stringContaining("Applied 2 of 2") }]);
    expect((await merge()).outputs.outcome).toBe("nothing-to-do");
  });

  test("somebody whom a reviewed pull request takes off the list of a private channel leaves it", async () => {
    const file = (users: string) =>
      `${BASE}  vault: {privacy: private_shared_history, subscribers: {users: [${users}], exact: true}}\n`;
    const both = file("ada@acme.example, elif@acme.example");
    const readers = () =>
      Object.values(
        repository.world.sandbox.state().subscriptions[repository.world.channel("vault").stream_id] ?? {},
      ).filter(({ active }) => active).length;
    await repository.world.bringInLine(both);
    expect(readers()).toBe(2);
    repository.pull(both, file("ada@acme.example"));
    await review();
    expect((await merge()).code).toBe(EXIT.done);
    expect(readers()).toBe(1);
  });

  test("a journal that the checkout brought ends the run before anything is sent", async () => {
    await review();
    const entry = { ...START, realm: repository.world.url };
    mkdirSync(join(repository.workspace, ".realmctl"));
    writeFileSync(join(repository.workspace, ".realmctl/2099-01-01T00-00-00.jsonl"), journalText([entry]));
    const before = repository.world.writes().length;
    const step = await merge();
    expect(step.code).toBe(EXIT.errors);
    expect(step.log).toContain("journal/in-checkout");
    expect(repository.world.writes()).toHaveLength(before);
    rmSync(join(repository.workspace, ".realmctl"), { recursive: true });
    expect((await merge()).outputs.outcome).toBe("applied");
  });

  test("nor does a job believe a journal of its own account that Git tracks: who can read the artifacts of jobs can commit one", async () => {
    await review();
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: repository.workspace });
    mkdirSync(join(repository.workspace, ".realmctl"));
    writeFileSync(join(repository.workspace, ".realmctl/2026-01-01T00-00-00.jsonl"), "any");
    git("init", "--quiet");
    git("add", "--force", ".realmctl");
    const before = repository.world.writes().length;
    const step = await merge();
    expect([step.code, step.log]).toEqual([EXIT.errors, expect.stringContaining("journal/in-checkout")]);
    expect(repository.world.writes()).toHaveLength(before);
    git("rm", "--quiet", "--cached", "-r", ".realmctl");
    rmSync(join(repository.workspace, ".realmctl"), { recursive: true });
    expect((await merge()).outputs.outcome).toBe("applied");
  });

  test("a cancelled run finishes the current call, and says how far it got", async () => {
    const writes = () => repository.world.writes().length;
    const before = writes();
    cancelAtWrite = () => {
      for (const listener of repository.cancel) listener();
    };
    const step = await merge({ reviewed: "ignore" });
    expect(step).toMatchObject({ code: EXIT.appliedInPart, outputs: { outcome: "stopped" } });
    expect(writes()).toBe(before + 1);
    expect(step.log).toContain("Cancelled: stopping");
    expect(repository.github.comments[0]?.body).toMatch(/not everything was done[\s\S]*done 1 · not sent 1/);
    expect(repository.cancel.size).toBe(0);
  });

  test("a step that runs out of time stops between two calls, with its journal", async () => {
    const before = repository.world.writes().length;
    const atEnd = () => [...repository.alarms].filter(([ms]) => ms === 600_000);
    cancelAtWrite = () => {
      for (const [, onTime] of atEnd()) onTime();
    };
    const step = await merge({ reviewed: "ignore", deadline: "10m" });
    expect(step).toMatchObject({ code: EXIT.appliedInPart, outputs: { outcome: "stopped" } });
    expect(repository.world.writes().length).toBe(before + 1);
    expect(step.log).toContain("The step reached its time limit (input deadline): stopping after the call");
    expect(readFileSync(join(repository.workspace, step.outputs.journal ?? ""), "utf8")).toContain("stopped");
    expect(repository.github.comments[0]?.body).toMatch(/not everything was done[\s\S]*done 1 · not sent 1/);
    expect([atEnd(), repository.cancel.size]).toEqual([[], 0]);
    const refused = await merge({ deadline: "soon" });
    expect(refused.code).toBe(EXIT.errors);
    expect(refused.log).toContain("title=action/input");
    expect(refused.log).toContain('input deadline: "soon" is not a time');
  });

  test("GitHub needs a moment to know which pull request was merged", async () => {
    await review();
    let asked = 0;
    const { merged } = repository.github;
    Object.defineProperty(merged, SHA.main, {
      get: () => (asked++ < 2 ? undefined : { number: 7, head: SHA.head }),
    });
    expect(await merge()).toMatchObject({ code: 0, outputs: { outcome: "applied" } });
    expect(repository.waits).toEqual([3000, 10_000]);
  });

  test("a changed field that the plan writes: refused, reported, nothing sent", async () => {
    await review();
    await repository.world.editChannel("general", { description: "Anything" });
    const writes = repository.world.writes().length;
    const step = await merge();
    expect(step.code).toBe(EXIT.conflict);
    expect(step.log).toContain("title=reviewed/moved");
    expect(repository.world.writes()).toHaveLength(writes);
    expect(repository.github.comments[0]?.body).toContain("applied **nothing**");
  });

  const sinceReview = (more: string) => [
    { what: "nobody joined the group since", joins: [], leaves: [], code: EXIT.done, said: "" },
    {
      what: "people whom the reviewed plan did not count: one more joined",
      joins: ["dmitri@acme.example"],
      leaves: [],
      code: EXIT.refusedByGuard,
      said: more,
    },
    {
      what: "people whom the reviewed plan did not count: one for another",
      joins: ["dmitri@acme.example"],
      leaves: ["elif@acme.example"],
      code: EXIT.refusedByGuard,
      said: "guard/others",
    },
    { what: "somebody left the group", joins: [], leaves: ["elif@acme.example"], code: EXIT.done, said: "" },
  ];
  test.each([
    ...sinceReview("guard/refused").map((row) => ({ ...row, policy: "", asked: "asked about" })),
    ...sinceReview("guard/others").map((row) => ({
      ...row,
      policy: "policy: {limits: {people_gaining_access: 5, opened: 5}}\n",
      asked: "let in by a limit",
    })),
  ])(
    "the review confirms those people whom it showed, $asked: $what",
    async ({ policy, joins, leaves, code, said }) => {
      const { world } = repository;
      const file = (more: string) => `version: 1
${policy}channels:
  vault: {privacy: private_shared_history, subscribers: {users: [${world.credentials().ZULIP_EMAIL}]}${more}}
`;
      world.file("by-hand.yaml", "version: 1\nuser_groups: {keepers: {members: [elif@acme.example]}}\n");
      expect(await world.realmctl("apply by-hand.yaml --yes")).toMatchObject({ code: EXIT.done });
      await repository.world.bringInLine(file(""));
      repository.pull(file(""), file(", permissions: {can_subscribe_group: keepers}"));
      await review();
      const ids = (emails: readonly string[]) => emails.map((email) => world.sandbox.accounts[email]?.user_id ?? 0);
      if (joins.length + leaves.length > 0) {
        const moved = { add: ids(joins), delete: ids(leaves) };
        await world.edit("owner", "POST", `/user_groups/${world.group("keepers")}/members`, moved);
      }
      const writes = world.writes().length;
      const step = await merge();
      expect(step.code, step.log).toBe(code);
      expect(step.log).toContain(said);
      expect(world.writes().length > writes).toBe(code === EXIT.done);
    },
  );

  test.each([
    { what: "nothing else changed", more: {}, leaves: false, code: EXIT.done, said: "" },
    {
      what: "somebody let everybody in who lost it",
      more: { can_subscribe_group: { new: "role:members" } },
      leaves: false,
      code: EXIT.conflict,
      said: "still-read",
    },
    {
      what: "somebody let one of them in",
      more: { can_add_subscribers_group: { new: "dmitri@acme.example" } },
      leaves: false,
      code: EXIT.conflict,
      said: ": 1 person could still read it, although the reviewed plan showed that they no longer can",
    },
    { what: "one of them left the organization", more: {}, leaves: true, code: EXIT.done, said: "" },
  ])("whom the reviewed plan showed to lose a channel: $what", async ({ more, leaves, code, said }) => {
    const { world } = repository;
    const file = (privacy: string) =>
      `version: 1
channels:
  lounge: {privacy: ${privacy}, subscribers: {users: [${world.credentials().ZULIP_EMAIL}]}}
`;
    await repository.world.bringInLine(file("public"));
    repository.pull(file("public"), file("private_shared_history"));
    await review();
    const idOf = (email: string) => world.sandbox.accounts[email]?.user_id ?? 0;
    const setting = (value: string) =>
      value.startsWith("role:") ? world.group(value) : { direct_members: [idOf(value)], direct_subgroups: [] };
    const settings = Object.entries(more).map(([name, value]) => [name, { new: setting(value.new) }]);
    if (settings.length > 0) await world.editChannel("lounge", Object.fromEntries(settings));
    if (leaves) await world.edit("owner", "DELETE", `/users/${idOf("dmitri@acme.example")}`, {});
    const writes = world.writes().length;
    const step = await merge();
    expect(step.code, step.log).toBe(code);
    expect(step.log).toContain(said);
    expect(world.writes().length > writes).toBe(code === EXIT.done);
    expect(world.channel("lounge").invite_only).toBe(code === EXIT.done);
  });

  test.each([
    {
      what: "its limit is raised in the same request",
      before: "limits: {people_gaining_access: 0}",
      after: "limits: {people_gaining_access: 9, opened: 9}",
    },
    {
      what: "a protection is deleted in the same request",
      before: "protect: ['channel:vault']",
      after: "limits: {people_gaining_access: 9, opened: 9}",
    },
  ])("a plan that the base's guard rails refused is not applied: $what", async ({ before, after }) => {
    const { world } = repository;
    const file = (policy: string, more: string) => `version: 1
policy: {${policy}}
channels:
  vault: {privacy: private_shared_history, subscribers: {users: [${world.credentials().ZULIP_EMAIL}]}${more}}
`;
    await repository.world.bringInLine(file("limits: {people_gaining_access: 9}", ""));
    repository.pull(file(before, ""), file(after, ", permissions: {can_subscribe_group: role:members}"));
    await review();
    const writes = world.writes().length;
    const step = await merge();
    expect(step.code, step.log).toBe(EXIT.conflict);
    expect(step.log).toContain("title=reviewed/refused");
    expect(world.writes()).toHaveLength(writes);
  });

  test("a field that the plan does not write may change", async () => {
    await review();
    await repository.world.editChannel("Zulip", { description: "Anything" });
    expect((await merge()).code).toBe(0);
  });

  test.each([
    [
      "the file differs",
      () => repository.file("realm.yaml", `${HEAD}  more: {description: Sneaked in}\n`),
      EXIT.conflict,
      "reviewed/other-file",
    ],
    [
      "the commit differs",
      () => {
        repository.github.merged[SHA.main] = { number: 7, head: "9".repeat(40) };
      },
      EXIT.refusedByGuard,
      "reviewed/none",
    ],
    [
      "nobody planned it",
      () => {
        repository.github.artifacts = [];
      },
      EXIT.refusedByGuard,
      "reviewed/none",
    ],
    [
      "the plan cannot be read",
      () => {
        for (const one of repository.github.artifacts) one.files = { "realmctl-reviewed.json": "[]" };
      },
      EXIT.refusedByGuard,
      "reviewed/none",
    ],
    [
      "the plan is for another organization",
      () => {
        for (const one of repository.github.artifacts)
          one.files = {
            "realmctl-reviewed.json": (one.files["realmctl-reviewed.json"] ?? "").replace(
              /"realm":\s*"[^"]*"/,
              '"realm":"https://other.example.org"',
            ),
          };
      },
      EXIT.conflict,
      "reviewed/other-realm",
    ],
    [
      "nobody merged a pull request",
      () => {
        repository.github.merged = {};
      },
      EXIT.refusedByGuard,
      "reviewed/none",
    ],
  ])("refused: %s", async (_, change, exitCode, code) => {
    await review();
    change();
    const writes = repository.world.writes().length;
    const step = await merge();
    expect(step.code).toBe(exitCode);
    expect(step.log).toContain(`title=${code}`);
    expect(repository.world.writes()).toHaveLength(writes);
  });

  test("a plan that another version reviewed counts as none, and the message says what to do; planned again, it is applied", async () => {
    await review();
    const [artifact] = repository.github.artifacts;
    const text = artifact?.files["realmctl-reviewed.json"] ?? "";
    const { asks: _, who: __, ...older } = JSON.parse(text);
    for (const one of repository.github.artifacts)
      one.files = { "realmctl-reviewed.json": JSON.stringify({ ...older, version: 4 }) };
    const writes = repository.world.writes().length;
    const step = await merge();
    expect(step.code).toBe(EXIT.refusedByGuard);
    expect(step.log).toContain("title=reviewed/none");
    expect(step.log).toContain("another version of realmctl wrote the reviewed plan of #7");
    expect(step.log).toContain("run the plan of the pull request again");
    expect(repository.world.writes()).toHaveLength(writes);
    await review();
    expect((await merge()).outputs.outcome).toBe("applied");
  });

  test("a plan that another version reviewed confirms nothing that is asked about, also with reviewed: if-found", async () => {
    const closed = `${BASE}  vault: {privacy: private_shared_history, subscribers: {users: [ada@acme.example], exact: true}}\n`;
    await repository.world.bringInLine(closed);
    repository.pull(closed, closed.replace("private_shared_history", "public"));
    await review();
    for (const one of repository.github.artifacts)
      one.files = {
        "realmctl-reviewed.json": (one.files["realmctl-reviewed.json"] ?? "").replace(
          /"version":\s*\d+/,
          '"version":4',
        ),
      };
    const writes = repository.world.writes().length;
    expect((await merge({ reviewed: "if-found" })).code).toBe(EXIT.refusedByGuard);
    expect(repository.world.writes()).toHaveLength(writes);
    await review();
    expect((await merge({ reviewed: "if-found" })).code).toBe(EXIT.done);
  });

  test("reviewed: if-found continues without a plan; a pull request is never applied", async () => {
    expect((await merge({ reviewed: "if-found" })).code).toBe(0);
    expect((await repository.run("apply")).log).toContain("title=action/apply-on-pull-request");
  });

  test("a snapshot without names reviews the same values", async () => {
    repository.file("realm.yaml", BASE);
    const snapshot = await repository.run("snapshot", { event: "push" });
    repository.upload(snapshot, "realmctl-snapshot", "snapshot-file");
    const head = `${BASE}  news: {description: New, permissions: {can_administer_channel_group: role:moderators}}\n`;
    repository.pull(BASE, head);
    const step = await repository.run("plan", { anonymous: true, inputs: { snapshot: "artifact" } });
    expect(step.code).toBe(0);
    repository.upload(step, "realmctl-plan-7", "reviewed-file");
    expect(await merge()).toMatchObject({ code: 0, outputs: { outcome: "applied" } });
  });
});
