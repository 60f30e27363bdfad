import { dirname, join, resolve } from "node:path";
import { lastRun } from "../../apply/history.ts";
import { JOURNAL_DIRECTORY, ownJournals } from "../../apply/journal.ts";
import { createdBy, leftUndone } from "../../apply/whole-run.ts";
import { kinds } from "../../kinds/registry.ts";
import { clean } from "../../model/clean.ts";
import { commandLine } from "../../model/command-line.ts";
import { defined } from "../../model/defined.ts";
import { EXIT, failure } from "../../model/diagnostic.ts";
import type { Change, Plan } from "../../model/plan.ts";
import type { GuardPolicy } from "../../model/policy.ts";
import type { ApplyResult } from "../../model/result.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { undoesRun } from "../../report/commands/history.ts";
import {
  countedToday,
  fileAsksAgain,
  guardRailsOfUndo,
  journalWithoutEnd,
  notAllowed,
  notAnswered,
  runBeforeLeft,
} from "../../report/commands/run.ts";
import { changeName, placeText } from "../../report/layout.ts";
import { renderUndoNotes } from "../../report/undo-notes.ts";
import type { ApplyPlanOptions } from "../../workflow/apply.ts";
import { basePlan } from "../../workflow/base.ts";
import { guardSaved, guardUndo, type Made, standingPolicies } from "../../workflow/later-guards.ts";
import { readsOf } from "../../workflow/realm.ts";
import { amountsOf } from "../../workflow/refusals.ts";
import { isToRehearse, rehearsed, withRehearsal } from "../../workflow/rehearsal.ts";
import { allowingOnly, checkSavedPlan, readSavedPlan, type SavedPlan } from "../../workflow/saved.ts";
import { planUndo } from "../../workflow/undo.ts";
import type { Planned } from "../../workflow/workflow.ts";
import { connectionWords, fileWords, guardWords } from "../command-words.ts";
import type { Session } from "../connect.ts";
import { type Context, valueOrFailure } from "../context.ts";
import { showsAll } from "../flags.ts";
import { type Io, STANDARD_INPUT } from "../io.ts";
import type { ApplyFlags } from "../plan-flags.ts";
import { planWith } from "../plan-with.ts";
import { verifySignature } from "../save-plan.ts";
import { isMissingFile } from "../stray-words.ts";

/** The plan to apply, and what it was made from. */
export type Wanted = Pick<
  ApplyPlanOptions,
  "hold" | "planAgain" | "planWhole" | "complete" | "readUpload" | "source"
> & {
  readonly plan: Plan;
  /** The inputs of the plan: they have the names of the people in its risks. */
  readonly snapshot: Snapshot;
  /** Parts of a run that its undo may not restore: the command ends as applied in part. */
  readonly left?: number;
  /** What to say after the run. */
  readonly afterwards?: (result: ApplyResult) => Promise<string>;
};

/**
 * The plan that the command asks for: of a file, a saved one, or the undo of a run.
 * @param isNamed whether the command line names the file
 */
export function wantedOf(context: Context<ApplyFlags>, session: Session, isNamed: boolean): Promise<Wanted> {
  const { io, flags } = context;
  if (flags.plan !== undefined) return saved(context, session);
  if (flags.undo === undefined) return fromFile(context, session);
  return undoing(context, session, flags.undo === true ? lastHere(io, session) : flags.undo, isNamed);
}

async function fromFile(context: Context<ApplyFlags>, { reader, writer }: Session): Promise<Wanted> {
  const { io, flags } = context;
  const earlier = (realm: string) => leftUndone(ownJournals(io.cwd, realm, writer.codeOf));
  const planned = await planWith(context, reader, "refuse", { earlier });
  const { readUpload } = context.files();
  const { snapshot, planAgain, planWhole } = planned;
  const complete = planWhole ?? planAgain;
  const plan = await tried(planned, flags);
  const hold: Wanted["hold"] = async (now, isBegun, made) => {
    const today = await planned.hold(now, flags.allow ?? [], isBegun, made);
    if (!isBegun) tellMore(io, plan, today);
  };
  return { plan, snapshot, planAgain, complete, readUpload, hold, ...defined({ planWhole }) };
}

/** The plan, rehearsed if that is quick or requested. */
async function tried(planned: Planned, { rehearse }: ApplyFlags): Promise<Plan> {
  const { plan, snapshot } = planned;
  return isToRehearse(plan, snapshot, rehearse) ? planned.rehearse() : plan;
}

