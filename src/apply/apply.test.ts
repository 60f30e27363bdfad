import { describe, expect, test } from "vitest";
import { EXIT, Failure } from "../model/diagnostic.ts";
import type { Answer } from "../model/journal.ts";
import type { Call } from "../model/plan.ts";
import type { ApplyResult, CallState } from "../model/result.ts";
import { applyPlan } from "./apply.ts";
import { call, change, channel, field, planOf, set, ToyServer, toyOptions } from "./testing/toy.ts";

const states = (result: ApplyResult): readonly CallState[] => result.calls.map(({ state }) => state);
const refused = (code: string, status = 400): Answer => ({
  outcome: "refused",
  status,
  code,
  message: `refused: ${code}`,
  details: {},
});
const unknown: Answer = { outcome: "unknown", message: "no answer within 30 s" };

/** Three independent changes of three things. */
function three(): { readonly server: ToyServer; readonly plan: ReturnType<typeof planOf> } {
  const server = new ToyServer(channel(1, "a", "old"), channel(2, "b", "old"), channel(3, "c", "old"));
  const names = ["a", "b", "c"];
  return {
    server,
    plan: planOf(
      names.map((name, index) => change(name, index + 1, field("description", "old", "new"))),
      names.map((name, index) => set(index + 1, index + 1, name, "description", "old", "new")),
    ),
  };
}
const needing = (plan: ReturnType<typeof planOf>, n: number, ...needs: number[]) => ({
  ...plan,
  calls: plan.calls.map((item): Call => (item.n === n ? { ...item, after: needs } : item)),
});

describe("a calm run", () => {
  test("reads once, sends each call once, reads again", async () => {
    const { server, plan } = three();
    const result = await applyPlan(plan, toyOptions(server));
    expect(result).toMatchObject({ outcome: "applied", exitCode: EXIT.done, remaining: [], conflicts: [] });
    expect(states(result)).toEqual(["done", "done", "done"]);
    expect([server.reads, server.sent.length]).toEqual([2, 3]);
  });

  test("writes down every call before it goes out", async () => {
    const { server, plan } = three();
    const options = toyOptions(server);
    server.onSend = (n) => {
      expect(JSON.parse(options.lines.at(-1) ?? "")).toMatchObject({ entry: "sending", n });
      return undefined;
    };
    await applyPlan(plan, options);
    expect(options.lines.map((line) => JSON.parse(line).entry)).toEqual([
      "start",
      ...Array(3).fill(["sending", "answer"]).flat(),
      "end",
    ]);
  });

  test("an empty plan opens no journal", async () => {
    const result = await applyPlan(planOf([], []), toyOptions(new ToyServer()));
    expect(result).toMatchObject({ outcome: "nothing-to-do", exitCode: EXIT.done, journal: null });
  });

  test("keeps nothing of an answer but ids: an invitation's link is a secret", async () => {
    const { server, plan } = three();
    server.onSend = () => ({
      outcome: "applied",
      body: { id: 7, invite_link: "https://chat.example.org/join/secret" },
    });
    const options = toyOptions(server);
    await applyPlan(plan, options);
    expect(options.lines.join("\n")).not.toContain("secret");
  });
});

describe("ids of objects that the plan makes", () => {
  const plan = (operation: "make" | "make-many") =>
    planOf(
      [change("x", undefined, field("description", null, "filled"))],
      [
        call({
          n: 1,
          operation,
          params: operation === "make" ? { name: "x" } : { names: ["x"] },
          for: [{ address: "thing:x", fields: [] }],
          expects: [{ address: "thing:x", field: "exists", value: false }],
          creates: ["thing:x"],
        }),
        call({
          n: 2,
          operation: "change",
          path: { id: { idOf: "thing:x" } },
          params: { description: "filled" },
          for: [{ address: "thing:x", fields: ["description"] }],
          after: [1],
        }),
      ],
    );
  test.each([
    { operation: "make", reads: 2, fact: "come from the answer" },
    { operation: "make-many", reads: 3, fact: "come from one more reading when the answer has none" },
  ] as const)("$fact", async ({ operation, reads }) => {
    const server = new ToyServer();
    const result = await applyPlan(plan(operation), toyOptions(server));
    expect(result.outcome).toBe("applied");
    expect(server.sent[1]).toEqual({ operation: "change", path: { id: 100 }, params: { description: "filled" } });
    expect(server.reads).toBe(reads);
  });

  test("an object of that name that appeared meanwhile is never adopted", async () => {
    const server = new ToyServer(channel(50, "X", "theirs"));
    const result = await applyPlan(
      { ...plan("make"), changes: [change("x", undefined, field("description", null, "filled"))] },
      toyOptions(server),
    );
    expect(result).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict });
    expect(result.conflicts).toMatchObject([{ address: "thing:x", field: "exists", planned: false, found: true }]);
    expect(server.sent).toEqual([]);
  });
});

