import type { Call, Plan } from "../model/plan.ts";
import type { Conflict } from "../model/result.ts";
import { Checks, changedFact, type Ledger } from "./checks.ts";
import { Goals, type LiveObjects } from "./goals.ts";
import type { ApplyOptions } from "./options.ts";
import type { Readings } from "./readings.ts";
import type { RunRecord } from "./record.ts";
import type { Resumed } from "./whole-run.ts";

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
  beforeFirstWrite(objects: LiveObjects, { resumed, ...options }: ApplyOptions): boolean {
    const { checks, goals, plan, record } = this;
    const mayRepeat = (operation: string): boolean => options.mayRepeat(operation);
    const undone = resumed && undoneCalls(plan, resumed, objects, { checks, goals, mayRepeat });
    const open = plan.calls.filter((call) => {
      if (resumed?.done.has(call.n) !== true || undone?.has(call.n) === true)
        return !this.settleReached(call, objects, resumed?.open.has(call.n));
      record.settle(call, { state: "already-so", fact: { kind: "done-by-earlier-run" } });
      return false;
    });
    for (const call of open) record.collect(this.moved(call, objects));
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

  /** The values that this call relies on and that somebody else changed. */
  moved(call: Call, objects: LiveObjects): readonly Conflict[] {
    return this.checks.moved(call, objects, this.ledger);
  }

  /**
   * Whether the reading shows that the call was carried out.
   * @param sent the call was sent, and no answer says what it did
   */
  isReached(call: Call, objects: LiveObjects, sent: boolean): boolean {
    return this.goals.isApplied(call, objects, sent) || this.checks.isSuperseded(call, objects, sent);
  }

  /** @param sent an earlier run sent it, and ended before the answer */
  settleReached(call: Call, objects: LiveObjects, sent = false): boolean {
    if (!this.isReached(call, objects, sent)) return false;
    this.record.settle(call, { state: "already-so", fact: { kind: "already-so" } });
    return true;
  }
}

/**
 * Calls that a broken-off run is known to have carried out, and whose effects the realm no longer shows: the values are those from before, since
 * somebody undid the calls. The realm counts, so they are sent again. A third value does not mean that a call was undone: it is somebody's own
 * change. It stays, and it is reported when the realm is read after the run.
 *
 * A call counts as undone if none of its effects are there, and everything that it expects to find is there again. Two cases need care. If a later
 * call of the plan has replaced its effect (the first of the renames of a swap), the later one decides. And if a call expects the effect of an
 * earlier call, that expectation is compared with the realm only if the earlier call was not undone itself.
 * @param mayRepeat false for calls that nobody undoes by accident: an invitation that no longer exists was accepted or revoked
 */
export function undoneCalls(
  { calls }: Plan,
  { done }: Resumed,
  objects: LiveObjects,
  { checks, goals, mayRepeat }: { checks: Checks; goals: Goals; mayRepeat(operation: string): boolean },
): ReadonlySet<number> {
  const undone = new Set<number>();
  const nothingDone = knowing(() => false);
  const mine = calls.filter(({ n }) => done.has(n));
  for (const call of [...mine].reverse()) {
    if (!mayRepeat(call.operation) || !isVisible(call, objects)) continue;
    if (goals.appliedParts(call, objects).length > 0 || checks.isSuperseded(call, objects, true)) continue;
    const replacedBy = checks.laterWriters(call).filter((n) => done.has(n));
    if (replacedBy.some((n) => !undone.has(n))) continue;
    if (goals.isAsBefore(call, objects) && checks.moved(call, objects, nothingDone).length === 0) undone.add(call.n);
  }
  const stillDone = knowing((n) => done.has(n) && !undone.has(n));
  for (const call of mine)
    if (undone.has(call.n) && checks.moved(call, objects, stillDone).length > 0) undone.delete(call.n);
  return undone;
}

/** The progress before this run has sent anything. */
const knowing = (isDone: Ledger["isDone"]): Ledger => ({ isDone, isNewerThanReading: () => false });

/** Whether a reading shows the effect of the call. If it cannot, the journal is all there is. */
const isVisible = (call: Call, objects: LiveObjects): boolean =>
  call.for.length > 0 && call.for.every(({ address }) => objects.holds(address));
