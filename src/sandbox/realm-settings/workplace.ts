import { realmGroup } from "../access.ts";
import { ApiError } from "../errors.ts";
import { subgroupsOf, systemGroup } from "../groups.ts";
import type { GroupValue } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

const STRICT = ["role:nobody", "role:owners", "role:administrators"] as const;
/**
 * A server checks each right by which the members of a group change. Which these are is not known for certain, only that a group whose rights are as at its creation
 * does not pass: one of these three counts. Joining and removing, which nobody may then, may count too.
 */
const LOOSE_AT_CREATION = ["can_add_members_group", "can_leave_group", "can_manage_group"] as const;

/** Nobody but administrators may change who is billed, through a named group, or a group in it. @throws ApiError */
export function checkWorkplaceGroup(state: RealmState, value: GroupValue): void {
  const named = typeof value === "number" ? [value] : value.direct_subgroups;
  const all = new Set(named.filter((id) => !isSystem(state, id)).flatMap((id) => [...subgroupsOf(state, id)]));
  if (all.size === 0) return;
  const strict = STRICT.map((name) => systemGroup(state, name).id);
  const isStrict = (right: GroupValue | undefined): boolean => typeof right === "number" && strict.includes(right);
  const isLoose = (id: number): boolean =>
    !isSystem(state, id) && !LOOSE_AT_CREATION.some((right) => isStrict(state.user_groups[id]?.[right]));
  if (isStrict(realmGroup(state, "can_manage_all_groups")) && ![...all].some(isLoose)) return;
  throw new ApiError(
    "'workplace_users_group' must be a group whose membership can only be managed by organization administrators.",
  );
}
const isSystem = ({ user_groups }: RealmState, id: number): boolean => user_groups[id]?.is_system_group === true;