describe("somebody else was faster", () => {
  test("a moved field refuses the whole plan before the first write", async () => {
    const { server, plan } = three();
    server.edit(2, { description: "theirs" });
    const result = await applyPlan(needing(plan, 3, 2), toyOptions(server));
    expect(result).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict, journal: null });
    expect(states(result)).toEqual(["not-attempted", "conflict", "skipped"]);
    expect(result.conflicts).toEqual([
      {
        address: "thing:b",
        kind: "thing",
        name: "b",
        field: "description",
        planned: "old",
        found: "theirs",
        wanted: "new",
        calls: [2],
      },
    ]);
    expect(server.sent).toEqual([]);
  });

  test("an object that is gone is a conflict about its existence", async () => {
    const { server, plan } = three();
    server.things.shift();
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.conflicts).toMatchObject([{ address: "thing:a", field: "exists", planned: true, found: false }]);
  });

  test("a change elsewhere does not block", async () => {
    const { server, plan } = three();
    server.edit(1, { name: "renamed by hand" });
    expect((await applyPlan(plan, toyOptions(server))).outcome).toBe("applied");
  });

  test("what already is as wanted is not sent and counted apart", async () => {
    const { server, plan } = three();
    server.edit(2, { description: "new" });
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["done", "already-so", "done"]);
    expect(result).toMatchObject({ outcome: "applied", exitCode: EXIT.done });
    expect(server.sent.map(({ path }) => path.id)).toEqual([1, 3]);
  });

  test("a mismatch that the server finds stops that call and its dependents, not the others", async () => {
    const { server, plan } = three();
    server.onSend = (n) => {
      if (n !== 1) return undefined;
      server.edit(1, { description: "theirs" });
      return refused("EXPECTATION_MISMATCH");
    };
    const result = await applyPlan(needing(plan, 2, 1), toyOptions(server));
    expect(states(result)).toEqual(["conflict", "skipped", "done"]);
    expect(result.calls[1]).toMatchObject({ because: 1 });
    expect(result.conflicts).toMatchObject([{ planned: "old", found: "theirs", wanted: "new" }]);
    expect(result).toMatchObject({ outcome: "in-part", exitCode: EXIT.appliedInPart });
    expect(server.things[0]?.description).toBe("theirs");
  });

  test("a mismatch because the goal is already there is no failure", async () => {
    const { server, plan } = three();
    server.onSend = (n) => {
      if (n !== 1) return undefined;
      server.edit(1, { description: "new" });
      return refused("EXPECTATION_MISMATCH");
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["already-so", "done", "done"]);
    expect(result.outcome).toBe("applied");
  });

  test("a mismatch that a reading does not show any more is sent again", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 1 ? refused("EXPECTATION_MISMATCH") : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.outcome).toBe("applied");
    expect(server.sent).toHaveLength(4);
  });

  test("a pause of more than ten seconds is followed by a reading", async () => {
    const { server, plan } = three();
    let now = 0;
    server.onSend = (n) => {
      if (n === 1) {
        now += 61_000;
        server.edit(2, { description: "theirs" });
      }
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { now: () => now }));
    expect(states(result)).toEqual(["done", "conflict", "done"]);
    expect(server.things[1]?.description).toBe("theirs");
  });
});

