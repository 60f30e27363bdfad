import { ApiError } from "./errors.ts";
import type { RealmState } from "./state.ts";

/** `realm_plan_type` of Zulip Cloud Free; a self-hosted server has 1. */
const LIMITED_PLAN = 2;
export const hasLimitedPlan = (state: RealmState): boolean => state.realm.plan_type === LIMITED_PLAN;

/** @throws ApiError if the feature needs a paid plan */
export function checkPlan(state: RealmState): void {
  if (hasLimitedPlan(state)) throw new ApiError("Available on Zulip Cloud Standard. Upgrade to access.");
}
