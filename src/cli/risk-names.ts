import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { PlanTextOptions } from "../report/text.ts";

/** The people that the risks of a plan are about. Nothing is loaded for a plan without risks. */
export async function namesOf(plan: Plan, snapshot: Snapshot, all: boolean): Promise<Pick<PlanTextOptions, "who">> {
  if (plan.changes.every(({ risks }) => risks.length === 0)) return {};
  const { riskNames } = await import("../report/access/risk-names.ts");
  const { statesOf } = await import("../access/of-plan.ts");
  return { who: riskNames(() => statesOf(plan.changes, new Realm(snapshot)), all) };
}
