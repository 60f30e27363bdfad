import { describe, expect, test } from "vitest";
import { call, planOf, ToyServer, toyOptions } from "../../test/support/apply/toy.ts";
import { EXIT, type ExitCode, error, Failure } from "../model/diagnostic.ts";
import type { Call } from "../model/plan.ts";
import type { ApplyOutcome, Progress } from "../model/result.ts";
import type { ApplyOptions, Stop } from "./options.ts";
import { OLDEST_BEFORE_MAIL_MS, OLDEST_BEFORE_REPLACING_MS, OLDEST_READING_MS, Readings } from "./readings.ts";
import { exitCodeOf, type Halt, haltOf, outcomeOf, RunRecord } from "./record.ts";

const thing = (n: number, more: Partial<Call> = {}): Call =>
  call({ n, operation: "change", for: [{ address: `thing:${n}`, fields: [] }], ...more });
const calls = [thing(1), thing(2, { after: [1] }), thing(3, { after: [1, 2] })];
const [first, second, third] = calls as [Call, Call, Call];
const stopOf = (requested: boolean, aborted: boolean, sendNoMore?: AbortSignal): Stop => ({
  requested,
  signal: aborted ? AbortSignal.abort() : new AbortController().signal,
  ...(sendNoMore === undefined ? {} : { sendNoMore }),
});
function recordOf(more: Partial<ApplyOptions> = {}) {
  const received: Progress[] = [];
  const options = toyOptions(new ToyServer(), { onProgress: (progress) => void received.push(progress), ...more });
  return { record: new RunRecord(planOf([], calls), options), received, lines: options.lines };
}
const notWritten = error("journal/not-written", { journal: "x", why: { code: "ENOSPC", words: "full" } });
const noJournal = error("journal/no-journal", { journal: "x" });
const failure = (exitCode: ExitCode) => new Failure(exitCode, notWritten);

describe("the result of a run", () => {
  test.each([
    { stop: undefined, is: false },
    { stop: stopOf(false, false), is: false },
    { stop: stopOf(true, false), is: true },
    { stop: stopOf(false, true), is: true },
  ])("says whether somebody asked the run to stop: $is", ({ stop, is }) =>
    expect(recordOf(stop && { stop }).record.isStopped()).toBe(is),
  );

  test.each<{ fact: string; stop: Stop; exitCode: ExitCode; halted: string; failure: ExitCode | undefined }>([
    {
      fact: "a reading that was stopped",
      stop: stopOf(true, true),
      exitCode: EXIT.unreachable,
      halted: "stopped",
      failure: undefined,
    },
    {
      fact: "a refusal after a stop was requested",
      stop: stopOf(true, true),
      exitCode: EXIT.notAllowed,
      halted: "not-allowed",
      failure: EXIT.notAllowed,
    },
  ])("is an early end because of $fact", ({ stop, exitCode, halted, failure: expected }) => {
    const { record } = recordOf({ stop });
    record.fail(failure(exitCode));
    expect([record.halted, record.failure, record.diagnostics.length]).toEqual([
      halted,
      expected,
      expected === undefined ? 0 : 1,
    ]);
    record.halt("in-part");
    expect(record.halted).toBe(halted);
  });

  test("is only remembered, if there is no journal", () => {
    const { record, lines } = recordOf();
    record.noteSending(first, { operation: "x", path: {}, params: {} });
    record.noteAnswer(first, { outcome: "applied", body: {} });
    record.noteIds({ "thing:1": 7 });
    record.settle(first, { state: "done" });
    record.noteSettled();
    record.close("applied", 1, 0);
    expect([lines, record.journalPath(), record.isSettled(first), record.isDone(1)]).toEqual([[], null, true, true]);
  });

  test("is in the journal, also that of calls before it was opened, and the journal ends once", () => {
    const { record, lines } = recordOf();
    record.settle(first, { state: "already-so" });
    record.openJournal();
    record.noteSettled();
    record.noteIds({});
    record.close("applied", 1, 0);
    expect(lines.map((line) => JSON.parse(line).entry)).toEqual(["settled", "end"]);
  });

  // A run that continues this one finds the created objects by these ids, whatever they are called by then.
  test("has the answer and the ids of what a call created in the journal, in this order", () => {
    const { record, lines } = recordOf();
    record.openJournal();
    const wire = { operation: "x", path: {}, params: {} };
    record.noteSending(first, wire);
    record.settleAnswered(first, { outcome: "applied", body: { id: 7 } }, { "thing:1": 7 });
    record.settleAnswered(second, { outcome: "applied", body: {} }, {});
    const written = lines.map((line): object => JSON.parse(line));
    expect(written).toMatchObject([
      { entry: "sending", n: 1, call: wire },
      { entry: "answer", n: 1, answer: { outcome: "applied", body: { id: 7 } } },
      { entry: "learned", ids: { "thing:1": 7 } },
      { entry: "answer", n: 2, answer: { outcome: "applied", body: {} } },
    ]);
    expect(written).toHaveLength(4);
  });

  test.each<{ thrown: Error; codes: readonly string[] | undefined }>([
    { thrown: new Failure(EXIT.errors, noJournal), codes: ["journal/not-written", "journal/no-journal"] },
    { thrown: failure(EXIT.errors), codes: ["journal/not-written"] },
    { thrown: new RangeError("a bug"), codes: undefined },
  ])("has an error if the journal cannot be ended: $codes", ({ thrown, codes }) => {
    let closed = 0;
    const openJournal = () => ({
      path: "x",
      write: () => {
        throw thrown;
      },
      close: () => {
        closed += 1;
      },
    });
    const { record } = recordOf({ openJournal });
    record.fail(failure(EXIT.errors));
    record.openJournal();
    if (codes === undefined) expect(() => record.close("in-part", 0, 3)).toThrow("a bug");
    else record.close("in-part", 0, 3);
    expect([closed, record.diagnostics.map(({ code }) => code)]).toEqual([
      codes === undefined ? 0 : 1,
      codes ?? ["journal/not-written"],
    ]);
  });
});

