import { applyPlan } from "../apply/apply.ts";
import {
  closeUnfinished,
  counts,
  createJournal,
  findUnfinished,
  JOURNAL_DIRECTORY,
  parseJournal,
} from "../apply/journal.ts";
import { noJournal, unreadable } from "../apply/journal-lines.ts";
import { isLocked, lockRoot, takeLock } from "../apply/lock.ts";
import type { Stop } from "../apply/options.ts";
import { type PlanInputs, type PlanOrigin, sha256 } from "../apply/plan-file.ts";
import { earlierOf, resumedFrom } from "../apply/resume.ts";
import { planOf, undoOf } from "../apply/undo.ts";
import type { UndoNote } from "../apply/undo-note.ts";
import { openConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, error, Failure } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import { askingGuards, type Change, type Plan } from "../model/plan.ts";
import type { PolicyEntry } from "../model/policy.ts";
import { Realm } from "../model/realm.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { ApplyResult, Drift, Progress } from "../model/result.ts";
import type { UndoFact } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Targets } from "../model/targets.ts";
import { guarded } from "../plan/guards.ts";
import { otherRealm } from "../plan/other-realm.ts";
import { planChanges } from "../plan/plan.ts";
import { requestOf } from "../plan/requests.ts";
import type { LoadOptions } from "../source/load.ts";
import { VERSION } from "../version.ts";
import { isSendable } from "../zulip/encode.ts";
import { findOperation } from "../zulip/operations.ts";
import { KeptFiles } from "./files.ts";
import { type GuardOptions, policiesOf } from "./guards.ts";
import { readsOf, refuseOtherFiles, refuseOtherRealm } from "./realm.ts";
import { rehearsed } from "./rehearsal.ts";

export interface PlanOptions extends LoadOptions, GuardOptions {
  /** The server, or something that hands out a snapshot made before. */
  readonly reader: ZulipReader;
  readonly kinds?: readonly ResourceKind[];
  /** Nothing else is planned; default: all of the file. */
  readonly targets?: Targets;
  /** What the reading does not hold is left out of the plan, with a warning: for questions, not for what is to be applied. */
  readonly leavesUnread?: boolean;
}

export interface Planned {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  /** Worked out when asked for: only a saved plan needs it, and a large realm takes a while. */
  readonly origin: PlanOrigin;
  /** All that planning looked at: what a saved plan holds so that it can be worked out again. */
  readonly inputs: PlanInputs;
  /** What the same file asks of a later reading. The file is not read again: what was approved stays what is checked. */
  planAgain(snapshot: Snapshot): Promise<Checked<Plan>>;
  /** This plan with what became of it on a copy of the organization, and a guard rail that refuses it where that was not what it says. */
  rehearse(): Promise<Plan>;
  /** This plan under the same guard rails, counted on a later reading. */
  guardAgain(snapshot: Snapshot, allow: readonly string[]): Promise<Plan>;
}

/**
 * Configuration and realm → plan. Every error at once: the file is decoded against the realm even when it has errors already.
 * @throws Failure when the realm cannot be read, or the account may not see enough of it
 */
export async function planRealm(options: PlanOptions): Promise<Checked<Planned>> {
  const known = options.kinds ?? kinds;
  const files = new KeptFiles(options);
  const config = await openConfig({ ...options, ...files.loadOptions, kinds: known });
  const offline = config.decode();
  let snapshot: Snapshot;
  const wanted = offline.ok ? offline.value : undefined;
  let reads = requestOf(wanted, known);
  try {
    snapshot = await options.reader.snapshot(reads);
  } catch (error) {
    // What is wrong with the file is known without a server, and is more than half of the answer.
    if (error instanceof Failure && !offline.ok) return offline;
    throw error;
  }
  // Only the realm shows which of the file's channels are private: what hangs on their subscribers takes a second reading.
  const more = requestOf(wanted, known, new Realm(snapshot));
  if ((more.subscribers && !reads.subscribers) || (more.invites && !reads.invites)) {
    reads = { subscribers: more.subscribers || reads.subscribers, invites: more.invites || reads.invites };
    snapshot = await options.reader.snapshot(reads);
  }
  // What was not there is not looked for in a later reading either.
  if (options.leavesUnread === true) reads = { ...reads, invites: reads.invites && snapshot.invites !== null };
  let ownPolicy: PolicyEntry | undefined;
  const planOn = async (reading: Snapshot, isAgain: boolean): Promise<Checked<Plan>> => {
    const desired = config.decode(new Realm(reading));
    if (!desired.ok) return desired;
    ownPolicy = desired.value.policy;
    const elsewhere = otherRealm(desired.value, reading);
    if (elsewhere !== undefined) return { ok: false, diagnostics: [elsewhere] };
    const policies = await policiesOf(desired.value.policy, { ...options, ...files.loadOptions, kinds: known });
    const plan = planChanges({
      desired: desired.value,
      snapshot: reading,
      kinds: known,
      toolVersion: VERSION,
      isAgain,
      ...defined({ targets: options.targets, leavesUnread: options.leavesUnread }),
    });
    if (!policies.ok || !plan.ok) return allErrors(policies, plan);
    const whole = guarded({
      plan: plan.value,
      snapshot: reading,
      kinds: known,
      policies: policies.value,
      allow: options.allow ?? [],
    });
    return { ...plan, value: whole };
  };
  const planAgain = (reading: Snapshot): Promise<Checked<Plan>> => planOn(reading, true);
  const plan = await planOn(snapshot, false);
  if (!plan.ok) return plan;
  const whole: Plan = { ...plan.value, extra: { ...plan.value.extra, reads: { ...reads } } };
  const value: Planned = {
    plan: whole,
    snapshot,
    get origin() {
      return { configuration: files.hash(), snapshot: sha256(canonicalJson(asJson(snapshot))) };
    },
    get inputs() {
      const { file, policyFile, allow = [], targets } = options;
      return { file, ...defined({ policy_file: policyFile, targets }), allow, ...files.kept, snapshot };
    },
    planAgain,
    rehearse: () => rehearsed(whole, { snapshot, reads, kinds: known, planAgain, allow: options.allow ?? [] }),
    guardAgain: async (reading, allow) => {
      const policies = await policiesOf(ownPolicy, { ...options, ...files.loadOptions, kinds: known });
      if (!policies.ok) throw new RangeError("guard rails that were read before cannot be read again");
      return guarded({ plan: whole, snapshot: reading, kinds: known, policies: policies.value, allow });
    },
  };
  return { ok: true, value, warnings: plan.warnings };
}

