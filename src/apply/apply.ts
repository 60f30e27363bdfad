import { defined } from "../model/defined.ts";
import { Failure } from "../model/diagnostic.ts";
import type { UnclearAnswer } from "../model/diagnostics/calls.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Named } from "../model/facts.ts";
import type { Answer } from "../model/journal.ts";
import { asJson, isList, type Json } from "../model/json.ts";
import { JOURNAL_VERSION } from "../model/own-format.ts";
import { type Call, type Change, type Plan, unresolvedIn } from "../model/plan.ts";
import type { ApplyResult, CallResult } from "../model/result.ts";
import type { CallFact } from "../model/run-facts.ts";
import { VERSION } from "../version.ts";
import { accountsBack } from "./accounts-back.ts";
import { Assessment } from "./assessment.ts";
import { isForeign } from "./checks.ts";
import { changesOf, type LiveObjects } from "./goals.ts";
import { Ids, isTooLate } from "./ids.ts";
import { idsIn } from "./journal.ts";
import type { ApplyOptions } from "./options.ts";
import { type Reading, Readings } from "./readings.ts";
import { endingOf, type Halt, outcomeOf, RunRecord } from "./record.ts";
import { idsOfNames } from "./renamed-since.ts";

/**
 * Carries out a plan's calls in their order. For each call, it sends the call or says why not.
 *
 * The realm is read right before the first write, and again after an error, a lost answer or a pause. A call whose expectations no longer hold is a
 * conflict: before the first write it refuses the whole plan; later it stops only the calls that need it
 * (docs/internals/decisions/0016-changes-by-others-are-kept.md). Failures
 * of the server and the network are values of the result, never exceptions.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<ApplyResult> {
  const run = new Run(plan, options);
  try {
    await run.read();
    if (run.assess()) {
      if (options.stop?.requested === true) run.halt("stopped");
      else run.start();
      for (const call of plan.calls) {
        if (options.stop?.requested === true) run.halt("stopped");
        if (run.halted !== undefined) break;
        await run.step(call);
      }
    }
    if (run.halted === undefined) await run.verify();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    run.fail(error);
  }
  return run.finish();
}

/**
 * One run of one plan, step by step; `applyPlan` calls the steps in order. {@link Readings} has what is known about the realm, {@link Assessment}
 * compares the calls with it, {@link Sending} carries a call out, {@link RunRecord} has the result of each.
 */
class Run {
  private readonly plan: Plan;
  private readonly options: ApplyOptions;
  private readonly record: RunRecord;
  private readonly readings: Readings;
  private readonly assessment: Assessment;
  private readonly sending: Sending;
  private readonly ids = new Ids();
  private readonly startedAt: number;
  private remaining: readonly Change[] | null = null;
  private cameBack: readonly Named[] = [];
  /** The last reading on which guard rails were counted. */
  private held: Reading | undefined;
  /** Whether another run is sending this plan's mails at the moment: then this run does not send them. */
  private leavesInvitations = false;

  constructor(plan: Plan, options: ApplyOptions) {
    this.plan = plan;
    this.options = options;
    this.record = new RunRecord(plan, options);
    this.readings = new Readings(plan, options);
    this.assessment = new Assessment(plan, this.record, this.readings);
    this.sending = new Sending(options, this.record, this.readings, this.assessment, this.ids);
    this.startedAt = options.now();
  }

  /** Why no further call is sent. */
  get halted(): Halt | undefined {
    return this.record.halted;
  }

  /** @throws Failure if the realm cannot be read */
  async read(): Promise<void> {
    await this.readings.read();
    this.held ??= this.readings.last();
  }

  /** People may have come into a group since the last reading that was counted. @throws Failure if the rest of the plan lets them into something */
  private async hold(call: Call): Promise<void> {
    const { options } = this;
    const reading = this.readings.last();
    if (reading === undefined || reading === this.held || options.mayLetIn?.(call) !== true) return;
    await options.holdAgain?.(reading.snapshot);
    this.held = reading;
  }

