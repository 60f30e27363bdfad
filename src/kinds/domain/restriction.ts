import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

/**
 * Whether domains will decide who may join. The settings of the organization are written before domains are removed. Without the setting, the list of
 * domains has no effect (zulip-api.md §7.3).
 */
export function isRestricted({ settingAfter }: PlanContext): boolean {
  return settingAfter("emails_restricted_to_domains") === true;
}

/** Whether no domain is left after these changes, and there was one before. The server then lifts the restriction. */
export function removesLast(changes: readonly Change[], context: PlanContext): boolean {
  const before = context.snapshot.domains?.length ?? 0;
  const added = changes.filter(({ action }) => action === "create").length;
  const removed = changes.filter(({ action }) => action === "remove").length;
  return before > 0 && added === 0 && removed === before;
}

/** Whether the file says for one of the removed domains that the restriction may be lifted with it. */
export function mayLift(changes: readonly Change[], context: PlanContext): boolean {
  return changes.some(
    ({ action, address }) =>
      action === "remove" && context.pair(address)?.declared?.creation?.lift_restriction === true,
  );
}
