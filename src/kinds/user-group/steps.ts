import { accessIn, namesAccount, organizationNamesAccount } from "../../access/of-plan.ts";
import { MANAGE_ALL } from "../../access/rules.ts";
import { defined } from "../../model/defined.ts";
import {
  type Dependency,
  dependencyKey,
  inactive,
  membersWritten,
  nameFree,
  partDone,
  unlinked,
  written,
} from "../../model/draft-call.ts";
import { componentsOf } from "../../model/graph.ts";
import { addTo } from "../../model/lazy.ts";
import { groupsIn } from "../../model/named-in.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Address, type Change, fieldIn, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue } from "../../model/realm.ts";
import { listed } from "../../model/texts.ts";
import { groupExists } from "../permissions.ts";
import { renamesAsMoves } from "../requests.ts";

/*
 * The requests for changes of groups, and the states that order them.
 *
 * Terms. A *step* is one request for one group: its creation, an update of its settings, or a change of its members and subgroups. A *part* of a step
 * could be a separate request: the name, the base (its own fields), the references (settings that name groups of this plan), the removal of
 * subgroups, the addition of members and subgroups. A part *needs* states of other requests, and *provides* states for them.
 *
 * Premise. Groups name each other, in settings and as subgroups, and names can change places. A plan must not use more requests than necessary, so a
 * step stays whole unless it is in a cycle of needs.
 *
 * The idea.
 *     for each changed group: one step for its settings (or its creation), one for its members, each with the needs and states of its parts
 *     a setting that names a new group needs that group; a new name needs that it is free; a new subgroup needs the removal of
 *         links that would close a cycle with it (links.ts)
 *     the planner orders the steps; in a cycle, it moves one part into a separate request, before or after the rest (placeAlone)
 *     if no whole order is safe, each setting can be sent alone (fieldsAlone)
 *     a change of who manages the group comes after the members, if the account could no longer change these (endsOwnRight)
 *
 * What it does not do. It searches no order and breaks no cycle (src/plan/cycles.ts), it chooses no temporary names (src/plan), and it does not write
 * parameters (calls.ts).
 */

/** A part of one request, with the states that it needs and those that it provides. */
export interface Part {
  readonly part: "name" | "base" | "references" | "remove" | "add";
  readonly fields: readonly string[];
  readonly needs: readonly Dependency[];
  readonly provides: readonly Dependency[];
}

/** What one request does, unless it has to be split. */
export interface Step {
  readonly change: Change;
  readonly request: "create" | "update" | "members" | "last";
  readonly parts: readonly Part[];
  /** The temporary name, for one group of each cycle of renames. */
  readonly temporary?: string;
  /** Its setting of who manages the group is written after the members: afterwards the account could no longer change those. */
  readonly endsOwnRight?: true;
}

/** The state in which no group has the name. */
export const freeName = (name: string): Dependency => nameFree("user_group", name);

/** What the steps of one change must know about the others. */
interface Whole {
  readonly context: PlanContext;
  /** Names that a rename frees. */
  readonly freed: ReadonlySet<string>;
  /** Names of groups that this plan creates or reactivates. */
  readonly made: ReadonlySet<string>;
  readonly links: ReturnType<typeof linkChanges>;
}

/** The fewest requests for the changes; if groups need each other in a cycle, the planner splits them (zulip-api.md §15.4). */
export function stepsOf(changes: readonly Change[], context: PlanContext): readonly Step[] {
  const made = changes.filter((change) => change.action === "create" || sets(change.fields, "deactivated", false));
  const whole: Whole = {
    context,
    freed: new Set(renamesAsMoves(changes).map(({ from }) => from)),
    made: new Set(made.map(({ name }) => name)),
    links: linkChanges(changes, context),
  };
  return changes.flatMap((change) => stepsOfOne(change, whole));
}

