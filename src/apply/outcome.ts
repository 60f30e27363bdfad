import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { ApplyOutcome } from "../model/result.ts";

/** Why no further call goes out. */
export type Halt = Exclude<ApplyOutcome, "applied" | "nothing-to-do" | "differs" | "declined">;

/** What a run comes down to. */
export interface Summary {
  readonly halted: Halt | undefined;
  readonly total: number;
  /** Calls that are neither carried out nor already so. */
  readonly left: number;
  readonly conflicts: number;
  /** Something changed in the realm through this run, or may have. */
  readonly wrote: boolean;
  /** Planning again found something to do, or could not be done. */
  readonly differs: boolean;
  /** Of what ended the run from outside: the realm could not be read, the journal could not be written. */
  readonly failure: ExitCode | undefined;
}

export function outcomeOf({ halted, total, left, conflicts, wrote, differs }: Summary): ApplyOutcome {
  if (halted !== undefined) return halted;
  if (left > 0) return conflicts > 0 && !wrote ? "conflict" : "in-part";
  if (differs) return "differs";
  return total === 0 ? "nothing-to-do" : "applied";
}

/**
 * Whatever ended it, a realm that was changed in part is the first thing to know: codes 1, 4, 6 and 7 mean that nothing was written.
 * Code 5 means "not finished": also a run that was stopped before its first request, since a script has to do the same, apply again.
 */
export function exitCodeOf(summary: Summary): ExitCode {
  const outcome = outcomeOf(summary);
  if (outcome === "applied" || outcome === "nothing-to-do") return EXIT.done;
  if (summary.wrote) return EXIT.appliedInPart;
  if (summary.failure !== undefined) return summary.failure;
  switch (outcome) {
    case "conflict":
      return EXIT.conflict;
    case "not-allowed":
      return EXIT.notAllowed;
    case "unreachable":
      return EXIT.unreachable;
    case "in-part":
    case "differs":
    case "stopped":
    case "declined":
      return EXIT.appliedInPart;
  }
}

/** What a failure outside the plan means for the run. */
export function haltOf(exitCode: ExitCode): Halt {
  switch (exitCode) {
    case EXIT.unreachable:
      return "unreachable";
    case EXIT.notAllowed:
      return "not-allowed";
    case EXIT.conflict:
      return "conflict";
    default:
      return "stopped";
  }
}
