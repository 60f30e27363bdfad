import { describe, expect, test } from "vitest";
import { refused, states, three, unknown } from "../../test/support/apply/three.ts";
import {
  call,
  change,
  channel,
  field,
  planOf,
  set,
  ToyServer,
  thing,
  toyOptions,
} from "../../test/support/apply/toy.ts";
import { realmOf } from "../../test/support/realm.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Answer, JournalEntry } from "../model/journal.ts";
import type { MapKind } from "../model/kind.ts";
import type { Call } from "../model/plan.ts";
import { applyPlan } from "./apply.ts";
import type { ApplyOptions } from "./options.ts";

// A run that was stopped, that continues another one, or that lost an answer: what it reports, and what it does not send or read a second time.

const gone = new Failure(
  EXIT.unreachable,
  error("zulip/unreachable", { site: "https://chat.example.org", reason: quote("gone"), is_loopback: false }),
);
const making = (name: string, more: Partial<Call> = {}): Call =>
  call({
    n: 1,
    operation: "make",
    params: { name },
    for: [{ address: `thing:${name}`, fields: [] }],
    expects: [{ address: `thing:${name}`, field: "exists", value: false }],
    creates: [`thing:${name}`],
    ...more,
  });

/** Name and description of one thing in one call. */
const both = () =>
  planOf(
    [change("a2", 1, field("name", "a", "a2"), field("description", "old", "new"))],
    [
      call({
        n: 1,
        operation: "change",
        path: { id: 1 },
        params: { name: "a2", description: "new" },
        for: [{ address: "thing:a2", fields: ["name", "description"] }],
        expects: [
          { address: "thing:a2", id: 1, field: "name", value: "a" },
          { address: "thing:a2", id: 1, field: "description", value: "old" },
        ],
      }),
    ],
  );

describe("after an answer that leaves the result open", () => {
  test.each<{ what: string; answer: Answer; exitCode: number; received: object }>([
    {
      what: "a lost answer",
      answer: unknown,
      exitCode: EXIT.appliedInPart,
      received: { code: "unknown", fact: { kind: "no-answer" } },
    },
    {
      what: "a refusal",
      answer: refused("BAD_REQUEST"),
      exitCode: EXIT.unreachable,
      received: { code: "BAD_REQUEST", fact: { kind: "refused", message: { quoted: "refused: BAD_REQUEST" } } },
    },
  ])(
    "$what and then no reading: the call keeps what is known about it, and is not sent again",
    async ({ answer, exitCode, received }) => {
      const { server, plan } = three();
      server.onSend = () => answer;
      server.onRead = (n) => {
        if (n > 1) throw gone;
      };
      const result = await applyPlan(plan, toyOptions(server));
      expect(result.calls[0]).toMatchObject({ state: "failed", ...received });
      expect(states(result).slice(1)).toEqual(["not-attempted", "not-attempted"]);
      expect(result).toMatchObject({ outcome: "unreachable", exitCode });
      expect(server.sent).toHaveLength(1);
    },
  );

  test("an object with only its name is the call's own work", async () => {
    const server = new ToyServer();
    server.onSend = () => "lost";
    const result = await applyPlan(planOf([change("made", undefined)], [making("made")]), toyOptions(server));
    expect(result.calls).toMatchObject([{ state: "done", fact: { kind: "answer-lost" } }]);
  });

  test.each([
    ["no answer", unknown],
    ["another value than expected", refused("EXPECTATION_MISMATCH")],
    ["a refusal", refused("CHANNEL_ALREADY_EXISTS", 409)],
  ])("%s, and a part of the effect is visible: reported, and not sent again", async (_, answer) => {
    const server = new ToyServer(channel(1, "a", "old"));
    server.onSend = () => {
      server.edit(1, { description: "new" });
      return answer;
    };
    const result = await applyPlan(both(), toyOptions(server));
    expect(result.calls).toMatchObject([
      { state: "failed", applied_parts: [{ address: "thing:a2", fields: ["description"] }] },
    ]);
    expect([result.remaining?.length, server.sent.length]).toEqual([1, 1]);
  });

  test("a call whose effect no reading shows is not sent again", async () => {
    const server = new ToyServer(channel(1, "a", "old"));
    const hidden: MapKind = { ...thing, name: "hidden", section: "hiddens", live: { read: () => undefined } };
    const purposes = [
      { address: "thing:a", fields: ["description"] },
      { address: "hidden:x", fields: ["description"] },
    ] as const;
    const plan = planOf(
      [change("a", 1, field("description", "old", "new"))],
      [set(1, 1, "a", "description", "old", "new", { for: purposes })],
    );
    server.onSend = () => unknown;
    const result = await applyPlan(plan, { ...toyOptions(server), kinds: [thing, hidden] });
    expect(states(result)).toEqual(["failed"]);
    expect(server.sent).toHaveLength(1);
  });

  test("a refused call that reports a partial effect has no conflict with its own work", async () => {
    const server = new ToyServer();
    const many = making("x", {
      operation: "make-many",
      params: { names: ["x", "y"] },
      for: ["x", "y"].map((name) => ({ address: `thing:${name}` as const, fields: [] })),
      expects: ["x", "y"].map((name) => ({ address: `thing:${name}` as const, field: "exists", value: false })),
      creates: ["thing:x", "thing:y"],
    });
    server.onSend = () => {
      server.things.push(channel(9, "x", ""));
      return {
        outcome: "refused",
        status: 400,
        code: "BAD_REQUEST",
        message: "No.",
        details: { sent_invitations: true },
      };
    };
    const result = await applyPlan(
      planOf([change("x", undefined), change("y", undefined)], [many]),
      toyOptions(server),
    );
    expect(result).toMatchObject({
      conflicts: [],
      calls: [{ state: "failed", applied_parts: [{ address: "thing:x" }] }],
    });
  });
});