describe("the result of a call", () => {
  test("has the time since it was first sent", () => {
    let now = 1_000;
    const { record, received } = recordOf({ now: () => now });
    record.noteSending(first, { operation: "x", path: {}, params: {} });
    now = 1_500;
    record.noteSending(first, { operation: "x", path: {}, params: {} });
    now = 1_700;
    record.settle(first, { state: "done" });
    record.settle(second, { state: "done" });
    expect(record.calls()).toEqual([
      { n: 1, state: "done", duration_ms: 700 },
      { n: 2, state: "done" },
      { n: 3, state: "not-attempted" },
    ]);
    expect(received.map(({ state, settled, total, result }) => [state, settled, total, result?.n])).toEqual([
      ["sending", 0, 3, undefined],
      ["sending", 0, 3, undefined],
      ["done", 1, 3, 1],
      ["done", 2, 3, 2],
    ]);
  });

  test("has nothing of an earlier result while the call is sent again", () => {
    const { record, received } = recordOf();
    record.settle(first, { state: "failed" });
    record.noteSending(first, { operation: "x", path: {}, params: {} });
    expect(received.at(-1)?.result).toBeUndefined();
  });

  test("can be a conflict of several calls, which is reported once, with all of them", () => {
    const { record } = recordOf();
    const conflict = {
      address: "thing:9",
      kind: "thing",
      name: "9",
      field: "colour",
      found: "red",
      planned: "blue",
    } as const;
    record.settleConflict(
      first,
      [
        { ...conflict, calls: [1] },
        { ...conflict, field: "shape", calls: [1] },
      ],
      [],
    );
    record.settleConflict(second, [{ ...conflict, calls: [2, 1] }], []);
    expect(record.conflicts().map(({ field, calls: of }) => [field, of])).toEqual([
      ["colour", [1, 2]],
      ["shape", [1]],
    ]);
  });

  test("can be a failure of a call that was carried out in part", () => {
    const { record } = recordOf();
    record.settle(first, { state: "failed", applied_parts: [] });
    expect([record.wrote, record.calls()[0]]).toEqual([false, { n: 1, state: "failed" }]);
    record.settle(first, { state: "failed", applied_parts: first.for });
    expect([record.wrote, record.calls()[0]?.applied_parts]).toEqual([true, first.for]);
    const conflict = recordOf();
    conflict.record.settleConflict(first, [], first.for);
    expect([conflict.record.calls()[0]?.state, conflict.record.calls()[0]?.applied_parts]).toEqual([
      "conflict",
      first.for,
    ]);
  });

  test.each<{ fact: string; settled: readonly ("done" | "failed" | "not-attempted" | "already-so")[]; result: object }>(
    [
      {
        fact: "skipped because of the first call that failed",
        settled: ["failed"],
        result: { state: "skipped", because: 1 },
      },
      {
        fact: "not attempted if a call that it needs was not attempted",
        settled: ["not-attempted"],
        result: { state: "not-attempted" },
      },
    ],
  )("is $fact", ({ settled, result }) => {
    const { record } = recordOf();
    for (const [index, state] of settled.entries()) record.settle([first, second][index] ?? third, { state });
    record.skipOr(third, "not-attempted");
    const found = record.calls()[2];
    expect({ state: found?.state, ...(found?.because === undefined ? {} : { because: found.because }) }).toEqual(
      result,
    );
  });
});

