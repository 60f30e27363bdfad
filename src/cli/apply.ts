import { basename, dirname, join } from "node:path";
import { Command, Option } from "commander";
import { lockRoot } from "../apply/lock.ts";
import { kinds } from "../kinds/registry.ts";
import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { WireCall } from "../model/journal.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { applyEvents } from "../report/apply-events.ts";
import { commandLine } from "../report/command-line.ts";
import { renderResultJson } from "../report/json.ts";
import { momentText, roleName } from "../report/layout.ts";
import { renderResult } from "../report/result.ts";
import { clean, count } from "../report/style.ts";
import { renderPlan } from "../report/text.ts";
import { renderUndoNotes } from "../report/undo-notes.ts";
import { type ApplyPlanOptions, applyRealm, findUnfinishedRun, type UnfinishedRun } from "../workflow/apply.ts";
import { guardSaved, guardUndo } from "../workflow/guards.ts";
import { readsOf } from "../workflow/realm.ts";
import { refuseGuards, refuseUnasked } from "../workflow/refusals.ts";
import { isToRehearse, rehearsed, withRehearsal } from "../workflow/rehearsal.ts";
import { holdAgainstToday, openSavedPlan, type SavedPlan } from "../workflow/saved.ts";
import { planUndo } from "../workflow/undo.ts";
import type { Planned } from "../workflow/workflow.ts";
import type { Secret } from "../zulip/secret.ts";
import { connectionWords, ending, fileWords, guardWords, pathWord, verifyWords } from "./again.ts";
import { confirmed } from "./ask.ts";
import { valueOrFailure } from "./checked.ts";
import { configurationFiles } from "./configuration-files.ts";
import { type Session, withSession } from "./connect.ts";
import { type ConnectionFlags, withConnectionFlags } from "./flags.ts";
import { type GuardFlags, withGuardFlags } from "./guard-flags.ts";
import { listenForInterrupts } from "./interrupt.ts";
import type { Io, Output } from "./io.ts";
import { planWith } from "./make-plan.ts";
import { countsOf } from "./organizations/counts.ts";
import { type ManyFlags, withManyFlags } from "./organizations/flags.ts";
import { overOrganizations, type Told } from "./organizations/run.ts";
import { type ProgressDisplay, progressDisplay } from "./progress.ts";
import { readInput } from "./read-input.ts";
import { namesOf } from "./risk-names.ts";
import { rounds } from "./rounds.ts";
import { verifySignature } from "./sign.ts";
import {
  refuseTargetsOf,
  type TargetFlags,
  targetsOf,
  targetWords,
  withNeedsFlag,
  withTargetFlags,
} from "./target-flags.ts";
import { styleFor } from "./terminal.ts";

export interface ApplyFlags extends ConnectionFlags, GuardFlags, TargetFlags, ManyFlags {
  readonly yes?: boolean;
  readonly plan?: string;
  readonly checksum?: string;
  readonly verifyWith?: string;
  readonly undo?: string;
  readonly onConflict: "refuse" | "replan";
  readonly format: "text" | "json" | "jsonl";
  readonly all?: boolean;
  readonly who?: boolean;
  readonly showLinks?: boolean;
  readonly rehearse?: boolean;
}

export function applyCommand(io: Io): Command {
  return withNeedsFlag(withTargetFlags(withManyFlags(withGuardFlags(withConnectionFlags(new Command("apply"))))))
    .description("Show the plan, ask, and change the organization to what the file says.")
    .argument(
      "[files...]",
      "the organization as it should be, or a saved plan (default: realm.yaml); with --undo, the file whose guard rails apply; several files or a directory: one organization each",
    )
    .option("--yes", "do not ask")
    .option("--plan <file>", "apply exactly what `realmctl plan --out` saved, or nothing")
    .option("--checksum <digest>", "refuse a saved plan with another checksum than the one that was reviewed")
    .option(
      "--verify-with <key>",
      "refuse a saved plan that was not signed with this key: a file, env:NAME or ssh:FILE",
    )
    .option("--undo <journal>", "restore the values from before a run, except where somebody changed them since")
    .addOption(
      new Option("--on-conflict <what>", "replan: plan again from what is there then, and ask again")
        .choices(["refuse", "replan"])
        .default("refuse"),
    )
    .addOption(
      new Option("--format <format>", "of the result; jsonl: a line of JSON for each call, as it is sent")
        .choices(["text", "json", "jsonl"])
        .default("text"),
    )
    .option("--all", "every single change, however many")
    .option("--who", "everybody who gains or loses access, by name; without it five for each risk")
    .option("--rehearse", "first carry out the plan on a copy of the organization in memory, however large")
    .option(
      "--no-rehearse",
      "never carry out the plan on a copy first (default: it does if that takes less than a second)",
    )
    .option("--show-links", "show once the invitation links that it creates: everybody who sees one can join")
    .action((paths: readonly string[], flags: ApplyFlags) =>
      overOrganizations(io, {
        command: "apply",
        paths,
        flags,
        forOne: [
          flags.plan !== undefined && "--plan",
          flags.undo !== undefined && "--undo",
          flags.checksum !== undefined && "--checksum",
          flags.onConflict === "replan" && "--on-conflict replan",
        ],
        talks: true,
        isAsked: flags.yes !== true,
        // No file is another thing than the usual one: --plan and --undo go without.
        one: (own, file, ownFlags) => applyOne(own, paths.length === 0 ? undefined : file, ownFlags),
      }),
    );
}

