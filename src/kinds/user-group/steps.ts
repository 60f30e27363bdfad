import { type Dependency, dependencyKey, membersWritten, nameFree, unlinked, written } from "../../model/dependency.ts";
import { onRings } from "../../model/graph.ts";
import type { PlanContext } from "../../model/kind.ts";
import { type Address, type Change, serverId } from "../../model/plan.ts";
import { asGroupValue } from "../../model/realm.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { steppingAside } from "../stepping-aside.ts";
import { groupExists, groupsIn } from "../tokens.ts";
import { linkChanges } from "./links.ts";
import { isGroupPermission } from "./schema.ts";

/** A part of what one request does, with what has to be done before it and what is done by it. */
export interface Part {
  readonly part: "name" | "base" | "references" | "remove" | "add";
  readonly fields: readonly string[];
  readonly needs: readonly Dependency[];
  readonly provides: readonly Dependency[];
  /** Goes into a request of its own: before the rest of its step, or after it. */
  readonly split?: "before" | "after";
}

/** One request, or as many as its split parts make of it. */
export interface Step {
  readonly change: Change;
  readonly request: "create" | "update" | "members";
  readonly parts: readonly Part[];
  /** The name in between, for one group of each ring of renames. */
  readonly temporary?: string;
  /** Its setting of who manages the group goes after the members: the account could not write those any more. */
  readonly endsOwnRight?: true;
}

/**
 * Which requests the changes take. Each group takes as few as there can be, except where groups need each other in a ring: there
 * as few parts as possible go into requests of their own (zulip-api.md §15.4).
 */
export function stepsOf(changes: readonly Change[], context: PlanContext): readonly Step[] {
  const steps = wholeSteps(changes, context);
  return withoutRings(steps);
}

/** No group has the name any more. */
export const freeName = (name: string): Dependency => nameFree("user_group", name);

/** What the steps of one change have to know of the others. */
interface Whole {
  readonly context: PlanContext;
  readonly aside: ReadonlySet<Change>;
  /** Names that a rename gives up. */
  readonly freed: ReadonlySet<string>;
  /** Names of groups that this plan makes or brings back. */
  readonly made: ReadonlySet<string>;
  readonly links: ReturnType<typeof linkChanges>;
}

function wholeSteps(changes: readonly Change[], context: PlanContext): readonly Step[] {
  const moves = changes.flatMap((item) => (item.was === undefined ? [] : [{ from: item.was, to: item.name, item }]));
  const made = changes.filter((change) => change.action === "create" || changed(change, "deactivated", false));
  const whole: Whole = {
    context,
    aside: new Set<Change>(steppingAside(moves)),
    freed: new Set(moves.map(({ from }) => from)),
    made: new Set(made.map(({ name }) => name)),
    links: linkChanges(changes, context),
  };
  return changes.flatMap((change) => stepsOfOne(change, whole));
}

function stepsOfOne(change: Change, whole: Whole): readonly Step[] {
  const { context, aside, freed, links } = whole;
  const fields = change.fields.map(({ field }) => field);
  const isNew = change.action === "create";
  const isAside = aside.has(change);
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
    provides: change.was === undefined || isAside ? [] : [freeName(change.was)],
  };
  const parts = [name, base, references].filter(isNotEmptyBut());
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
    ...(endsOwnRight(change, context) ? { endsOwnRight: true } : {}),
    ...(isAside ? { temporary: temporaryName(change.name, serverId(change)) } : {}),
  };
  const members: Step = { change, request: "members", parts: remove.provides.length === 0 ? [add] : [remove, add] };
  return [...(parts.length === 0 ? [] : [update]), ...(add.fields.length === 0 ? [] : [members])];
}

