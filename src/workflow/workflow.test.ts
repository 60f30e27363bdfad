import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { journalText, sending, startOf, TEST_CODE } from "../../test/support/apply/journals.ts";
import { refused } from "../../test/support/apply/three.ts";
import { change, channel, field, planOf, set, ToyServer, thing } from "../../test/support/apply/toy.ts";
import { temporaryDirectory } from "../../test/support/directory.ts";
import { limit } from "../../test/support/example-plans.ts";
import { takeLock } from "../apply/lock.ts";
import { EXIT, Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { applyRealm, type EarlierRunsOptions, findEarlierRuns } from "./apply.ts";
import { planUndo } from "./undo.ts";
import { driftOf } from "./workflow.ts";

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory("workflow");
});
afterEach(() => rmSync(directory, { recursive: true }));

const plan = planOf(
  [change("a", 1, field("description", "old", "new"))],
  [set(1, 1, "a", "description", "old", "new")],
);

function run(wanted: Plan, read: (snapshot: Snapshot) => Snapshot = (snapshot) => snapshot) {
  const server = new ToyServer(channel(1, "a", "old"));
  const result = applyRealm(wanted, {
    reader: { snapshot: async () => read(await server.read()) },
    writer: { codeOf: TEST_CODE, send: (call) => server.send(call) },
    kinds: [thing],
    directory,
    temporary: directory,
    now: () => Date.parse("2026-11-21T12:05:02Z"),
  });
  return { server, result };
}

describe("applyRealm", () => {
  test("writes a journal and releases the lock", async () => {
    const { result } = run(plan);
    expect(await result).toMatchObject({ outcome: "applied", journal: ".realmctl/2026-11-21T12-05-02.jsonl" });
    takeLock(directory, plan.realm.url, 0).release();
  });

  test("a guard rail that is violated refuses the plan before anything is read", async () => {
    const removals = limit("removals", 6, 5);
    const guards = [removals, limit("people_losing_access", 0, 20)];
    const { server, result } = run({ ...plan, guards });
    await expect(result).rejects.toMatchObject({
      exitCode: EXIT.refusedByGuard,
      diagnostics: [{ code: "guard/refused", fact: { guard: { pattern: "removals" }, fact: removals.fact } }],
    });
    expect([server.reads, server.sent]).toEqual([0, []]);
  });

  test.each([
    {
      fact: "another realm",
      read: (snapshot: Snapshot) => ({ ...snapshot, realm: { url: "https://other.example.org", name: "Other" } }),
      exitCode: EXIT.errors,
      code: "realm/other-realm",
      outcome: "stopped",
    },
    {
      fact: "another account",
      read: (snapshot: Snapshot) => ({ ...snapshot, account: { ...snapshot.account, email: "other@example.org" } }),
      exitCode: EXIT.conflict,
      code: "plan/other-account",
      outcome: "conflict",
    },
    {
      fact: "a server of another level",
      read: (snapshot: Snapshot) => ({ ...snapshot, server: { zulip_version: "12.1", feature_level: 482 } }),
      exitCode: EXIT.conflict,
      code: "plan/other-server",
      outcome: "conflict",
    },
  ])("a plan meets $fact: nothing is sent", async ({ read, exitCode, code, outcome }) => {
    const { server, result } = run(plan, read);
    expect(await result).toMatchObject({ outcome, exitCode, diagnostics: [{ code }], journal: null });
    expect(server.sent).toEqual([]);
  });

  test("case and a trailing slash make no difference", async () => {
    const { result } = run({ ...plan, realm: { url: "https://CHAT.example.org/", name: "Example" } });
    expect((await result).outcome).toBe("applied");
  });

  test("another run on the same realm is refused", async () => {
    const lock = takeLock(directory, plan.realm.url, 0);
    const { server, result } = run(plan);
    await expect(result).rejects.toThrow(Failure);
    expect(server.reads).toBe(0);
    lock.release();
  });
});