function stepsOfOne(change: Change, whole: Whole): readonly Step[] {
  const { context, freed, links } = whole;
  const fields = change.fields.map(({ field }) => field);
  const isNew = change.action === "create";
  const temporary = context.move(change.address)?.aside;
  const { base, references } = settingParts(change, whole);
  const add: Part = {
    part: "add",
    fields: fields.filter((field) => field === "subgroups" || (!isNew && field === "members")),
    needs: [...links.needs(change), ...(isNew ? [] : [groupExists(change.name)])],
    provides: [],
  };
  if (isNew) return [{ change, request: "create", parts: [base, references, add].filter(isNotEmptyBut("base")) }];

  const name: Part = {
    part: "name",
    fields: fields.filter((field) => field === "name"),
    needs: freed.has(change.name) && change.was !== undefined ? [freeName(change.name)] : [],
    provides: change.was === undefined || temporary !== undefined ? [] : [freeName(change.was)],
  };
  const isLast = isSentLast(change, context);
  const parts = [name, base, references]
    .map((part) => (isLast ? { ...part, fields: part.fields.filter((field) => field !== MANAGING) } : part))
    .filter(isNotEmptyBut());
  const remove: Part = {
    part: "remove",
    fields: [],
    needs: [],
    provides: links.removed(change).map(([parent, child]) => unlinked(addressOf(parent), child)),
  };
  const update: Step = {
    change,
    request: "update",
    parts,
    ...defined({ endsOwnRight: endsOwnRight(change, context) || undefined, temporary }),
  };
  const last: Step = {
    change,
    request: "last",
    parts: [
      {
        part: "base",
        fields: [MANAGING],
        needs: [inactive(change.address), settingsDone(change, context), ...references.needs],
        provides: [],
      },
    ],
  };
  const members: Step = { change, request: "members", parts: remove.provides.length === 0 ? [add] : [remove, add] };
  return [
    ...(parts.length === 0 ? [] : [update]),
    ...(add.fields.length === 0 ? [] : [members]),
    ...(isLast ? [last] : []),
  ];
}

const MANAGING = "can_manage_group";

/**
 * Whether the setting of who manages the group is sent after the group is deactivated: only a manager may deactivate it, and the account is none
 * afterwards (docs/internals/decisions/0015-requests-wait-for-states-and-rights.md).
 */
const isSentLast = (change: Change, context: PlanContext): boolean =>
  sets(change.fields, "deactivated", true) && endsOwnRight(change, context);

/** The settings of a group that are not sent last are written. */
export const settingsDone = (change: Change, context: PlanContext): Dependency =>
  isSentLast(change, context) ? partDone(change.address, "settings", 1) : written(change.address);

/** A group's own fields, and its settings that name groups which this plan creates. */
function settingParts(change: Change, { freed, made }: Whole): { readonly base: Part; readonly references: Part } {
  const isNew = change.action === "create";
  const fields = change.fields.map(({ field }) => field);
  const named = (field: string): readonly string[] =>
    isRightName(field) ? groupsIn(fieldIn(change.fields, field)?.after).filter((name) => made.has(name)) : [];
  const referring = referringFields(fields, named);
  const base: Part = {
    part: "base",
    fields: fields.filter(
      (field) =>
        !["name", "subgroups"].includes(field) &&
        !referring.includes(field) &&
        (isNew || field !== "members") &&
        !(field === "deactivated" && !sets(change.fields, "deactivated", false)),
    ),
    needs: isNew && freed.has(change.name) ? [freeName(change.name)] : [],
    provides: made.has(change.name) ? [groupExists(change.name)] : [],
  };
  const references: Part = {
    part: "references",
    fields: referring,
    needs: referring.flatMap(named).map(groupExists),
    provides: [],
  };
  return { base, references };
}

/** Settings that name groups of this plan, with the setting of who manages the group: a later request must still be allowed. */
function referringFields(
  fields: readonly string[],
  references: (field: string) => readonly string[],
): readonly string[] {
  const referring = fields.filter((field) => references(field).length > 0);
  if (referring.length === 0) return [];
  return fields.filter((field) => referring.includes(field) || field === "can_manage_group");
}

const isNotEmptyBut =
  (kept?: Part["part"]) =>
  ({ part, fields }: Part): boolean =>
    part === kept || fields.length > 0;

/** The order of a part that becomes a separate request: before the rest of its step, or after it. */
export function placeAlone({ request }: Step, { part }: Part): "before" | "after" | undefined {
  if (request === "create") return part === "base" ? undefined : "after";
  if (part === "name" || part === "remove") return "before";
  return part === "references" ? "after" : undefined;
}

/** One part for each setting, and one for the other fields of an existing group; each with what it needs and provides itself. */
export function fieldsAlone({ change }: Step, part: Part): readonly Part[] {
  const settings = part.fields.filter((field) => isRightName(field));
  const others = part.fields.filter((field) => !isRightName(field));
  const named = (field: string): ReadonlySet<string> => {
    const value = fieldIn(change.fields, field)?.after;
    return new Set(groupsIn(value).map(groupExists).map(dependencyKey));
  };
  return [
    ...(others.length === 0 ? [] : [{ ...part, fields: others }]),
    ...settings.map((field) => {
      const own = named(field);
      return {
        ...part,
        fields: [field],
        needs: part.needs.filter((need) => own.has(dependencyKey(need))),
        provides: [],
      };
    }),
  ];
}

