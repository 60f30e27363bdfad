import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

/**
 * The change that deactivates the account, or reactivates it. When an account is deactivated, so are its bots, and its invitations and links are
 * revoked (zulip-api.md §17.4).
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