describe("the reading that a call relies on", () => {
  test("is ten seconds old at most, however busy the run is", async () => {
    const { server, plan } = three();
    let now = 0;
    server.onSend = (n) => {
      // Each call takes six seconds: never a pause, and yet others have had time.
      now += 6_000;
      if (n === 1) server.edit(3, { description: "theirs" });
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { now: () => now }));
    expect(states(result)).toEqual(["done", "done", "conflict"]);
    expect(server.things[2]?.description).toBe("theirs");
  });

  test.each([
    {
      fact: "two seconds old at most, where the server does not compare what is replaced",
      isCompared: false,
      readings: 3,
    },
    { fact: "shared for longer, where the server compares", isCompared: true, readings: 2 },
  ])("is $fact", async ({ isCompared, readings }) => {
    const { server, plan } = three();
    const calls = plan.calls.map((item) =>
      isCompared ? { ...item, params: { description: { new: "new", old: "old" } } } : item,
    );
    let now = 0;
    server.onSend = () => {
      now += 1_500;
      return undefined;
    };
    await applyPlan({ ...plan, calls }, toyOptions(server, { now: () => now }));
    expect(server.sent).toHaveLength(3);
    // The first, one before the third call, and the one after the run.
    expect(server.reads).toBe(readings);
  });

  test("shows what somebody wrote more than two seconds before it would be replaced", async () => {
    const { server, plan } = three();
    let now = 0;
    server.onSend = (n) => {
      now += 2_001;
      if (n === 1) server.edit(2, { description: "theirs" });
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { now: () => now }));
    expect(states(result)).toEqual(["done", "conflict", "done"]);
    expect(server.things[1]?.description).toBe("theirs");
  });

  test.each([
    { fact: "back", stepMs: -86_400_000 },
    { fact: "on", stepMs: 86_400_000 },
  ])("is made again when the clock was set $fact", async ({ stepMs }) => {
    const { server, plan } = three();
    let now = Date.UTC(2026, 10, 21);
    server.onSend = (n) => {
      if (n === 1) now += stepMs;
      if (n === 2) server.edit(3, { description: "theirs" });
      return undefined;
    };
    server.onRead = (n) => {
      if (n === 2) server.edit(2, { description: "theirs" });
    };
    const result = await applyPlan(plan, toyOptions(server, { now: () => now }));
    expect(states(result)[1]).toBe("conflict");
    expect(server.things[1]?.description).toBe("theirs");
    expect(result.elapsedMs).toBeGreaterThanOrEqual(0);
  });
});

describe("a call that makes a second mail when somebody else was quicker", () => {
  /** The last two of three calls. */
  const invites = () => {
    const { server, plan } = three();
    const calls = plan.calls.map((item): Call => (item.n === 1 ? item : { ...item, operation: "mail" }));
    return { server, plan: { ...plan, calls }, mayRepeat: (operation: string) => operation !== "mail" };
  };

  test("is looked after once more right before it goes out", async () => {
    const { server, plan, mayRepeat } = invites();
    server.onSend = (n) => {
      if (n === 1) server.edit(2, { description: "new" });
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat }));
    expect(states(result)).toEqual(["done", "already-so", "done"]);
    expect(server.sent.map(({ path }) => path.id)).toEqual([1, 3]);
  });

  test("costs one reading each, none when the run has just read and sent nothing since", async () => {
    const { server, plan, mayRepeat } = invites();
    await applyPlan(plan, toyOptions(server, { mayRepeat }));
    expect(server.reads).toBe(4);
    const alone = invites();
    await applyPlan({ ...alone.plan, calls: alone.plan.calls.slice(1, 2) }, toyOptions(alone.server, { mayRepeat }));
    expect(alone.server.reads).toBe(2);
  });
});

describe("the rate limit", () => {
  test("is waited out before the last look, not after it", async () => {
    const { server, plan } = three();
    let now = 0;
    const ready = async () => {
      if (server.sent.length === 1 && now === 0) {
        now += 61_000;
        server.edit(2, { description: "theirs" });
      }
    };
    const result = await applyPlan(plan, toyOptions(server, { now: () => now, ready }));
    expect(states(result)).toEqual(["done", "conflict", "done"]);
    expect(server.things[1]?.description).toBe("theirs");
  });

  test("hardly any room left: the run goes on nevertheless", async () => {
    const { server, plan } = three();
    let now = 0;
    const ready = async () => {
      now += 61_000;
    };
    expect((await applyPlan(plan, toyOptions(server, { now: () => now, ready }))).outcome).toBe("applied");
  });

  test("an interrupt while waiting for it sends nothing", async () => {
    const { server, plan } = three();
    const stop = { requested: false, signal: new AbortController().signal };
    const ready = async () => {
      stop.requested = true;
    };
    const result = await applyPlan(plan, toyOptions(server, { stop, ready }));
    expect(states(result)).toEqual(["not-attempted", "not-attempted", "not-attempted"]);
    expect(server.sent).toEqual([]);
  });
});

