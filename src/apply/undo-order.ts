import { type Json, sameJson } from "../model/json.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";

/** The order of a section before a run, or the fact that somebody else changed it since. */
type OrderBefore =
  | { readonly isAsLeft: true; readonly objects: readonly DeclaredObject[] }
  | { readonly isAsLeft: false; readonly reorder: Change | undefined };

/**
 * The objects of one kind in the order that they had before a run; undefined if order has no meaning.
 * @param own the run's changes of objects of this kind
 */
export function orderBefore(
  own: readonly Change[],
  {
    kept,
    all,
    live,
    declared,
    make,
  }: {
    /** The section's names in their order when the plan was made, if objects can disappear from it. */
    readonly kept: Json | undefined;
    /** Every change of the kind in the plan: an object that the run did not get to rename has its new name there, too. */
    readonly all: readonly Change[];
    /** The names in the server's current order. */
    readonly live: readonly string[];
    /** The declarations that the undo has already. */
    readonly declared: readonly DeclaredObject[];
    /** Declares an object that exists and stays as it is. */
    readonly make: (name: string) => DeclaredObject;
  },
): OrderBefore | undefined {
  const reorder = own.find(({ action }) => action === "reorder");
  const order = reorder?.fields[0];
  const before = kept ?? order?.before;
  if (!Array.isArray(before)) return undefined;
  const names = before.map(String);
  const renamed = new Map(all.flatMap(({ was, name }) => (was === undefined ? [] : [[was, name] as const])));
  // A removed object has no position in the order, though another object may have its name by now.
  const removedNames = new Set(own.flatMap(({ action, name }) => (action === "remove" ? [name] : [])));
  // An order that was kept for the undo has the names from before the run, one that was changed has the plan's.
  const isKept = kept !== undefined;
  const nameInPlan = (name: string): string | undefined =>
    (isKept ? renamed.get(name) : undefined) ?? (removedNames.has(name) ? undefined : name);
  const planned = names.flatMap((name) => nameInPlan(name) ?? []);
  const staying = live.filter((name) => planned.includes(name));
  // If the run changed the order, the server has that order, or the previous one if somebody put it back or the call never arrived.
  const asBefore = planned.filter((name) => staying.includes(name));
  const asLeft = order !== undefined && sameJson([...live], order.after);
  if (!asLeft && !sameJson(staying, asBefore)) return { isAsLeft: false, reorder };
  const known = new Map(declared.map((object) => [object.name, object]));
  const oldNames = new Map(isKept ? [] : [...renamed].map(([was, name]) => [name, was] as const));
  const objects = names.flatMap((name) => {
    const now = nameInPlan(name);
    const untouched = now !== undefined && live.includes(now) ? make(now) : [];
    return known.get(oldNames.get(name) ?? name) ?? untouched;
  });
  return { isAsLeft: true, objects };
}
