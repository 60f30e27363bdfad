import type { Call, Plan } from "../model/plan.ts";
import type { Checks, Ledger } from "./checks.ts";
import type { Resumed } from "./resume.ts";
import type { Goals, View } from "./view.ts";

/**
 * Calls that a broken-off run is known to have carried out, and whose effects the realm no longer shows: it is again as it was
 * before them, since somebody undid them. What the realm shows counts, so they are sent again. A third value is no undoing: that is
 * somebody's own work: it stays, and is reported when the realm is read after the run.
 *
 * A call counts as undone when none of what it is for is there, and all that it expects to find is there again. Two things hide that:
 * a call whose work a later call of the plan has replaced (the first of the renames of a swap) is judged by the later one, and
 * what a call expects of an earlier call's work is held against the realm only where that earlier call was not undone itself.
 * @param mayRepeat false for calls that nobody takes back by accident: an invitation that no longer exists was accepted or revoked
 */
export function undoneCalls(
  { calls }: Plan,
  { done }: Resumed,
  view: View,
  { checks, goals, mayRepeat }: { checks: Checks; goals: Goals; mayRepeat(operation: string): boolean },
): ReadonlySet<number> {
  const undone = new Set<number>();
  const nothingDone = knowing(() => false);
  const mine = calls.filter(({ n }) => done.has(n));
  for (const call of [...mine].reverse()) {
    if (!mayRepeat(call.operation) || !isVisible(call, view)) continue;
    if (goals.appliedParts(call, view).length > 0 || checks.isSuperseded(call, view, true)) continue;
    const replacedBy = checks.laterWriters(call).filter((n) => done.has(n));
    if (replacedBy.some((n) => !undone.has(n))) continue;
    if (goals.isAsBefore(call, view) && checks.moved(call, view, nothingDone).length === 0) undone.add(call.n);
  }
  const stillDone = knowing((n) => done.has(n) && !undone.has(n));
  for (const call of mine)
    if (undone.has(call.n) && checks.moved(call, view, stillDone).length > 0) undone.delete(call.n);
  return undone;
}

/** Before this run has sent anything. */
const knowing = (isDone: Ledger["isDone"]): Ledger => ({ isDone, isNewerThanReading: () => false });

/** Does a reading show what the call is for? About what it does not show, the journal is all there is. */
const isVisible = (call: Call, view: View): boolean =>
  call.for.length > 0 && call.for.every(({ address }) => view.holds(address));
