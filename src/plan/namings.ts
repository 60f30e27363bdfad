import { defined } from "../model/defined.ts";
import { inactive, removed } from "../model/draft-call.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import { addTo, overlaid } from "../model/lazy.ts";
import { namedIn } from "../model/named-in.ts";
import type { Named, Pair } from "../model/objects.ts";
import type { Naming, PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import { isReactivation, isRemoval } from "../model/tally.ts";
import type { Section } from "./sections.ts";

type Known = Pick<PlanContext, "realm" | "whole">;

/**
 * Which objects of any kind name which others, before and after a plan; objects of sections that are not in the file count, too.
 * @returns the fields that name an object, in the order of the kinds and of their objects
 */
export function namingsIn(sections: readonly Section[], known: Known): (named: Pair) => readonly Naming[] {
  const kinds = new Map(sections.map(({ kind }) => [kind.name, kind]));
  const keyIn = (kind: string, name = "", id?: number): string => {
    const target = kinds.get(kind);
    return id === undefined ? `${kind}:${target === undefined ? name : keyOf(target, name)}` : `${kind} ${id}`;
  };
  const found = new Map<string, Naming[]>();
  for (const section of sections)
    for (const [{ kind, name, id }, naming] of ownNamings(section, known)) {
      const key = keyIn(kind, name, id);
      addTo(found, key, naming);
    }
  return ({ kind, change, live }) => [
    ...(found.get(keyIn(kind, change?.name ?? live?.name)) ?? []),
    ...(found.get(keyIn(kind, undefined, live?.id ?? Number.NaN)) ?? []),
  ];
}

function* ownNamings(section: Section, { realm, whole }: Known): Iterable<readonly [named: Named, naming: Naming]> {
  const { kind, isManaged, pairs, live: all } = section;
  const undeclared = all.map((live): Pair => ({ kind: kind.name, address: `${kind.name}:${live.name}`, live }));
  for (const pair of isManaged ? pairs : undeclared) {
    const { live, change, address } = pair;
    const now = namesOf(kind, pair, realm, "now");
    // An object that is removed keeps its values until then.
    const next = change === undefined || change.action === "remove" ? now : namesOf(kind, pair, realm, "next");
    const wasInactive = live?.inactive === true;
    const isInactive =
      change === undefined ? wasInactive : isRemoval(change) || (wasInactive && !isReactivation(change));
    const ending = kind.inactivity === undefined ? removed(address) : inactive(address);
    const by = kind.shape === "singleton" ? undefined : { address, name: change?.name ?? live?.name ?? "" };
    for (const [key, named] of new Map([...now, ...next])) {
      const [isNow, isNext] = [now.has(key), next.has(key)];
      const end = isNext ? [ending] : whole(address);
      yield [named, { field: named.field, by, isNow, isNext, change, wasInactive, isInactive, end }];
    }
  }
}

type Names = ReadonlyMap<string, Named>;

const byText = (named: readonly Named[]): Names =>
  new Map(named.filter(({ isUse }) => isUse !== false).map((each) => [JSON.stringify(each), each]));

/** @param is whether the object is as it is now, or as the plan leaves it */
function namesOf(
  { file, live: facet }: ResourceKind,
  { live, change, declared }: Pair,
  realm: Realm,
  is: "now" | "next",
): Names {
  if (is === "now" && live === undefined) return new Map();
  const changed = is === "now" ? [] : (change?.fields ?? []).map(({ field, after }) => [field, after] as const);
  const object = {
    name: (is === "now" ? undefined : change?.name) ?? live?.name ?? "",
    fields: overlaid(live?.fields ?? {}, Object.fromEntries(changed)),
    absent: false,
    ...defined({ creation: live === undefined ? declared?.creation : undefined }),
  };
  return byText([...namedIn(file, object), ...(live === undefined ? [] : (facet.otherNames?.(live, realm) ?? []))]);
}
