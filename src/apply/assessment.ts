import type { Call, Plan } from "../model/plan.ts";
import type { Conflict } from "../model/result.ts";
import { Checks, changedFact, type Ledger } from "./checks.ts";
import type { ApplyOptions } from "./options.ts";
import type { Readings } from "./readings.ts";
import type { RunRecord } from "./record.ts";
import { undoneCalls } from "./undone.ts";
import { Goals, type View } from "./view.ts";

/** Compares the calls of a plan with a reading: which are already done, and which can no longer rely on what they expect. */
export class Assessment {
  readonly goals: Goals;
  private readonly plan: Plan;
  private readonly record: RunRecord;
  private readonly checks: Checks;
  private readonly ledger: Ledger;

  constructor(plan: Plan, record: RunRecord, readings: Readings) {
    this.plan = plan;
    this.record = record;
    this.goals = new Goals(plan);
    this.checks = new Checks(plan, this.goals);
    this.ledger = {
      isDone: (n) => record.isDone(n),
      isNewerThanReading: (n) => readings.wasSentSince(n),
    };
  }

  /** Before the first write: finds calls that are already done, and values that changed. Returns whether anything has to be sent. */
  beforeFirstWrite(view: View, { resumed, ...options }: ApplyOptions): boolean {
    const { checks, goals, plan, record } = this;
    const mayRepeat = (operation: string): boolean => options.mayRepeat(operation);
    const undone = resumed && undoneCalls(plan, resumed, view, { checks, goals, mayRepeat });
    const open = plan.calls.filter((call) => {
      if (resumed?.done.has(call.n) !== true || undone?.has(call.n) === true)
        return !this.settleReached(call, view, resumed?.open.has(call.n));
      record.settle(call, { state: "already-so", fact: { kind: "done-by-earlier-run" } });
      return false;
    });
    for (const call of open) record.collect(this.moved(call, view));
    const conflicts = record.conflicts();
    if (conflicts.length === 0) return open.length > 0;
    record.halt("conflict");
    for (const call of open) {
      const moved = conflicts.filter(({ calls }) => calls.includes(call.n));
      if (moved.length > 0) record.settle(call, { state: "conflict", fact: changedFact(moved) });
      else record.skipOr(call, "not-attempted");
    }
    return false;
  }

  /** What somebody else changed of the values that this call relies on. */
  moved(call: Call, view: View): readonly Conflict[] {
    return this.checks.moved(call, view, this.ledger);
  }

  /**
   * Whether the reading shows that the call was carried out.
   * @param sent it was sent, and no answer says what it did
   */
  isReached(call: Call, view: View, sent = false): boolean {
    return this.goals.isApplied(call, view, sent) || this.checks.isSuperseded(call, view, sent);
  }

  /** @param sent an earlier run sent it, and ended before the answer */
  settleReached(call: Call, view: View, sent = false): boolean {
    if (!this.isReached(call, view, sent)) return false;
    this.record.settle(call, { state: "already-so", fact: { kind: "already-so" } });
    return true;
  }
}
