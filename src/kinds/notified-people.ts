import type { Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

/**
 * How many of these accounts get a message of the Notification Bot when somebody adds or removes them: people, except the account that does it
 * (zulip-api.md §5.2, §10.4).
 */
export function notifiedPeople(ids: Param | undefined, { realm, snapshot }: PlanContext): number {
  if (!Array.isArray(ids)) return 0;
  return ids.filter(
    (id: Param) => typeof id === "number" && id !== snapshot.account.user_id && realm.user(id)?.is_bot !== true,
  ).length;
}
