import { EXIT, Failure, failWithAll } from "../model/diagnostic.ts";
import type { ApplyResult } from "../model/result.ts";
import { NOTHING_MORE_SENT, NOTHING_SENT, PLANNING_AGAIN } from "../report/commands/run.ts";
import type { Io } from "./io.ts";

interface ApplyAndReplanOptions {
  /** Whether to plan and ask again after a conflict. */
  readonly replan: boolean;
  /** Plans, asks and sends once. */
  once(): Promise<ApplyResult>;
  /** The result of one round, as text. */
  textOf(result: ApplyResult): string;
}

/**
 * One apply, or as many as are needed until nobody else makes a change in between, or the user says no. Writes of earlier rounds stay, so if a later
 * round stops, the exit code means "in part".
 */
export async function applyAndReplan(io: Io, { replan, once, textOf }: ApplyAndReplanOptions): Promise<ApplyResult> {
  let before: ApplyResult | undefined;
  for (;;) {
    const result = await after(before, once);
    if (result.outcome === "declined") {
      io.err.write(isPart(before) ? NOTHING_MORE_SENT : NOTHING_SENT);
      return before === undefined ? result : { ...result, exitCode: before.exitCode, journal: before.journal };
    }
    if (!replan || !isConflict(result)) {
      const isOpen = result.exitCode !== EXIT.done;
      return isOpen && isPart(before) ? { ...result, exitCode: EXIT.appliedInPart } : result;
    }
    io.err.write(`${textOf(result)}${PLANNING_AGAIN}`);
    before = isPart(before) ? before : result;
  }
}

/** Whether others changed a value that requests replace, or what the plan relies on beside them. */
const isConflict = ({ conflicts, outcome }: ApplyResult): boolean => conflicts.length > 0 || outcome === "conflict";

function isPart(result: ApplyResult | undefined): boolean {
  return result?.exitCode === EXIT.appliedInPart;
}

async function after<T>(before: ApplyResult | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || !isPart(before)) throw error;
    failWithAll(EXIT.appliedInPart, error.diagnostics);
  }
}
