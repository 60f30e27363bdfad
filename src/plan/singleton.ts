import type { Span } from "../model/diagnostic.ts";
import type { DeclaredObject, LiveObject, Pair, Policy, ResourceKind } from "../model/kind.ts";
import type { Realm } from "../model/realm.ts";

/**
 * Under `exact`, the fields of a singleton that the file leaves out are what a new organization has, as far as that is known and this
 * server has the field.
 */
export function withDefaults(
  kind: ResourceKind,
  declared: DeclaredObject,
  live: LiveObject | undefined,
  { policy, at, realm }: { readonly policy: Policy; readonly at: Span | undefined; readonly realm: Realm },
): DeclaredObject {
  const defaults = policy === "exact" ? kind.diff?.defaults?.(realm) : undefined;
  if (defaults === undefined || live === undefined) return declared;
  const left = Object.entries(defaults).filter(([field]) => field in live.fields && !(field in declared.fields));
  if (left.length === 0) return declared;
  const places = at === undefined ? [] : left.map(([field]) => [field, at] as const);
  return {
    ...declared,
    fields: { ...Object.fromEntries(left), ...declared.fields },
    spans: { ...Object.fromEntries(places), ...declared.spans },
  };
}

/** What a plan counts of a section: objects, or the fields of what there is one of. */
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
