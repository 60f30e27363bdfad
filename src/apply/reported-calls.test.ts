import { expect, test } from "vitest";
import { call, change, channel, field, planOf, set, ToyServer, toyOptions } from "../../test/support/apply/toy.ts";
import { error as diagnostic, EXIT } from "../model/diagnostic.ts";
import type { Answer } from "../model/journal.ts";
import type { Call, Plan } from "../model/plan.ts";
import { applyPlan } from "./apply.ts";
import type { ApplyOptions } from "./options.ts";

// Everything that a run reports about its calls: results, journal and progress, word for word.

const plan = planOf(
  [
    change("a", 1, field("description", "old", "new")),
    change("b", 2, field("description", "x", "y")),
    change("c", 3, field("description", "z", "z2")),
  ],
  [
    set(1, 1, "a", "description", "old", "new"),
    set(2, 2, "b", "description", "x", "y"),
    set(3, 3, "c", "description", "z", "z2", { after: [2] }),
  ],
);
const live = () => [channel(1, "a", "old"), channel(2, "b", "x"), channel(3, "c", "z")];
const refused = (more: Partial<Answer & { outcome: "refused" }>): Answer => ({
  outcome: "refused",
  status: 400,
  code: "BAD_REQUEST",
  message: "No.",
  details: {},
  ...more,
});

/** Runs a plan with a clock that advances one second each time it is read, and with this answer to the second request. */
async function received(answer: Answer | undefined, more: Partial<ApplyOptions> = {}, of: Plan = plan) {
  const server = new ToyServer(...live());
  let now = 0;
  const progress: unknown[] = [];
  server.onSend = (_, { path }) => (path.id === 2 ? answer : undefined);
  const options = toyOptions(server, {
    now: () => {
      now += 1;
      return now;
    },
    onProgress: ({ total, settled, call: { n }, state, result }) =>
      progress.push([total, settled, n, state, result?.state]),
    ...more,
  });
  const result = await applyPlan(of, options);
  const lines = options.lines.map((line) => {
    const { at, plan: _, tool_version: __, sum: ___, ...entry } = JSON.parse(line);
    expect(at).toMatch(/^1970-01-01T00:00:00\.\d{3}Z$/);
    return entry;
  });
  return { result, lines, progress, server, now };
}

test("everything is done", async () => {
  const { result, lines, progress, now } = await received(undefined);
  expect(result).toMatchObject({
    outcome: "applied",
    exitCode: EXIT.done,
    conflicts: [],
    diagnostics: [],
    journal: "test.jsonl",
  });
  expect(
    result.calls.map(({ n, state, duration_ms: took }) => [n, state, took !== undefined && took > 0 && took < 10]),
  ).toEqual([
    [1, "done", true],
    [2, "done", true],
    [3, "done", true],
  ]);
  // The clock was read `now` times, one second apart.
  expect(result.elapsedMs).toBe(now - 1);
  expect(lines.map(({ entry, n }) => [entry, n])).toEqual([
    ["start", undefined],
    ["sending", 1],
    ["answer", 1],
    ["sending", 2],
    ["answer", 2],
    ["sending", 3],
    ["answer", 3],
    ["end", undefined],
  ]);
  expect(lines.at(2)?.answer).toEqual({ outcome: "applied", body: {} });
  expect(lines.at(-1)).toEqual({ entry: "end", outcome: "applied", done: 3, left: 0 });
  expect(progress).toEqual([
    [3, 0, 1, "sending", undefined],
    [3, 1, 1, "done", "done"],
    [3, 1, 2, "sending", undefined],
    [3, 2, 2, "done", "done"],
    [3, 2, 3, "sending", undefined],
    [3, 3, 3, "done", "done"],
  ]);
});

