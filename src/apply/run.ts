import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, type ExitCode, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Named } from "../model/facts.ts";
import { type Answer, JOURNAL_VERSION } from "../model/journal.ts";
import type { Call, Change, Plan, Purpose } from "../model/plan.ts";
import { replacesUnseen } from "../model/replaces.ts";
import type { ApplyOutcome, ApplyResult, CallResult, CallState, Conflict } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { VERSION } from "../version.ts";
import { accountsBack } from "./accounts-back.ts";
import { Checks, changedFact, isForeign, type Ledger } from "./checks.ts";
import { Ids, isTooLate } from "./ids.ts";
import { idsIn, type Journal, planJson } from "./journal.ts";
import type { ApplyOptions } from "./options.ts";
import { exitCodeOf, type Halt, haltOf, outcomeOf } from "./outcome.ts";
import { isPartlyDone, refusalFact } from "./refusals.ts";
import { undoneCalls } from "./undone.ts";
import { Goals, View } from "./view.ts";

/** A call relies on no reading that is older. */
export const OLDEST_READING_MS = 10_000;

/**
 * A call that replaces a value which the server does not compare (a name, a description) relies on no reading that is older: for so long
 * somebody else's value may be replaced unseen. At the server's pace some twenty such calls share one reading.
 */
export const OLDEST_BEFORE_REPLACING_MS = 2_000;

/**
 * A call that makes something twice when it is repeated (an invitation is a second e-mail) relies on no reading that is older: what is
 * left is the time that the request itself takes, which nobody can look into.
 */
export const OLDEST_BEFORE_MAIL_MS = 100;

/** How often one call may be sent while no answer comes and the realm shows that it was not carried out. */
const MOST_ATTEMPTS = 3;

/** One run of one plan: what is known of the realm, what became of each call. `applyPlan` says in which order. */
export class Run implements Ledger {
  /** Why no further call goes out. */
  halted: Halt | undefined;

  private readonly plan: Plan;
  private readonly options: ApplyOptions;
  private readonly goals: Goals;
  private readonly checks: Checks;
  private readonly ids = new Ids();
  private readonly results = new Map<number, CallResult>();
  /** When the first request of a call went out. */
  private readonly sentAt = new Map<number, number>();
  private readonly conflicts = new Map<string, Conflict>();
  private readonly problems: Diagnostic[] = [];
  private readonly startedAt: number;
  private readonly newer = new Set<number>();
  private failure: ExitCode | undefined;
  private journal: Journal | undefined;
  private reading: { readonly view: View; readonly snapshot: Snapshot; readonly at: number } | undefined;
  private remaining: readonly Change[] | null = null;
  private cameBack: readonly Named[] = [];
  private wrote = false;
  /** Somebody else carries out this run's mails at this moment: they are left to them. */
  private leavesMail = false;
  private stoodApart = false;

  constructor(plan: Plan, options: ApplyOptions) {
    this.plan = plan;
    this.options = options;
    this.goals = new Goals(plan);
    this.checks = new Checks(plan, this.goals);
    this.startedAt = options.now();
  }

  isDone(n: number): boolean {
    const state = this.results.get(n)?.state;
    return state === "done" || state === "already-so";
  }

  isNewerThanReading(n: number): boolean {
    return this.newer.has(n);
  }

  /** @throws Failure when the realm cannot be read */
  async read(): Promise<View> {
    const snapshot = await this.options.read(this.options.stop?.signal);
    const view = new View(this.options.kinds, snapshot, this.plan.changes);
    this.reading = { view, snapshot, at: this.options.now() };
    this.newer.clear();
    return view;
  }

