import type { ResourceKind } from "../model/kind.ts";
import type { Pair } from "../model/objects.ts";

/** What a plan counts in a section: objects, or the fields of a singleton. */
export function countedIn(
  kind: ResourceKind,
  pairs: readonly Pair[],
): { readonly matches: number; readonly unmentioned: readonly string[] } {
  if (kind.shape !== "singleton") {
    return {
      matches: pairs.filter(({ declared, change }) => declared !== undefined && change === undefined).length,
      unmentioned: pairs.flatMap(({ declared, live, change }) =>
        declared === undefined && live?.inactive === false && change === undefined ? [live.name] : [],
      ),
    };
  }
  const declared = pairs.flatMap((pair) => Object.keys(pair.declared?.fields ?? {}));
  const changed = pairs.flatMap(({ change }) => change?.fields ?? []);
  const live = pairs.flatMap((pair) => Object.keys(pair.live?.fields ?? {}));
  return { matches: declared.length - changed.length, unmentioned: live.filter((field) => !declared.includes(field)) };
}
