import { type Dependency, nameSetAside } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Address } from "../model/plan.ts";
import { nameCycles } from "./name-cycles.ts";

/*
 * Renames through a temporary name, for every kind whose names are unique on the server.
 *
 * Terms: a *move* is an object that frees one name and takes another; moves in which each takes the name that the next frees, and the last that of
 * the first, are a *cycle*. Premise: names are unique after every request, so no object of a cycle can be first.
 *
 *     for each cycle of moves:
 *       one object steps aside: it gets a temporary name, if possible in a request that it needs anyway
 *       the others follow, each as soon as the name that it takes is free (the planner orders them)
 *       the one that stepped aside takes its name last, in one additional request
 *
 * One additional request for each cycle is the minimum. What this does not do: order requests (the planner does, by what they need and provide), or
 * find an object again that an interrupted run left under a temporary name (src/plan/match.ts does).
 */

/** An object that frees one name and takes another; names as the server compares them. */
export interface Move<T> {
  readonly from: string;
  readonly to: string;
  readonly item: T;
}

/** Moves that wait for each other in a cycle; every move is in at most one. */
export function cyclesOfMoves<T>(moves: readonly Move<T>[]): readonly (readonly T[])[] {
  const byName = new Map(moves.map((move) => [move.from, move]));
  return nameCycles(new Map(moves.map(({ from, to }) => [from, to]))).map((cycle) =>
    cycle.flatMap((name) => byName.get(name)?.item ?? []),
  );
}

/**
 * One of each cycle, which gets a temporary name.
 * @param isFree an object that needs two requests anyway can step aside at no extra cost; default: the first steps aside
 */
export function steppingAside<T>(moves: readonly Move<T>[], isFree: (item: T) => boolean = () => false): readonly T[] {
  return cyclesOfMoves(moves).flatMap((cycle) => cycle.find(isFree) ?? cycle[0] ?? []);
}

/**
 * The two requests of an object that steps aside.
 * @param aside everything that changes, with the temporary name
 * @param last only the name
 */
export function asideAndLast(
  { address, gives, takes }: { readonly address: Address; readonly gives: Dependency; readonly takes: Dependency },
  aside: DraftCall,
  last: DraftCall,
): readonly [aside: DraftCall, last: DraftCall] {
  return [
    { ...aside, provides: [gives, nameSetAside(address), ...(aside.provides ?? [])] },
    { ...last, needs: [takes, nameSetAside(address), ...(last.needs ?? [])] },
  ];
}
