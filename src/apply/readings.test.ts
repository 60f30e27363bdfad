import { describe, expect, test, vi } from "vitest";
import { states, three } from "../../test/support/apply/three.ts";
import { toyOptions } from "../../test/support/apply/toy.ts";
import { EXIT } from "../model/diagnostic.ts";
import type { Call } from "../model/plan.ts";
import { applyPlan } from "./apply.ts";
import { Readings } from "./readings.ts";

test("a call was sent since the last reading until the next one", async () => {
  const { server, plan } = three();
  const readings = new Readings(plan, toyOptions(server));
  await readings.read();
  readings.noteSent(2);
  expect([readings.wasSentSince(1), readings.wasSentSince(2), readings.isBehind()]).toEqual([false, true, true]);
  await readings.read();
  expect([readings.wasSentSince(2), readings.isBehind()]).toEqual([false, false]);
});

describe("the reading that a call relies on", () => {
  test("is at most ten seconds old, however long the run takes", async () => {
    const { server, plan } = three();
    let now = 0;
    server.onSend = (n) => {
      // Each call takes six seconds: there is no pause, and yet others have had time to change something.
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
      fact: "at most two seconds old, if the server does not compare what is replaced",
      isCompared: false,
      readings: 3,
    },
    { fact: "shared for longer, if the server compares", isCompared: true, readings: 2 },
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
    // The first one, one before the third call, and one after the run.
    expect(server.reads).toBe(readings);
  });

  test("shows a value that somebody wrote more than two seconds before it would be replaced", async () => {
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

describe("a call that sends a second e-mail if somebody else was faster", () => {
  /** The last two of three calls. */
  const invites = () => {
    const { server, plan } = three();
    const calls = plan.calls.map((item): Call => (item.n === 1 ? item : { ...item, operation: "mail" }));
    return { server, plan: { ...plan, calls }, mayRepeat: (operation: string) => operation !== "mail" };
  };

  test("is preceded by another reading right before it is sent", async () => {
    const { server, plan, mayRepeat } = invites();
    server.onSend = (n) => {
      if (n === 1) server.edit(2, { description: "new" });
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat }));
    expect(states(result)).toEqual(["done", "already-so", "not-attempted"]);
    expect(server.sent.map(({ path }) => path.id)).toEqual([1]);
  });

  test.each([
    ["has just sent", "new", "already-so"],
    ["has just sent another version of", "theirs", "conflict"],
  ])("is left to another run, which %s the call before it", async (_, description, state) => {
    const { server, plan, mayRepeat } = invites();
    server.onSend = (n) => {
      if (n === 1) server.edit(2, { description });
      return undefined;
    };
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat }));
    expect(states(result)).toEqual(["done", state, "not-attempted"]);
    expect(result.calls[2]?.fact).toEqual({ kind: "left-to-another-run" });
    expect(result.exitCode).toBe(EXIT.appliedInPart);
  });

  test("is already done at the end, if others have sent it in the meantime", async () => {
    const { server, plan, mayRepeat } = invites();
    server.onSend = (n) => {
      if (n === 1) server.edit(2, { description: "new" });
      return undefined;
    };
    const { read, ...options } = toyOptions(server, { mayRepeat });
    let readings = 0;
    const reading = async () => {
      readings += 1;
      if (readings === 3) server.edit(3, { description: "new" });
      return read();
    };
    const result = await applyPlan(plan, { ...options, read: reading });
    expect(states(result)).toEqual(["done", "already-so", "already-so"]);
    expect(result.exitCode).toBe(EXIT.done);
    expect(server.sent.map(({ path }) => path.id)).toEqual([1]);
  });

  test("waits once before it reads, so that another run that starts at the same moment does both at another moment", async () => {
    const { server, plan, mayRepeat } = invites();
    let now = 0;
    const waitRandomTime = vi.fn(async () => {
      now += 1_500;
      // Somebody else has waited for a shorter time.
      server.edit(2, { description: "new" });
    });
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat, waitRandomTime, now: () => now }));
    expect(states(result)).toEqual(["done", "already-so", "not-attempted"]);
    expect(waitRandomTime).toHaveBeenCalledTimes(1);
    const none = vi.fn(async () => {});
    const { server: other, plan: plain } = three();
    await applyPlan(plain, toyOptions(other, { mayRepeat, waitRandomTime: none }));
    expect(none).not.toHaveBeenCalled();
  });

  test("is stopped by an interrupt during this wait", async () => {
    const { server, plan, mayRepeat } = invites();
    const stop = { requested: false, signal: new AbortController().signal };
    const waitRandomTime = async () => {
      stop.requested = true;
    };
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat, stop, waitRandomTime }));
    expect(states(result)).toEqual(["done", "not-attempted", "not-attempted"]);
    expect(server.sent).toHaveLength(1);
  });

  test("needs one reading each, or none if the run has just read and sent nothing since", async () => {
    const { server, plan, mayRepeat } = invites();
    await applyPlan(plan, toyOptions(server, { mayRepeat }));
    expect(server.reads).toBe(4);
    const alone = invites();
    await applyPlan({ ...alone.plan, calls: alone.plan.calls.slice(1, 2) }, toyOptions(alone.server, { mayRepeat }));
    expect(alone.server.reads).toBe(2);
  });
});

describe("the rate limit", () => {
  test("is waited for before the last reading, not after it", async () => {
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

  test("with almost no requests left, the run still continues", async () => {
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