/** What requests of other steps must do before one request of a step. */
export function needsOf({ change, endsOwnRight }: Step, parts: readonly Part[]): readonly Dependency[] {
  const needs = parts.flatMap((part) => part.needs);
  const fields = parts.flatMap((part) => part.fields);
  // Members of a deactivated group can be changed only after it is reactivated, and this request reactivates it.
  const isLastOfOwn = endsOwnRight === true && fields.includes("can_manage_group") && !fields.includes("deactivated");
  return isLastOfOwn ? [...needs, membersWritten(change.address)] : needs;
}

/** What the last request of a step provides. */
export function doneBy({ request, change }: Step, context: PlanContext): readonly Dependency[] {
  switch (request) {
    case "create":
      return [];
    case "update":
      return [settingsDone(change, context)];
    case "last":
      return [written(change.address)];
    case "members":
      return [membersWritten(change.address)];
  }
}

/** Whether the account that runs the plan no longer manages the group once that setting is written (zulip-api.md §15.3.19). */
export function endsOwnRight(change: Change, context: PlanContext): boolean {
  const written = fieldIn(change.fields, "can_manage_group");
  if (written === undefined || change.action === "create") return false;
  // Somebody who manages every group before and after the plan does not need the setting of one: the safest order can be used.
  const { before, after } = accessIn(context);
  if ([before, after].every((state) => organizationNamesAccount(MANAGE_ALL, state, context))) return false;
  return !namesAccount(asGroupValue(written.after), after, context);
}

/** The address of a group. */
export const addressOf = (name: string): Address => `user_group:${name}`;

/** A subgroup relation by names: parent, child. */
type Link = readonly [parent: string, child: string];

interface Links {
  removed(change: Change): readonly Link[];
  /** What must be done before the subgroups of this change can be added: they must exist, and close no cycle (zulip-api.md §10.4). */
  needs(change: Change): readonly Dependency[];
}

function linkChanges(changes: readonly Change[], { realm }: PlanContext): Links {
  const removed = (change: Change): readonly Link[] => {
    const after = new Set(subgroups(change, "after"));
    return subgroups(change, "before")
      .filter((child) => !after.has(child))
      .map((child) => [change.name, child]);
  };
  const allRemoved = changes.flatMap(removed);
  // The current and the later state: in between it is one or the other.
  const now = realm.snapshot.user_groups.flatMap((group) =>
    group.direct_subgroup_ids.map((id): Link => [group.name, realm.groupName(id)]),
  );
  const wanted = changes.flatMap((change) => subgroups(change, "after").map((child): Link => [change.name, child]));
  const cycleOf = nameCycles([...now, ...allRemoved, ...wanted]);
  // A new link closes a cycle with a removed one if both are on it, that is, if all four ends can reach each other.
  const removedIn = new Map<number, Dependency[]>();
  for (const [parent, child] of allRemoved) {
    const cycle = cycleOf(parent);
    if (cycle === undefined || cycle !== cycleOf(child)) continue;
    addTo(removedIn, cycle, unlinked(`user_group:${parent}`, child));
  }
  return {
    removed,
    needs(change) {
      const before = new Set(subgroups(change, "before"));
      const added = subgroups(change, "after").filter((child) => !before.has(child));
      const cycle = cycleOf(change.name);
      const closesCycle = cycle !== undefined && added.some((child) => cycleOf(child) === cycle);
      return [...added.map(groupExists), ...(closesCycle ? (removedIn.get(cycle) ?? []) : [])];
    },
  };
}

/**
 * Group → the number of its component: the groups that contain each other through some of these links. Each link is examined a few times, however
 * deeply the groups are nested.
 */
function nameCycles(links: readonly Link[]): (group: string) => number | undefined {
  const places = new Map<string, number>();
  const forth: number[][] = [];
  const placeOf = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, forth.length);
    return forth.push([]) - 1;
  };
  for (const [parent, child] of links) {
    const to = placeOf(child);
    forth[placeOf(parent)]?.push(to);
  }
  const components = componentsOf(forth);
  return (group) => components[places.get(group) ?? -1];
}

function subgroups(change: Change, side: "before" | "after"): readonly string[] {
  return listed(fieldIn(change.fields, "subgroups")?.[side]);
}
