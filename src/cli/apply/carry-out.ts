import { lockRoot } from "../../apply/lock.ts";
import { listenForStop } from "../../apply/options.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, EXIT, failure } from "../../model/diagnostic.ts";
import { askingGuards, type Plan } from "../../model/plan.ts";
import type { ApplyResult, Progress } from "../../model/result.ts";
import { applyEvents } from "../../report/apply-events.ts";
import { applyQuestion, INTERRUPTED, notApplied, TIME_IS_OVER, unfinishedRun } from "../../report/commands/run.ts";
import { realmName } from "../../report/layout.ts";
import { risksOf } from "../../report/plan-risks-and-guards.ts";
import { progressLine, progressLogLine } from "../../report/result-calls.ts";
import type { Style } from "../../report/style.ts";
import { renderPlan } from "../../report/text.ts";
import { applyRealm, findEarlierRuns } from "../../workflow/apply.ts";
import { refuseGuards, refuseUnasked, refusingGuards } from "../../workflow/refusals.ts";
import { CLEAR_LINE, type Session } from "../connect.ts";
import type { Context } from "../context.ts";
import { showsAll } from "../flags.ts";
import type { Io } from "../io.ts";
import type { ApplyFlags } from "../plan-flags.ts";
import { namesOf } from "../plan-output.ts";
import type { Wanted } from "./wanted.ts";

/** Shows the plan, asks, sends. */
export async function carryOut(
  context: Context<ApplyFlags>,
  session: Session,
  { plan, snapshot, left = 0, ...wanted }: Wanted,
): Promise<ApplyResult> {
  const { io, flags } = context;
  const { writer } = session;
  const { unfinished, aside } = findEarlierRuns(io.cwd, plan.realm.url, { writer, temporary: lockRoot(io.env), plan });
  if (aside.length > 0) await context.show(aside.map(asWarning));
  if (unfinished !== undefined) io.err.write(unfinishedRun(unfinished, flags.plan !== undefined));
  // With JSON, stdout belongs to the result.
  const output = flags.format === "text" ? io.out : io.err;
  const options = { all: showsAll(flags), undoes: flags.undo !== undefined, applyWith: "" };
  const refusing = refusingGuards(plan, flags.yes === true);
  const names = await namesOf(plan, snapshot, flags.who ?? false);
  const done = unfinished?.isOfPlan === true ? unfinished.done : undefined;
  output.write(
    renderPlan(plan, { style: context.styleOf(output), ...options, ...names, refusing, ...defined({ done }) }),
  );
  refuseGuards(plan);
  if (flags.yes === true) refuseUnasked(plan);
  if (plan.calls.length > 0 && flags.yes !== true && !(await confirmed(io, plan))) return declined(plan);
  const display = flags.format === "jsonl" ? eventDisplay(io, plan) : displayOf(context, plan);
  const interrupts = listenForInterrupts(io, session.deadline);
  try {
    const result = await applyRealm(plan, {
      ...wanted,
      confirmed: flags.yes !== true,
      reader: session.reader,
      writer: session.writer,
      directory: io.cwd,
      now: () => io.now(),
      temporary: lockRoot(io.env),
      stop: interrupts.stop,
      onProgress: (progress) => display.show(progress),
    });
    const isWhole = left === 0 || result.exitCode !== EXIT.done;
    return isWhole ? result : { ...result, outcome: "in-part", exitCode: EXIT.appliedInPart };
  } finally {
    interrupts.done();
    display.clear();
  }
}

const asWarning = (found: Diagnostic): Diagnostic => ({ ...found, severity: "warning" });

function displayOf({ io, flags, errStyle }: Context, plan: Plan): ProgressDisplay {
  return flags.quiet === true ? { show: () => {}, clear: () => {} } : progressDisplay(io, plan, errStyle);
}

/** Prints one line when a call is sent and one for its result, on stdout. */
function eventDisplay(io: Io, plan: Plan): ProgressDisplay {
  const events = applyEvents(() => io.now());
  const line = events.progress(plan);
  io.out.write(events.started(plan));
  return { show: (progress) => io.out.write(line(progress)), clear: () => {} };
}

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
    diagnostics: [],
  };
}

/**
 * Asks the person at the terminal. A plan with risks needs the realm's name typed, so that nobody confirms the wrong realm by habit. For any other
 * answer, a message says why nothing happens.
 * @returns false if they answer anything else, or cancel
 * @throws Failure if nobody can be asked
 */
async function confirmed(io: Io, plan: Plan): Promise<boolean> {
  if (!io.inputIsTTY) {
    throw failure("apply/nobody-to-ask", {});
  }
  const name = realmName(plan.realm.url);
  // A guard rail may ask about what is no risk: an object that looks renamed.
  const risks = risksOf(plan).length || askingGuards(plan).length;
  const question = applyQuestion(name, plan.changes.length, risks);
  const given = await answer(io, question);
  const isYes = given !== undefined && /^(yes|y)$/i.test(given);
  if (risks === 0 ? isYes : given === name || given === plan.realm.name) return true;
  const why = given === undefined ? "nobody-answered" : given === "" ? "empty" : "not-yes";
  const isOtherName = risks > 0 && why === "not-yes";
  io.err.write(notApplied(isOtherName ? { why: "other-name", given: given ?? "", name, isYes, risks } : { why }));
  return false;
}

async function answer(io: Io, question: string): Promise<string | undefined> {
  return (await io.ask(question))?.trim();
}

interface ProgressDisplay {
  show(progress: Progress): void;
  /** Removes the line. */
  clear(): void;
}

/** A log gets a line after each such interval. */
const LOG_EVERY_MS = 10_000;

/** Shows the progress: one line that is overwritten on a terminal, or a line every ten seconds in a log. */
export function progressDisplay(io: Pick<Io, "err" | "now">, plan: Plan, style: Style): ProgressDisplay {
  return io.err.isTTY ? onTerminal(io, plan, style) : inLog(io, plan);
}

function onTerminal(io: Pick<Io, "err" | "now">, plan: Plan, style: Style): ProgressDisplay {
  let shown = false;
  return {
    show(progress) {
      shown = true;
      io.err.write(`${CLEAR_LINE}${progressLine(progress, plan, style)}`);
    },
    clear() {
      if (shown) io.err.write(CLEAR_LINE);
      shown = false;
    },
  };
}

function inLog(io: Pick<Io, "err" | "now">, plan: Plan): ProgressDisplay {
  let toldAt = io.now();
  return {
    show(progress) {
      if (io.now() - toldAt < LOG_EVERY_MS) return;
      toldAt = io.now();
      io.err.write(`${progressLogLine(progress, plan)}\n`);
    },
    clear: () => {},
  };
}

/** Ctrl-C and SIGTERM while calls are sent. A third one ends the process: by then everybody waits only for it, and the journal is on the disk. */
export const listenForInterrupts = (io: Io, deadline: AbortSignal | undefined): ReturnType<typeof listenForStop> =>
  listenForStop(
    (listener) => io.onInterrupt(listener),
    (why) => io.err.write(why === "deadline" ? TIME_IS_OVER : INTERRUPTED),
    { deadline, endsProcess: true },
  );
