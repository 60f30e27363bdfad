import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

/**
 * The change that deactivates the account, or brings it back. With an account go the bots that it owns and the invitations and links
 * that it made (zulip-api.md §17.4).
 */
export function accountTurning(
  userId: number | null | undefined,
  { realm, pair }: PlanContext,
  deactivated: boolean,
): Change | undefined {
  if (userId === undefined || userId === null) return undefined;
  const change = pair(`person:${realm.userName(userId)}`)?.change;
  const turns = change?.fields.some(({ field, after }) => field === "deactivated" && after === deactivated) === true;
  return turns ? change : undefined;
}
