import { describe, expect, test, vi } from "vitest";
import { AT, applied, journalText, sending, startOf } from "../../test/support/apply/journals.ts";
import { call, change, channel, field, planOf, set, ToyServer, toyOptions } from "../../test/support/apply/toy.ts";
import type { JournalEntry } from "../model/journal.ts";
import type { CallState } from "../model/result.ts";
import { applyPlan } from "./apply.ts";
import { parseJournal } from "./journal.ts";
import { leftUndone, resumedFrom, wholeRun } from "./whole-run.ts";

const plan = planOf(
  [
    change("a", 1, field("description", "old", "new")),
    change("made", undefined),
    change("b", 2, field("description", "old", "new")),
  ],
  [
    set(1, 1, "a", "description", "old", "new"),
    call({
      n: 2,
      operation: "make",
      params: { name: "made" },
      for: [{ address: "thing:made", fields: [] }],
      expects: [{ address: "thing:made", field: "exists", value: false }],
      creates: ["thing:made"],
    }),
    set(3, 2, "b", "description", "old", "new"),
  ],
);
const journalOf = (...entries: readonly JournalEntry[]) =>
  parseJournal(journalText([startOf(plan), ...entries]), "x.jsonl");

test.each<{ fact: string; entries: readonly JournalEntry[]; done: readonly number[]; open: readonly number[] }>([
  { fact: "no answer came", entries: [sending(1)], done: [], open: [1] },
  {
    fact: "a reading showed that the call with the lost answer was carried out",
    entries: [
      sending(1),
      { entry: "answer", at: AT, n: 1, answer: { outcome: "unknown", message: "lost" } },
      { entry: "settled", at: AT, n: 1, state: "done" },
    ],
    done: [1],
    open: [],
  },
  {
    fact: "the call was refused, and the run ended there",
    entries: [
      sending(1),
      {
        entry: "answer",
        at: AT,
        n: 1,
        answer: { outcome: "refused", status: 400, code: "BAD_REQUEST", message: "no", details: {} },
      },
    ],
    done: [],
    open: [1],
  },
  {
    fact: "the call was refused",
    entries: [sending(1), { entry: "settled", at: AT, n: 1, state: "failed" }],
    done: [],
    open: [],
  },
])("$fact", ({ entries, done, open }) => {
  const resumed = resumedFrom(journalOf(...entries), plan);
  expect([...(resumed?.done ?? [])]).toEqual(done);
  expect([...(resumed?.open ?? [])]).toEqual(open);
});

const learned: JournalEntry = { entry: "learned", at: AT, ids: { "thing:made": 3 } };
const ended = (outcome: string): JournalEntry => ({ entry: "end", at: AT, outcome, done: 2, left: 1 });

test.each<{ fact: string; runs: readonly (readonly JournalEntry[])[]; found: unknown }>([
  {
    fact: "an object was created",
    runs: [[sending(1), applied(1), sending(2), applied(2), learned]],
    found: { made: { "thing:made": 3 }, left: ["thing:b"] },
  },
  {
    fact: "no answer came: somebody else may have created it",
    runs: [[sending(1), applied(1), sending(2), learned]],
    found: undefined,
  },
  {
    fact: "the run ended, and not all was done",
    runs: [[sending(2), applied(2), learned, sending(3), ended("in-part")]],
    found: { made: { "thing:made": 3 }, left: ["thing:a", "thing:b"] },
  },
  { fact: "the run ended as intended", runs: [[sending(2), applied(2), learned, ended("applied")]], found: undefined },
])("what is left undone, if $fact", ({ runs, found }) => {
  const undone = leftUndone(runs.map((entries) => journalOf(...entries)));
  expect(undone && { made: undone.made, left: undone.changes.map(({ address }) => address) }).toEqual(found);
});

test("of an object that an interrupted run created, only the fields are left that no request wrote", () => {
  const fresh = change("made", undefined, field("description", null, "new"), field("colour", null, "red"));
  const [, making] = plan.calls;
  if (making === undefined) throw new RangeError("no call");
  const own = planOf(
    [fresh],
    [
      { ...making, n: 1, for: [{ address: "thing:made", fields: ["description"] }] },
      set(2, 3, "made", "colour", null, "red"),
    ],
  );
  const journal = parseJournal(journalText([startOf(own), sending(1), applied(1), learned]), "x.jsonl");
  expect(leftUndone([journal])?.changes).toEqual([
    expect.objectContaining({ address: "thing:made", action: "update", fields: [field("colour", null, "red")] }),
  ]);
});

test("a journal without a line is not continued, and leads to no other", async () => {
  const empty = { name: "x.jsonl", entries: [], torn: false, doubt: undefined, code: "" };
  expect(resumedFrom(empty, plan)).toBeUndefined();
  const reads = vi.fn(async () => undefined);
  expect(await wholeRun(empty, plan, { readJournal: reads })).toMatchObject({ earlier: [] });
  expect(reads).not.toHaveBeenCalled();
});

test("a run with other calls is not continued", () => {
  const other = { ...plan, calls: plan.calls.slice(1) };
  expect(resumedFrom(journalOf(sending(1)), other)).toBeUndefined();
  expect(
    resumedFrom(journalOf(sending(1)), {
      ...plan,
      guards: [{ name: "lockout", fact: { about: { kind: "nobody-locked-out" } }, violated: false }],
    }),
  ).toBeDefined();
});

describe("a run that continues another", () => {
  async function goOn(server: ToyServer, ...entries: readonly JournalEntry[]) {
    const resumed = resumedFrom(journalOf(...entries), plan);
    if (resumed === undefined) throw new RangeError("not the same calls");
    const options = { ...toyOptions(server), resumed };
    const result = await applyPlan(plan, options);
    const states: readonly CallState[] = result.calls.map(({ state }) => state);
    return { result, states, lines: options.lines };
  }

  test("leaves a value that somebody changed since, and reports that it is not as planned", async () => {
    const server = new ToyServer(channel(1, "a", "theirs"), channel(2, "b", "old"));
    const { result, states } = await goOn(server, sending(1), applied(1));
    expect(states).toEqual(["already-so", "done", "done"]);
    expect(server.things[0]?.description).toBe("theirs");
    expect(result).toMatchObject({ outcome: "differs", remaining: [{ name: "a" }] });
  });

  test("leaves in its own journal everything that the next run must know", async () => {
    const server = new ToyServer(channel(1, "a", "new"), channel(2, "b", "old"), channel(3, "made", ""));
    const { lines } = await goOn(server, ...[sending(1), applied(1), sending(2), applied(2)], {
      entry: "learned",
      at: AT,
      ids: { "thing:made": 3 },
    });
    const sendingAt = lines.findIndex((line) => line.includes('"sending"'));
    const resumed = resumedFrom(parseJournal(`${lines.slice(0, sendingAt).join("\n")}\n`, "y.jsonl"), plan);
    expect(resumed).toMatchObject({ ids: { "thing:made": 3 } });
    expect([...(resumed?.done ?? [])]).toEqual([1, 2]);
  });
});
