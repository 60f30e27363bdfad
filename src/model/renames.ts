import { type LiveObject, liveObjects, type ResourceKind } from "./kind.ts";
import type { Change } from "./plan.ts";
import { Realm } from "./realm.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Kind → id → the name that an object has once the plan is applied. Objects name each other (a channel its folder, a setting its
 * groups): what only changes because the other object gets a new name is no difference.
 */
export type Renames = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Renames of the kinds that other kinds name, as the changes of a plan say them. */
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

/** The reading as if these renames had been made. */
export function renamed(snapshot: Snapshot, renames: Renames): Snapshot {
  const groups = renames.get("user_group");
  const folders = renames.get("channel_folder");
  const channels = renames.get("channel");
  const named = <T extends { readonly name: string }>(object: T, name: string | undefined): T =>
    name === undefined ? object : { ...object, name };
  return {
    ...snapshot,
    ...(groups === undefined
      ? {}
      : { user_groups: snapshot.user_groups.map((group) => named(group, groups.get(group.id))) }),
    ...(folders === undefined || snapshot.channel_folders === null
      ? {}
      : { channel_folders: snapshot.channel_folders.map((folder) => named(folder, folders.get(folder.id))) }),
    ...(channels === undefined
      ? {}
      : { channels: snapshot.channels.map((channel) => named(channel, channels.get(channel.stream_id))) }),
  };
}

/**
 * The live objects of a kind: each under the name that it has now, what it says of others under the names that those get.
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

/** A realm whose objects have the names that they get; the realm itself when none is renamed. */
export function realmAfter(realm: Realm, renames: Renames): Realm {
  return renames.size === 0 ? realm : new Realm(renamed(realm.snapshot, renames));
}