describe("a run that was interrupted", () => {
  const NAME = "2026-11-21T11-00-00.jsonl";
  const start = { ...startOf(plan), at: "2026-11-21T11:00:00.000Z", file: NAME };
  const writer = { codeOf: TEST_CODE, send: () => Promise.reject(new RangeError("not for sending")) };
  const earlier = (more: EarlierRunsOptions = {}) => findEarlierRuns(directory, plan.realm.url, { writer, ...more });
  const journals = () => readdirSync(join(directory, ".realmctl")).filter((name) => name.endsWith(".jsonl"));

  beforeEach(async () => {
    await run(planOf([], [])).result;
    const { result } = run(plan);
    await result;
    for (const name of journals()) rmSync(join(directory, ".realmctl", name));
    writeFileSync(join(directory, ".realmctl", NAME), journalText([start, sending(1)], TEST_CODE));
  });

  test("is reported", () => {
    expect(earlier().unfinished).toEqual({
      journal: ".realmctl/2026-11-21T11-00-00.jsonl",
      startedAt: start.at,
      done: 0,
      open: 1,
      left: 1,
    });
  });

  test("says whether it carried out the same plan", () => {
    const unfinished = (asked: typeof plan) => earlier({ plan: asked }).unfinished?.isOfPlan;
    expect(unfinished(plan)).toBe(true);
    expect(unfinished({ ...plan, calls: [] })).toBeUndefined();
  });

  test("is not reported if it is still active", () => {
    const lock = takeLock(directory, plan.realm.url, 0);
    expect(earlier({ temporary: directory }).unfinished).toBeUndefined();
    lock.release();
    expect(earlier({ temporary: directory }).unfinished).toBeDefined();
  });

  test("is taken over by the next run, and not reported again", async () => {
    await run(plan).result;
    expect(earlier().unfinished).toBeUndefined();
    const later = readFileSync(join(directory, ".realmctl", "2026-11-21T12-05-02.jsonl"), "utf8");
    expect(JSON.parse(later.split("\n")[0] ?? "")).toMatchObject({ resumes: "2026-11-21T11-00-00.jsonl" });
  });

  test("is not reported again if none of its changes is left", async () => {
    await run(planOf([], [])).result;
    expect(earlier().unfinished).toBeUndefined();
    expect(journals()).toHaveLength(1);
  });
});

describe("driftOf", () => {
  const unmanaged = [
    { section: "things", policy: "additive", names: ["stranger"] },
    { section: "others", policy: "absent", names: ["whatever"] },
  ] as const;

  test("differences are drift", () => {
    expect(driftOf({ ...plan, unmanaged })).toMatchObject({
      differences: plan.changes,
      unmanaged: [unmanaged[0]],
      exitCode: EXIT.changesPending,
    });
  });

  test("objects that the file leaves alone are not drift", () => {
    expect(driftOf({ ...planOf([], []), unmanaged }).exitCode).toBe(EXIT.done);
  });
});

describe.each(["interrupted", "in part"])("undoing a run that continued one that was %s", (first) => {
  const both = planOf(
    [change("a", 1, field("description", "old", "new")), change("b", 2, field("description", "old", "new"))],
    [set(1, 1, "a", "description", "old", "new"), set(2, 2, "b", "description", "old", "new")],
  );
  const left = planOf(
    [change("b", 2, field("description", "old", "new"))],
    [set(1, 2, "b", "description", "old", "new")],
  );
  const FIRST = "2026-11-21T12-05-02.jsonl";

  async function undone(second: Plan, readJournal?: (name: string) => Promise<string | undefined>) {
    const server = new ToyServer(channel(1, "a", "old"), channel(2, "b", "old"));
    const options = {
      reader: { snapshot: () => server.read() },
      writer: { codeOf: TEST_CODE, send: (wire: Parameters<ToyServer["send"]>[0]) => server.send(wire) },
      kinds: [thing],
      directory,
      temporary: directory,
      now: () => Date.parse("2026-11-21T12:05:02Z"),
    };
    server.onSend = (n) => {
      if (n === 2 && first === "interrupted") throw new RangeError("killed");
      return n === 2 ? refused("BAD_REQUEST") : undefined;
    };
    const begun = applyRealm(both, options);
    await (first === "interrupted"
      ? expect(begun).rejects.toThrow("killed")
      : expect(begun).resolves.toMatchObject({ outcome: "in-part" }));
    server.onSend = () => undefined;
    const { journal, outcome } = await applyRealm(second, options);
    expect(outcome).toBe("applied");
    const text = readFileSync(join(directory, journal ?? ""), "utf8");
    const read = readJournal ?? (async (name: string) => readFileSync(join(directory, ".realmctl", name), "utf8"));
    const undo = await planUndo(text, "second.jsonl", { ...options, readJournal: read });
    if (!undo.ok) throw new RangeError(JSON.stringify(undo.diagnostics));
    return { names: undo.value.plan.changes.map(({ name }) => name), leaves: undo.value.leaves };
  }

  test("the same calls: both runs are undone", async () => {
    expect(await undone(both)).toEqual({ names: ["a", "b"], leaves: undefined });
  });

  test("other calls: its own calls are undone, and the journal to undo next is named", async () => {
    expect(await undone(left)).toEqual({ names: ["b"], leaves: FIRST });
  });

  test("the journal of the first run no longer exists: it is named", async () => {
    expect(await undone(both, async () => undefined)).toEqual({ names: ["b"], leaves: FIRST });
  });
});
