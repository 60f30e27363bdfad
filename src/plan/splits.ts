import { defined } from "../model/defined.ts";
import { type Dependency, type DraftCall, dependencyKey } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { Param } from "../model/plan.ts";
import { withReferences } from "./cycles.ts";
import { combinedCall } from "./merge.ts";

/*
 * Splits one request into two, if no order of whole requests is safe (src/plan/exposure.ts).
 */

/** One request as two: `first` takes its position, `rest` is sent later. */
export interface Split {
  readonly first: DraftCall;
  readonly rest: DraftCall;
}

const REMOVING = ["delete", "delete_subgroups"];
const ADDING = ["add", "add_subgroups"];

/** Whether a request adds people or groups to a group, and whether it removes some. */
export function linksOf({ operation, params }: Pick<DraftCall, "operation" | "params">): {
  readonly adds: boolean;
  readonly removes: boolean;
} {
  const isAbout = operation === "update-user-group-members";
  return {
    adds: isAbout && ADDING.some((name) => name in params),
    removes: isAbout && REMOVING.some((name) => name in params),
  };
}

/** The members that a request removes from a group and adds to it. */
function halvesOf(draft: DraftCall): { readonly removed: Params; readonly added: Params } | undefined {
  const { adds, removes } = linksOf(draft);
  if (!adds || !removes) return undefined;
  return { removed: only(draft.params, REMOVING), added: only(draft.params, ADDING) };
}

type Params = { readonly [name: string]: Param };

/** Removes first: a group with fewer people opens nothing. */
export function removingFirst(draft: DraftCall): Split | undefined {
  const halves = halvesOf(draft);
  if (halves === undefined) return undefined;
  const isReleased = ({ state }: Dependency): boolean => state === "released";
  const { provides = [] } = draft;
  return {
    first: { ...draft, params: halves.removed, provides: provides.filter(isReleased) },
    rest: {
      ...draft,
      params: halves.added,
      expects: [],
      needs: [],
      provides: provides.filter((each) => !isReleased(each)),
    },
  };
}

/** Adds first. If nothing is added, subgroups leave before people. The removal of the account that runs the plan is sent last. */
export function leavingLast(draft: DraftCall): Split | undefined {
  const halves = halvesOf(draft);
  if (halves !== undefined)
    return {
      first: { ...draft, params: halves.added, provides: [] },
      rest: { ...draft, params: halves.removed, expects: [], needs: [] },
    };
  const { delete: people, delete_subgroups: subgroups } = draft.params;
  if (people === undefined || subgroups === undefined) return undefined;
  const about = (field: string): DraftCall["for"] =>
    draft.for.map(({ address, fields }) => ({ address, fields: fields.filter((each) => each === field) }));
  return {
    first: { ...draft, params: { delete_subgroups: subgroups }, for: about("subgroups"), provides: [] },
    rest: { ...draft, params: { delete: people }, for: about("members"), expects: [], needs: [] },
  };
}

/** The account that runs the plan leaves in a separate request, after the request for all others. */
export function selfLast(draft: DraftCall, me: number): Split | undefined {
  const { delete: people, ...params } = draft.params;
  if (draft.operation !== "update-user-group-members" || !isList(people) || !people.includes(me)) return undefined;
  const others = people.filter((id) => id !== me);
  if (others.length + Object.keys(params).length === 0) return undefined;
  const isEarly = ({ state }: Dependency): boolean => state === "released" || state === "unlinked";
  const { provides = [] } = draft;
  return {
    first: {
      ...draft,
      params: others.length === 0 ? params : { ...params, delete: others },
      provides: provides.filter(isEarly),
    },
    rest: {
      ...draft,
      params: { delete: [me] },
      for: draft.for.map(({ address, fields }) => ({ address, fields: fields.filter((each) => each === "members") })),
      expects: [],
      needs: [],
      provides: provides.filter((each) => !isEarly(each)),
    },
  };
}

