import { applyPlan } from "../apply/apply.ts";
import { closeUnfinished, counts, createJournal, findUnfinished, JOURNAL_DIRECTORY } from "../apply/journal.ts";
import { isLocked, lockRoot, takeLock } from "../apply/lock.ts";
import type { Stop } from "../apply/options.ts";
import { resumedFrom } from "../apply/resume.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, EXIT } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Plan } from "../model/plan.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { ApplyResult, Progress } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { findOperation } from "../zulip/operations.ts";
import { readsOf, refuseOtherFiles } from "./realm.ts";
import { refuseGuards, refuseOther, refuseRedacted, refuseUnasked } from "./refusals.ts";

export interface ApplyPlanOptions {
  readonly reader: ZulipReader;
  readonly writer: ZulipWriter;
  /** Absolute path of the directory whose `.realmctl/` takes the journal. */
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Absolute path of a directory for the lock; default: the account's own, otherwise the system's. */
  readonly temporary?: string;
  readonly kinds?: readonly ResourceKind[];
  /** Plans again afterwards; without it (a saved plan), the plan's own values are checked. */
  readonly planAgain?: (snapshot: Snapshot) => Promise<Checked<Plan>>;
  /**
   * Called with the first reading, before anything is sent.
   * @param isResumed the run continues another run of the same calls
   * @throws Failure if the plan may not be carried out on this realm
   */
  readonly hold?: (snapshot: Snapshot, isResumed: boolean) => Promise<void>;
  /** Whether somebody confirmed the guard rails that ask. Otherwise a plan with such guard rails is refused. */
  readonly confirmed?: boolean;
  /** Provides the files that the plan sends; without it, a plan that sends any is refused. */
  readonly readUpload?: ReadUpload;
  readonly onProgress?: (progress: Progress) => void;
  readonly stop?: Stop;
}

/** A run on this realm that never reached its end: the process was killed, or the machine went down. */
export interface UnfinishedRun {
  readonly journal: string;
  readonly startedAt: string;
  /** Calls known to be carried out, and calls whose answer is not in the journal. */
  readonly done: number;
  readonly open: number;
  readonly left: number;
  /** Whether that run carried out the same plan as this run. */
  readonly isOfPlan?: true;
}

/**
 * The last run on this realm, if it never reached its end; undefined while it is still active.
 * @param temporary the directory of its lock
 * @param plan to compare with the plan of that run
 */
export function findUnfinishedRun(
  directory: string,
  realmUrl: string,
  temporary: string = lockRoot(process.env),
  plan?: Plan,
): UnfinishedRun | undefined {
  if (isLocked(temporary, realmUrl)) return undefined;
  const found = findUnfinished(directory, realmUrl);
  if (found === undefined) return undefined;
  const { done, open, left } = counts(found);
  return {
    journal: `${JOURNAL_DIRECTORY}/${found.name}`,
    startedAt: found.entries[0]?.at ?? "",
    done,
    open: open.length,
    left,
    ...defined({
      isOfPlan: plan !== undefined && resumedFrom(found, plan) !== undefined ? (true as const) : undefined,
    }),
  };
}

/**
 * Carries out a plan: under a lock, with a journal, and only on the realm that it was made for.
 * @throws Failure before anything is sent: another run holds the lock, a guard rail refuses or asks, it is another realm, or a plan for other readers
 */
export async function applyRealm(plan: Plan, options: ApplyPlanOptions): Promise<ApplyResult> {
  refuseRedacted(plan);
  refuseGuards(plan);
  if (options.confirmed !== true) refuseUnasked(plan);
  const { directory, now, readUpload } = options;
  await refuseOtherFiles(plan, readUpload);
  const lock = takeLock(options.temporary ?? lockRoot(process.env), plan.realm.url, now());
  try {
    const unfinished = findUnfinished(directory, plan.realm.url);
    const resumed = unfinished === undefined ? undefined : resumedFrom(unfinished, plan);
    let isHeld = false;
    const result = await applyPlan(plan, {
      send: (call, signal, sendNoMore) => options.writer.send(call, signal, sendNoMore, readUpload),
      ready: async (signal) => options.writer.ready?.(signal),
      standApart: async (signal) => options.writer.standApart?.(signal),
      read: async (signal) => {
        const snapshot = await options.reader.snapshot(readsOf(plan), signal);
        refuseOther(plan, snapshot);
        if (!isHeld) await options.hold?.(snapshot, resumed !== undefined);
        isHeld = true;
        return snapshot;
      },
      kinds: options.kinds ?? kinds,
      openJournal: () => {
        const journal = createJournal(directory, now());
        if (unfinished !== undefined)
          closeUnfinished(directory, unfinished, new Date(now()).toISOString(), journal.path);
        return journal;
      },
      now,
      mayRepeat,
      ...defined({
        replan: options.planAgain,
        onProgress: options.onProgress,
        stop: options.stop,
        resumes: unfinished?.name,
        resumed,
      }),
    });
    // Nothing was left of the interrupted run: it is settled, and will not be mentioned again.
    if (unfinished !== undefined && result.journal === null && result.exitCode === EXIT.done)
      closeUnfinished(directory, unfinished, new Date(now()).toISOString(), undefined);
    return result;
  } finally {
    lock.release();
  }
}

/** An unknown operation (a plan of a newer realmctl) is not repeated. */
function mayRepeat(operation: string): boolean {
  const known = findOperation(operation);
  return known !== undefined && known.repeat !== "unsafe";
}