  /** Before the first write: what is already so, what moved. Says whether anything is to be sent. */
  assess(): boolean {
    const view = this.view();
    const { resumed } = this.options;
    const { checks, goals, options } = this;
    const mayRepeat = (operation: string): boolean => options.mayRepeat(operation);
    if (resumed !== undefined) this.ids.learnFromJournal(resumed.ids, view);
    const undone = resumed && undoneCalls(this.plan, resumed, view, { checks, goals, mayRepeat });
    const open = this.plan.calls.filter((call) => {
      if (resumed?.done.has(call.n) !== true || undone?.has(call.n) === true)
        return !this.settleReached(call, view, resumed?.open.has(call.n));
      this.settle(call, { state: "already-so", fact: { kind: "done-by-earlier-run" } });
      return false;
    });
    for (const call of open) this.collect(this.checks.moved(call, view, this));
    if (this.conflicts.size === 0) return open.length > 0;
    this.halted = "conflict";
    for (const call of open) {
      const moved = [...this.conflicts.values()].filter(({ calls }) => calls.includes(call.n));
      if (moved.length > 0) this.settle(call, { state: "conflict", fact: changedFact(moved) });
      else this.skipOr(call, "not-attempted");
    }
    return false;
  }

  /** Opens the journal and writes the plan into it. */
  start(): void {
    const { plan, options } = this;
    this.journal = options.openJournal();
    this.journal.write({
      entry: "start",
      at: this.timestamp(),
      format: "realmctl.journal",
      version: JOURNAL_VERSION,
      tool_version: VERSION,
      realm: plan.realm.url,
      account: plan.account.email,
      plan: planJson(plan),
      ...defined({ resumes: options.resumes }),
    });
    if (options.resumed === undefined) return;
    // Should this run be interrupted as well, the next one looks only at this journal.
    const ids = this.ids.all();
    if (Object.keys(ids).length > 0) this.journal.write({ entry: "learned", at: this.timestamp(), ids });
    for (const { n, state } of this.results.values())
      this.journal.write({ entry: "settled", at: this.timestamp(), n, state });
  }