/** What a group says of itself, and its settings that name groups which this plan makes. */
function settingParts(change: Change, { freed, made }: Whole): { readonly base: Part; readonly references: Part } {
  const isNew = change.action === "create";
  const fields = change.fields.map(({ field }) => field);
  const named = (field: string): readonly string[] =>
    isGroupPermission(field)
      ? groupsIn(change.fields.find((candidate) => candidate.field === field)?.after).filter((name) => made.has(name))
      : [];
  const referring = referringFields(fields, named);
  const base: Part = {
    part: "base",
    fields: fields.filter(
      (field) =>
        !["name", "subgroups"].includes(field) &&
        !referring.includes(field) &&
        (isNew || field !== "members") &&
        !(field === "deactivated" && !changed(change, "deactivated", false)),
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

/** Settings that name groups of this plan. With them goes who manages the group: a later request must still be allowed. */
function referringFields(
  fields: readonly string[],
  references: (field: string) => readonly string[],
): readonly string[] {
  const referring = fields.filter((field) => references(field).length > 0);
  if (referring.length === 0) return [];
  return fields.filter((field) => referring.includes(field) || field === "can_manage_group");
}

function changed(change: Change, field: string, value: unknown): boolean {
  return change.fields.some((candidate) => candidate.field === field && candidate.after === value);
}

const isNotEmptyBut =
  (kept?: Part["part"]) =>
  ({ part, fields }: Part): boolean =>
    part === kept || fields.length > 0;

/** Where a part may go when it leaves the request of its step. */
function splitOf({ request }: Step, { part }: Part): Part["split"] {
  if (request === "create") return part === "base" ? undefined : "after";
  if (part === "name" || part === "remove") return "before";
  return part === "references" ? "after" : undefined;
}

interface Candidate {
  readonly step: number;
  readonly part: number;
}

/** So much is spent on finding the fewest splits, in pairs of steps that are held against each other. */
const MOST_STEPS = 2_000_000;

function withoutRings(steps: readonly Step[]): readonly Step[] {
  const inRings = ringMembers(steps);
  if (inRings.size === 0) return steps;
  const candidates = [...inRings].flatMap((step) => {
    const whole = steps[step];
    if (whole === undefined) return [];
    return whole.parts.flatMap((part, index): Candidate[] =>
      whole.parts.length > 1 && splitOf(whole, part) !== undefined ? [{ step, part: index }] : [],
    );
  });
  // A try costs the square of what is in rings: those of a hundred groups would be tried for hours.
  let left = Math.ceil(MOST_STEPS / inRings.size ** 2);
  for (let size = 1; size <= candidates.length && left > 0; size += 1) {
    // As few as can be, for rings as people make them; of a ring of many groups every candidate in turn.
    if (size > 3 && candidates.length > 12) break;
    for (const chosen of subsets(candidates, size)) {
      const tried = applySplits(steps, chosen);
      // No split closes a ring that was none.
      if (ringMembers(tried.filter((_, index) => inRings.has(index))).size === 0) return tried;
      left -= 1;
      if (left <= 0) break;
    }
  }
  return applySplits(steps, candidates);
}

function* subsets<T>(items: readonly T[], size: number, from = 0): Generator<readonly T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= items.length - size; index += 1) {
    const item = items[index];
    if (item === undefined) continue;
    for (const rest of subsets(items, size - 1, index + 1)) yield [item, ...rest];
  }
}

function applySplits(steps: readonly Step[], chosen: readonly Candidate[]): readonly Step[] {
  const parts = new Map<number, Set<number>>();
  for (const { step, part } of chosen) parts.set(step, (parts.get(step) ?? new Set()).add(part));
  return steps.map((step, index) => {
    const own = parts.get(index);
    if (own === undefined) return step;
    return {
      ...step,
      parts: step.parts.map((part, place) => {
        const split = own.has(place) ? splitOf(step, part) : undefined;
        return split === undefined ? part : { ...part, split };
      }),
    };
  });
}

/** Parts of a step by the request they go out with. */
export function requestsOf({ parts }: Step): readonly (readonly Part[])[] {
  const rest = parts.filter(({ split }) => split === undefined);
  return [
    ...parts.filter(({ split }) => split === "before").map((part) => [part]),
    ...(rest.length === 0 ? [] : [rest]),
    ...parts.filter(({ split }) => split === "after").map((part) => [part]),
  ];
}

/** Positions of the steps that cannot be ordered: they need each other, or themselves. */
function ringMembers(steps: readonly Step[]): ReadonlySet<number> {
  const requests = steps.flatMap((step, index) =>
    requestsOf(step).map((parts, place, all) => ({
      index,
      place,
      needs: needsOf(step, parts),
      provides: [...parts.flatMap(({ provides }) => provides), ...(place === all.length - 1 ? doneBy(step) : [])],
    })),
  );
  const providers = new Map<string, number[]>();
  requests.forEach(({ provides }, at) => {
    for (const key of provides.map(dependencyKey)) {
      const known = providers.get(key);
      if (known === undefined) providers.set(key, [at]);
      else known.push(at);
    }
  });
  const needs = requests.map(({ place, needs: waitsFor }, at) => [
    ...new Set(waitsFor.flatMap((dependency) => providers.get(dependencyKey(dependency)) ?? [])),
    // Requests of one step go out one after the other, and stand so here.
    ...(place > 0 ? [at - 1] : []),
  ]);
  return new Set([...onRings(needs)].map((at) => requests[at]?.index ?? 0));
}

/** What has to be done before one request of a step, by requests of other steps. */
export function needsOf({ change, endsOwnRight }: Step, parts: readonly Part[]): readonly Dependency[] {
  const needs = parts.flatMap((part) => part.needs);
  const fields = parts.flatMap((part) => part.fields);
  // Members of a group that comes back can only be changed once it is back, which this request does.
  const isLastOfOwn = endsOwnRight === true && fields.includes("can_manage_group") && !fields.includes("deactivated");
  return isLastOfOwn ? [...needs, membersWritten(change.address)] : needs;
}

/** What the last request of a step brings about. */
export function doneBy({ request, change }: Step): readonly Dependency[] {
  switch (request) {
    case "create":
      return [];
    case "update":
      return [written(change.address)];
    case "members":
      return [membersWritten(change.address)];
  }
}

/** Does the account that runs this manage the group no longer, once who manages it is written? (zulip-api.md §15.3.19) */
export function endsOwnRight(change: Change, context: PlanContext): boolean {
  const written = change.fields.find(({ field }) => field === "can_manage_group");
  if (written === undefined || change.action === "create") return false;
  // Who manages every group, before and after, needs no setting of one: it is free for the order that opens least.
  if ([context.realm, context.after].every((realm) => realm.accountIn("can_manage_all_groups"))) return false;
  const value = asGroupValue(written.after) ?? "role:nobody";
  return !context.after.peopleIn(value).has(context.snapshot.account.user_id);
}

/** Where a group's requests are addressed. */
export const addressOf = (name: string): Address => `user_group:${name}`;
