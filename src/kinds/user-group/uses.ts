import { defined } from "../../model/defined.ts";
import type { Dependency } from "../../model/dependency.ts";
import type { GroupUse } from "../../model/diagnostics/user-groups.ts";
import type { Change } from "../../model/plan.ts";
import type { Naming, PlanContext } from "../../model/plan-context.ts";

/** A place that names a group. */
interface Use {
  readonly place: GroupUse;
  /** The change that removes the use, if the plan has one, and what to wait for until it has. */
  readonly endedBy?: Change;
  readonly end: readonly Dependency[];
  /** It ends because the object that names the group is archived or deactivated, not because it names another group. */
  readonly isMadeInactive?: boolean;
}

/**
 * Where a group is used, as the server counts it (zulip-api.md §10.4): not by inactive objects. Uses that this plan creates are included.
 * @returns uses by other kinds, then by groups, then by settings
 */
export function usesOf(group: Change, context: PlanContext): readonly Use[] {
  const pair = context.pair(group.address);
  if (pair?.live === undefined) return [];
  const rank = ({ by }: Naming): number => (by === undefined ? 2 : by.address.startsWith(`${group.kind}:`) ? 1 : 0);
  return [...context.namings(pair)].sort((one, other) => rank(one) - rank(other)).flatMap(useIn);
}

function useIn({ field, by, isNow, isNext, change, wasInactive, isInactive, end }: Naming): readonly Use[] {
  const place = { field, ...defined({ object: by }) };
  if (isNext && !isInactive) return [{ place, end: [] }];
  // An inactive object that stays inactive uses nothing; one that this plan reactivates may do so for a moment.
  if (!isNow || change === undefined || (wasInactive && isInactive)) return [];
  return [{ place, endedBy: change, end, isMadeInactive: isNext }];
}