async function applyOne(io: Io, named: string | undefined, given: ApplyFlags): Promise<Told> {
  refuseContradiction(named, given);
  const isSaved = named !== undefined && (await isPlanFile(io, named));
  const file = isSaved ? undefined : named;
  const flags: ApplyFlags = isSaved ? { ...given, plan: named } : given;
  refuseUnfit(flags);
  // To whoever asked for them and nowhere else: not in the journal, not in the result.
  const onLink = (link: Secret, { params }: WireCall): void => {
    const { invite_as: role } = params;
    const as = typeof role === "number" ? ` as ${roleName(role)}` : "";
    io.err.write(`A link to join by${as}, shown this once: ${clean(link.reveal())}\n`);
  };
  const work = (session: Session): Promise<ApplyResult> =>
    rounds(io, {
      replan: flags.onConflict === "replan",
      once: async () => carryOut(io, flags, session, await wantedOf(io, file, flags, session)),
      textOf: (round) => textOf(io, io.err, round, flags, file),
    });
  const result = await withSession(io, flags, work, flags.showLinks === true ? onLink : undefined);
  if (flags.format === "json") io.out.write(renderResultJson(result));
  else if (flags.format === "jsonl") io.out.write(applyEvents(() => io.now()).ended(result));
  // What a person said no to was told when they said it.
  else if (result.outcome !== "declined") io.out.write(textOf(io, io.out, result, flags, file));
  io.setExitCode(result.exitCode);
  return { ...countsOf(result.plan), isDeclined: result.outcome === "declined" };
}

function textOf(io: Io, output: Output, result: ApplyResult, flags: ApplyFlags, file: string | undefined): string {
  const named = fileWords(file);
  const connection = connectionWords(flags);
  const rails = guardWords(flags);
  const saved = flags.plan === undefined ? [] : [pathWord(flags.plan)];
  const isWhole = flags.plan === undefined && flags.undo === undefined && targetsOf(flags) === undefined;
  const matches = isWhole ? "file" : "plan";
  return renderResult(result, {
    style: styleFor(io, output, flags),
    all: flags.all ?? false,
    argument: ending(...named, ...targetWords(flags), ...connection, ...rails),
    adoptWith: ending(...named.flatMap((name) => ["--file", name]), ...connection),
    // What was let through for the run is not let through for its undoing.
    undoWith: ending(...named, ...connection, ...guardWords({ ...flags, allow: [] })),
    goOnWith: ending(...saved, ...named, ...targetWords(flags), ...connection, ...rails, ...verifyWords(flags)),
    matches,
    ...defined({ undoes: flags.undo }),
  });
}

type Wanted = Pick<ApplyPlanOptions, "hold" | "planAgain" | "readUpload"> & {
  readonly plan: Plan;
  /** What the plan was made from: it has the names of those whom its risks are about. */
  readonly snapshot: Snapshot;
};

function wantedOf(io: Io, named: string | undefined, flags: ApplyFlags, session: Session): Promise<Wanted> {
  const file = named ?? "realm.yaml";
  if (flags.plan !== undefined) return saved(io, flags, session);
  if (flags.undo !== undefined) return undoing(io, flags.undo, { file, named: named !== undefined }, flags, session);
  return fromFile(io, file, flags, session);
}

async function fromFile(io: Io, file: string, flags: ApplyFlags, session: Session): Promise<Wanted> {
  const planned = await planWith(io, file, session.reader, flags);
  const { readUpload } = configurationFiles(io, file);
  const { snapshot, planAgain } = planned;
  return { plan: await tried(planned, flags), snapshot, planAgain, readUpload };
}

