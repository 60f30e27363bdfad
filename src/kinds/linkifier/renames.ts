import { type Dependency, nameFree } from "../../model/dependency.ts";
import type { Address, Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { temporaryName } from "../../model/temporary-name.ts";
import { steppingAside as firstOf } from "../stepping-aside.ts";

/**
 * The temporary pattern of a linkifier while others take its own. It still matches everything that the new pattern matches, so the example and the
 * templates that are sent with it stay valid. Patterns have no maximum length.
 */
export function patternInBetween(target: string, id: number): string {
  return temporaryName(`${target}|`, id, Number.POSITIVE_INFINITY);
}

/** Linkifiers of this plan that get a temporary pattern first, one for each cycle. */
export function steppingAside(changes: readonly Change[], context: PlanContext): ReadonlySet<Address> {
  const moves = changes.flatMap((item) => (item.was === undefined ? [] : [{ from: item.was, to: item.name, item }]));
  const aside = firstOf(moves).filter(({ address }) => context.pair(address)?.live !== undefined);
  return new Set(aside.map(({ address }) => address));
}

/** No linkifier has the pattern. */
export function freePattern(pattern: string): Dependency {
  return nameFree("linkifier", pattern);
}
