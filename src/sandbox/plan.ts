import { ApiError } from "./errors.ts";
import type { RealmState } from "./state.ts";

/** `realm_plan_type` of Zulip Cloud Free; a self-hosted server has 1. */
const LIMITED_PLAN = 2;
const WITH_PLUS: readonly unknown[] = [1, 10];
export const hasLimitedPlan = (state: RealmState): boolean => state.realm.plan_type === LIMITED_PLAN;

/** @throws ApiError unless the organization has Zulip Cloud Plus, or hosts itself */
export function checkPlusPlan({ realm }: RealmState): void {
  if (!WITH_PLUS.includes(realm.plan_type)) throw new ApiError("Available on Zulip Cloud Plus. Upgrade to access.");
}

/** @throws ApiError if the feature needs a paid plan */
export function checkPlan(state: RealmState): void {
  if (hasLimitedPlan(state)) throw new ApiError("Available on Zulip Cloud Standard. Upgrade to access.");
}
