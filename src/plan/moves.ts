import type { Move } from "../model/facets.ts";
import { type ResourceKind, temporaryNameOf } from "../model/kind.ts";
import { addTo, once } from "../model/lazy.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import type { PlanContext, PlannedMove } from "../model/plan-context.ts";
import { SPARES, temporaryName } from "../model/temporary-name.ts";
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

/** Every move of a plan, by its key ({@link moveKey}). */
export function movesOf(
  sections: readonly Pick<Section, "kind" | "changes" | "live">[],
  context: PlanContext,
): ReadonlyMap<string, PlannedMove> {
  const planned = new Map<string, PlannedMove>();
  for (const { kind, changes, live } of sections) {
    const taken = once(() => textsOf(live));
    // An object that steps aside with one name does so with another in the same requests.
    const twice = new Set<Address>();
    for (const [field, moves] of byField(kind.calls.moves?.(changes, context) ?? [])) {
      const isTwice = ({ change, isTwice }: Move): boolean => isTwice === true || twice.has(change.address);
      const aside = new Set(asideIn(moves, isTwice));
      // Without an id, nobody has to find the object by its temporary name: any number that is unique will do.
      const numbered = [...aside, ...moves.filter((move) => !aside.has(move))];
      for (const [index, move] of numbered.entries()) {
        const { change, name = change.name } = move;
        const temporary = freeNameOf(kind, { field, name }, change.id ?? index + 1, taken());
        const isAside = aside.has(move);
        planned.set(moveKey(change.address, field), {
          temporary,
          aside: isAside ? temporary : undefined,
          requests: isAside && !isTwice(move) ? 1 : 0,
        });
      }
      for (const { change } of aside) twice.add(change.address);
    }
  }
  return planned;
}

/** The object's own name, unlike a name in a field. */
const OWN_NAME = "name";

/** The move of an object: of its own name, or of the name in a field. */
export const moveKey = (address: Address, field = OWN_NAME): string =>
  field === OWN_NAME ? address : `${address}\n${field}`;

function byField(moves: readonly Move[]): ReadonlyMap<string, readonly Move[]> {
  const found = new Map<string, Move[]>();
  for (const move of moves) addTo(found, move.of ?? OWN_NAME, move);
  return found;
}

/** Anybody may have given an object the temporary name that another one needs. */
function freeNameOf(
  kind: ResourceKind,
  { field, name }: { readonly field: string; readonly name: string },
  id: number,
  taken: ReadonlySet<string>,
): string {
  const made = (spare?: number): string =>
    field === OWN_NAME ? temporaryNameOf(kind, name, id, spare) : temporaryName(name, id, undefined, spare);
  return SPARES.map(made).find((candidate) => !taken.has(candidate.toLowerCase())) ?? made();
}

/** Names that objects have on the server; some kinds have them in a field. */
const textsOf = (live: readonly LiveObject[]): ReadonlySet<string> =>
  new Set(
    live.flatMap(({ name, fields }) =>
      [name, fields.name, fields.full_name].flatMap((text) => (typeof text === "string" ? [text.toLowerCase()] : [])),
    ),
  );

/** One of each cycle, if possible one that needs no additional request. */
function asideIn(moves: readonly Move[], isTwice: (move: Move) => boolean): readonly Move[] {
  const byName = new Map(moves.map((move) => [move.from, move]));
  return nameCycles(new Map(moves.map(({ from, to }) => [from, to]))).flatMap((names) => {
    const cycle = names.flatMap((name) => byName.get(name) ?? []);
    return cycle.find(isTwice) ?? cycle[0] ?? [];
  });
}

/**
 * Finds cycles of names: each object takes the name that the next one frees, and the last that of the first.
 * @param moves the name that an object frees → the name that it takes
 * @returns each cycle as the freed names, in the order in which they are taken; every name is in at most one cycle
 */
export function nameCycles(moves: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const seen = new Set<string>();
  for (const start of moves.keys()) {
    const path: string[] = [];
    let name = start;
    for (let next = moves.get(name); next !== undefined && !seen.has(name); next = moves.get(name)) {
      seen.add(name);
      path.push(name);
      name = next;
    }
    const closed = path.indexOf(name);
    if (closed >= 0) cycles.push(path.slice(closed));
  }
  return cycles;
}
