import { defined } from "../model/defined.ts";
import { Failure } from "../model/diagnostic.ts";
import type { UnclearAnswer } from "../model/diagnostics/calls.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Answer } from "../model/journal.ts";
import { isList, type Json } from "../model/json.ts";
import type { Call } from "../model/plan.ts";
import type { CallResult } from "../model/result.ts";
import type { CallFact } from "../model/run-facts.ts";
import type { Assessment } from "./assessment.ts";
import { isForeign } from "./checks.ts";
import type { LiveObjects } from "./goals.ts";
import type { Ids } from "./ids.ts";
import { idsIn } from "./journal.ts";
import type { ApplyOptions } from "./options.ts";
import type { Readings } from "./readings.ts";
import type { RunRecord } from "./record.ts";

/** How often one call may be sent while no answer arrives and the realm shows that it was not carried out. */
const MOST_ATTEMPTS = 3;

/** Sends one call and settles it by its answer. If the answer is not conclusive, a new reading settles it. */
export class Sending {
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
