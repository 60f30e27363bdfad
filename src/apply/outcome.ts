import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { ApplyOutcome, ApplyResult } from "../model/result.ts";

/** Why no further call is sent. */
export type Halt = Exclude<ApplyOutcome, "applied" | "nothing-to-do" | "differs" | "declined">;

/** The result of a run as a whole. */
interface Summary {
  readonly halted: Halt | undefined;
  readonly total: number;
  /** Calls that are neither carried out nor already done. */
  readonly left: number;
  readonly conflicts: number;
  /** Whether this run changed something in the realm, or may have. */
  readonly wrote: boolean;
  /** Whether planning again found a change, or could not be done. */
  readonly differs: boolean;
  /** What ended the run from outside: the realm could not be read, or the journal could not be written. */
  readonly failure: ExitCode | undefined;
}

export function outcomeOf({ halted, total, left, conflicts, wrote, differs }: Summary): ApplyOutcome {
  if (halted !== undefined) return halted;
  if (left > 0) return conflicts > 0 && !wrote ? "conflict" : "in-part";
  if (differs) return "differs";
  return total === 0 ? "nothing-to-do" : "applied";
}

/**
 * The exit code of a run. If the run changed the realm in part, that matters most, whatever ended it. Codes 1, 4, 6 and 7 mean that nothing was
 * written. Code 5 means "not finished". A run that was stopped before its first request also ends with 5, since a script has to do the same: apply
 * again.
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

/** The end of a run. @param leavesOut whether the plan leaves out what names of the file need that do not resolve: no run of it does all of the file */
export function endingOf(summary: Summary, leavesOut: boolean): Pick<ApplyResult, "outcome" | "exitCode"> {
  const [outcome, exitCode] = [outcomeOf(summary), exitCodeOf(summary)];
  if (!leavesOut || exitCode !== EXIT.done) return { outcome, exitCode };
  return outcome === "applied"
    ? { outcome: "in-part", exitCode: EXIT.appliedInPart }
    : { outcome, exitCode: EXIT.errors };
}

/** The effect of a failure outside the plan on the run. */
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
