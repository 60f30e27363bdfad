import { expect, test } from "vitest";
import { MIXED_PLAN } from "../../test/support/example-plans.ts";
import type { Call, Plan } from "../model/plan.ts";
import { PLAIN } from "../report/style.ts";
import { progressDisplay } from "./apply/carry-out.ts";
import type { Io } from "./io.ts";

/** A plan with this number of calls of one kind. */
function planOf(number: number): Plan {
  const [call] = MIXED_PLAN.calls;
  if (call === undefined) throw new RangeError("the example has no call");
  return { ...MIXED_PLAN, calls: Array.from({ length: number }, (_, n): Call => ({ ...call, n: n + 1 })) };
}

/** The output of a display during calls that each take this long. */
function written(plan: Plan, { isTTY, eachMs }: { readonly isTTY: boolean; readonly eachMs: number }): string {
  let now = 0;
  let text = "";
  const err = { isTTY, columns: 80, write: (more: string) => (text += more) };
  const io: Pick<Io, "err" | "now"> = { err, now: () => now };
  const display = progressDisplay(io, plan, PLAIN);
  plan.calls.forEach((call, index) => {
    now += eachMs;
    display.show({ total: plan.calls.length, settled: index + 1, call, state: "done" });
  });
  display.clear();
  return text;
}

test("a log has a line every ten seconds, with the remaining time at the server's pace", () => {
  expect(written(planOf(500), { isTTY: false, eachMs: 300 }).split("\n").slice(0, 3)).toEqual([
    "34 of 500 calls, about 2 min left",
    "68 of 500 calls, about 2 min left",
    "102 of 500 calls, about 2 min left",
  ]);
});

test("a run that ends earlier writes no line", () => {
  expect(written(planOf(30), { isTTY: false, eachMs: 100 })).toBe("");
});

test("a terminal has one line, and the remaining time if that is useful", () => {
  const text = written(planOf(300), { isTTY: true, eachMs: 1 });
  expect(text).not.toContain("\n");
  expect(text).toContain("[1/300] (about 70 s left)");
  expect(text).toMatch(/\[300\/300\] [^(]/);
  expect(text.endsWith("\r\u001b[2K")).toBe(true);
});