describe("a conflict with the last reading", () => {
  /** Two names change places, through a third. */
  const swap = planOf(
    [change("b", 1, field("name", "a", "b")), change("a", 2, field("name", "b", "a"))],
    [
      set(1, 1, "b", "name", "a", "a-1"),
      set(2, 2, "a", "name", "b", "a", { after: [1] }),
      set(3, 1, "b", "name", "a-1", "b", { after: [2] }),
    ],
  );
  const swapped = () => new ToyServer(channel(1, "a", ""), channel(2, "b", ""));

  test("does not arise from what this run has changed since", async () => {
    const server = swapped();
    const result = await applyPlan(swap, toyOptions(server));
    expect(states(result)).toEqual(["done", "done", "done"]);
    expect([server.reads, server.things.map(({ name }) => name)]).toEqual([2, ["b", "a"]]);
  });

  test("arises if somebody changed this run's work before it was read again", async () => {
    const server = swapped();
    let now = 0;
    server.onSend = (n) => {
      now += 60_000;
      if (n === 2) server.edit(1, { name: "theirs" });
      return undefined;
    };
    const result = await applyPlan(swap, toyOptions(server, { now: () => now }));
    expect(states(result)).toEqual(["done", "done", "conflict"]);
    expect(server.things.map(({ name }) => name)).toEqual(["theirs", "a"]);
  });

  test("stops a call before it is sent, and the exit code says so", async () => {
    const server = new ToyServer(channel(1, "a", "old"));
    let now = 0;
    server.onRead = (n) => {
      now += 60_000;
      if (n === 2) server.edit(1, { description: "theirs" });
    };
    const plan = planOf(
      [change("a", 1, field("description", "old", "new"))],
      [set(1, 1, "a", "description", "old", "new")],
    );
    const ready = async () => {
      now += 60_000;
    };
    const result = await applyPlan(plan, toyOptions(server, { now: () => now, ready }));
    expect(result).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict });
    expect(result.calls[0]?.applied_parts).toBeUndefined();
  });
});

describe("a run that continues another one", () => {
  const resumed = (n: number, ids: NonNullable<ApplyOptions["resumed"]>["ids"] = {}): Partial<ApplyOptions> => ({
    resumes: "earlier.jsonl",
    resumed: { done: new Set([n]), open: new Set(), ids },
  });
  const first = (line: string | undefined): JournalEntry => JSON.parse(line ?? "{}");

  test("names the journal that it continues, and says which calls the other run carried out", async () => {
    const { server, plan } = three();
    server.edit(1, { description: "new" });
    const options = toyOptions(server, resumed(1));
    const result = await applyPlan(plan, options);
    expect(first(options.lines[0])).toMatchObject({ entry: "start", resumes: "earlier.jsonl" });
    expect(result.calls[0]).toMatchObject({ state: "already-so", fact: { kind: "done-by-earlier-run" } });
    // A run that continues no other run names no journal.
    const anew = toyOptions(three().server);
    await applyPlan(plan, anew);
    expect("resumes" in first(anew.lines[0])).toBe(false);
  });

  test("repeats what somebody reverted since, but sends no second e-mail", async () => {
    const { server, plan } = three();
    expect(states(await applyPlan(plan, toyOptions(server, resumed(1))))).toEqual(["done", "done", "done"]);
    const again = three();
    const mayRepeat = (operation: string) => operation !== "change";
    const result = await applyPlan(again.plan, toyOptions(again.server, { ...resumed(1), mayRepeat }));
    expect(result.calls[0]?.state).toBe("already-so");
    expect(again.server.sent.map(({ path }) => path.id)).toEqual([2, 3]);
  });
});