async function saved(context: Context<ApplyFlags>, { reader, writer }: Session): Promise<Wanted> {
  const { io, flags } = context;
  const { plan: file = "", checksum, verifyWith, allow = [] } = flags;
  const found = await readSavedPlan(await context.input(file, "plan"), file);
  if (verifyWith !== undefined) await verifySignature(context, found, file, verifyWith);
  if (checksum !== undefined && checksum !== found.checksum) {
    const beginning = found.checksum.startsWith(checksum) ? checksum.length : undefined;
    const fact = { file, checksum: found.checksum, ...defined({ beginning }) };
    throw failure("plan-file/other-checksum", fact, EXIT.conflict);
  }
  const isVouchedFor = flags.yes !== true || checksum !== undefined || verifyWith !== undefined;
  const opened = isVouchedFor ? found : await allowingOnly(found, allow, () => standing(context, found));
  const lost = excusedIn(found).filter((name) => !excusedIn(opened).includes(name));
  io.err.write(notAllowed(file, lost));
  io.err.write(
    notAnswered(
      file,
      openIn(opened).filter((name) => ![...openIn(found), ...lost, ...allow].includes(name)),
    ),
  );
  const plan = await heldAgainst(context, await savedAndTried(opened, flags), {
    reader,
    planAgain: opened.planned.planAgain,
    made: createdBy(ownJournals(io.cwd, opened.plan.realm.url, writer.codeOf), opened.plan),
  });
  return {
    plan,
    source: { is: "saved-plan", file },
    snapshot: opened.planned.snapshot,
    complete: opened.planned.planWhole ?? opened.planned.planAgain,
    ...defined({ planWhole: opened.planned.planWhole }),
    readUpload: context.files(opened.inputs.file).readUpload,
    hold: async (now, isBegun, made) => {
      const today = await checkSavedPlan(opened, now, { allow, isBegun, ...defined({ made }) });
      if (!isBegun) tellMore(io, opened.plan, today);
    },
  };
}

/** The guard rails of the command, and those of the plan's file as it is in this directory. */
async function standing(context: Context<ApplyFlags>, { plan, inputs }: SavedPlan): Promise<readonly GuardPolicy[]> {
  const { policy } = context.flags;
  // What came through a pipe lies nowhere.
  const file = inputs.file === STANDARD_INPUT ? "realm.yaml" : inputs.file;
  return standingPolicies(plan, context.files(file, policy));
}

const openIn = ({ plan }: SavedPlan): readonly string[] => [
  ...new Set(plan.guards.filter(({ violated, fact }) => violated || fact.asks === true).map(({ name }) => name)),
];

/** What of the `--allow` of a plan lets something through. */
const excusedIn = ({ plan }: SavedPlan): readonly string[] => [
  ...new Set(plan.guards.flatMap(({ name, fact }) => (fact.excused === "allow" ? (fact.excused_by ?? name) : []))),
];

/** What guard rails count today, where it is more than the plan shows: `--allow` of this command lets it pass. */
function tellMore(io: Io, shown: Plan, today: Plan): void {
  const known = new Map(Object.entries(amountsOf(shown)));
  const more = Object.entries(amountsOf(today)).filter(([name, amount]) => amount > (known.get(name) ?? 0));
  const names = new Set(more.map(([name]) => name));
  io.err.write(countedToday(today.guards.filter(({ name }) => names.has(name))));
}

/** The rehearsal in the plan is known to be right; a plan without one is rehearsed with the organization that it was made from. */
async function savedAndTried({ plan, planned }: SavedPlan, { rehearse }: ApplyFlags): Promise<Plan> {
  return isToRehearse(plan, planned.snapshot, rehearse) ? withRehearsal(plan, await planned.rehearse()) : plan;
}

async function heldAgainst(
  context: Context<ApplyFlags>,
  plan: Plan,
  today: Pick<Session, "reader"> & Pick<SavedPlan["planned"], "planAgain"> & { readonly made: Made },
): Promise<Plan> {
  const { policy, allow = [] } = context.flags;
  const guardedPlan = await guardSaved(plan, {
    ...context.files(policy ?? ""),
    ...today,
    allow,
    ...defined({ policyFile: policy }),
  });
  return valueOrFailure(guardedPlan);
}

/**
 * The journal of the last run of this account here that sent something: the key proves it, so it is one of this organization.
 * @throws Failure if there is none
 */