  /** Brings one call to its end: sent, or not sent and why. */
  async step(call: Call): Promise<void> {
    if (this.results.has(call.n)) return;
    if (call.after.some((n) => !this.isDone(n))) return this.skipOr(call, "failed");
    const isMail = !this.options.mayRepeat(call.operation);
    if (isMail) await this.standApart();
    await this.refreshIfStale(call);
    if (this.options.stop?.requested === true) {
      this.halt("stopped");
      return;
    }
    const isReached = this.settleReached(call, this.view());
    const moved = isReached ? [] : this.checks.moved(call, this.view(), this);
    const left = isMail && this.leavesMail;
    // It was open when the run began, and this run did not send it.
    if (isMail && (isReached || moved.length > 0)) this.leavesMail = true;
    if (isReached) return;
    if (left) return this.settle(call, { state: "not-attempted", fact: { kind: "left-to-another-run" } });
    if (moved.length > 0) return this.settleConflict(call, moved, []);
    if (!(await this.knowsIds(call))) {
      return this.settle(call, { state: "failed", fact: { kind: "object-not-found" } });
    }
    if (isTooLate(call, this.readAtMs())) return this.settle(call, { state: "failed", fact: { kind: "too-late" } });
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const answer = await this.send(call);
      if (!(await this.judge(call, answer, attempt))) return;
    }
  }

  /** Reads the realm again and plans again: what is left. */
  async verify(): Promise<void> {
    if (this.newer.size > 0 || this.leavesMail || this.reading === undefined) await this.read();
    const { reading, options } = this;
    if (reading === undefined) return;
    // The other run may be through by now.
    if (this.leavesMail)
      for (const call of this.plan.calls) if (!this.isDone(call.n)) this.settleReached(call, reading.view);
    const again = await options.replan?.(reading.snapshot);
    if (again === undefined) {
      const open = this.plan.calls.filter(
        (call) =>
          !this.goals.isApplied(call, reading.view, true) &&
          !(this.isDone(call.n) && this.goals.isUnseen(call, reading.view)),
      );
      const addresses = new Set(open.flatMap((call) => call.for.map(({ address }) => address)));
      this.remaining = this.plan.changes.filter(({ address }) => addresses.has(address));
    } else if (again.ok) {
      this.remaining = again.value.changes;
      this.cameBack = accountsBack(this.plan, again.value.changes, reading.snapshot);
    } else {
      this.problems.push(...again.diagnostics);
    }
  }

  halt(why: Halt): void {
    this.halted ??= why;
  }

  /** The run ends for a reason outside the plan: no reading, no journal. */
  fail(failure: Failure): void {
    // Whoever stopped a reading needs no word about its end.
    if (this.options.stop?.signal.aborted === true && failure.exitCode === EXIT.unreachable) {
      this.halt("stopped");
      return;
    }
    this.failure = failure.exitCode;
    this.problems.push(...failure.diagnostics);
    this.halt(haltOf(failure.exitCode));
  }

  finish(): ApplyResult {
    const calls = this.plan.calls.map((call): CallResult => {
      const known = this.results.get(call.n);
      if (known !== undefined) return known;
      const result: CallResult = { n: call.n, state: "not-attempted" };
      this.results.set(call.n, result);
      return result;
    });
    const done = calls.filter(({ n }) => this.isDone(n)).length;
    const summary = {
      halted: this.halted,
      total: calls.length,
      left: calls.length - done,
      conflicts: this.conflicts.size,
      wrote: this.wrote,
      differs: this.problems.length > 0 || (this.remaining !== null && this.remaining.length > 0),
      failure: this.failure,
    };
    this.close(outcomeOf(summary), done, summary.left);
    return {
      plan: this.plan,
      outcome: outcomeOf(summary),
      exitCode: exitCodeOf(summary),
      calls,
      conflicts: [...this.conflicts.values()],
      remaining: this.remaining,
      ...defined({ came_back: orNone(this.cameBack) }),
      journal: this.journal?.path ?? null,
      elapsedMs: Math.max(0, this.options.now() - this.startedAt),
      problems: this.problems,
    };
  }

  private close(outcome: ApplyOutcome, done: number, left: number): void {
    if (this.journal === undefined) return;
    try {
      this.journal.write({ entry: "end", at: this.timestamp(), outcome, done, left });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const known = new Set(this.problems.map(({ code }) => code));
      this.problems.push(...error.diagnostics.filter(({ code }) => !known.has(code)));
    }
    this.journal.close();
  }

  /** When the realm was read last, in milliseconds since 1970. */
  private readAtMs(): number {
    return Date.parse(this.reading?.snapshot.taken_at ?? this.plan.snapshot_taken_at);
  }

  private async send(call: Call): Promise<Answer> {
    const wire = this.ids.fill(call, this.readAtMs());
    this.journal?.write({ entry: "sending", at: this.timestamp(), n: call.n, call: wire });
    if (!this.sentAt.has(call.n)) this.sentAt.set(call.n, this.options.now());
    this.progress(call, "sending");
    const { stop } = this.options;
    const answer = await this.options.send(wire, stop?.signal, stop?.sendNoMore ?? stop?.signal);
    if (answer.outcome === "applied" || answer.outcome === "unknown") this.wrote = true;
    this.newer.add(call.n);
    return answer;
  }

  /** Was this run told to end, at once or after the call on its way? */
  private isStopped(): boolean {
    const { stop } = this.options;
    return stop?.requested === true || stop?.signal.aborted === true;
  }

  /** Settles the call by its answer, or gives back true when it is to be sent again. */
  private async judge(call: Call, answer: Answer, attempt: number): Promise<boolean> {
    switch (answer.outcome) {
      case "applied":
        this.settleApplied(call, answer);
        return false;
      case "not-attempted":
        this.note(call, answer);
        this.settle(call, { state: "not-attempted", fact: { kind: "not-sent", reason: quote(answer.message) } });
        this.halt(this.isStopped() ? "stopped" : "unreachable");
        return false;
      case "refused":
        this.note(call, answer);
        return this.judgeRefusal(call, answer, attempt);
      case "unknown":
        this.note(call, answer);
        return this.judgeUnknown(call, answer.message, attempt);
    }
  }

  private settleApplied(call: Call, { body, ignored = [] }: Answer & { outcome: "applied" }): void {
    const ids = this.ids.learnFromAnswer(call, body);
    const fact = { kind: "ignored", parameters: ignored } as const;
    const took = this.durationOf(call);
    const result: CallResult =
      ignored.length === 0
        ? { n: call.n, state: "done", ...took }
        : { n: call.n, state: "failed", code: "ignored-parameters", fact, ...took };
    // Known before the disk is asked: a full disk must not make a done call look undone.
    this.results.set(call.n, result);
    this.note(call, {
      outcome: "applied",
      body: idsIn(body),
      ...defined({ ignored: ignored.length === 0 ? undefined : ignored }),
    });
    if (Object.keys(ids).length > 0) this.journal?.write({ entry: "learned", at: this.timestamp(), ids });
    this.progress(call, result.state);
  }

  private async judgeRefusal(call: Call, refusal: Answer & { outcome: "refused" }, attempt: number): Promise<boolean> {
    const { status, code } = refusal;
    const fact = refusalFact(refusal);
    if (status === 401 || code === "USER_DEACTIVATED" || code === "REALM_DEACTIVATED") {
      this.settle(call, { state: "failed", code, fact });
      this.halt("not-allowed");
      return false;
    }
    if (status === 429) {
      this.settle(call, { state: "not-attempted", fact });
      this.halt("in-part");
      return false;
    }
    const view = await this.readAfter(call, { state: "failed", code, fact });
    if (view === undefined || this.settleReached(call, view)) return false;
    const applied = this.goals.appliedParts(call, view);
    const ours = new Set(isPartlyDone(refusal) ? applied.map(({ address }) => address) : []);
    const moved = this.checks.moved(call, view, this).filter((item) => isForeign(item) && !ours.has(item.address));
    if (moved.length > 0) {
      this.settleConflict(call, moved, applied);
      return false;
    }
    // Somebody changed a value and changed it back while our call was on its way.
    if (code === "EXPECTATION_MISMATCH" && applied.length === 0 && attempt < MOST_ATTEMPTS) return true;
    this.settle(call, { state: "failed", code, fact, applied_parts: applied });
    return false;
  }

  private async judgeUnknown(call: Call, message: string, attempt: number): Promise<boolean> {
    const reason = quote(message);
    const unknown = { state: "failed", code: "unknown", fact: { kind: "no-answer", reason } } as const;
    if (this.options.stop?.signal.aborted === true) {
      this.settle(call, {
        ...unknown,
        fact: { kind: "stopped-before-answer" },
      });
      this.halt("stopped");
      return false;
    }
    const view = await this.readAfter(call, unknown);
    if (view === undefined) return false;
    if (this.goals.isApplied(call, view, true) || this.checks.isSuperseded(call, view, true)) {
      this.settle(call, {
        state: "done",
        fact: { kind: "answer-lost", reason },
      });
      return false;
    }
    const applied = this.goals.appliedParts(call, view);
    const moved = this.checks.moved(call, view, this).filter(isForeign);
    if (moved.length > 0) {
      this.settleConflict(call, moved, applied);
      return false;
    }
    const visible = call.for.every(({ address }) => view.holds(address));
    if (visible && applied.length === 0 && attempt < MOST_ATTEMPTS && this.options.mayRepeat(call.operation))
      return true;
    this.settle(call, { ...unknown, applied_parts: applied });
    return false;
  }

  /** Reads the realm after an error; when even that fails, the call keeps what is known of it and the run ends. */
  private async readAfter(call: Call, otherwise: Omit<CallResult, "n">): Promise<View | undefined> {
    try {
      // The call itself must not hide what the reading shows.
      return await this.read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.settle(call, otherwise);
      this.fail(error);
      return undefined;
    }
  }

  private async knowsIds(call: Call): Promise<boolean> {
    const missing = this.ids.missing(call);
    if (missing.length === 0) return true;
    const view = this.newer.size > 0 ? await this.read() : this.view();
    // One reading for all: every object that this run has made so far.
    const made = this.plan.calls.filter(({ n }) => this.isDone(n)).flatMap(({ creates }) => creates);
    const ids = this.ids.learnFromView([...new Set([...made, ...missing])], view);
    if (Object.keys(ids).length > 0) this.journal?.write({ entry: "learned", at: this.timestamp(), ids });
    return this.ids.missing(call).length === 0;
  }

  /** Runs that start together would read and send in the same moments: nobody would see the other. */
  private async standApart(): Promise<void> {
    if (this.stoodApart) return;
    this.stoodApart = true;
    const { stop, standApart } = this.options;
    await standApart?.(stop?.sendNoMore ?? stop?.signal);
  }

  /** Waits for the rate limit first: it may take an hour, in which others work. */
  private async refreshIfStale(call: Call): Promise<void> {
    const { stop, ready } = this.options;
    // A reading takes room as well; where hardly any is left, three must do.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await ready?.(stop?.sendNoMore ?? stop?.signal);
      if (stop?.requested === true || !this.isStale(call)) return;
      await this.read();
    }
  }

  /** Is the reading so old that others may have worked meanwhile? A clock that was set back tells nothing: read. */
  private isStale(call: Call): boolean {
    const ageMs = this.options.now() - (this.reading?.at ?? 0);
    if (ageMs > (replacesUnseen(call) ? OLDEST_BEFORE_REPLACING_MS : OLDEST_READING_MS) || ageMs < 0) return true;
    // What makes a second mail when somebody else was quicker gets a look of its own.
    return !this.options.mayRepeat(call.operation) && (this.newer.size > 0 || ageMs > OLDEST_BEFORE_MAIL_MS);
  }

  /** @param sent an earlier run sent it, and did not live to see the answer */
  private settleReached(call: Call, view: View, sent = false): boolean {
    if (!this.goals.isApplied(call, view, sent) && !this.checks.isSuperseded(call, view, sent)) return false;
    this.settle(call, { state: "already-so", fact: { kind: "already-so" } });
    return true;
  }

  private settleConflict(call: Call, moved: readonly Conflict[], applied: readonly Purpose[]): void {
    this.collect(moved);
    this.settle(call, { state: "conflict", fact: changedFact(moved), ...defined({ applied_parts: orNone(applied) }) });
  }

  private collect(moved: readonly Conflict[]): void {
    for (const conflict of moved) {
      const key = `${conflict.address}\n${conflict.field}`;
      const known = this.conflicts.get(key);
      const calls = [...new Set([...(known?.calls ?? []), ...conflict.calls])];
      this.conflicts.set(key, { ...conflict, calls });
    }
  }

  /** A call whose need was not met is skipped because of it; any other gets the state given. */
  private skipOr(call: Call, otherwise: "not-attempted" | "failed"): void {
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

  private settle(call: Call, result: Omit<CallResult, "n">): void {
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

  private durationOf({ n }: Call): Pick<CallResult, "duration_ms"> {
    const sentAt = this.sentAt.get(n);
    return defined({ duration_ms: sentAt === undefined ? undefined : Math.max(0, this.options.now() - sentAt) });
  }

  private note(call: Call, answer: Answer): void {
    this.journal?.write({ entry: "answer", at: this.timestamp(), n: call.n, answer });
  }

  private progress(call: Call, state: "sending" | CallState): void {
    const result = state === "sending" ? undefined : this.results.get(call.n);
    const { size: settled } = this.results;
    this.options.onProgress?.({ total: this.plan.calls.length, settled, call, state, ...defined({ result }) });
  }

  private view(): View {
    if (this.reading === undefined) throw new RangeError("the realm was not read yet");
    return this.reading.view;
  }

  private timestamp(): string {
    return new Date(this.options.now()).toISOString();
  }
}

const orNone = <T>(parts: readonly T[]): readonly T[] | undefined => (parts.length === 0 ? undefined : parts);
