import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { sameUrl } from "../plan/other-realm.ts";
import type { PlanHtmlOptions } from "../report/html.ts";

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
    throw new Failure(
      EXIT.errors,
      error("realm/other-realm", { what: "plan-page", url: plan.realm.url, found: snapshot.realm.url }),
    );
  const { planPicture } = await import("../workflow/pictures.ts");
  return renderPlanHtml(plan, accessMatrix(plan, snapshot), { ...options, picture: planPicture(plan, snapshot) });
}