describe("an order", () => {
  const plan = planOf(
    [{ ...change("*", undefined, field("order", ["a", "b", "new"], ["new", "b", "a"])), action: "reorder" }],
    [
      call({
        n: 1,
        operation: "reorder",
        for: [{ address: "thing:*", fields: ["order"] }],
        expects: [{ address: "thing:*", field: "order", value: ["a", "b", "new"] }],
      }),
    ],
  );
  test.each([
    { fact: "as planned from", live: ["a", "b", "new"], state: "done" },
    { fact: "with one that is still to be made, and a stranger", live: ["stranger", "a", "b"], state: "done" },
    { fact: "put otherwise by somebody", live: ["b", "a", "new"], state: "conflict" },
    { fact: "already as wanted", live: ["new", "b", "a"], state: "already-so" },
  ])("$fact: $state", async ({ live, state }) => {
    const server = new ToyServer(...live.map((name, index) => channel(index + 1, name, "")));
    expect(states(await applyPlan(plan, toyOptions(server)))).toEqual([state]);
  });
});

describe("no answer came", () => {
  test("carried out all the same: done, and not sent again", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? "lost" : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["done", "done", "done"]);
    expect(result.outcome).toBe("applied");
    expect(server.sent).toHaveLength(3);
  });

  test("not carried out: sent again after a reading", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? unknown : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.outcome).toBe("applied");
    expect(server.sent).toHaveLength(4);
  });

  test("where a repeat makes a second mail, it is not sent again", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? unknown : undefined);
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat: () => false }));
    expect(states(result)).toEqual(["done", "failed", "done"]);
    expect(result.calls[1]).toMatchObject({ code: "unknown" });
    expect(result.exitCode).toBe(EXIT.appliedInPart);
  });

  test("gives up after three sendings", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n >= 2 && n <= 4 ? unknown : undefined);
    expect(states(await applyPlan(plan, toyOptions(server)))).toEqual(["done", "failed", "done"]);
    expect(server.sent).toHaveLength(5);
  });

  test("the first step of a swap is recognised by what the next step expects", async () => {
    const server = new ToyServer(channel(1, "a", ""), channel(2, "b", ""));
    const rename = (n: number, id: number, to: string, from: string, wire: string, needs: number[]) =>
      set(n, id, to, "name", from, wire, { after: needs });
    const plan = planOf(
      [change("b", 1, field("name", "a", "b")), change("a", 2, field("name", "b", "a"))],
      [rename(1, 1, "b", "a", "a-1", []), rename(2, 2, "a", "b", "a", [1]), rename(3, 1, "b", "a-1", "b", [2])],
    );
    server.onSend = (n) => (n === 1 ? "lost" : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["done", "done", "done"]);
    expect(server.things.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(server.sent).toHaveLength(3);
  });
});

describe("the server said no", () => {
  test("the others go on; dependents are skipped, with the cause", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 1 ? refused("BAD_REQUEST") : undefined);
    const chained = needing(needing(plan, 2, 1), 3, 2);
    const result = await applyPlan(chained, toyOptions(server));
    expect(result.calls).toMatchObject([
      { state: "failed", code: "BAD_REQUEST" },
      { state: "skipped", because: 1 },
      { state: "skipped", because: 1 },
    ]);
    expect(result.exitCode).toBe(EXIT.appliedInPart);
  });

  test("what a refused call nevertheless did is said", async () => {
    const server = new ToyServer(channel(1, "a", "old"));
    const plan = planOf(
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
    server.onSend = () => {
      server.edit(1, { description: "new" });
      return refused("CHANNEL_ALREADY_EXISTS", 409);
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.calls).toMatchObject([
      { state: "failed", landed: [{ address: "thing:a2", fields: ["description"] }] },
    ]);
    expect(result.remaining).toHaveLength(1);
  });

  test("credentials that no longer count stop everything", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? refused("UNAUTHORIZED", 401) : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["done", "failed", "not-attempted"]);
    expect(result).toMatchObject({ outcome: "not-allowed", exitCode: EXIT.appliedInPart, remaining: null });
    expect(server.reads).toBe(1);
  });

  test("credentials that did not even count for the first call: nothing was written, and the exit code says why", async () => {
    const { server, plan } = three();
    server.onSend = () => refused("UNAUTHORIZED", 401);
    expect(await applyPlan(plan, toyOptions(server))).toMatchObject({
      outcome: "not-allowed",
      exitCode: EXIT.notAllowed,
    });
  });

  test("a conflict that stops the only call: nothing was written", async () => {
    const server = new ToyServer(channel(1, "a", "old"));
    const plan = planOf(
      [change("a", 1, field("description", "old", "new"))],
      [set(1, 1, "a", "description", "old", "new")],
    );
    server.onSend = () => {
      server.edit(1, { description: "theirs" });
      return refused("EXPECTATION_MISMATCH");
    };
    expect(await applyPlan(plan, toyOptions(server))).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict });
  });

  test("a parameter that the server ignored is a failure, whatever its status says", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 1 ? { outcome: "applied", body: {}, ignored: ["description"] } : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.calls[0]).toMatchObject({ state: "failed", code: "ignored-parameters" });
  });
});

