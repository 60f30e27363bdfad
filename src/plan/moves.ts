import type { Move } from "../model/facets.ts";
import { type ResourceKind, temporaryNameOf } from "../model/kind.ts";
import { once } from "../model/lazy.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import type { PlanContext, PlannedMove } from "../model/plan-context.ts";
import { SPARES } from "../model/temporary-name.ts";
import { nameCycles } from "./name-cycles.ts";
import type { Section } from "./sections.ts";

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
  sections: readonly Pick<Section, "kind" | "changes" | "live">[],
  context: PlanContext,
): ReadonlyMap<Address, PlannedMove> {
  const planned = new Map<Address, PlannedMove>();
  for (const { kind, changes, live } of sections) {
    const moves = kind.calls.moves?.(changes, context) ?? [];
    const aside = new Set(asideIn(moves));
    const taken = once(() => textsOf(live));
    // Without an id, nobody has to find the object by its temporary name: any number that is unique will do.
    const numbered = [...aside, ...moves.filter((move) => !aside.has(move))];
    for (const [index, move] of numbered.entries()) {
      const { change, name = change.name } = move;
      const temporary = freeNameOf(kind, name, change.id ?? index + 1, taken());
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

/** Anybody may have given an object the temporary name that another one needs. */
function freeNameOf(kind: ResourceKind, name: string, id: number, taken: ReadonlySet<string>): string {
  const names = SPARES.map((spare) => temporaryNameOf(kind, name, id, spare));
  return names.find((candidate) => !taken.has(candidate.toLowerCase())) ?? temporaryNameOf(kind, name, id);
}

/** Names that objects have on the server; some kinds have them in a field. */
const textsOf = (live: readonly LiveObject[]): ReadonlySet<string> =>
  new Set(
    live.flatMap(({ name, fields }) =>
      [name, fields.name, fields.full_name].flatMap((text) => (typeof text === "string" ? [text.toLowerCase()] : [])),
    ),
  );

/** One of each cycle, if possible one that needs no additional request. */
function asideIn(moves: readonly Move[]): readonly Move[] {
  const byName = new Map(moves.map((move) => [move.from, move]));
  return nameCycles(new Map(moves.map(({ from, to }) => [from, to]))).flatMap((names) => {
    const cycle = names.flatMap((name) => byName.get(name) ?? []);
    return cycle.find(({ isTwice }) => isTwice === true) ?? cycle[0] ?? [];
  });
}
