import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { Address, Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { steppingAside as firstOf } from "../stepping-aside.ts";

/**
 * The pattern that a linkifier has while others take its own. It still finds what the new pattern finds, so that the example and
 * the templates that are sent with it hold. Patterns have no greatest length.
 */
export function patternInBetween(target: string, id: number): string {
  return temporaryName(`${target}|`, id, Number.POSITIVE_INFINITY);
}

/** Linkifiers of this plan that step aside first, so that the others of their cycle can move up: one for each cycle. */
export function steppingAside(changes: readonly Change[], context: PlanContext): ReadonlySet<Address> {
  const moves = changes.flatMap((item) => (item.was === undefined ? [] : [{ from: item.was, to: item.name, item }]));
  const aside = firstOf(moves).filter(({ address }) => context.pair(address)?.live !== undefined);
  return new Set(aside.map(({ address }) => address));
}

/** No linkifier has the pattern. */
export function freePattern(pattern: string): Dependency {
  return nameFree("linkifier", pattern);
}