function lastHere(io: Io, { writer }: Session): string {
  const last = lastRun(io.cwd, writer.codeOf, MOST_JOURNALS);
  if (last === undefined) throw failure("journal/no-run", {});
  io.err.write(undoesRun(last));
  return last.journal;
}

/** How many journals are looked at for the last run of this account. */
const MOST_JOURNALS = 1_000;

/** The plan that undoes a run, with the guard rails of the named file, or of the usual one if it exists. */
async function undoing(
  context: Context<ApplyFlags>,
  { reader, writer }: Session,
  journal: string,
  named: boolean,
): Promise<Wanted> {
  const { io, file, flags } = context;
  const { policy, allow = [], foreignJournal: isForeignAllowed } = flags;
  const text = await context.input(journal, "journal", "input", () => newestJournal(io));
  const readJournal = (name: string) => io.readFile(join(dirname(journal), name)).catch(() => undefined);
  const undo = await planUndo(text, journal, {
    reader,
    writer,
    readJournal,
    configuration: context.files(),
    ...defined({ isForeignAllowed }),
  });
  const { plan, isForeign, snapshot, planAgain, notes, left, leaves, unended } = valueOrFailure(undo);
  io.err.write(renderUndoNotes(notes, context.errStyle, showsAll(flags)));
  // Of a journal in the usual place, the run is said to be unfinished below.
  if (unended !== undefined && resolve(io.cwd, dirname(journal)) !== resolve(io.cwd, JOURNAL_DIRECTORY))
    io.err.write(journalWithoutEnd(clean(journal), unended.sent, unended.calls));
  if (leaves !== undefined) {
    const beside = join(dirname(journal), leaves);
    const earlier = (await isMissingFile(io, beside)) ? join(JOURNAL_DIRECTORY, leaves) : beside;
    const foreign = isForeignAllowed === true ? ["--foreign-journal"] : [];
    const words = [...fileWords(named ? file : undefined, flags), ...connectionWords(flags), ...guardWords(flags)];
    const next = commandLine(["apply", ...words, ...foreign, "--undo", earlier]);
    io.err.write(runBeforeLeft(next));
  }
  const guarded = valueOrFailure(
    await guardUndo(plan, snapshot, {
      ...context.files(context.file, policy),
      named,
      isForeign,
      allow,
    }),
  );
  io.err.write(guardRailsOfUndo(guarded.heldAgainst.map(clean)));
  const options = { snapshot, reads: readsOf(plan), kinds, planAgain, allow };
  const isTried = isToRehearse(guarded.plan, snapshot, flags.rehearse);
  let last = snapshot;
  return {
    plan: isTried ? await rehearsed(guarded.plan, options) : guarded.plan,
    source: { is: "undo", file: journal },
    snapshot,
    left,
    hold: async (now, isBegun) => {
      const today = await guarded.hold(now, planAgain, isBegun);
      if (!isBegun) tellMore(io, guarded.plan, today);
    },
    planAgain: (reading) => {
      last = reading;
      return planAgain(reading);
    },
    afterwards: async (result) => {
      const asks = await asksAgain(context, last, result);
      return fileAsksAgain(clean(file), asks.map(changeName), asks.flatMap(linesOf));
    },
  };
}

/** What the file still asks for and the undo took back: the next apply would make it again. */
async function asksAgain(context: Context, reading: Snapshot, result: ApplyResult): Promise<readonly Change[]> {
  if (result.remaining === null) return [];
  const { plan } = await basePlan(context.files(), reading);
  // What was renamed has its old name again, and the file the new one.
  const names = ({ kind, address, was }: Change): readonly string[] =>
    was === undefined ? [address] : [address, `${kind}:${was}`];
  const undone = new Set(result.plan.changes.flatMap(names));
  return plan?.changes.filter((change) => names(change).some((name) => undone.has(name))) ?? [];
}

/** The lines that ask for a change: those of its fields, else its own. */
function linesOf({ at, fields }: Change): readonly string[] {
  const places = fields.flatMap((field) => field.at ?? []);
  return (places.length === 0 && at !== undefined ? [at] : places).map((place) => placeText(place));
}

/** The path of the last run's journal here, whose name is its time; `null` if there is none. */
async function newestJournal(io: Io): Promise<string | null> {
  const names = await io.list(JOURNAL_DIRECTORY).catch(() => []);
  const [newest] = names
    .filter((name) => /^\d{4}-.*\.jsonl$/.test(name))
    .sort()
    .reverse();
  return newest === undefined ? null : join(JOURNAL_DIRECTORY, newest);
}
