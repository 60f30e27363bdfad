import type { Json } from "../model/json.ts";
import type { IdOf, Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { asGroupValue } from "../model/realm.ts";
import type { GroupSettingValue } from "../model/snapshot.ts";

/** The id of a group for a request. For a group in the file it is the address, since this plan may create the group. */
export function groupId(name: string, context: PlanContext): number | IdOf {
  const address = `user_group:${name}` as const;
  if (context.pair(address) !== undefined) return context.idOf(address);
  const group = context.realm.groupByName(name);
  if (group === undefined) throw new RangeError(`no group "${name}" in the snapshot or the plan`);
  return group.id;
}

/** The value of a permission setting in the form of a request. */
export function groupParam(value: Json | undefined, context: PlanContext): Param {
  const group = asGroupValue(value ?? null);
  if (group === undefined) throw new RangeError(`not the value of a permission: ${JSON.stringify(value)}`);
  return context.realm.wire(group, (name) => groupId(name, context));
}

/**
 * The change of a permission setting in the form of a request. The server compares `old` in its normal form with what it shows (zulip-api.md §17.4):
 * a value that shows no more than one group because its people are deactivated equals no `old`, so none is sent.
 */
export function groupChangeParam(
  value: Json | undefined,
  old: GroupSettingValue | undefined,
  context: PlanContext,
): Param {
  const wanted = groupParam(value, context);
  return old === undefined || isReduced(old) ? { new: wanted } : { new: wanted, old };
}

const isReduced = (old: GroupSettingValue): boolean =>
  typeof old === "object" && old.direct_members.length === 0 && old.direct_subgroups.length <= 1;
