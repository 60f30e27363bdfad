import { describe, expect, test } from "vitest";
import { fakeClock, json, noAnswer, SITE, success, TEST_KEY } from "../../test/support/zulip/scripted.ts";
import type { WireCall } from "../model/journal.ts";
import type { Waiting } from "../model/trace.ts";
import { waitingText } from "../report/waiting.ts";
import { ANSWER_LIMIT_MS, Connection, type Deadline, SLOW_MS } from "./connection.ts";
import { answerOf } from "./reply.ts";
import type { HttpRequest, HttpResponse, Transport } from "./transport.ts";
import { Secret } from "./zuliprc.ts";

const READ: WireCall = { operation: "get-streams", path: {}, params: {} };
const WRITE: WireCall = { operation: "update-stream", path: { stream_id: 3 }, params: { description: "x" } };
const EVENTS: WireCall = { operation: "get-events", path: {}, params: { queue_id: "q", last_event_id: -1 } };

/** A server that takes its time: each turn lets this time pass, and then answers, or never does. */
type Turn = { readonly afterMs: number; readonly answer?: HttpResponse | Error };

function connectionTo(turns: readonly Turn[], timeoutMs?: number, deadline?: Deadline) {
  const clock = fakeClock();
  const waitings: Waiting[] = [];
  const requests: HttpRequest[] = [];
  const transport: Transport = async (request) => {
    const turn = turns[requests.length];
    requests.push(request);
    if (turn === undefined) throw new Error("asked too often");
    for (let passed = 0; passed < turn.afterMs; passed += 1_000) clock.advance(Math.min(1_000, turn.afterMs - passed));
    // Timers that fire in that time run first.
    await new Promise((nextTurn) => setImmediate(nextTurn));
    if (turn.answer instanceof Error) throw turn.answer;
    // One that hangs does not react to being stopped.
    return turn.answer ?? new Promise(() => {});
  };
  const connection = new Connection({
    site: SITE,
    email: "kim@example.org",
    key: new Secret(TEST_KEY),
    transport,
    clock,
    version: "1.2.3",
    rateRules: [],
    onWaiting: (waiting) => waitings.push(waiting),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(deadline === undefined ? {} : { deadline }),
  });
  return { connection, clock, waitings, requests };
}

