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

describe("a call that sends a second e-mail if somebody else was faster", () => {
  /** The last two of three calls. */
  const invites = () => {
    const { server, plan } = three();
    const calls = plan.calls.map((item): Call => (item.n === 1 ? item : { ...item, operation: "mail" }));
    return { server, plan: { ...plan, calls }, mayRepeat: (operation: string) => operation !== "mail" };
  };

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
