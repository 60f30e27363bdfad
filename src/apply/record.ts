import { basename } from "node:path";
import { defined, keysOf, own } from "../model/defined.ts";
import { type Diagnostic, EXIT, type ExitCode, Failure } from "../model/diagnostic.ts";
import type { Answer, JournalEntry } from "../model/journal.ts";
import type { Address, Call, Plan, Purpose } from "../model/plan.ts";
import type { ApplyOutcome, ApplyResult, CallResult, CallState, Conflict } from "../model/result.ts";
import { changedFact } from "./checks.ts";
import type { Journal } from "./journal.ts";
import type { ApplyOptions } from "./options.ts";

/** The results of the calls of a run, and of the run itself. Each result is written into the journal as soon as it is known. */
export class RunRecord {
  /** Why no further call is sent. */
  halted: Halt | undefined;
  /** Whether this run changed something in the realm, or may have. */
  wrote = false;
  /** What ended the run from outside the plan. */
  failure: ExitCode | undefined;
  readonly diagnostics: Diagnostic[] = [];

  private readonly plan: Plan;
  private readonly options: ApplyOptions;
  private readonly results = new Map<number, CallResult>();
  /** When the first request of a call went out. */
  private readonly sentAt = new Map<number, number>();
  private readonly found = new Map<string, Conflict>();
  private journal: Journal | undefined;

  constructor(plan: Plan, options: ApplyOptions) {
    this.plan = plan;
    this.options = options;
  }

  /** Opens the journal. Everything after this is written into it. */
  openJournal(): void {
    this.journal = this.options.openJournal();
  }

  /** The journal's name, for people; null if none was opened. */
  journalPath(): string | null {
    return this.journal?.path ?? null;
  }

  /** Its name without the directory. */
  journalName(): string {
    return this.journal === undefined ? "" : basename(this.journal.path);
  }

  isSettled({ n }: Call): boolean {
    return this.results.has(n);
  }

  /** Whether this run carried out the call, or found it done. */
  isDone(n: number): boolean {
    const state = this.results.get(n)?.state;
    return state === "done" || state === "already-so";
  }

  /** Whether somebody asked this run to end, at once or after the current call. */
  isStopped(): boolean {
    const { stop } = this.options;
    return stop?.requested === true || stop?.signal.aborted === true;
  }

  halt(why: Halt): void {
    this.halted ??= why;
  }

  /** Ends the run for a reason outside the plan: no reading, no journal. */
  fail(failure: Failure): void {
    // A person who stopped a reading needs no message about its end.
    if (this.options.stop?.signal.aborted === true && failure.exitCode === EXIT.unreachable) {
      this.halt("stopped");
      return;
    }
    this.failure = failure.exitCode;
    this.diagnostics.push(...failure.diagnostics);
    this.halt(haltOf(failure.exitCode));
  }

  noteSending(call: Call, wire: (JournalEntry & { entry: "sending" })["call"]): void {
    this.journal?.write({ entry: "sending", at: this.timestamp(), n: call.n, call: wire });
    if (!this.sentAt.has(call.n)) this.sentAt.set(call.n, this.options.now());
    this.progress(call, "sending");
  }

  noteAnswer(call: Call, answer: Answer): void {
    this.journal?.write({ entry: "answer", at: this.timestamp(), n: call.n, answer });
  }

  noteIds(ids: { readonly [address: Address]: number }): void {
    if (Object.keys(ids).length > 0) this.journal?.write({ entry: "learned", at: this.timestamp(), ids });
  }

  /** Writes the results from before the journal was opened. */
  noteSettled(): void {
    for (const { n, state } of this.results.values())
      this.journal?.write({ entry: "settled", at: this.timestamp(), n, state });
  }

  write(entry: JournalEntry): void {
    this.journal?.write(entry);
  }

  settle(call: Call, result: Omit<CallResult, "n">): void {
    const { applied_parts = [], ...rest } = result;
    if (applied_parts.length > 0) this.wrote = true;
    const whole: CallResult = {
      n: call.n,
      ...rest,
      ...this.durationOf(call),
      ...defined({ applied_parts: orNone(applied_parts) }),
    };
    this.results.set(call.n, whole);
    const { state, fact } = whole;
    this.journal?.write({
      entry: "settled",
      at: this.timestamp(),
      n: call.n,
      state,
      ...defined({ fact }),
    });
    this.progress(call, state);
  }