/** The plan, rehearsed where that takes no time to speak of, or where it was asked for. */
async function tried(planned: Planned, { rehearse }: ApplyFlags): Promise<Plan> {
  const { plan, snapshot } = planned;
  return isToRehearse(plan, snapshot, rehearse) ? planned.rehearse() : plan;
}

async function saved(io: Io, flags: ApplyFlags, { reader }: Session): Promise<Wanted> {
  const { plan: file = "", checksum, verifyWith, allow = [] } = flags;
  const opened = await openSavedPlan(await readInput(io, file, "plan"), file);
  if (verifyWith !== undefined) await verifySignature(io, opened, file, verifyWith);
  if (checksum !== undefined && checksum !== opened.checksum)
    throw new Failure(EXIT.conflict, error("plan-file/other-checksum", { file, checksum: opened.checksum }));
  return {
    plan: await heldAgainst(io, await savedAndTried(opened, flags), flags, reader),
    snapshot: opened.planned.snapshot,
    readUpload: configurationFiles(io, opened.inputs.file).readUpload,
    hold: (snapshot, isResumed) => {
      const all = [...opened.inputs.allow, ...allow];
      return holdAgainstToday(opened, snapshot, { allow: all, isResumed });
    },
  };
}

/** What it says of its rehearsal is known to be so; one that says nothing is tried on the organization that it was made from. */
async function savedAndTried({ plan, planned }: SavedPlan, { rehearse }: ApplyFlags): Promise<Plan> {
  return isToRehearse(plan, planned.snapshot, rehearse) ? withRehearsal(plan, await planned.rehearse()) : plan;
}

/** A policy that the command names holds for saved plans, too. */
async function heldAgainst(
  io: Io,
  plan: Plan,
  { policy, allow = [] }: ApplyFlags,
  reader: Session["reader"],
): Promise<Plan> {
  const guardedPlan = await guardSaved(plan, {
    ...configurationFiles(io, policy ?? ""),
    reader,
    allow,
    ...defined({ policyFile: policy }),
  });
  return valueOrFailure(guardedPlan);
}

/** The plan that undoes a run, under the guard rails of the file that is named, or of the usual one when it is there. */
async function undoing(
  io: Io,
  journal: string,
  { file, named }: { readonly file: string; readonly named: boolean },
  flags: ApplyFlags,
  { reader }: Session,
): Promise<Wanted> {
  const { policy, allow = [] } = flags;
  const text = await readInput(io, journal, "journal");
  const readJournal = (name: string) => io.readFile(join(dirname(journal), name)).catch(() => undefined);
  const undo = await planUndo(text, basename(journal), { reader, readJournal });
  const { plan, snapshot, planAgain, notes, leaves } = valueOrFailure(undo);
  io.err.write(renderUndoNotes(notes, styleFor(io, io.err, flags), flags.all ?? false));
  if (leaves !== undefined) {
    const earlier = join(dirname(journal), leaves);
    const words = [...(named ? fileWords(file) : []), ...connectionWords(flags), ...guardWords(flags)];
    const next = commandLine(["apply", ...words, "--undo", earlier]);
    io.err.write(`Not undone: the run before, which broke off. To undo it too, then: ${next}\n`);
  }
  const guarded = valueOrFailure(
    await guardUndo(plan, snapshot, {
      ...configurationFiles(io, file, policy),
      named,
      allow,
      ...defined({ policyFile: policy }),
    }),
  );
  const files = guarded.heldAgainst.map(clean);
  io.err.write(
    files.length === 0
      ? "No policy file found: only the lock-out protection applies to this undo.\n"
      : `The guard rails of ${files.join(" and ")} apply to this undo.\n`,
  );
  const options = { snapshot, reads: readsOf(plan), kinds, planAgain, allow };
  const isTried = isToRehearse(guarded.plan, snapshot, flags.rehearse);
  return { plan: isTried ? await rehearsed(guarded.plan, options) : guarded.plan, snapshot, planAgain };
}

