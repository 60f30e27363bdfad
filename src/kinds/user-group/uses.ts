import { type Dependency, dependencyKey, inactive } from "../../model/dependency.ts";
import type { GroupUse } from "../../model/diagnostics/user-groups.ts";
import { named } from "../../model/diagnostics/values.ts";
import { indexed } from "../../model/indexed.ts";
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

/** A setting, or the subgroups of a group, which can name groups now and after the plan. */
interface Naming {
  /** In the order in which uses are reported. */
  readonly position: number;
  readonly place: GroupUse;
  /** In the words of the server; undefined for something that the plan creates. */
  readonly now?: unknown;
  /** In the words of a plan; undefined if the plan does not change it. */
  readonly next: Json | undefined;
  readonly change: Change | undefined;
  readonly wasInactive: boolean;
  readonly isInactive: boolean;
}

/**
 * Where a group is used, as the server counts it (zulip-api.md §10.4): channels that are not archived, groups that are not deactivated, settings of
 * the organization. Uses that this plan creates are included.
 */
export function usesOf(group: Change, context: PlanContext): readonly Use[] {
  const { id, name } = group;
  if (id === undefined) return [];
  const all = namingsIn(context);
  const found = new Set([...byGroup(all, idKey(id)), ...byGroup(all, nameKey(name))]);
  return [...found]
    .sort((one, other) => one.position - other.position)
    .flatMap(({ place, now, next, change, wasInactive, isInactive }): readonly Use[] => {
      const named = namesId(now, id);
      const isNamedNext = next !== undefined && namesGroup(next, name);
      if (!isInactive && (next === undefined ? named : isNamedNext)) return [{ place }];
      // An inactive group that stays inactive uses nothing; one that this plan reactivates may do so for a moment.
      if (!named || change === undefined || (wasInactive && isInactive)) return [];
      return [{ place, endedBy: change, isMadeInactive: next === undefined || isNamedNext }];
    });
}

const idKey = (id: number): string => `id ${id}`;
const nameKey = (name: string): string => `name ${name}`;
const byGroup = indexed<Naming>(({ now, next }) => [
  ...new Set([...idsIn(now).map(idKey), ...(next === undefined ? [] : namesIn(next)).map(nameKey)]),
]);

const namings = new WeakMap<readonly Change[], readonly Naming[]>();

/** Everything that can name a group: worked out once, however many groups are deactivated. */
function namingsIn(context: PlanContext): readonly Naming[] {
  const known = namings.get(context.changes);
  if (known !== undefined) return known;
  const found: Naming[] = [];
  const add = (naming: Omit<Naming, "position">): void => {
    found.push({ ...naming, position: found.length });
  };
  const { snapshot, changes } = context;
  const byId = new Map(
    changes.flatMap((change) => (change.id === undefined ? [] : [[`${change.kind} ${change.id}`, change]])),
  );
  const addNamings = (
    { kind, id, name }: { readonly kind: "channel" | "user_group"; readonly id: number; readonly name: string },
    inactivity: { readonly field: string; readonly now: boolean },
    values: Iterable<readonly [string, unknown]>,
  ): void => {
    const change = byId.get(`${kind} ${id}`);
    const after = new Map((change?.fields ?? []).map((field) => [field.field, field.after]));
    const ends = after.get(inactivity.field);
    const isInactive = ends === undefined ? inactivity.now : ends === true;
    const object = named(kind, name);
    for (const [field, now] of values)
      add({ place: { field, object }, now, next: after.get(field), change, wasInactive: inactivity.now, isInactive });
  };
  for (const channel of snapshot.channels)
    addNamings(
      { kind: "channel", id: channel.stream_id, name: channel.name },
      { field: "archived", now: channel.is_archived },
      Object.entries(channel).filter(([field]) => isGroupSetting(field)),
    );
  for (const other of snapshot.user_groups) {
    if (other.is_system_group) continue;
    const settings = Object.entries(other).filter(([field]) => isGroupSetting(field));
    addNamings(
      { kind: "user_group", id: other.id, name: other.name },
      { field: "deactivated", now: other.deactivated },
      [...settings, ["subgroups", other.direct_subgroup_ids]],
    );
  }
  for (const { action, kind, name, fields } of changes) {
    if (action !== "create" || (kind !== "channel" && kind !== "user_group")) continue;
    const object = named(kind, name);
    for (const { field, after: next } of fields)
      if (isGroupSetting(field) || field === "subgroups")
        add({ place: { field, object }, next, change: undefined, wasInactive: false, isInactive: false });
  }
  for (const naming of ofOrganization(context)) add(naming);
  namings.set(changes, found);
  return found;
}

/** Settings of the organization, now and after this plan. */
function ofOrganization(context: PlanContext): readonly Omit<Naming, "position">[] {
  const change = context.pair(ORGANIZATION)?.change;
  const after = new Map((change?.fields ?? []).map((field) => [field.field, field.after]));
  const { settings } = context.snapshot;
  return [...new Set([...Object.keys(settings), ...after.keys()])].filter(isOrganizationSetting).map((field) => ({
    place: { field },
    now: settings[field],
    next: after.get(field),
    change,
    wasInactive: false,
    isInactive: false,
  }));
}

/** The changes that remove the uses of the group: it can be deactivated after them. */
export function endOfUses(group: Change, context: PlanContext): readonly Dependency[] {
  const ends = usesOf(group, context).flatMap(({ endedBy, isMadeInactive }): readonly Dependency[] => {
    if (endedBy === undefined) return [];
    const { address } = endedBy;
    return isMadeInactive === true ? [inactive(address)] : context.whole(address);
  });
  return [...new Map(ends.map((dependency) => [dependencyKey(dependency), dependency])).values()];
}

/** Two of them do not end as the others do. */
const isOrganizationSetting = (name: string): boolean => isGroupSetting(name) || /^can_.*_groups$/.test(name);
const isGroupSetting = (name: string): boolean => /_group$/.test(name);

/** Groups in a value of the server: one, several, or those of an anonymous group. */
function idsIn(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  const list = isObject(value) ? value.direct_subgroups : value;
  return isList(list) ? list.filter((id) => typeof id === "number") : [];
}

const namesIn = (value: Json): readonly string[] =>
  isList(value) ? value.filter((name) => typeof name === "string") : groupsIn(value);

const namesId = (value: unknown, id: number): boolean => idsIn(value).includes(id);
const namesGroup = (value: Json, name: string): boolean => namesIn(value).includes(name);