  /** Before the first write: finds calls that are already done, and values that changed. Returns whether anything must be sent. */
  assess(): boolean {
    const objects = this.readings.objects();
    const { resumed } = this.options;
    if (resumed !== undefined) this.ids.learnFromJournal(resumed.ids, objects);
    return this.assessment.beforeFirstWrite(objects, this.options);
  }

  /** Opens the journal and writes the plan into it. */
  start(): void {
    const { plan, options, record } = this;
    const reading = this.readings.last();
    record.openJournal();
    record.write({
      entry: "start",
      at: record.timestamp(),
      format: "realmctl.journal",
      version: JOURNAL_VERSION,
      file: record.journalName(),
      tool_version: VERSION,
      realm: plan.realm.url,
      account: plan.account.email,
      plan: asJson(plan),
      names: idsOfNames(plan, options.kinds, this.readings.objects()),
      ...(reading && options.insideBefore?.(reading.snapshot)),
      ...defined({
        resumes: options.resumes,
        source: options.source,
      }),
    });
    // If this run is interrupted, the next one looks only at this journal.
    if (options.resumed !== undefined) record.noteIds(this.ids.all());
    record.noteSettled();
  }

  /** Handles one call: sends it, or records why not. */
  async step(call: Call): Promise<void> {
    const { assessment, readings, record } = this;
    if (record.isSettled(call)) return;
    if (call.after.some((n) => !record.isDone(n))) return record.skipOr(call, "failed");
    const isMail = !this.options.mayRepeat(call.operation);
    if (isMail) await readings.waitRandomTime();
    await readings.refreshIfStale(call);
    if (this.options.stop?.requested === true) {
      this.halt("stopped");
      return;
    }
    const isReached = assessment.settleReached(call, readings.objects());
    const moved = isReached ? [] : assessment.moved(call, readings.objects());
    const left = isMail && this.leavesInvitations;
    // Its result was unknown when the run began, and this run did not send it.
    if (isMail && (isReached || moved.length > 0)) this.leavesInvitations = true;
    if (isReached) return;
    if (left) return record.settle(call, { state: "not-attempted", fact: { kind: "left-to-another-run" } });
    if (moved.length > 0) return record.settleConflict(call, moved, []);
    if (!(await this.knowsIds(call))) {
      return record.settle(call, { state: "failed", fact: { kind: "object-not-found" } });
    }
    if (isTooLate(call, readings.readAtMs()))
      return record.settle(call, { state: "failed", fact: { kind: "too-late" } });
    await this.hold(call);
    await this.sending.carryOut(call);
  }

  /** Reads the realm and plans again, to find what is left. */
  async verify(): Promise<void> {
    const { options, readings } = this;
    if (readings.isBehind() || this.leavesInvitations || readings.last() === undefined) await this.read();
    const reading = readings.last();
    if (reading === undefined) return;
    // The other run may have finished by now.
    if (this.leavesInvitations)
      for (const call of this.plan.calls)
        if (!this.record.isDone(call.n)) this.assessment.settleReached(call, reading.objects);
    this.learnCreated(reading);
    const again = await options.replan?.(reading.snapshot);
    if (again === undefined) {
      this.remaining = this.openChanges(reading);
    } else if (again.ok) {
      this.remaining = again.value.changes;
      this.cameBack = accountsBack(this.plan, again.value.changes, reading.snapshot);
    } else {
      this.record.diagnostics.push(...again.diagnostics);
    }
  }

  halt(why: Halt): void {
    this.record.halt(why);
  }

  /** Ends the run for a reason outside the plan: no reading, no journal. */
  fail(failure: Failure): void {
    this.record.fail(failure);
  }

  finish(): ApplyResult {
    const { record } = this;
    const { halted, wrote, failure, diagnostics } = record;
    const calls = record.calls();
    const conflicts = record.conflicts();
    const done = calls.filter(({ n }) => record.isDone(n)).length;
    const summary = {
      halted,
      total: calls.length,
      left: calls.length - done,
      conflicts: conflicts.length,
      wrote,
      differs: diagnostics.length > 0 || (this.remaining !== null && this.remaining.length > 0),
      failure,
    };
    record.close(outcomeOf(summary), done, summary.left);
    return {
      plan: this.plan,
      ...endingOf(summary, unresolvedIn(this.plan).length > 0),
      calls,
      conflicts,
      remaining: this.remaining,
      ...defined({ came_back: this.cameBack.length === 0 ? undefined : this.cameBack }),
      journal: record.journalPath(),
      elapsedMs: Math.max(0, this.options.now() - this.startedAt),
      diagnostics,
    };
  }

