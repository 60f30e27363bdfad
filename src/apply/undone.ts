import type { Call, Plan } from "../model/plan.ts";
import type { Checks, Ledger } from "./checks.ts";
import type { Goals, LiveObjects } from "./goals.ts";
import type { Resumed } from "./resume.ts";

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