describe("the end of a run", () => {
  test("if everything is already done, the organization is read once, and each call says why it was not sent", async () => {
    const { server, plan } = three();
    for (const id of [1, 2, 3]) server.edit(id, { description: "new" });
    const result = await applyPlan(plan, toyOptions(server));
    expect([server.reads, server.sent.length, result.remaining]).toEqual([1, 0, []]);
    expect(result.calls.map(({ state, fact }) => [state, fact?.kind])).toEqual([
      ["already-so", "already-so"],
      ["already-so", "already-so"],
      ["already-so", "already-so"],
    ]);
  });

  test("a refused call stays refused, even if somebody else did its work in the meantime", async () => {
    const { server, plan } = three();
    server.onSend = (n) => {
      if (n === 3) server.edit(2, { description: "new" });
      return n === 2 ? refused("BAD_REQUEST") : undefined;
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect([states(result), result.remaining]).toEqual([["done", "failed", "done"], []]);
  });

  test("a change that no reading shows does not count as remaining if its call was carried out", async () => {
    const server = new ToyServer(channel(1, "a", "old"));
    const plan = planOf(
      [change("a", 1, field("picture", "version 1", "a.png"))],
      [set(1, 1, "a", "picture", "", "a.png", { expects: [] })],
    );
    expect(await applyPlan(plan, toyOptions(server))).toMatchObject({ outcome: "applied", remaining: [] });
    const failing = new ToyServer(channel(1, "a", "old"));
    failing.onSend = () => refused("BAD_REQUEST");
    expect(await applyPlan(plan, toyOptions(failing))).toMatchObject({ remaining: [{ name: "a" }] });
  });

  test("the reactivated accounts that the remaining changes would remove again are named", async () => {
    const ben = { ...change("ben", 7), address: "thing:ben" as const };
    const plan = planOf(
      [ben],
      [
        call({
          n: 1,
          operation: "reactivate-user",
          path: { user_id: 7 },
          for: [{ address: "thing:ben", fields: ["deactivated"] }],
        }),
      ],
    );
    const remaining = [change("crew", 30, field("members", ["ben@acme.example"], []))];
    const options = (changes: typeof remaining): ApplyOptions => ({
      ...toyOptions(new ToyServer()),
      read: () => Promise.resolve(realmOf({})),
      send: () => Promise.resolve({ outcome: "applied", body: {} }),
      replan: () => Promise.resolve({ ok: true, value: { ...plan, changes }, warnings: [] }),
    });
    expect((await applyPlan(plan, options(remaining))).came_back).toEqual([{ address: "thing:ben", name: "ben" }]);
    expect("came_back" in (await applyPlan(plan, options([])))).toBe(false);
  });
});

describe("ids that only a reading can show", () => {
  const names = ["x", "y"];
  const makes = making("x", {
    operation: "make-many",
    params: { names },
    for: names.map((name) => ({ address: `thing:${name}` as const, fields: [] })),
    creates: ["thing:x", "thing:y"],
    expects: [],
  });
  const uses = (n: number, name: string): Call =>
    call({
      n,
      operation: "change",
      path: { id: { idOf: `thing:${name}` } },
      params: { description: "new" },
      for: [{ address: `thing:${name}`, fields: ["description"] }],
      after: [1],
    });

  test("are looked up for all objects of the run in one reading", async () => {
    const server = new ToyServer();
    const changes = names.map((name) => change(name, undefined, field("description", null, "new")));
    const result = await applyPlan(planOf(changes, [makes, uses(2, "x"), uses(3, "y")]), toyOptions(server));
    expect(states(result)).toEqual(["done", "done", "done"]);
    // At the start, for the ids, at the end.
    expect(server.reads).toBe(3);
  });

  test("are not those of objects that the run has not created yet", async () => {
    const server = new ToyServer();
    const changes = names.map((name) => change(name, undefined, field("description", null, "new")));
    const first = { ...makes, creates: ["thing:x"] as const, params: { names: ["x"] } };
    const later = { ...makes, n: 3, creates: ["thing:y"] as const, params: { names: ["y"] } };
    const options = toyOptions(server);
    // Somebody else creates the other one in the meantime.
    server.onSend = (n) => {
      if (n === 1) server.things.push(channel(50, "y", ""));
      return undefined;
    };
    await applyPlan(planOf(changes, [first, uses(2, "x"), later]), options);
    const entries = options.lines.map((line) => JSON.parse(line));
    const before = entries.slice(
      0,
      entries.findIndex(({ entry, n }) => entry === "sending" && n === 3),
    );
    const learned = before.filter(({ entry }) => entry === "learned");
    expect(learned.flatMap(({ ids }) => Object.keys(ids))).toEqual(["thing:x"]);
  });

  test("need no other reading if nothing was sent since the last one", async () => {
    const server = new ToyServer();
    const result = await applyPlan(
      planOf([change("x", undefined)], [{ ...uses(1, "x"), after: [] }]),
      toyOptions(server),
    );
    expect([states(result), server.reads]).toEqual([["failed"], 1]);
  });
});
