import type { Address, Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { projectedState } from "./projected.ts";
import { type AccessState, stateOf } from "./state.ts";

/** Who may do what before a plan and after it, both under the names that the plan gives. */
export interface PlanAccess {
  readonly before: AccessState;
  readonly after: AccessState;
  readonly changes: ReadonlyMap<Address, Change>;
}

const known = new WeakMap<PlanContext, PlanAccess>();

/** The access states of a plan in the making, worked out once. */
export function accessIn(context: PlanContext): PlanAccess {
  const made = known.get(context);
  if (made !== undefined) return made;
  const before = stateOf(context.realm);
  const states = {
    before,
    after: projectedState(before, context.changes, context.realm),
    changes: new Map(context.changes.map((change) => [change.address, change])),
  };
  known.set(context, states);
  return states;
}
