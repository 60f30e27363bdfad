import { administratorsOf } from "../access/grants.ts";
import { insideBefore } from "../access/inside-before.ts";
import { statesWithBots } from "../access/of-plan.ts";
import { peopleOfRisk } from "../access/opened-channels.ts";
import { ADMINISTER, mayLetIn } from "../access/rules.ts";
import { CHANNEL, isAccountKind } from "../access/scope.ts";
import {
  accountsBack,
  broughtBack,
  completed,
  returningIn,
  takingOut,
  unlistedBack,
  withoutThem,
} from "../apply/accounts-back.ts";
import { applyPlan } from "../apply/apply.ts";
import {
  closeUnfinished,
  counts,
  createJournal,
  findJournals,
  JOURNAL_DIRECTORY,
  noteCompletion,
  ownJournals,
  type ReadJournal,
} from "../apply/journal.ts";
import { isLocked, lockRoot, takeLock } from "../apply/lock.ts";
import type { ApplyOptions, Stop } from "../apply/options.ts";
import { createdBy, resumedFrom } from "../apply/whole-run.ts";
import { kinds } from "../kinds/registry.ts";
import type { ZulipReader, ZulipWriter } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import { type Checked, type Diagnostic, EXIT, error, Failure } from "../model/diagnostic.ts";
import { namedOf } from "../model/facts.ts";
import type { RunSource } from "../model/journal.ts";
import type { ResourceKind } from "../model/kind.ts";
import { askingGuards, awaitingIn, type Change, type Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { ApplyResult, Progress } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { planChanges } from "../plan/plan.ts";
import { VERSION } from "../version.ts";
import { findOperation } from "../zulip/operations.ts";
import type { Made } from "./later-guards.ts";
import { readsOf, refuseOtherFiles } from "./realm.ts";
import {
  guardDiagnostic,
  guardKey,
  refusalsOf,
  refuseGuards,
  refuseOther,
  refuseRedacted,
  refuseUnasked,
} from "./refusals.ts";

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
   * Plans the whole file after accounts were reactivated: only then a reading shows where they are. This run removes them from places that the file gives
   * without them. Without it, they stay there.
   */
  readonly complete?: (snapshot: Snapshot) => Promise<Checked<Plan>>;
  /** Of a plan for a part of the file: plans the whole file afterwards, to see where accounts are that were reactivated. */
  readonly planWhole?: (snapshot: Snapshot) => Promise<Checked<Plan>>;
  /**
   * Called with the first reading, before anything is sent; then with each later reading on which a request relies that may let somebody in.
   * @param isBegun whether requests were sent before
   * @param made ids of objects that earlier runs of the same plan created, by address, as their journals say
   * @throws Failure if the plan, or the rest of it, may not be carried out on this realm
   */
  readonly hold?: (snapshot: Snapshot, isBegun: boolean, made?: Made) => Promise<void>;
  /** Called before anything is read, if files in the directory of journals are left aside. @throws Failure if the run must not begin then */
  readonly onAside?: (found: readonly Diagnostic[]) => void;
  /** Whether somebody confirmed the guard rails that ask. Otherwise a plan with such guard rails is refused. */
  readonly confirmed?: boolean;
  /** Provides the files that the plan sends; without it, a plan that sends any is refused. */
  readonly readUpload?: ReadUpload;
  readonly onProgress?: (progress: Progress) => void;
  readonly stop?: Stop;
  /** What the run carries out, if not the plan of a file: its journal says so. */
  readonly source?: RunSource;
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

/** What the directory of journals says about earlier runs. */
export interface EarlierRuns {
  /** The last run of this account on this realm, if it never reached its end; undefined while it is still active. */
  readonly unfinished?: UnfinishedRun;
  /** Files in the directory that are left aside, and why: nothing shows that a run of this account wrote them. */
  readonly aside: readonly Diagnostic[];
}

export interface EarlierRunsOptions {
  /** Recognises the journals of its account. */
  readonly writer?: ZulipWriter;
  /** The directory of the lock. */
  readonly temporary?: string;
  /** To compare with the plan of the run. */
  readonly plan?: Plan;
}

/** The last run on this realm, if it was interrupted, and files that are no journals of this account. */
export function findEarlierRuns(
  directory: string,
  realmUrl: string,
  { writer, temporary = lockRoot(process.env), plan }: EarlierRunsOptions,
): EarlierRuns {
  if (isLocked(temporary, realmUrl)) return { aside: [] };
  const { unfinished: found, aside } = findJournals(directory, realmUrl, writer?.codeOf);
  if (found === undefined) return { aside };
  const { done, open, left } = counts(found);
  const unfinished: UnfinishedRun = {
    journal: `${JOURNAL_DIRECTORY}/${found.name}`,
    startedAt: found.entries[0]?.at ?? "",
    done,
    open: open.length,
    left,
    ...defined({
      isOfPlan: plan !== undefined && resumedFrom(found, plan) !== undefined ? (true as const) : undefined,
    }),
  };
  return { unfinished, aside };
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
  const { codeOf } = options.writer;
  await refuseOtherFiles(plan, readUpload);
  const lock = takeLock(options.temporary ?? lockRoot(process.env), plan.realm.url, now());
  try {
    const { unfinished, inPart, aside } = findJournals(directory, plan.realm.url, codeOf);
    if (aside.length > 0) options.onAside?.(aside);
    const takeOver = (found: ReadJournal, by: string | undefined): void =>
      closeUnfinished(directory, found, new Date(now()).toISOString(), by, codeOf);
    const resumed = unfinished === undefined ? undefined : resumedFrom(unfinished, plan);
    const result = await applyPlan(plan, {
      ...runOptions(plan, options, () => createdBy(ownJournals(directory, plan.realm.url, codeOf), plan)),
      openJournal: () => {
        const journal = createJournal(directory, now(), codeOf);
        if (unfinished !== undefined) takeOver(unfinished, journal.path);
        return journal;
      },
      ...defined({ onProgress: options.onProgress, resumes: (unfinished ?? inPart)?.name, resumed }),
    });
    // Nothing was left of the interrupted run: it is settled, and will not be mentioned again.
    if (unfinished !== undefined && result.journal === null && result.outcome === "nothing-to-do")
      takeOver(unfinished, undefined);
    const whole = await followed(result, () => completing(result, options));
    return await followed(whole, () => withPlaces(whole, options));
  } finally {
    lock.release();
  }
}

function runOptions(
  plan: Plan,
  options: ApplyPlanOptions,
  madeBefore: () => Made = () => ({}),
): Omit<ApplyOptions, "openJournal"> {
  const { readUpload, now, hold } = options;
  let isHeld = false;
  // Before this run has a journal of its own.
  const made = hold !== undefined && plan.changes.some(({ action }) => action === "create") ? madeBefore() : {};
  return {
    send: (call, signal, sendNoMore) => options.writer.send(call, signal, sendNoMore, readUpload),
    ready: async (signal) => options.writer.ready?.(signal),
    insideBefore: (snapshot) => insideBefore(plan.changes, snapshot),
    waitRandomTime: async (signal) => options.writer.waitRandomTime?.(signal),
    read: async (signal) => {
      const snapshot = await options.reader.snapshot(readsOf(plan), signal);
      refuseOther(plan, snapshot);
      if (!isHeld) await hold?.(snapshot, false, made);
      isHeld = true;
      return snapshot;
    },
    kinds: options.kinds ?? kinds,
    now,
    mayRepeat,
    mayLetIn,
    ...defined({
      replan: options.planAgain,
      stop: options.stop,
      source: options.source,
      holdAgain: hold && ((snapshot: Snapshot) => hold(snapshot, true, made)),
    }),
  };
}

/** The result with what follows a run, which is in part if that fails. */
async function followed(result: ApplyResult, work: () => Promise<ApplyResult>): Promise<ApplyResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return inPart(result, error.diagnostics);
  }
}