describe("the run ends early", () => {
  test("a full disk stops before the call goes out", async () => {
    const { server, plan } = three();
    const full = new Failure(EXIT.mistakes, { code: "journal/not-written", severity: "error", message: "disk full" });
    let lines = 0;
    const openJournal = () => ({
      path: "test.jsonl",
      write: () => {
        lines += 1;
        if (lines > 3) throw full;
      },
      close: () => {},
    });
    const result = await applyPlan(plan, toyOptions(server, { openJournal }));
    expect(states(result)).toEqual(["done", "not-attempted", "not-attempted"]);
    expect(server.sent).toHaveLength(1);
    expect(result).toMatchObject({ exitCode: EXIT.appliedInPart, problems: [{ code: "journal/not-written" }] });
  });

  test("a server that is gone: the call keeps what is known of it", async () => {
    const { server, plan } = three();
    const gone = new Failure(EXIT.unreachable, { code: "server/unreachable", severity: "error", message: "gone" });
    server.onSend = () => unknown;
    server.onRead = (n) => {
      if (n > 1) throw gone;
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["failed", "not-attempted", "not-attempted"]);
    expect(result).toMatchObject({ outcome: "unreachable", exitCode: EXIT.appliedInPart });
  });

  test("nothing to read at all: nothing is written, and the exit code says why", async () => {
    const { server, plan } = three();
    server.onRead = () => {
      throw new Failure(EXIT.notAllowed, { code: "server/wrong-key", severity: "error", message: "wrong key" });
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(result).toMatchObject({ outcome: "not-allowed", exitCode: EXIT.notAllowed, journal: null });
    expect(server.sent).toEqual([]);
  });

  test("stopped before the first call: nothing is sent, and it is not finished", async () => {
    const { server, plan } = three();
    const stop = { requested: true, signal: new AbortController().signal };
    const result = await applyPlan(plan, toyOptions(server, { stop }));
    expect(states(result)).toEqual(["not-attempted", "not-attempted", "not-attempted"]);
    expect(result).toMatchObject({ outcome: "stopped", exitCode: EXIT.appliedInPart, journal: null });
    expect(server.sent).toEqual([]);
  });

  test("the first interrupt waits for the current call", async () => {
    const { server, plan } = three();
    const stop = { requested: false, signal: new AbortController().signal };
    server.onSend = () => {
      stop.requested = true;
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { stop }));
    expect(states(result)).toEqual(["done", "not-attempted", "not-attempted"]);
    expect(result).toMatchObject({ outcome: "stopped", exitCode: EXIT.appliedInPart });
  });

  test("the second interrupt does not wait, and leaves the call for the next run", async () => {
    const { server, plan } = three();
    const abort = new AbortController();
    server.onSend = () => {
      abort.abort();
      return unknown;
    };
    const result = await applyPlan(plan, toyOptions(server, { stop: { requested: false, signal: abort.signal } }));
    expect(states(result)).toEqual(["failed", "not-attempted", "not-attempted"]);
    expect(result.calls[0]).toMatchObject({ code: "unknown" });
    expect([result.outcome, server.reads]).toEqual(["stopped", 1]);
  });
});

describe("after the run", () => {
  test("planning again still finds something: that is a failure", async () => {
    const { server, plan } = three();
    const again = planOf([change("c", 3, field("description", "new", "newer"))], []);
    const result = await applyPlan(
      plan,
      toyOptions(server, { replan: async () => ({ ok: true, value: again, warnings: [] }) }),
    );
    expect(result).toMatchObject({ outcome: "differs", exitCode: EXIT.appliedInPart });
    expect(result.remaining).toHaveLength(1);
  });

  test("without a file the plan's own values are looked for", async () => {
    const { server, plan } = three();
    server.onRead = (n) => {
      if (n === 2) server.edit(1, { description: "changed back" });
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.outcome).toBe("differs");
    expect(result.remaining?.map(({ name }) => name)).toEqual(["a"]);
  });
});
