import { describe, expect, test } from "vitest";
import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { ApplyOutcome } from "../model/result.ts";
import { exitCodeOf, type Halt, haltOf, outcomeOf } from "./outcome.ts";

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
    { fact: "everything is done", run: {}, outcome: "applied", exit: EXIT.done },
    { fact: "there was nothing to do", run: { total: 0, wrote: false }, outcome: "nothing-to-do", exit: EXIT.done },
    { fact: "planning again finds a change", run: { differs: true }, outcome: "differs", exit: EXIT.appliedInPart },
    {
      fact: "planning again finds a change, and nothing was written",
      run: { differs: true, wrote: false },
      outcome: "differs",
      exit: EXIT.appliedInPart,
    },
    { fact: "some calls failed", run: { left: 1 }, outcome: "in-part", exit: EXIT.appliedInPart },
    { fact: "all calls failed", run: { left: 3, wrote: false }, outcome: "in-part", exit: EXIT.appliedInPart },
    {
      fact: "values changed before the first write",
      run: { left: 3, conflicts: 1, wrote: false },
      outcome: "conflict",
      exit: EXIT.conflict,
    },
    {
      fact: "values changed after it",
      run: { left: 1, conflicts: 1 },
      outcome: "in-part",
      exit: EXIT.appliedInPart,
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
      fact: "the server can no longer be reached",
      run: { halted: "unreachable", left: 1 },
      outcome: "unreachable",
      exit: EXIT.appliedInPart,
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
    {
      fact: "a failure ended it later",
      run: { halted: "stopped", left: 1, failure: EXIT.errors },
      outcome: "stopped",
      exit: EXIT.appliedInPart,
    },
  ])("$fact: $outcome", ({ run, outcome, exit }) => {
    const summary = { ...done, ...run };
    expect([outcomeOf(summary), exitCodeOf(summary)]).toEqual([outcome, exit]);
  });
});

test.each<[ExitCode, Halt]>([
  [EXIT.unreachable, "unreachable"],
  [EXIT.notAllowed, "not-allowed"],
  [EXIT.conflict, "conflict"],
  [EXIT.errors, "stopped"],
])("a failure with exit code %i ends a run as %s", (code, halt) => expect(haltOf(code)).toBe(halt));
