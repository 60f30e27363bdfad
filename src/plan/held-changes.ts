import type { People } from "../access/people.ts";
import { GROUP } from "../access/scope.ts";
import type { AccessState } from "../access/state.ts";
import { COUNTING, type ListPart } from "../model/counted.ts";
import type { Diagnostic, Span } from "../model/diagnostic.ts";
import { addTo } from "../model/lazy.ts";
import type { Address, Change, FieldChange, Guard, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { startOf } from "../model/span.ts";
import { isAccountName, listShift } from "../model/texts.ts";
import type { Item } from "./guard-gains.ts";
import type { GuardedPlan } from "./guard-parts.ts";
import { countedIn, itemsUnder, sumOf } from "./guards.ts";

/*
 * Which changes of a plan of lists (synced.ts) a guard rail is about, so that `sync` can hold these back and send all others.
 *
 * Terms. A *part* is what a plan adds to one list, or what it takes out of it.
 *
 * Premise. Everybody who is in a list can leave it, and so makes a plan that a guard rail refuses. That must not keep anything else from being sent: least
 * of all that somebody is taken out.
 *
 * The idea.
 *     a limit:       its items, the largest first. As many of them as exceed it together are held, then again of the rest, until the rest is within it.
 *                    So what is held exceeds the limit by itself, and does not slip through in the next plan when the rest was sent.
 *     an item:       the additions that bring in these people (for a loss, the removals that take them out): those of its own list, and for people who are
 *                    not among these, those of groups, since groups open channels
 *     other guards:  the parts of the object that they name
 * Of an object that a guard names without people, the additions are held first. If a plan without them meets the guard again, the removals are.
 *
 * What it does not do. It does not say that the rest is within all guards: the caller plans that, and asks again.
 */

/** A change of a list, in one direction. */
export interface ChangePart {
  readonly address: Address;
  readonly name: string;
  readonly field: string;
  readonly part: ListPart;
  readonly names: readonly string[];
}

export interface HeldPart extends ChangePart {
  readonly why: readonly Diagnostic[];
}

interface Part extends ChangePart {
  readonly kind: string;
  /** Whom the part brings in or takes out, with owners of bots. */
  readonly people: People;
}

/**
 * @param input a plan of lists, and the reading that it was made from
 * @param guards guard rails of this plan that refuse it, or ask
 * @param said a guard rail as an error
 * @returns the parts to hold back; every addition if these guards are about no part; empty if nothing is left to hold back
 */
export function partsHeldBy(
  input: GuardedPlan,
  guards: readonly Guard[],
  said: (guard: Guard) => Diagnostic,
): readonly HeldPart[] {
  const { access, items } = countedIn(input, new Realm(input.snapshot));
  const { before, after } = access.difference;
  const parts = input.plan.changes.flatMap((change) =>
    change.fields.flatMap((field) => partsOf(change, field, before, after)),
  );
  const held = new Map<Part, Diagnostic[]>();
  for (const guard of guards)
    for (const part of new Set(partsOfGuard(guard, { ...input, parts, items }))) addTo(held, part, said(guard));
  if (held.size === 0) for (const part of parts) if (part.part === "additions") held.set(part, guards.map(said));
  return [...held].map(([{ kind: _, people: __, ...part }, why]) => ({ ...part, why }));
}

/**
 * What the account may not do waits as well: everybody who may take others out of a channel can take the account out of it.
 * @param refused errors of a plan about the account, each at the line of a list or of its object
 * @returns the parts to hold back; empty if nothing there is left
 */
export function partsRefused({ changes }: Plan, refused: readonly Diagnostic[]): readonly HeldPart[] {
  const isAt = (place: Span | undefined) => (error: Diagnostic) =>
    place !== undefined && error.at !== undefined && startOf(place) === startOf(error.at);
  return changes.flatMap(({ address, name, at, fields }) =>
    fields.flatMap((change) => {
      const why = refused.filter((error) => isAt(change.at)(error) || isAt(at)(error));
      const { added, removed } = listShift(change.before, change.after);
      const [part, names] = added.length > 0 ? (["additions", added] as const) : (["removals", removed] as const);
      return why.length === 0 ? [] : [{ address, name, field: change.field, part, names, why }];
    }),
  );
}

function partsOf(
  { kind, address, name }: Change,
  change: FieldChange,
  before: AccessState,
  after: AccessState,
): readonly Part[] {
  const { field } = change;
  const { added, removed } = listShift(change.before, change.after);
  const part = (is: ListPart, names: readonly string[], state: AccessState): Part | readonly [] =>
    names.length === 0 ? [] : { kind, address, name, field, part: is, names, people: peopleOf(names, state) };
  return [part("additions", added, after), part("removals", removed, before)].flat();
}

function peopleOf(names: readonly string[], state: AccessState): People {
  const users = names.filter(isAccountName);
  const people = state.peopleIn({ groups: names.filter((name) => !isAccountName(name)), users });
  const { bots, owners } = state.accounts;
  const own = people
    .and(bots)
    .ids()
    .flatMap((bot) => owners.get(bot) ?? []);
  return people.or(state.population.of(own));
}

function partsOfGuard(
  { fact: { about } }: Guard,
  {
    plan,
    kinds,
    parts,
    items,
  }: Pick<GuardedPlan, "plan" | "kinds"> & { readonly parts: readonly Part[]; readonly items: readonly Item[] },
): readonly Part[] {
  const ofObject = (address: Address, first: ListPart): readonly Part[] => {
    const own = parts.filter((part) => part.address === address);
    const these = own.filter(({ part }) => part === first);
    return these.length > 0 ? these : own;
  };
  const ofGroups = (is: ListPart): readonly Part[] => parts.filter(({ kind, part }) => kind === GROUP && part === is);
  switch (about.kind) {
    case "limit": {
      const { counted, limit } = about;
      return beyond(itemsUnder(about, items, kinds), limit ?? 0).flatMap(({ object, people }) => {
        const is = COUNTING[counted].list;
        if (is === undefined) return ofObject(object.address, "additions");
        const named = parts.filter((part) => part.address === object.address && part.part === is);
        if (people === undefined) return named.length > 0 ? named : ofGroups(is);
        const moving = named.filter((part) => part.people.and(people).size > 0);
        const others = moving.reduce((left, part) => left.minus(part.people), people);
        return [...moving, ...ofGroups(is).filter((part) => part.people.and(others).size > 0)];
      });
    }
    case "protected":
      return parts.filter(({ address }) => address === about.object.address);
    case "unreachable": {
      const own = ofObject(about.object.address, "removals");
      return own.length > 0 ? own : ofGroups("removals");
    }
    case "lockout":
      return plan.changes
        .filter(({ risks }) => risks.some(({ fact }) => fact === about.risk))
        .flatMap(({ address }) => ofObject(address, "removals"));
    default:
      return [];
  }
}

/** The items that exceed a limit: the largest first, as many as exceed it together, and again until the rest does not. */
function beyond(items: readonly Item[], most: number): readonly Item[] {
  const size = ({ people, amount = 1 }: Item): number => people?.size ?? amount;
  const held: Item[] = [];
  let together: Item[] = [];
  for (const item of [...items].sort((a, b) => size(b) - size(a))) {
    together.push(item);
    if (sumOf(together, most).tipping === undefined) continue;
    held.push(...together);
    together = [];
  }
  return held;
}