/** Shows the plan, asks, sends. */
async function carryOut(
  io: Io,
  flags: ApplyFlags,
  session: Session,
  { plan, snapshot, ...wanted }: Wanted,
): Promise<ApplyResult> {
  const unfinished = findUnfinishedRun(io.cwd, plan.realm.url, lockRoot(io.env));
  if (unfinished !== undefined) io.err.write(unfinishedText(unfinished, flags));
  // With JSON, stdout belongs to the result.
  const output = flags.format === "text" ? io.out : io.err;
  const options = { all: flags.all ?? false, undoes: flags.undo !== undefined, applyWith: "" };
  const names = await namesOf(plan, snapshot, flags.who ?? false);
  output.write(renderPlan(plan, { style: styleFor(io, output, flags), ...options, ...names }));
  refuseGuards(plan);
  if (flags.yes === true) refuseUnasked(plan);
  if (plan.calls.length > 0 && flags.yes !== true && !(await confirmed(io, plan))) return declined(plan);
  const display = flags.format === "jsonl" ? eventDisplay(io, plan) : displayOf(io, plan, flags);
  const interrupts = listenForInterrupts(io, session.deadline);
  try {
    return await applyRealm(plan, {
      ...wanted,
      reader: session.reader,
      writer: session.writer,
      directory: io.cwd,
      now: () => io.now(),
      temporary: lockRoot(io.env),
      stop: interrupts.stop,
      onProgress: (progress) => display.show(progress),
    });
  } finally {
    interrupts.done();
    display.clear();
  }
}

function displayOf(io: Io, plan: Plan, flags: ApplyFlags): ProgressDisplay {
  return flags.quiet === true
    ? { show: () => {}, clear: () => {} }
    : progressDisplay(io, plan, styleFor(io, io.err, flags));
}

/** Every call as it is sent and as it ends, on stdout, which belongs to them. */
function eventDisplay(io: Io, plan: Plan): ProgressDisplay {
  const events = applyEvents(() => io.now());
  const line = events.progress(plan);
  io.out.write(events.started(plan));
  return { show: (progress) => io.out.write(line(progress)), clear: () => {} };
}

/** Somebody said no. */
function declined(plan: Plan): ApplyResult {
  return {
    plan,
    outcome: "declined",
    exitCode: EXIT.appliedInPart,
    calls: plan.calls.map(({ n }) => ({ n, state: "not-attempted" })),
    conflicts: [],
    remaining: null,
    journal: null,
    elapsedMs: 0,
    problems: [],
  };
}

function unfinishedText({ journal, startedAt, done, open, left }: UnfinishedRun, flags: ApplyFlags): string {
  // A saved plan is not planned again.
  const now = flags.plan === undefined ? "was read again; this plan starts from what is there" : "is read again";
  const fate = open === 0 ? "" : `, ${open} of them without a known answer`;
  return [
    `The run of ${momentText(startedAt)} did not come to its end (${journal}):`,
    `${count(done, "call")} known to be done, ${left} not${fate}. The realm ${now}:\n\n`,
  ].join(" ");
}

function refuseContradiction(file: string | undefined, { plan, undo }: ApplyFlags): void {
  const given = [
    // With --undo a file is not what is to be done: its guard rails hold.
    file === undefined || (plan === undefined && undo !== undefined) ? "" : "a file",
    plan === undefined ? "" : "--plan",
    undo === undefined ? "" : "--undo",
  ];
  const sources = given.filter((source) => source !== "");
  if (sources.length > 1) throw new Failure(EXIT.errors, error("apply/two-sources", { sources }));
}

function refuseUnfit(flags: ApplyFlags): void {
  const { plan, undo, checksum, verifyWith, onConflict, yes } = flags;
  targetsOf(flags);
  if (plan !== undefined) refuseTargetsOf("--plan", flags);
  if (undo !== undefined) refuseTargetsOf("--undo", flags);
  if (verifyWith !== undefined && plan === undefined)
    throw new Failure(EXIT.errors, error("apply/verify-without-plan", {}));
  if (checksum !== undefined && plan === undefined)
    throw new Failure(EXIT.errors, error("apply/checksum-without-plan", {}));
  if (onConflict !== "replan") return;
  if (yes === true) throw new Failure(EXIT.errors, error("apply/replan-unseen", {}));
  if (plan !== undefined) throw new Failure(EXIT.errors, error("apply/replan-saved", {}));
}

/** `realmctl apply realm.plan` means the plan: a saved one is JSON that says so in its first line. */
async function isPlanFile(io: Io, file: string): Promise<boolean> {
  try {
    return /^\s*\{\s*"format":\s*"realmctl\.plan"/.test(await io.readFile(file));
  } catch {
    // What is wrong with it, whoever reads it as configuration says best.
    return false;
  }
}
