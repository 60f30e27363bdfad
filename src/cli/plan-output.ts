import { commandLine } from "../model/command-line.ts";
import { defined } from "../model/defined.ts";
import { type ExitCode, failure } from "../model/diagnostic.ts";
import { type Plan, refusedIn } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { sameUrl } from "../plan/other-realm.ts";
import type { PlanHtmlOptions } from "../report/html.ts";
import { type PlanTextOptions, renderPlan } from "../report/text.ts";
import { connectionWords, fileWords, guardWords, pathWord } from "./command-words.ts";
import type { Context } from "./context.ts";
import { showsAll, targetWords } from "./flags.ts";
import type { MadePlan } from "./make-plan.ts";
import type { PlanFlags } from "./plan-flags.ts";

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

/**
 * The plan as one HTML page. Its renderer is loaded only when it is needed.
 * @param snapshot in which people are counted; without it the page says that nobody was counted
 * @throws Failure if the snapshot is of another realm
 */
export async function planPage(plan: Plan, snapshot: Snapshot | undefined, options: PlanHtmlOptions): Promise<string> {
  const { renderPlanHtml } = await import("../report/html.ts");
  const { accessInPlan, accessMatrix } = await import("../report/access.ts");
  if (snapshot === undefined) return renderPlanHtml(plan, accessInPlan(plan), options);
  if (!sameUrl(plan.realm.url, snapshot.realm.url))
    throw failure("realm/other-realm", { what: "plan-page", url: plan.realm.url, found: snapshot.realm.url });
  const { planPicture } = await import("../workflow/pictures.ts");
  return renderPlanHtml(plan, accessMatrix(plan, snapshot), { ...options, picture: planPicture(plan, snapshot) });
}

/** The people that the risks of a plan are about. Nothing is loaded for a plan without risks. */
export async function namesOf(plan: Plan, snapshot: Snapshot, all: boolean): Promise<Pick<PlanTextOptions, "who">> {
  if (plan.changes.every(({ risks }) => risks.length === 0)) return {};
  const { riskNames } = await import("../report/access/names.ts");
  const { statesOf } = await import("../access/of-plan.ts");
  return { who: riskNames(() => statesOf(plan.changes, new Realm(snapshot)), all) };
}