function only(params: Params, names: readonly string[]): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
}

/** Whether a request has {@link separable} parts. Cheaper than making these parts. */
export const isSeparable = ({ parts = [], riders = [] }: DraftCall): boolean => parts.length > 1 || riders.length > 0;

/** The parts that can be taken out of a request and sent before it. */
export function separable({ parts = [], riders = [] }: DraftCall): readonly DraftCall[] {
  return [...(parts.length > 1 ? parts : []), ...riders].map(withReferences);
}

/**
 * The request without these parts or merged calls. Each split works on what the previous one left: parts become one request, merged calls one each.
 * Undefined if nothing would be left.
 */
export function splitsOf(draft: DraftCall, taken: readonly DraftCall[]): readonly Split[] {
  const { riders = [] } = draft;
  const parts = taken.filter((each) => !riders.some((rider) => isSame(rider, each)));
  const split = withoutParts(draft, parts);
  if (split !== undefined) return [split];
  const splits: Split[] = [];
  let left = draft;
  for (const rider of taken) {
    if (parts.includes(rider)) continue;
    const next = withoutRider(left, rider);
    splits.push(next);
    left = next.rest;
  }
  return splits;
}

/** {@link separable} adds to a draft the objects that it mentions; the objects that it is for stay the same. */
const isSame = (one: DraftCall, other: DraftCall): boolean => one.for === other.for;

function withoutRider(draft: DraftCall, rider: DraftCall): Split {
  const { mergeInto, ...alone } = rider;
  const params = new Set(Object.keys(mergeInto?.params ?? {}));
  return {
    first: alone,
    rest: {
      ...draft,
      params: Object.fromEntries(Object.entries(draft.params).filter(([name]) => !params.has(name))),
      for: draft.for.filter((purpose) => !rider.for.includes(purpose)),
      expects: (draft.expects ?? []).filter((each) => rider.expects?.includes(each) !== true),
      needs: less(draft.needs, rider.needs),
      softNeeds: less(draft.softNeeds, rider.softNeeds),
      provides: less(draft.provides, rider.provides),
      riders: (draft.riders ?? []).filter((each) => !isSame(each, rider)),
    },
  };
}

function withoutParts(draft: DraftCall, taken: readonly DraftCall[]): Split | undefined {
  const { parts = [], riders = [] } = draft;
  const first = parts.filter((part) => taken.some((each) => isSame(each, part)));
  const left = parts.filter((part) => !first.includes(part));
  if (first.length === 0 || left.length === 0) return undefined;
  const byParts = parts.flatMap(({ provides = [] }) => provides);
  const rest = joined(left);
  return {
    first: joined(first),
    rest: {
      ...rest,
      ...combinedCall([rest, ...riders]),
      params: Object.assign({}, rest.params, ...riders.map(({ mergeInto }) => mergeInto?.params ?? {})),
      provides: [...less(draft.provides, byParts), ...left.flatMap(({ provides = [] }) => provides)],
      riders,
    },
  };
}

function joined(parts: readonly DraftCall[]): DraftCall {
  const [first] = parts;
  if (first === undefined) throw new RangeError("no part of a request");
  const { for: purposes, ...together } = combinedCall(parts);
  const addresses = [...new Set(purposes.map(({ address }) => address))];
  return {
    ...first,
    ...together,
    for: addresses.map((address) => ({
      address,
      fields: purposes.filter((purpose) => purpose.address === address).flatMap(({ fields }) => fields),
    })),
    params: Object.assign({}, ...parts.map(({ params }) => params)),
    ...defined({ parts: parts.length > 1 ? parts : undefined }),
  };
}

function less(all: readonly Dependency[] = [], others: readonly Dependency[] = []): readonly Dependency[] {
  const taken = new Set(others.map(dependencyKey));
  return all.filter((each) => !taken.has(dependencyKey(each)));
}