describe("a server that does not answer", () => {
  test("after an attempt that failed in another way: the error is that of the other attempt", async () => {
    const { connection } = connectionTo([
      { afterMs: 10_000, answer: noAnswer("unreachable", true) },
      { afterMs: 300_000 },
    ]);
    expect(await connection.exchange(READ)).toMatchObject({ kind: "no-answer", error: { failure: "unreachable" } });
    // A write may have been sent the second time.
    const { connection: writing } = connectionTo([
      { afterMs: 10_000, answer: noAnswer("unreachable", true) },
      { afterMs: 300_000 },
    ]);
    expect(await writing.exchange(WRITE)).toMatchObject({ error: { failure: "timeout", neverSent: false } });
  });

  test("is not waited for beyond the deadline of the run, even if the transport does not react to being stopped", async () => {
    const over = new AbortController();
    const { connection, requests, clock } = connectionTo([{ afterMs: 0 }], undefined, {
      limitMs: 2_000,
      signal: over.signal,
    });
    const exchange = connection.exchange(READ);
    while (requests.length === 0) await new Promise((nextTurn) => setImmediate(nextTurn));
    over.abort();
    expect(await exchange).toMatchObject({ kind: "no-answer", error: { failure: "aborted" } });
    expect(clock.alarms()).toBe(0);
  });

  test("is waited for no longer than a minute, and the caller is told after five seconds", async () => {
    const { connection, waitings, clock, requests } = connectionTo([{ afterMs: 300_000 }]);
    expect(await connection.exchange(READ)).toMatchObject({
      kind: "no-answer",
      error: { failure: "timeout", neverSent: false, message: "no complete answer within 60 s" },
    });
    expect(requests).toHaveLength(1);
    expect(waitings).toEqual([{ for: "answer", host: "chat.example.org", sinceMs: SLOW_MS, limitMs: ANSWER_LIMIT_MS }]);
    expect(waitings.map((waiting) => waitingText(waiting, "--timeout"))).toEqual([
      "… no answer from chat.example.org for 5 s; waiting until 60 s (--timeout)",
    ]);
    expect(clock.alarms()).toBe(0);
  });

  test("is stopped: its request does not continue in the background", async () => {
    const { connection, requests } = connectionTo([{ afterMs: 60_000 }]);
    await connection.exchange(READ);
    expect(requests[0]?.signal?.aborted).toBe(true);
  });

  test.each([
    { name: "as long as --timeout says", timeoutMs: 180_000, at: 170_000, is: "envelope" },
    { name: "no longer", timeoutMs: 180_000, at: 180_000, is: "no-answer" },
    { name: "shorter, too", timeoutMs: 2_000, at: 2_000, is: "no-answer" },
  ])("$name", async ({ timeoutMs, at, is }) => {
    const { connection } = connectionTo(
      [{ afterMs: at, ...(is === "envelope" ? { answer: success() } : {}) }],
      timeoutMs,
    );
    expect(await connection.exchange(READ)).toMatchObject({ kind: is });
  });

  test("there is no message about five seconds if the limit is shorter", async () => {
    const { connection, waitings } = connectionTo([{ afterMs: 4_000 }], 4_000);
    expect(await connection.exchange(READ)).toMatchObject({ kind: "no-answer" });
    expect(waitings).toEqual([]);
  });

  test("a server that sends one byte a second is treated in the same way: the limit applies to the whole answer", async () => {
    // The limits of the connection start again with every byte; that of the exchange does not.
    const { connection } = connectionTo([{ afterMs: 3_600_000, answer: success() }]);
    expect(await connection.exchange(READ)).toMatchObject({ kind: "no-answer", error: { failure: "timeout" } });
  });

  test("the repetitions of a read share its minute", async () => {
    const slowly = { afterMs: 25_000, answer: noAnswer("broken-off", false) };
    const { connection, requests, waitings, clock } = connectionTo([slowly, slowly, slowly, slowly]);
    const before = clock.now();
    expect(await connection.exchange(READ)).toMatchObject({ kind: "no-answer", error: { failure: "timeout" } });
    expect(requests).toHaveLength(3);
    expect(waitings).toHaveLength(1);
    expect(clock.now() - before).toBeLessThan(80_000);
  });

  test("the result of a write that was abandoned is unknown, and it is not sent again", async () => {
    const { connection, requests } = connectionTo([{ afterMs: 90_000 }]);
    expect(answerOf(await connection.exchange(WRITE))).toEqual({
      outcome: "unknown",
      reason: { is: "no-answer", why: { is: "not-whole", limit_seconds: 60 } },
    });
    expect(requests).toHaveLength(1);
  });

  test("a queue without events does not count as a server that hangs", async () => {
    const { connection, waitings } = connectionTo([{ afterMs: 90_000, answer: success({ events: [] }) }]);
    expect(await connection.exchange(EVENTS)).toMatchObject({ kind: "envelope" });
    expect(waitings).toEqual([]);
    const dead = connectionTo([{ afterMs: 100_000 }]);
    expect(await dead.connection.exchange(EVENTS)).toMatchObject({ kind: "no-answer", error: { failure: "timeout" } });
  });

  test("quick answers leave no timer running", async () => {
    const { connection, clock, waitings } = connectionTo([{ afterMs: 4_999, answer: success() }]);
    await connection.exchange(READ);
    expect([clock.alarms(), waitings]).toEqual([0, []]);
  });
});

describe("a wait before a request", () => {
  const limited = (seconds: number) =>
    json(429, { result: "error", code: "RATE_LIMIT_HIT", msg: "" }, { "retry-after": String(seconds) });

  test("is reported if it is long, and does not count towards a limit", async () => {
    const { connection, waitings } = connectionTo([
      { afterMs: 0, answer: limited(200) },
      { afterMs: 50_000, answer: success() },
    ]);
    expect(await connection.exchange(READ)).toMatchObject({ kind: "envelope" });
    expect(waitings).toMatchObject([{ for: "rate-limit", ms: 200_000 }, { for: "answer" }]);
    expect(waitings.map((waiting) => waitingText(waiting, undefined))[0]).toBe(
      "… chat.example.org asks to wait for 200 s, because there were many requests",
    );
  });

  test("is not reported if it is short", async () => {
    const { connection, waitings } = connectionTo([
      { afterMs: 0, answer: limited(2) },
      { afterMs: 0, answer: success() },
    ]);
    await connection.exchange(READ);
    expect(waitings).toEqual([]);
  });
});
