import { describe, expect, test } from "vitest";
import { states, three, unknown } from "../../test/support/apply/three.ts";
import { toyOptions } from "../../test/support/apply/toy.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { applyPlan } from "./apply.ts";

describe("the run ends early", () => {
  test("a realm that cannot be read: nothing is written, and the exit code says why", async () => {
    const { server, plan } = three();
    server.onRead = () => {
      throw new Failure(
        EXIT.notAllowed,
        error("zulip/unauthorized", {
          site: "https://chat.example.org",
          email: quote("x@example.org"),
          answer: quote(""),
        }),
      );
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(result).toMatchObject({ outcome: "not-allowed", exitCode: EXIT.notAllowed, journal: null });
    expect(server.sent).toEqual([]);
  });

  test("the first interrupt ends a wait for the rate limit: a call that is not sent for this reason was stopped, not unreachable", async () => {
    const { server, plan } = three();
    const soon = new AbortController();
    const stop = { requested: false, sendNoMore: soon.signal, signal: new AbortController().signal };
    const result = await applyPlan(
      plan,
      toyOptions(server, {
        stop,
        send: async (_call, signal, sendNoMore) => {
          stop.requested = true;
          soon.abort();
          expect([signal?.aborted, sendNoMore?.aborted]).toEqual([false, true]);
          return { outcome: "not-attempted", reason: { is: "stopped" } };
        },
      }),
    );
    expect(states(result)).toEqual(["not-attempted", "not-attempted", "not-attempted"]);
    expect(result.outcome).toBe("stopped");
  });

  test("the second interrupt does not wait, and leaves the call to the next run", async () => {
    const { server, plan } = three();
    const abort = new AbortController();
    server.onSend = () => {
      abort.abort();
      return unknown;
    };
    const result = await applyPlan(plan, toyOptions(server, { stop: { requested: false, signal: abort.signal } }));
    expect(states(result)).toEqual(["failed", "not-attempted", "not-attempted"]);
    expect(result.calls[0]).toMatchObject({ code: "unknown", fact: { kind: "stopped-before-answer" } });
    expect([result.outcome, server.reads]).toEqual(["stopped", 1]);
  });
});
