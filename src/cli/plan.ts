import type { Command } from "commander";
import { EXIT, type ExitCode, failure } from "../model/diagnostic.ts";
import { type Plan, refusedIn, unresolvedIn } from "../model/plan.ts";
import type { SinceBase } from "./base-files.ts";
import { Context } from "./context.ts";
import { organizationFiles, targetsOf } from "./flags.ts";
import type { Io } from "./io.ts";
import { makePlan } from "./make-plan.ts";
import { commandOf } from "./options.ts";
import { overOrganizations } from "./organizations/run.ts";
import { countsOf, type OrganizationOutcome } from "./organizations/work.ts";
import { PLAN, type PlanFlags } from "./plan-flags.ts";
import { type OutputFile, refuseUnfitOutput } from "./write-files.ts";

export function planCommand(io: Io): Command {
  return commandOf("plan", PLAN)
    .description("Show what apply would change. Changes nothing.")
    .addArgument(organizationFiles())
    .action((paths: readonly string[], flags: PlanFlags) =>
      overOrganizations(new Context(io, flags), {
        command: "plan",
        paths,
        forOne: [flags.snapshot !== undefined && "--snapshot", flags.out !== undefined && "--out"],
        talks: true,
        one: planOne,
      }),
    );
}

async function planOne(context: Context<PlanFlags>): Promise<OrganizationOutcome> {
  const { io, file, flags } = context;
  refuseUnfit(flags);
  const { out, force = false, policy, snapshot, zuliprc } = flags;
  const inputs = [file, policy, snapshot, zuliprc].filter((input) => input !== undefined);
  const output: OutputFile | undefined = out === undefined ? undefined : { file: out, format: "plan", force, inputs };
  if (output !== undefined) await refuseUnfitOutput(io, output);
  const since = flags.base === undefined ? undefined : await comparison(context, flags.base);
  const made = await makePlan(context, since?.reads, "refuse", {
    leavesUnread: isTrial(flags),
    showsRefused: flags.out === undefined && flags.rehearse !== true,
  });
  const { planned, closed } = made;
  const own = flags.rehearse === true ? await planned.rehearse() : planned.plan;
  const plan = since === undefined ? own : await since.compare(own, planned.snapshot);
  if (output !== undefined) {
    const { savePlan } = await import("./save-plan.ts");
    await savePlan(context, output, plan, planned, flags.signWith);
  }
  const exitCode = exitCodeOf(plan, flags);
  const { showPlan } = await import("./plan-output.ts");
  await showPlan(context, made, plan, exitCode);
  io.setExitCode(exitCode);
  return { ...countsOf(plan), closed };
}

async function comparison(context: Context, base: string): Promise<SinceBase> {
  const { sinceBase } = await import("./base-files.ts");
  return sinceBase(context, base);
}

/** A plan from a snapshot that is not saved may leave out parts that the snapshot does not have. */
const isTrial = ({ snapshot, rehearse, out }: PlanFlags): boolean =>
  snapshot !== undefined && rehearse === true && out === undefined;

/** A plan that apply would refuse is not a success: CI must notice it before the merge. */
function exitCodeOf(plan: Plan, { detailedExitCode }: PlanFlags): ExitCode {
  if (refusedIn(plan).length > 0) return unresolvedIn(plan).length > 0 ? EXIT.errors : EXIT.notAllowed;
  if (plan.guards.some(({ violated }) => violated)) return EXIT.refusedByGuard;
  if (unresolvedIn(plan).length > 0) return EXIT.errors;
  return detailedExitCode === true && plan.changes.length > 0 ? EXIT.changesPending : EXIT.done;
}

function refuseUnfit({ signWith, out, ...flags }: PlanFlags): void {
  targetsOf(flags);
  if (signWith === undefined || out !== undefined) return;
  throw failure("plan/sign-without-out", {});
}