/** Accounts that came back leave the places that the file gives without them, in a second run with its own journal, under the same lock. */
async function completing(result: ApplyResult, options: ApplyPlanOptions): Promise<ApplyResult> {
  const { complete, directory, now, hold: _, ...others } = options;
  const known = options.kinds ?? kinds;
  const isWhole = result.calls.every(({ state }) => state === "done" || state === "already-so");
  if (complete === undefined || !isWhole || !broughtBack(result) || options.stop?.requested === true) return result;
  const { plan } = result;
  const snapshot = await options.reader.snapshot(readsOf(plan));
  const whole = await complete(snapshot);
  // What asks was answered with the plan, which announced these removals; what refuses was not.
  if (!whole.ok) return result;
  const refused = refusalsOf(whole.value);
  if (refused.length > 0) return inPart(result, refused);
  const awaited = awaitedIn(plan, whole.value, snapshot);
  const isShown = awaited === undefined || !givesOthers(awaited, plan, whole.value, snapshot);
  const awaiting = awaited !== undefined && isShown;
  const notShown = isShown ? [] : [error("apply/not-shown", { changes: awaited.map(namedOf) })];
  if (awaiting) {
    const asked = new Set(askingGuards(plan).map(guardKey));
    const unasked = askingGuards(whole.value).filter((guard) => !asked.has(guardKey(guard)));
    if (unasked.length > 0) return inPart(result, unasked.map(guardDiagnostic));
  }
  const desired = awaiting ? undefined : withoutThem(plan, whole.value.changes, snapshot, known);
  const back = desired && planChanges({ desired, snapshot, kinds: known, toolVersion: VERSION, isAgain: true });
  if (!awaiting && back?.ok !== true) return notShown.length === 0 ? result : inPart(result, notShown);
  const rest = back?.ok === true ? back.value : whole.value;
  const leaving: Plan = { ...rest, extra: defined({ reads: plan.extra?.reads }) };
  const { codeOf } = options.writer;
  const { journal: first } = result;
  const then = await applyPlan(leaving, {
    ...runOptions(leaving, { ...others, directory, now }),
    openJournal: () => {
      const journal = createJournal(directory, now(), codeOf);
      if (first !== null) noteCompletion(directory, first, new Date(now()).toISOString(), journal.path, codeOf);
      return journal;
    },
    ...defined({ resumes: first === null ? undefined : first.slice(first.lastIndexOf("/") + 1) }),
  });
  const both = completed(result, leaving, accountsBack(plan, whole.value.changes, snapshot), then);
  return notShown.length === 0 ? both : inPart(both, notShown);
}