describe("the maximum age of a reading", () => {
  const replacing = thing(1, {
    params: { description: "new" },
    expects: [{ address: "thing:1", field: "description", value: "old" }],
  });
  const comparing = thing(1, {
    params: { description: { new: "new", old: "old" } },
    expects: [{ address: "thing:1", field: "description", value: "old" }],
  });
  const mailing = thing(1, { operation: "mail" });

  test.each([
    { what: "comparing", item: comparing, ageMs: OLDEST_READING_MS, reads: 1 },
    { what: "replacing", item: replacing, ageMs: OLDEST_BEFORE_REPLACING_MS, reads: 1 },
    { what: "replacing", item: replacing, ageMs: OLDEST_BEFORE_REPLACING_MS + 1, reads: 2 },
    { what: "mailing", item: mailing, ageMs: OLDEST_BEFORE_MAIL_MS, reads: 1 },
    { what: "mailing", item: mailing, ageMs: OLDEST_BEFORE_MAIL_MS + 1, reads: 2 },
    { what: "comparing by a clock that was set back", item: comparing, ageMs: -1, reads: 2 },
  ])("before a call that is $what, after $ageMs ms: $reads readings", async ({ item, ageMs, reads }) => {
    const server = new ToyServer();
    let now = 1_000_000;
    const readings = new Readings(
      planOf([], calls),
      toyOptions(server, { now: () => now, mayRepeat: (name) => name !== "mail" }),
    );
    await readings.read();
    now += ageMs;
    await readings.refreshIfStale(item);
    expect(server.reads).toBe(reads);
  });

  test("is reached by three attempts to read, or by none if the run was told to stop", async () => {
    const server = new ToyServer();
    let now = 0;
    const ready = async () => {
      now += 60_000;
    };
    const readings = new Readings(planOf([], calls), toyOptions(server, { now: () => now, ready }));
    await readings.refreshIfStale(first);
    expect(server.reads).toBe(3);
    const stopped = new ToyServer();
    await new Readings(
      planOf([], calls),
      toyOptions(stopped, { stop: stopOf(true, false), now: () => 60_000 }),
    ).refreshIfStale(first);
    expect(stopped.reads).toBe(0);
  });

  test("waits with the signal for no more calls, or with the one that stops everything", async () => {
    const { signal: sendNoMore } = new AbortController();
    const both = stopOf(false, false, sendNoMore);
    const one = stopOf(false, false);
    for (const [stop, signal] of [
      [both, sendNoMore],
      [one, one.signal],
    ] as const) {
      const seen: unknown[] = [];
      const see = async (given?: AbortSignal) => void seen.push(given);
      const readings = new Readings(
        planOf([], calls),
        toyOptions(new ToyServer(), { stop, ready: see, waitRandomTime: see }),
      );
      await readings.waitRandomTime();
      await readings.waitRandomTime();
      await readings.refreshIfStale(first);
      expect(seen.map((given) => given === signal)).toEqual([true, true]);
    }
  });

  test("is that of the plan until the first reading", async () => {
    const plan = planOf([], calls);
    const server = new ToyServer();
    const readings = new Readings(plan, toyOptions(server));
    expect([readings.last(), readings.readAtMs()]).toEqual([undefined, Date.parse(plan.snapshot_taken_at)]);
    expect(() => readings.objects()).toThrow("not read yet");
    await readings.read();
    expect(readings.readAtMs()).toBe(Date.parse(readings.last()?.snapshot.taken_at ?? ""));
  });
});

type Summary = Parameters<typeof outcomeOf>[0];

const done: Summary = {
  halted: undefined,
  total: 3,
  left: 0,
  conflicts: 0,
  wrote: true,
  differs: false,
  failure: undefined,
};

describe("the outcome of a run and its exit code", () => {
  test.each<{ fact: string; run: Partial<Summary>; outcome: ApplyOutcome; exit: ExitCode }>([
    { fact: "all calls failed", run: { left: 3, wrote: false }, outcome: "in-part", exit: EXIT.appliedInPart },
    {
      fact: "values changed before the first write",
      run: { left: 3, conflicts: 1, wrote: false },
      outcome: "conflict",
      exit: EXIT.conflict,
    },
    {
      fact: "the account may not do it",
      run: { halted: "not-allowed", left: 3, wrote: false },
      outcome: "not-allowed",
      exit: EXIT.notAllowed,
    },
    {
      fact: "the server cannot be reached",
      run: { halted: "unreachable", left: 3, wrote: false },
      outcome: "unreachable",
      exit: EXIT.unreachable,
    },
    {
      fact: "it was stopped before the first request",
      run: { halted: "stopped", left: 3, wrote: false },
      outcome: "stopped",
      exit: EXIT.appliedInPart,
    },
    {
      fact: "a failure ended it before the first request",
      run: { halted: "stopped", left: 3, wrote: false, failure: EXIT.errors },
      outcome: "stopped",
      exit: EXIT.errors,
    },
  ])("$fact: $outcome", ({ run, outcome, exit }) => {
    const summary = { ...done, ...run };
    expect([outcomeOf(summary), exitCodeOf(summary)]).toEqual([outcome, exit]);
  });
});

test.each<[ExitCode, Halt]>([
  [EXIT.notAllowed, "not-allowed"],
  [EXIT.conflict, "conflict"],
  [EXIT.errors, "stopped"],
])("a failure with exit code %i ends a run as %s", (code, halt) => expect(haltOf(code)).toBe(halt));
