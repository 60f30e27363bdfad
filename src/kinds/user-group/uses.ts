import {
  type Dependency,
  dependencyKey,
  inactive,
  membersWritten,
  written,
  writtenEarly,
} from "../../model/dependency.ts";
import type { GroupUse } from "../../model/diagnostics/user-groups.ts";
import { type Named, named } from "../../model/diagnostics/values.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { groupsIn, ORGANIZATION } from "../tokens.ts";

/** A place that names a group. */
interface Use {
  readonly place: GroupUse;
  /** The change that removes the use, if the plan has one. */
  readonly endedBy?: Change;
  /** It ends because the object that names the group is archived or deactivated, not because it names another group. */
  readonly isMadeInactive?: boolean;
}

/**
 * Where a group is used, as the server counts it (zulip-api.md §10.4): channels that are not archived, groups that are not deactivated, settings of
 * the organization. Uses that this plan creates are included.
 */
export function usesOf(group: Change, context: PlanContext): readonly Use[] {
  const id = group.id;
  if (id === undefined) return [];
  const { snapshot } = context;
  const changes = changesById(context);
  const uses: Use[] = [];
  const look = (
    kind: string,
    objectId: number,
    object: Named,
    settings: readonly string[],
    value: (setting: string) => unknown,
    inactivity: { readonly field: string; readonly now: boolean },
  ): void => {
    const change = changes.get(`${kind} ${objectId}`);
    const after = new Map((change?.fields ?? []).map((field) => [field.field, field.after]));
    const isInactive = after.has(inactivity.field) ? after.get(inactivity.field) === true : inactivity.now;
    for (const setting of settings) {
      // An inactive group that stays inactive uses nothing; one that this plan reactivates may do so for a moment.
      const before = !(inactivity.now && isInactive) && namesId(value(setting), id);
      const next = after.get(setting);
      const still = !isInactive && (next === undefined ? namesId(value(setting), id) : namesGroup(next, group.name));
      const place = { field: setting, object };
      if (still) uses.push({ place });
      else if (before && change !== undefined)
        uses.push({ place, endedBy: change, isMadeInactive: next === undefined || namesGroup(next, group.name) });
    }
  };
  for (const channel of snapshot.channels) {
    const settings = Object.keys(channel).filter(isGroupSetting);
    look("channel", channel.stream_id, named("channel", channel.name), settings, (setting) => channel[setting], {
      field: "archived",
      now: channel.is_archived,
    });
  }
  for (const other of snapshot.user_groups) {
    if (other.is_system_group) continue;
    const settings = Object.keys(other).filter(isGroupSetting);
    const now = { field: "deactivated", now: other.deactivated };
    look("user_group", other.id, named("user_group", other.name), settings, (setting) => other[setting], now);
    look("user_group", other.id, named("user_group", other.name), ["subgroups"], () => other.direct_subgroup_ids, now);
  }
  for (const change of context.changes) {
    if (change.action !== "create" || (change.kind !== "channel" && change.kind !== "user_group")) continue;
    const object = named(change.kind, change.name);
    for (const { field, after } of change.fields)
      if ((isGroupSetting(field) || field === "subgroups") && namesGroup(after, group.name))
        uses.push({ place: { field, object } });
  }
  return [...uses, ...usesByOrganization(group, id, context)];
}

/** Settings of the organization that name the group, now and after this plan. */
function usesByOrganization({ name }: Change, id: number, context: PlanContext): readonly Use[] {
  const change = context.pair(ORGANIZATION)?.change;
  const after = new Map((change?.fields ?? []).map((field) => [field.field, field.after]));
  const { settings } = context.snapshot;
  return [...new Set([...Object.keys(settings), ...after.keys()])].filter(isOrganizationSetting).flatMap((setting) => {
    const place = { field: setting };
    const next = after.get(setting);
    const before = namesId(settings[setting], id);
    if (next === undefined ? before : namesGroup(next, name)) return [{ place }];
    return before && change !== undefined ? [{ place, endedBy: change }] : [];
  });
}

/** The changes that remove the uses of the group: it can be deactivated after them. */
export function endOfUses(group: Change, context: PlanContext): readonly Dependency[] {
  const ends = usesOf(group, context).flatMap(({ endedBy, isMadeInactive }): readonly Dependency[] => {
    if (endedBy === undefined) return [];
    const { address, kind } = endedBy;
    if (isMadeInactive === true) return [inactive(address)];
    if (kind === "channel") return [writtenEarly(address), written(address)];
    return kind === "user_group" ? [written(address), membersWritten(address)] : [written(address)];
  });
  return [...new Map(ends.map((dependency) => [dependencyKey(dependency), dependency])).values()];
}

/** Kind and id → change; used for every group that is deactivated. */
function changesById(context: PlanContext): ReadonlyMap<string, Change> {
  const known = indexes.get(context.changes);
  if (known !== undefined) return known;
  const index = new Map(
    context.changes.flatMap((change) => (change.id === undefined ? [] : [[`${change.kind} ${change.id}`, change]])),
  );
  indexes.set(context.changes, index);
  return index;
}
const indexes = new WeakMap<readonly Change[], ReadonlyMap<string, Change>>();

/** Two of them do not end as the others do. */
const isOrganizationSetting = (name: string): boolean => isGroupSetting(name) || /^can_.*_groups$/.test(name);
const isGroupSetting = (name: string): boolean => /_group$/.test(name);

function namesId(value: unknown, id: number): boolean {
  if (typeof value === "number") return value === id;
  if (isList(value)) return value.includes(id);
  return isObject(value) && isList(value.direct_subgroups) && value.direct_subgroups.includes(id);
}

function namesGroup(value: Json, name: string): boolean {
  return isList(value) ? value.includes(name) : groupsIn(value).includes(name);
}