function allErrors(...parts: readonly Checked<unknown>[]): Checked<never> {
  return { ok: false, diagnostics: parts.flatMap((part) => (part.ok ? part.warnings : part.diagnostics)) };
}

/** What would undo a run, and what of it cannot be undone. */
export interface PlannedUndo {
  readonly plan: Plan;
  /** The reading that it was made from. */
  readonly snapshot: Snapshot;
  readonly notes: readonly UndoNote[];
  /** Name of the journal of a run that broke off before this one, and whose other calls this plan does not undo. */
  readonly leaves?: string;
  planAgain(snapshot: Snapshot): Promise<Checked<Plan>>;
}

/**
 * Journal of a run and realm → plan that gives every field its value from before, wherever nobody changed it since. A run that went
 * on from one which broke off is undone together with it when both carried out the same calls (a saved plan).
 * @throws Failure when the journal is none, is of another realm, or the realm cannot be read
 */
export async function planUndo(
  text: string,
  file: string,
  options: {
    readonly reader: ZulipReader;
    readonly kinds?: readonly ResourceKind[];
    /** The text of a journal beside this one; undefined if it no longer exists. */
    readonly readJournal?: (name: string) => Promise<string | undefined>;
  },
): Promise<Checked<PlannedUndo>> {
  const journal = parseJournal(text, file);
  const [start] = journal.entries;
  const done = start?.entry === "start" ? planOf(start.plan) : undefined;
  if (done === undefined) throw noJournal(file);
  const snapshot = await options.reader.snapshot(readsOf(done));
  refuseOtherRealm(done, snapshot, "journal");
  const known = options.kinds ?? kinds;
  const { earlier, leaves } = await earlierOf(journal, done, options.readJournal);
  const staying = new Map<Change, UndoFact>();
  let undo = undoOf(journal, snapshot, known, earlier);
  const planAgain = async (reading: Snapshot): Promise<Checked<Plan>> => {
    try {
      const planned = planChanges({ desired: undo.desired, snapshot: reading, kinds: known, toolVersion: VERSION });
      if (planned.ok && planned.value.calls.some(({ params }) => !isSendable(params)))
        throw new RangeError("a text that is no Unicode, or has a NUL in it");
      return planned;
    } catch (error) {
      // The form of a journal says nothing of its values: of all that is planned from, only these were never checked by a kind.
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      throw unreadable({ journal: file, line: 1, cause: "value", reason: error.message });
    }
  };
  let plan = await planAgain(snapshot);
  // What something needs that stays has to stay too, and what needs that: each round leaves one more as it is, or is the last.
  while (!plan.ok) {
    const before = staying.size;
    for (const diagnostic of plan.diagnostics) {
      const { at, fact } = diagnostic;
      const change = diagnostic.code.endsWith("/in-use") ? undo.changeAt(at) : undefined;
      if (change !== undefined && fact !== undefined)
        staying.set(change, { why: "needed", by: { code: diagnostic.code, fact } });
    }
    // A line of the journal would show nobody where the error is.
    if (staying.size === before)
      return { ok: false, diagnostics: plan.diagnostics.map(({ at: _, ...diagnostic }) => diagnostic) };
    undo = undoOf(journal, snapshot, known, earlier, staying);
    plan = await planAgain(snapshot);
  }
  const { notes } = undo;
  const whole: Plan = { ...plan.value, extra: { ...plan.value.extra, reads: { ...readsOf(done) } } };
  const left = defined({ leaves });
  return { ok: true, value: { plan: whole, snapshot, notes, planAgain, ...left }, warnings: plan.warnings };
}

