import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";

/** How many people are owners all the time; bots do not count (zulip-api.md §17.2). */
export function ownersThroughout(changes: readonly Change[], { snapshot }: PlanContext): number {
  const touched = new Set(changes.map(({ id }) => id));
  return snapshot.users.filter(
    ({ user_id, role, is_active, is_bot }) => role === ROLE.owner && is_active && !is_bot && !touched.has(user_id),
  ).length;
}

/** An active owner after the plan. */
export function staysOwner(change: Change, context: PlanContext): boolean {
  const live = context.pair(change.address)?.live?.fields;
  const after = { ...live, ...Object.fromEntries(change.fields.map((field) => [field.field, field.after])) };
  return after.role === "owner" && after.deactivated !== true;
}

/** An active owner after the plan, and not before. */
export function becomesOwner(change: Change, context: PlanContext): boolean {
  const live = context.pair(change.address)?.live?.fields;
  const wasOwner = live?.role === "owner" && live.deactivated !== true;
  return staysOwner(change, context) && !wasOwner;
}

/** A deactivated owner who gets another role: the server refuses it while only one owner is active, although nothing would be lost (zulip-api.md §17.2). */
export function needsTwoOwners({ address, fields }: Change, context: PlanContext): boolean {
  const live = context.pair(address)?.live?.fields;
  return live?.role === "owner" && live.deactivated === true && fields.some(({ field }) => field === "role");
}
