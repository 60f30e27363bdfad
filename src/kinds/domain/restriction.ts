import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

/** Will domains decide who may join? The settings of the organization are written before domains go. Without the setting they are a list that nobody looks at (zulip-api.md §7.3). */
export function isRestricted({ settingAfter }: PlanContext): boolean {
  return settingAfter("emails_restricted_to_domains") === true;
}

/** Is no domain left once these changes are made, where there was one? The server lifts the restriction then. */
export function removesLast(changes: readonly Change[], context: PlanContext): boolean {
  const before = context.snapshot.domains?.length ?? 0;
  const added = changes.filter(({ action }) => action === "create").length;
  const removed = changes.filter(({ action }) => action === "remove").length;
  return before > 0 && added === 0 && removed === before;
}

/** The file says of one of the removed domains that the restriction may go with it. */
export function mayLift(changes: readonly Change[], context: PlanContext): boolean {
  return changes.some(
    ({ action, address }) =>
      action === "remove" && context.pair(address)?.declared?.creation?.lift_restriction === true,
  );
}
