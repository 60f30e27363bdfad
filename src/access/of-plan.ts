import type { Address, Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { GroupValue } from "../model/realm.ts";
import { projectedState } from "./projected.ts";
import { type AccessState, stateOf } from "./state.ts";

/** Who may do what before a plan and after it, both under the names that the plan gives. */
export interface PlanAccess {
  readonly before: AccessState;
  readonly after: AccessState;
  readonly changes: ReadonlyMap<Address, Change>;
}

/** What of a plan in the making says who may do what. */
export type AccessContext = Pick<PlanContext, "realm" | "changes">;

const known = new WeakMap<AccessContext, PlanAccess>();

/** The access states of a plan in the making, worked out once. */
export function accessIn(context: AccessContext): PlanAccess {
  const made = known.get(context);
  if (made !== undefined) return made;
  const before = stateOf(context.realm);
  let after: AccessState | undefined;
  const states = {
    before,
    // Some kinds ask only who holds a right now.
    get after() {
      after ??= projectedState(before, context.changes, context.realm);
      return after;
    },
    changes: new Map(context.changes.map((change) => [change.address, change])),
  };
  known.set(context, states);
  return states;
}

/** Whether the value of a setting names the account that the plan is made for, directly or through its groups. */
export function namesAccount(
  value: GroupValue | undefined,
  state: AccessState,
  context: Pick<PlanContext, "snapshot">,
): boolean {
  return state.peopleIn(value).has(context.snapshot.account.user_id);
}

/** The same for a setting of the organization (`can_create_public_channel_group`, …). False when the setting is unknown. */
export function organizationNamesAccount(
  setting: string,
  state: AccessState,
  context: Pick<PlanContext, "snapshot">,
): boolean {
  return namesAccount(state.organization.get(setting), state, context);
}