test.each<{ fact: string; answer: Answer; states: readonly object[]; outcome: string; exit: number; sent: number }>([
  {
    fact: "a refusal is reported, and calls that need the refused call are left out",
    answer: refused({}),
    states: [
      { n: 2, state: "failed", code: "BAD_REQUEST", fact: { kind: "refused", message: { quoted: "No." }, parts: [] } },
      { n: 3, state: "skipped", because: 2, fact: { kind: "needs", call: 2 } },
    ],
    outcome: "in-part",
    exit: EXIT.appliedInPart,
    sent: 2,
  },
  {
    fact: "a deactivated account ends the run",
    answer: refused({ code: "USER_DEACTIVATED" }),
    states: [
      { n: 2, state: "failed", code: "USER_DEACTIVATED" },
      { n: 3, state: "not-attempted" },
    ],
    outcome: "not-allowed",
    exit: EXIT.appliedInPart,
    sent: 2,
  },
  {
    fact: "a deactivated organization ends the run",
    answer: refused({ code: "REALM_DEACTIVATED" }),
    states: [
      { n: 2, state: "failed", code: "REALM_DEACTIVATED" },
      { n: 3, state: "not-attempted" },
    ],
    outcome: "not-allowed",
    exit: EXIT.appliedInPart,
    sent: 2,
  },
  {
    fact: "a request that the server asks to repeat later was not carried out",
    answer: refused({ status: 429, code: "RATE_LIMIT_HIT" }),
    states: [
      { n: 2, state: "not-attempted", fact: { kind: "refused" } },
      { n: 3, state: "not-attempted" },
    ],
    outcome: "in-part",
    exit: EXIT.appliedInPart,
    sent: 2,
  },
  {
    fact: "a call that was not sent is reported with the reason",
    answer: { outcome: "not-attempted", reason: { quoted: "no network" } },
    states: [
      { n: 2, state: "not-attempted", fact: { kind: "not-sent", reason: { quoted: "no network" } } },
      { n: 3, state: "not-attempted" },
    ],
    outcome: "unreachable",
    exit: EXIT.appliedInPart,
    sent: 2,
  },
  {
    fact: "no answer and no visible effect: sent three times, then reported",
    answer: { outcome: "unknown", reason: { is: "no-answer", why: { quoted: "reset" } } },
    states: [
      {
        n: 2,
        state: "failed",
        code: "unknown",
        fact: { kind: "no-answer", reason: { is: "no-answer", why: { quoted: "reset" } } },
      },
      { n: 3, state: "skipped", because: 2 },
    ],
    outcome: "in-part",
    exit: EXIT.appliedInPart,
    sent: 4,
  },
  {
    fact: "an answer about another value and no visible effect: sent three times, then reported",
    answer: refused({ code: "EXPECTATION_MISMATCH" }),
    states: [
      { n: 2, state: "failed", code: "EXPECTATION_MISMATCH" },
      { n: 3, state: "skipped", because: 2 },
    ],
    outcome: "in-part",
    exit: EXIT.appliedInPart,
    sent: 4,
  },
  {
    fact: "parameters that the server ignored are reported, and written to the journal",
    answer: { outcome: "applied", body: { id: 7, secret: "x" }, ignored: ["description"] },
    states: [
      { n: 2, state: "failed", code: "ignored-parameters", fact: { kind: "ignored", parameters: ["description"] } },
      { n: 3, state: "skipped", because: 2 },
    ],
    outcome: "in-part",
    exit: EXIT.appliedInPart,
    sent: 2,
  },
])("$fact", async ({ answer, states, outcome, exit, sent }) => {
  const { result, lines, server } = await received(answer);
  expect(result.calls.slice(1)).toMatchObject(states);
  expect([result.outcome, result.exitCode, server.sent.length]).toEqual([outcome, exit, sent]);
  const answered = lines.find(({ entry, n }) => entry === "answer" && n === 2)?.answer;
  const expected = answer.outcome === "applied" ? { ...answer, body: { id: 7 } } : answer;
  expect(answered).toEqual(expected);
  // The duration of a call that was not sent is zero.
  for (const { state, duration_ms: took } of result.calls) if (state === "skipped") expect(took).toBeUndefined();
  for (const line of lines)
    if (line.entry === "settled" && line.n === 2) expect(line.fact?.kind).toBe(result.calls[1]?.fact?.kind);
});

test.each<{ what: string; changed: string; more: Partial<Call>; fact: string }>([
  {
    what: "an object that a call needs and that is not found",
    changed: "gone",
    more: { operation: "change", path: { id: { idOf: "thing:gone" } } },
    fact: "object-not-found",
  },
  {
    what: "a time that has passed",
    changed: "made",
    more: { operation: "make", params: { until: { minutesUntil: "2026-01-01T00:00:30Z" } } },
    fact: "too-late",
  },
])("$what: nothing is sent", async ({ changed, more, fact }) => {
  const hopeless = planOf(
    [change(changed, undefined)],
    [call({ n: 1, operation: "", for: [{ address: `thing:${changed}`, fields: ["description"] }], ...more })],
  );
  const { result, server } = await received(undefined, {}, hopeless);
  expect(result.calls).toMatchObject([{ state: "failed", fact: { kind: fact } }]);
  expect(server.sent).toEqual([]);
});

test("planning again finds the remaining changes, and says why others could not be planned", async () => {
  const again = await received(undefined, {
    replan: () => Promise.resolve({ ok: true, value: { ...plan, changes: plan.changes.slice(0, 1) }, warnings: [] }),
  });
  expect(again.result).toMatchObject({ outcome: "differs", remaining: plan.changes.slice(0, 1) });
  const notRead = diagnostic("plan/not-read", { section: "things" });
  const not = await received(undefined, { replan: () => Promise.resolve({ ok: false, diagnostics: [notRead] }) });
  expect(not.result).toMatchObject({ outcome: "differs", remaining: null, diagnostics: [notRead] });
});