  /** Without a second plan: the changes whose calls the reading does not show. */
  private openChanges({ objects }: Reading): readonly Change[] {
    const { goals } = this.assessment;
    return changesOf(
      this.plan,
      (call) => !goals.isApplied(call, objects, true) && !(this.record.isDone(call.n) && goals.isUnseen(call, objects)),
    );
  }

  /** For an undo: somebody may rename what this run created. */
  private learnCreated({ objects }: Reading): void {
    const known = this.ids.all();
    const made = this.plan.calls.filter(({ n }) => this.record.isDone(n)).flatMap(({ creates }) => creates);
    const unknown = made.filter((address) => known[address] === undefined);
    this.record.noteIds(this.ids.learnFromReading(unknown, objects));
  }

  private async knowsIds(call: Call): Promise<boolean> {
    const { ids, readings, record } = this;
    const missing = ids.missing(call);
    if (missing.length === 0) return true;
    if (readings.isBehind()) await this.read();
    // One reading for all objects that this run has created so far.
    const made = this.plan.calls.filter(({ n }) => record.isDone(n)).flatMap(({ creates }) => creates);
    record.noteIds(ids.learnFromReading([...new Set([...made, ...missing])], readings.objects()));
    return ids.missing(call).length === 0;
  }
}

/** How often one call may be sent while no answer arrives and the realm shows that it was not carried out. */
const MOST_ATTEMPTS = 3;

/** Sends one call and settles it by its answer. If the answer is not conclusive, a new reading settles it. */
class Sending {
  private readonly options: ApplyOptions;
  private readonly record: RunRecord;
  private readonly readings: Readings;
  private readonly assessment: Assessment;
  private readonly ids: Ids;

  constructor(options: ApplyOptions, record: RunRecord, readings: Readings, assessment: Assessment, ids: Ids) {
    this.options = options;
    this.record = record;
    this.readings = readings;
    this.assessment = assessment;
    this.ids = ids;
  }