  /** The server carried out the call, except for parameters that it ignored. `answer` is the part of the answer that the journal keeps. */
  settleAnswered(
    call: Call,
    answer: Answer & { outcome: "applied" },
    ids: { readonly [address: Address]: number },
  ): void {
    const { ignored = [] } = answer;
    const fact = { kind: "ignored", parameters: ignored } as const;
    const took = this.durationOf(call);
    const result: CallResult =
      ignored.length === 0
        ? { n: call.n, state: "done", ...took }
        : { n: call.n, state: "failed", code: "ignored-parameters", fact, ...took };
    // Recorded before the disk is written: a full disk must not make a done call look undone.
    this.results.set(call.n, result);
    this.noteAnswer(call, answer);
    this.noteIds(ids);
    this.progress(call, result.state);
  }

  settleConflict(call: Call, moved: readonly Conflict[], applied: readonly Purpose[]): void {
    this.collect(moved);
    this.settle(call, { state: "conflict", fact: changedFact(moved), ...defined({ applied_parts: orNone(applied) }) });
  }

  /** A call is skipped if a call that it needs was not done; any other gets the given state. */
  skipOr(call: Call, otherwise: "not-attempted" | "failed"): void {
    const undone = call.after
      .map((n) => this.results.get(n))
      .find((result) => result !== undefined && result.state !== "not-attempted" && !this.isDone(result.n));
    if (undone === undefined) {
      this.settle(call, { state: otherwise });
      return;
    }
    const because = undone.because ?? undone.n;
    this.settle(call, { state: "skipped", because, fact: { kind: "needs", call: because } });
  }

  collect(moved: readonly Conflict[]): void {
    for (const conflict of moved) {
      const key = `${conflict.address}\n${conflict.field}`;
      const known = this.found.get(key);
      const calls = [...new Set([...(known?.calls ?? []), ...conflict.calls])];
      this.found.set(key, { ...conflict, calls });
    }
  }

  conflicts(): readonly Conflict[] {
    return [...this.found.values()];
  }

  /** The result of every call; a call without one was not attempted. */
  calls(): readonly CallResult[] {
    return this.plan.calls.map((call): CallResult => {
      const known = this.results.get(call.n);
      if (known !== undefined) return known;
      const result: CallResult = { n: call.n, state: "not-attempted" };
      this.results.set(call.n, result);
      return result;
    });
  }

  close(outcome: ApplyOutcome, done: number, left: number): void {
    if (this.journal === undefined) return;
    try {
      this.journal.write({ entry: "end", at: this.timestamp(), outcome, done, left });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const known = new Set(this.diagnostics.map(({ code }) => code));
      this.diagnostics.push(...error.diagnostics.filter(({ code }) => !known.has(code)));
    }
    this.journal.close();
  }

  timestamp(): string {
    return new Date(this.options.now()).toISOString();
  }

  private durationOf({ n }: Call): Pick<CallResult, "duration_ms"> {
    const sentAt = this.sentAt.get(n);
    return defined({ duration_ms: sentAt === undefined ? undefined : Math.max(0, this.options.now() - sentAt) });
  }

  private progress(call: Call, state: "sending" | CallState): void {
    const result = state === "sending" ? undefined : this.results.get(call.n);
    const { size: settled } = this.results;
    this.options.onProgress?.({ total: this.plan.calls.length, settled, call, state, ...defined({ result }) });
  }
}

const orNone = <T>(parts: readonly T[]): readonly T[] | undefined => (parts.length === 0 ? undefined : parts);

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
  return own(EXIT_OF, outcome) ?? EXIT.appliedInPart;
}

/** What ends a run from outside the plan; everything else leaves it in part. */
const EXIT_OF = { conflict: EXIT.conflict, "not-allowed": EXIT.notAllowed, unreachable: EXIT.unreachable } as const;

/** The end of a run. @param leavesOut whether the plan leaves out what names of the file need that do not resolve: no run of it does all of the file */
export function endingOf(summary: Summary, leavesOut: boolean): Pick<ApplyResult, "outcome" | "exitCode"> {
  const [outcome, exitCode] = [outcomeOf(summary), exitCodeOf(summary)];
  if (!leavesOut || exitCode !== EXIT.done) return { outcome, exitCode };
  return outcome === "applied"
    ? { outcome: "in-part", exitCode: EXIT.appliedInPart }
    : { outcome, exitCode: EXIT.errors };
}

/** The effect of a failure outside the plan on the run. */
export const haltOf = (exitCode: ExitCode): Halt =>
  keysOf(EXIT_OF).find((outcome) => EXIT_OF[outcome] === exitCode) ?? "stopped";
