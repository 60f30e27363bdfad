import { commandLine } from "../model/command-line.ts";
import { defined } from "../model/defined.ts";
import type { ExitCode } from "../model/diagnostic.ts";
import { type Plan, refusedIn } from "../model/plan.ts";
import { renderPlan } from "../report/text.ts";
import { connectionWords, fileWords, guardWords, pathWord } from "./command-words.ts";
import type { Context } from "./context.ts";
import { targetWords } from "./file-flags.ts";
import { showsAll } from "./flags.ts";
import type { MadePlan } from "./make-plan.ts";
import type { PlanFlags } from "./plan-flags.ts";
import { planPage } from "./plan-page.ts";
import { namesOf } from "./risk-names.ts";

/** Writes the plan in the requested format. */
export async function showPlan(
  context: Context<PlanFlags>,
  { planned, requests, seconds }: MadePlan,
  plan: Plan,
  exitCode: ExitCode,
): Promise<void> {
  const { io, file, flags } = context;
  const options = {
    applyWith: flags.format === "html" && refusedIn(plan).length > 0 ? "" : applyWith(file, flags),
    all: showsAll(flags),
  };
  if (flags.format === "json") {
    const { renderPlanJson } = await import("../report/json.ts");
    io.out.write(renderPlanJson(plan, exitCode));
  } else if (flags.format === "html") {
    io.out.write(await planPage(plan, planned.snapshot, options));
  } else {
    const text = renderPlan(plan, {
      ...options,
      style: context.style,
      textOf: io.quotable,
      ...(await namesOf(plan, planned.snapshot, flags.who ?? false)),
      ...defined({ cost: flags.snapshot === undefined ? { requests, seconds } : undefined }),
    });
    io.out.write(text);
  }
}

/** The command that carries out this plan, on the same server and with the same guard rails. */
function applyWith(file: string, flags: PlanFlags): string {
  const what =
    flags.out === undefined ? [...fileWords(file, flags), ...targetWords(flags)] : ["--plan", pathWord(flags.out)];
  return commandLine(["apply", ...what, ...connectionWords(flags), ...guardWords(flags)]);
}