/** What no longer is as the file declares it. Unmanaged objects alone are no drift: that section leaves them alone. */
export function driftOf(plan: Plan): Drift {
  // What is only planned because others need it was not asked about.
  const taken = new Set(plan.extra?.partial?.taken_along.map(({ object }) => object.address));
  const differences = plan.changes.filter(({ address }) => !taken.has(address));
  return {
    plan,
    differences,
    unmanaged: plan.unmanaged.filter(({ names, policy }) => names.length > 0 && policy !== "absent"),
    exitCode: differences.length > 0 ? EXIT.changesPending : EXIT.done,
  };
}

export interface ApplyPlanOptions {
  readonly reader: ZulipReader;
  readonly writer: ZulipWriter;
  /** Absolute path of the directory whose `.realmctl/` takes the journal. */
  readonly directory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Absolute path of a directory for the lock; default: the account's own, else the system's. */
  readonly temporary?: string;
  readonly kinds?: readonly ResourceKind[];
  /** How to plan again afterwards; without it (a saved plan) the plan's own values are looked for. */
  readonly planAgain?: (snapshot: Snapshot) => Promise<Checked<Plan>>;
  /**
   * Called with the first reading, before anything is sent.
   * @param isResumed the run goes on with what another run of the same calls has begun
   * @throws Failure when the plan may not be carried out on this realm
   */
  readonly hold?: (snapshot: Snapshot, isResumed: boolean) => Promise<void>;
  /** Gives out the files that the plan sends; without it, a plan that sends any is refused. */
  readonly readUpload?: ReadUpload;
  readonly onProgress?: (progress: Progress) => void;
  readonly stop?: Stop;
}

/** A run on this realm that never came to its end: the process was killed, or the machine went down. */
export interface UnfinishedRun {
  readonly journal: string;
  readonly startedAt: string;
  /** Calls known to be carried out, and calls whose answer is not written down. */
  readonly done: number;
  readonly open: number;
  readonly left: number;
}

/**
 * What is known of the last run on this realm, when it never came to its end; nothing while it is still at work.
 * @param temporary where its lock would be
 */
export function findUnfinishedRun(
  directory: string,
  realmUrl: string,
  temporary: string = lockRoot(process.env),
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
  };
}

/**
 * Carries out a plan: under a lock, with a journal, and only on the realm that it was made for.
 * @throws Failure before anything is sent: another run holds the lock, a guard rail refuses, it is another realm
 */
export async function applyRealm(plan: Plan, options: ApplyPlanOptions): Promise<ApplyResult> {
  refuseGuards(plan);
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
    // Nothing was left of the interrupted run: it is settled, and not worth a word next time.
    if (unfinished !== undefined && result.journal === null && result.exitCode === EXIT.done)
      closeUnfinished(directory, unfinished, new Date(now()).toISOString(), "a run that found nothing left to do");
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

/** @throws Failure when a guard rail says no, with every one that does */
export function refuseGuards(plan: Plan): void {
  const [first, ...others] = plan.guards.filter(({ violated }) => violated).map(guardDiagnostic);
  if (first !== undefined) throw new Failure(EXIT.refusedByGuard, first, ...others);
}

/**
 * For a run that nobody is asked about.
 * @throws Failure when a guard rail wants somebody to be asked, with every one that does
 */
export function refuseUnasked(plan: Plan): void {
  const [first, ...others] = askingGuards(plan).map(guardDiagnostic);
  if (first !== undefined) throw new Failure(EXIT.refusedByGuard, first, ...others);
}

function guardDiagnostic({ name, fact, at, rule }: Plan["guards"][number]): Diagnostic {
  const notes = rule === undefined ? [] : [{ at: rule, note: "rule-here" } as const];
  return error("guard/refused", { guard: { pattern: name }, fact, ...(rule && { rule }) }, at, notes);
}

/** @throws Failure when a saved plan meets another realm or another account than it was made for, or the server was changed since */
function refuseOther(plan: Plan, snapshot: Snapshot): void {
  refuseOtherRealm(plan, snapshot, "plan");
  // What the account may do was weighed, new channels get it as a subscriber, and navigation views are its own.
  if (plan.account.email.toLowerCase() !== snapshot.account.email.toLowerCase()) {
    const fact = { planned: quote(plan.account.email), found: quote(snapshot.account.email) };
    throw new Failure(EXIT.conflict, error("plan/other-account", fact));
  }
  if (plan.server.feature_level === snapshot.server.feature_level) return;
  const fact = { planned_level: plan.server.feature_level, level: snapshot.server.feature_level };
  throw new Failure(EXIT.conflict, error("plan/other-server", fact));
}

function asJson(snapshot: Snapshot): Json {
  const json: Json = JSON.parse(JSON.stringify(snapshot));
  return json;
}
