import { type Json, sameJson } from "../model/json.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";

/** The order of a section before a run, or that somebody else changed it since. */
export type OrderBefore =
  | { readonly isAsLeft: true; readonly objects: readonly DeclaredObject[] }
  | { readonly isAsLeft: false; readonly reorder: Change | undefined };

/**
 * The objects of one kind in the order that they had before a run; undefined where order means nothing.
 * @param own what the run changed of the kind
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
    /** The section's names in their order when the plan was made, where objects can vanish from it. */
    readonly kept: Json | undefined;
    /** Every change of the kind that the plan has: what the run did not come to rename is told by its new name, too. */
    readonly all: readonly Change[];
    /** The names in the order that the server has now. */
    readonly live: readonly string[];
    /** What the undo declares already. */
    readonly declared: readonly DeclaredObject[];
    /** Declares an object that is there and stays as it is. */
    readonly make: (name: string) => DeclaredObject;
  },
): OrderBefore | undefined {
  const reorder = own.find(({ action }) => action === "reorder");
  const [order] = reorder?.fields ?? [];
  const before = kept ?? order?.before;
  if (before === undefined || !Array.isArray(before)) return undefined;
  const names = before.map(String);
  const renamed = new Map(all.flatMap(({ was, name }) => (was === undefined ? [] : [[was, name] as const])));
  // A removed object has no place in the order, though another object may have its name by now.
  const gone = new Set(own.flatMap(({ action, name }) => (action === "remove" ? [name] : [])));
  const namesNow = names.flatMap((name) => renamed.get(name) ?? (gone.has(name) ? [] : [name]));
  const staying = live.filter((name) => namesNow.includes(name));
  // What the run put in order shows its order, or the one from before where it was put back, or the call never arrived.
  const asBefore = namesNow.filter((name) => staying.includes(name));
  const asLeft = order !== undefined && sameJson([...live], order.after);
  if (!asLeft && !sameJson(staying, asBefore)) return { isAsLeft: false, reorder };
  const known = new Map(declared.map((object) => [object.name, object]));
  // An order that was changed is told in new names, one that was kept for the undo in old ones.
  const oldNames = new Map(kept === undefined ? [...renamed].map(([was, name]) => [name, was] as const) : []);
  const objects = names.flatMap(
    (name) => known.get(oldNames.get(name) ?? name) ?? (live.includes(name) ? make(name) : []),
  );
  return { isAsLeft: true, objects };
}
