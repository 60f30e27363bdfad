import type { Move } from "../model/facets.ts";
import { type ResourceKind, temporaryNameOf } from "../model/kind.ts";
import type { Address, Change } from "../model/plan.ts";
import type { PlanContext, PlannedMove } from "../model/plan-context.ts";
import { nameCycles } from "./name-cycles.ts";

/*
 * Renames through a temporary name, for every kind whose names are unique on the server.
 *
 * Terms: a *move* is an object that frees one name and takes another; moves in which each takes the name that the next frees, and the last that of
 * the first, are a *cycle*. Premise: names are unique after every request, so no object of a cycle can be first.
 *
 *     kinds declare the moves (`calls.moves`)
 *     for each cycle of moves:
 *       one object steps aside: it gets a temporary name, if possible in a request that it needs anyway
 *       the others follow, each as soon as the name that it takes is free (cycles.ts orders them)
 *       the one that stepped aside takes its name last, in one additional request
 *     kinds write the requests: for an object that steps aside, one with the temporary name, and one with the new name
 *
 * One additional request for each cycle is the minimum, and the planner counts it. What this does not do: break cycles of names and other needs
 * (cycles.ts does, with the alternatives of a kind), or find an object again that an interrupted run left under a temporary name (match.ts does).
 */

/** Every move of a plan, by the address of its object. */
export function movesOf(
  sections: readonly { readonly kind: ResourceKind; readonly changes: readonly Change[] }[],
  context: PlanContext,
): ReadonlyMap<Address, PlannedMove> {
  const planned = new Map<Address, PlannedMove>();
  for (const { kind, changes } of sections) {
    const moves = kind.calls.moves?.(changes, context) ?? [];
    const aside = new Set(asideIn(moves));
    // Without an id, nobody has to find the object by its temporary name: any number that is unique will do.
    const numbered = [...aside, ...moves.filter((move) => !aside.has(move))];
    for (const [index, move] of numbered.entries()) {
      const { change, name = change.name } = move;
      const temporary = temporaryNameOf(kind, name, change.id ?? index + 1);
      const isAside = aside.has(move);
      planned.set(change.address, {
        temporary,
        aside: isAside ? temporary : undefined,
        requests: isAside && move.isTwice !== true ? 1 : 0,
      });
    }
  }
  return planned;
}

/** One of each cycle, if possible one that needs no additional request. */
function asideIn(moves: readonly Move[]): readonly Move[] {
  const byName = new Map(moves.map((move) => [move.from, move]));
  return nameCycles(new Map(moves.map(({ from, to }) => [from, to]))).flatMap((names) => {
    const cycle = names.flatMap((name) => byName.get(name) ?? []);
    return cycle.find(({ isTwice }) => isTwice === true) ?? cycle[0] ?? [];
  });
}
