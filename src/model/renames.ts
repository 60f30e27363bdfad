import { liveObjects, type ResourceKind } from "./kind.ts";
import type { LiveObject } from "./objects.ts";
import type { Change } from "./plan.ts";
import { Realm } from "./realm.ts";

/**
 * Kind → id → the name of an object after the plan. Objects name each other (a channel its folder, a setting its groups): a change that is only the
 * new name of another object is not a difference.
 */
export type Renames = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Renames of the kinds that other kinds name, according to the changes of a plan. */
export function renamesIn(changes: readonly Change[]): Renames {
  const renames = new Map<string, Map<number, string>>();
  for (const { kind, id, was, name } of changes) {
    if (was === undefined || id === undefined) continue;
    const known = renames.get(kind);
    if (known === undefined) renames.set(kind, new Map([[id, name]]));
    else known.set(id, name);
  }
  return renames;
}

/** A kind whose objects others name, as far as renames matter. */
export interface Renaming {
  readonly name: string;
  readonly live: Pick<ResourceKind["live"], "renamed">;
}

export function withName<T extends { readonly name: string }>(object: T, name: string | undefined): T {
  return name === undefined ? object : { ...object, name };
}

/**
 * The live objects of a kind: each with its current name, and with the new names of other objects in its values.
 * @param after the same realm, with the renames made
 */
export function liveAcross(kind: ResourceKind, now: Realm, after: Realm): readonly LiveObject[] | undefined {
  const objects = liveObjects(kind, after);
  if (objects === undefined || now === after) return objects;
  const names = new Map<number, LiveObject>();
  for (const object of liveObjects(kind, now) ?? []) if (object.id !== null) names.set(object.id, object);
  return objects.map((object) => {
    const own = object.id === null ? undefined : names.get(object.id);
    return own === undefined ? object : { ...object, key: own.key, name: own.name };
  });
}

/** A realm whose objects have their new names; the realm itself if none is renamed. */
export function realmAfter(realm: Realm, renames: Renames, kinds: readonly Renaming[]): Realm {
  if (renames.size === 0) return realm;
  const { snapshot } = realm;
  let after = snapshot;
  for (const { name, live } of kinds) {
    const names = renames.get(name);
    if (names !== undefined) after = { ...after, ...live.renamed?.(snapshot, names) };
  }
  return new Realm(after);
}