  /** Sends the call until it is settled, more than once if a repetition is safe. */
  async carryOut(call: Call): Promise<void> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const answer = await this.send(call);
      if (!(await this.judge(call, answer, attempt))) return;
    }
  }

  private async send(call: Call): Promise<Answer> {
    const wire = this.ids.fill(call, this.readings.readAtMs());
    this.record.noteSending(call, wire);
    const { stop } = this.options;
    const answer = await this.options.send(wire, stop?.signal, stop?.sendNoMore ?? stop?.signal);
    if (answer.outcome === "applied" || answer.outcome === "unknown") this.record.wrote = true;
    this.readings.noteSent(call.n);
    return answer;
  }

  /** Settles the call by its answer, or returns true if it must be sent again. */
  private async judge(call: Call, answer: Answer, attempt: number): Promise<boolean> {
    const { record } = this;
    switch (answer.outcome) {
      case "applied":
        this.settleApplied(call, answer);
        return false;
      case "not-attempted":
        record.noteAnswer(call, answer);
        record.settle(call, { state: "not-attempted", fact: { kind: "not-sent", reason: answer.reason } });
        record.halt(record.isStopped() ? "stopped" : "unreachable");
        return false;
      case "refused":
        record.noteAnswer(call, answer);
        return this.judgeRefusal(call, answer, attempt);
      case "unknown":
        record.noteAnswer(call, answer);
        return this.judgeUnknown(call, answer.reason, attempt);
    }
  }

  private settleApplied(call: Call, { body, ignored = [] }: Answer & { outcome: "applied" }): void {
    const ids = this.ids.learnFromAnswer(call, body);
    const shown = defined({ ignored: ignored.length === 0 ? undefined : ignored });
    this.record.settleAnswered(call, { outcome: "applied", body: idsIn(body), ...shown }, ids);
  }

  private async judgeRefusal(call: Call, refusal: Answer & { outcome: "refused" }, attempt: number): Promise<boolean> {
    const { status, code } = refusal;
    const { assessment, record } = this;
    const fact = refusalFact(refusal);
    if (status === 401 || code === "USER_DEACTIVATED" || code === "REALM_DEACTIVATED") {
      record.settle(call, { state: "failed", code, fact });
      record.halt("not-allowed");
      return false;
    }
    if (status === 429) {
      record.settle(call, { state: "not-attempted", fact });
      record.halt("in-part");
      return false;
    }
    const objects = await this.readAfter(call, { state: "failed", code, fact });
    if (objects === undefined || assessment.settleReached(call, objects)) return false;
    const applied = assessment.goals.appliedParts(call, objects);
    const ours = new Set(isPartlyDone(refusal) ? applied.map(({ address }) => address) : []);
    const moved = assessment.moved(call, objects).filter((item) => isForeign(item) && !ours.has(item.address));
    if (moved.length > 0) {
      record.settleConflict(call, moved, applied);
      return false;
    }
    // Somebody changed a value and changed it back while our request was on its way.
    if (code === "EXPECTATION_MISMATCH" && applied.length === 0 && attempt < MOST_ATTEMPTS) return true;
    record.settle(call, { state: "failed", code, fact, applied_parts: applied });
    return false;
  }

  private async judgeUnknown(call: Call, reason: UnclearAnswer, attempt: number): Promise<boolean> {
    const { assessment, options, record } = this;
    const unknown = { state: "failed", code: "unknown", fact: { kind: "no-answer", reason } } as const;
    if (options.stop?.signal.aborted === true) {
      record.settle(call, { ...unknown, fact: { kind: "stopped-before-answer" } });
      record.halt("stopped");
      return false;
    }
    const objects = await this.readAfter(call, unknown);
    if (objects === undefined) return false;
    if (assessment.isReached(call, objects, true)) {
      record.settle(call, { state: "done", fact: { kind: "answer-lost", reason } });
      return false;
    }
    const applied = assessment.goals.appliedParts(call, objects);
    const moved = assessment.moved(call, objects).filter(isForeign);
    if (moved.length > 0) {
      record.settleConflict(call, moved, applied);
      return false;
    }
    const visible = call.for.every(({ address }) => objects.holds(address));
    if (visible && applied.length === 0 && attempt < MOST_ATTEMPTS && options.mayRepeat(call.operation)) return true;
    record.settle(call, { ...unknown, applied_parts: applied });
    return false;
  }

  /** Reads the realm after an error. If even that fails, the call keeps what is known about it, and the run ends. */
  private async readAfter(call: Call, otherwise: Omit<CallResult, "n">): Promise<LiveObjects | undefined> {
    try {
      return await this.readings.read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.record.settle(call, otherwise);
      this.record.fail(error);
      return undefined;
    }
  }
}

/** The server's message about a refused call, with its messages about each part. */
export function refusalFact({ code, message, details, own }: Answer & { readonly outcome: "refused" }): CallFact {
  if (own !== undefined) return { kind: "refused-here", refusal: own };
  const parts = code === "INVITATION_FAILED" ? invitationErrors(details.errors) : [];
  return { kind: "refused", message: quote(message), parts };
}

/** Whether the call took effect for some of its purposes although it was refused. Invitations do (zulip-api.md §9.3). */
export function isPartlyDone({ details }: Answer & { readonly outcome: "refused" }): boolean {
  return details.sent_invitations === true;
}

/** The `errors` of a refused invitation: address, reason, whether the account is deactivated (zulip-api.md §9.3). */
function invitationErrors(errors: Json | undefined): (CallFact & { readonly kind: "refused" })["parts"] {
  if (errors === undefined || !isList(errors)) return [];
  return errors.flatMap((error) => {
    if (!isList(error)) return [];
    const [address, reason] = error;
    return typeof address === "string" && typeof reason === "string"
      ? [{ address: quote(address), reason: quote(reason.replace(/\.$/, "")) }]
      : [];
  });
}
