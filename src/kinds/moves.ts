import { type Dependency, nameSetAside } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import type { Move } from "../model/facets.ts";
import type { Address, Change } from "../model/plan.ts";

/** Renames as moves, for kinds that compare names as they are. */
export function renamesAsMoves(changes: readonly Change[]): readonly Move[] {
  return changes.flatMap((change) => (change.was === undefined ? [] : [{ change, from: change.was, to: change.name }]));
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
