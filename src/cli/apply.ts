import type { Command } from "commander";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import { EXIT, Failure, failure, failWithAll } from "../model/diagnostic.ts";
import type { WireCall } from "../model/journal.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import { applyEvents } from "../report/apply-events.ts";
import { linkOnce, NOTHING_MORE_SENT, NOTHING_SENT, PLANNING_AGAIN } from "../report/commands/run.ts";
import { renderResultJson } from "../report/json.ts";
import { renderResult } from "../report/result.ts";
import { roleName } from "../report/words/names.ts";
import type { Secret } from "../zulip/zuliprc.ts";
import { carryOut } from "./apply/carry-out.ts";
import { wantedOf } from "./apply/wanted.ts";
import {
  connectionWords,
  ending,
  fileOptionWords,
  fileWords,
  guardWords,
  pathWord,
  verifyWords,
} from "./command-words.ts";
import type { Session } from "./connect.ts";
import { Context } from "./context.ts";
import { refuseTargetsOf, showsAll, targetsOf, targetWords, valueWords } from "./flags.ts";
import type { Io, Output } from "./io.ts";
import { commandOf, refuseIdle } from "./options.ts";
import { overOrganizations } from "./organizations/run.ts";
import { countsOf, type OrganizationOutcome } from "./organizations/work.ts";
import { APPLY, type ApplyFlags } from "./plan-flags.ts";

export function applyCommand(io: Io): Command {
  return commandOf("apply", APPLY)
    .description("Show the plan, ask, and change the organization to match the file.")
    .argument(
      "[files...]",
      "the organization as it should be, or a saved plan: NAME.plan (default: realm.yaml); with --undo, the file whose guard rails apply; several files or a directory: one organization each",
    )
    .action((paths: readonly string[], flags: ApplyFlags) =>
      overOrganizations(new Context(io, flags), {
        command: "apply",
        paths,
        forOne: [
          flags.plan !== undefined && "--plan",
          flags.undo !== undefined && "--undo",
          flags.checksum !== undefined && "--checksum",
          flags.onConflict === "replan" && "--on-conflict replan",
        ],
        talks: true,
        isAsked: flags.yes !== true,
        isFileLess: !isOfFile(flags),
        // The file stays undefined if it is omitted: --plan and --undo need none.
        one: (own) => applyOne(own, paths.length === 0 ? undefined : own.file),
      }),
    );
}

/** A saved plan and an undo need no file, although they may have one. */
const isOfFile = ({ plan, undo }: ApplyFlags): boolean => plan === undefined && undo === undefined;

async function applyOne(
  { io, flags: given }: Context<ApplyFlags>,
  named: string | undefined,
): Promise<OrganizationOutcome> {
  refuseContradiction(named, given);
  // By its name alone. Jobs name a file of a checkout: what somebody puts into realm.yaml must not be taken for a plan with guard rails of its own.
  const isSaved = named?.endsWith(".plan") === true;
  const file = isSaved ? undefined : named;
  const flags: ApplyFlags = isSaved ? { ...given, plan: named } : given;
  const context = new Context(io, flags, file);
  refuseContradiction(file, flags);
  refuseUnfit(flags);
  // Links are only for the user who asked for them: neither the journal nor the result has them.
  const onLink = (link: Secret, { params }: WireCall): void => {
    const { invite_as: role } = params;
    io.err.write(linkOnce(typeof role === "number" ? roleName({ role }) : undefined, clean(link.reveal())));
  };
  let stillAsked = "";
  let undoes: string | undefined;
  const once = async (session: Session): Promise<ApplyResult> => {
    const { afterwards, ...wanted } = await wantedOf(context, session, file !== undefined);
    if (wanted.source?.is === "undo") undoes = wanted.source.file;
    const result = await carryOut(context, session, wanted);
    stillAsked = (await afterwards?.(result)) ?? "";
    return result;
  };
  const work = (session: Session): Promise<ApplyResult> =>
    applyAndReplan(io, {
      replan: flags.onConflict === "replan",
      once: () => once(session),
      textOf: (round) => textOf(context, io.err, round, undoes),
    });
  const run = (): Promise<ApplyResult> =>
    context.session(work, defined({ onLink: flags.showLinks === true ? onLink : undefined }));
  const result = await (isOfFile(flags) ? context.filesFirst(run) : run());
  if (flags.format === "json") io.out.write(renderResultJson(result));
  else if (flags.format === "jsonl") io.out.write(applyEvents(() => io.now()).ended(result));
  // A person who declined has already seen a message.
  else if (result.outcome !== "declined") io.out.write(textOf(context, io.out, result, undoes));
  io.err.write(stillAsked);
  io.setExitCode(result.exitCode);
  return { ...countsOf(result.plan), isDeclined: result.outcome === "declined" };
}

