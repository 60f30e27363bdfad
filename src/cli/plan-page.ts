import { EXIT, Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { sameUrl } from "../plan/other-realm.ts";
import type { PlanHtmlOptions } from "../report/html.ts";

/**
 * The plan as one HTML page. What draws it is loaded only when asked for.
 * @param snapshot where people are counted; without it the page says that nobody was
 * @throws Failure when the snapshot is of another realm
 */
export async function planPage(plan: Plan, snapshot: Snapshot | undefined, options: PlanHtmlOptions): Promise<string> {
  const { renderPlanHtml } = await import("../report/html.ts");
  const { accessInPlan, accessMatrix } = await import("../report/access.ts");
  if (snapshot === undefined) return renderPlanHtml(plan, accessInPlan(plan), options);
  if (!sameUrl(plan.realm.url, snapshot.realm.url))
    throw new Failure(EXIT.mistakes, {
      code: "realm/other-realm",
      severity: "error",
      message: `this plan is for ${plan.realm.url}, but the snapshot is of ${snapshot.realm.url}`,
      hint: "use a snapshot of that organization",
    });
  return renderPlanHtml(plan, accessMatrix(plan, snapshot), options);
}
