import { isOtherRight, type ResourceKind } from "../model/kind.ts";
import type { Pair } from "../model/objects.ts";

/** What a plan counts in a section: objects, or the fields of a singleton. */
export function countedIn(
  kind: ResourceKind,
  pairs: readonly Pair[],
): { readonly matches: number; readonly unmentioned: readonly string[] } {
  if (kind.shape !== "singleton") {
    return {
      matches: pairs.filter(
        ({ declared, change }) => declared !== undefined && declared.gaps === undefined && change === undefined,
      ).length,
      unmentioned: pairs.flatMap(({ declared, live, change }) =>
        declared === undefined && live?.inactive === false && change === undefined ? [live.name] : [],
      ),
    };
  }
  const matched = pairs.flatMap((pair) => Object.keys(pair.declared?.fields ?? {}));
  const declared = [...matched, ...pairs.flatMap((pair) => (pair.declared?.gaps ?? []).map(({ field }) => field))];
  const changed = pairs.flatMap(({ change }) => change?.fields ?? []);
  const live = pairs
    .flatMap((pair) => Object.keys(pair.live?.fields ?? {}))
    .filter((field) => !isOtherRight(kind, field));
  return { matches: matched.length - changed.length, unmentioned: live.filter((field) => !declared.includes(field)) };
}