/** The file that a saved plan was made from, as far as its changes tell: they may be in files that it includes. */
function fileOfPlan({ changes }: Plan): string | undefined {
  const files = new Set(changes.flatMap(({ at }) => (at === undefined ? [] : [at.file])));
  const [only] = files;
  return files.has("realm.yaml") ? undefined : only;
}

function textOf(context: Context<ApplyFlags>, output: Output, result: ApplyResult, undoes: string | undefined): string {
  const { flags, file } = context;
  const planned = flags.plan === undefined ? file : fileOfPlan(result.plan);
  const named = fileWords(planned, flags);
  const connection = connectionWords(flags);
  const rails = guardWords(flags);
  const saved = flags.plan === undefined ? [] : [pathWord(flags.plan)];
  // The same command would be refused again.
  const refusing = result.diagnostics.flatMap((one) => (one.code === "guard/refused" ? [one.fact.guard.pattern] : []));
  const allow = [...new Set([...(flags.allow ?? []), ...refusing])];
  const isWhole = flags.plan === undefined && flags.undo === undefined && targetsOf(flags) === undefined;
  const matches = isWhole ? "file" : "plan";
  return renderResult(result, {
    style: context.styleOf(output),
    all: showsAll(flags),
    argument: ending(...named, ...targetWords(flags), ...connection, ...rails),
    wholeArgument: ending(...named, ...connection, ...guardWords({ ...flags, allow })),
    adoptWith: ending(...fileOptionWords(planned, flags), ...connection),
    // Guards that were allowed for the run are not allowed for its undo.
    undoWith: ending(...fileWords(file, flags), ...connection, ...guardWords({ ...flags, allow: [] })),
    goOnWith: ending(
      ...saved,
      ...fileWords(file, flags),
      ...targetWords(flags),
      ...connection,
      ...rails,
      ...verifyWords(flags),
    ),
    matches,
    ...defined({ undoes }),
  });
}

/** @throws Failure when the command names two sources of what to apply */
function refuseContradiction(file: string | undefined, { plan, undo }: ApplyFlags): void {
  const given = [
    // With --undo, the file is not applied: its guard rails apply.
    file === undefined || undo !== undefined ? "" : "a file",
    plan === undefined ? "" : "--plan",
    undo === undefined ? "" : "--undo",
  ];
  const sources = given.filter((source) => source !== "");
  if (sources.length > 1) throw failure("apply/two-sources", { sources });
}

/** @throws Failure if options exclude each other */
function refuseUnfit(flags: ApplyFlags): void {
  const { plan, undo, checksum, verifyWith, foreignJournal, onConflict, yes } = flags;
  targetsOf(flags);
  if (plan !== undefined) refuseTargetsOf("--plan", flags);
  const [value] = valueWords(flags);
  // The plan has the values that it was made with.
  if (plan !== undefined && value !== undefined) refuseIdle("apply", value, "--plan");
  if (undo !== undefined) refuseTargetsOf("--undo", flags);
  if (verifyWith !== undefined && plan === undefined) throw failure("apply/verify-without-plan", {});
  if (checksum !== undefined && plan === undefined) throw failure("apply/checksum-without-plan", {});
  if (foreignJournal === true && undo === undefined) throw failure("apply/foreign-without-undo", {});
  if (onConflict !== "replan") return;
  if (yes === true) throw failure("apply/replan-unseen", {});
  if (plan !== undefined) throw failure("apply/replan-saved", {});
}

interface ApplyAndReplanOptions {
  readonly replan: boolean;
  /** Plans, asks and sends once. */
  once(): Promise<ApplyResult>;
  textOf(result: ApplyResult): string;
}

/**
 * One apply, or as many as are needed until nobody else makes a change in between, or the user says no. Writes of earlier rounds stay, so if a later
 * round stops, the exit code means "in part".
 */
async function applyAndReplan(io: Io, { replan, once, textOf }: ApplyAndReplanOptions): Promise<ApplyResult> {
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
