import type { Call, Change, SideEffects } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { notifiedPeople } from "../notified-people.ts";

/** The server writes to everybody whom somebody else adds to a group or removes from it, but not to the first members of a new group (zulip-api.md §10.4). */
export function messagesOf(
  _changes: readonly Change[],
  context: PlanContext,
  calls: readonly Call[],
): Partial<SideEffects> {
  const direct_messages = calls
    .filter(({ operation }) => operation === "update-user-group-members")
    .reduce((sum, { params }) => sum + notifiedPeople(params.add, context) + notifiedPeople(params.delete, context), 0);
  return { direct_messages };
}