/**
 * The changes that waited for accounts that came back, if nothing is left but these and what such accounts leave; undefined otherwise. Anything else was not
 * in the plan.
 */
function awaitedIn(plan: Plan, whole: Plan, snapshot: Snapshot): readonly Change[] | undefined {
  const awaiting = new Set(awaitingIn(plan).map(({ unresolved }) => unresolved?.in?.address));
  const leaving = new Set(takingOut(plan, whole.changes, snapshot));
  const found = whole.changes.filter(({ address }) => awaiting.has(address));
  const isAll = whole.changes.every((change) => awaiting.has(change.address) || leaving.has(change));
  return found.length > 0 && isAll ? found : undefined;
}

/** Whether others than the accounts that came back gain something by the changes that waited: the plan said nothing of them. */
function givesOthers(awaited: readonly Change[], { calls }: Plan, { changes }: Plan, snapshot: Snapshot): boolean {
  const { difference, after } = statesWithBots(changes, new Realm(snapshot));
  const ownerOf = (id: number): number => after.account(id)?.owner ?? id;
  const known = after.population.of(returningIn(calls).flatMap((id) => [id, ownerOf(id)]));
  const me = after.population.of([snapshot.account.user_id]);
  const former = after.population.of([...(difference.keyed.accounts.formerOwners?.values() ?? [])]);
  // That others are in a new channel is no risk.
  const isOthersNew = ({ action, kind, name }: Change): boolean => {
    const pair = action === "create" && kind === CHANNEL ? difference.pairOf(after.channel(name)) : undefined;
    if (pair === undefined) return false;
    const administer = difference.of(pair, ADMINISTER).gained.minus(administratorsOf(after));
    return difference.reading(pair).gained.or(administer).minus(known).minus(me).size > 0;
  };
  if (awaited.some(isOthersNew)) return true;
  return awaited.some((change) =>
    change.risks.some(({ kind, fact }) => {
      if (kind !== "widens") return false;
      // A bot posts where its owner may, and who owned it before has its key: the change of the owner tells that.
      const keys =
        fact.kind === "right" && fact.setting === "can_send_message_group" ? former : after.population.nobody;
      const own = isAccountKind(change.kind) && change.id !== undefined ? [ownerOf(change.id)] : undefined;
      const people = peopleOfRisk(fact, difference) ?? (own && after.population.of(own));
      return people === undefined || people.minus(known).minus(keys).size > 0;
    }),
  );
}

/** Where accounts that came back are although the file does not name them there: outside the part that was applied, and in channels without a list. */
async function withPlaces(result: ApplyResult, options: ApplyPlanOptions): Promise<ApplyResult> {
  const { plan } = result;
  const planAll = options.planWhole ?? options.planAgain ?? options.complete;
  if (planAll === undefined || !broughtBack(result) || options.stop?.requested === true) return result;
  const snapshot = await options.reader.snapshot(readsOf(plan));
  const all = await planAll(snapshot);
  if (!all.ok) return inPart(result, all.diagnostics);
  const unlisted = unlistedBack(plan, all.value, snapshot);
  const named = { ...result, diagnostics: [...result.diagnostics, ...unlisted] };
  const came_back = accountsBack(plan, all.value.changes, snapshot);
  if (options.planWhole === undefined || came_back.length === 0) return named;
  return { ...inPart(named), remaining: takingOut(plan, all.value.changes, snapshot), came_back };
}

const inPart = (result: ApplyResult, diagnostics: readonly Diagnostic[] = []): ApplyResult => ({
  ...result,
  outcome: "differs",
  exitCode: EXIT.appliedInPart,
  diagnostics: [...result.diagnostics, ...diagnostics],
});

/** An unknown operation (a plan of a newer realmctl) is not repeated. */
function mayRepeat(operation: string): boolean {
  const known = findOperation(operation);
  return known !== undefined && known.repeat !== "unsafe";
}
