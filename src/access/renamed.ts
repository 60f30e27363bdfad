import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { type Renaming, realmAfter, renamesIn, withName } from "../model/renames.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { CHANNEL, GROUP } from "./scope.ts";

type Names = ReadonlyMap<number, string>;

export const renamedChannels = ({ channels }: Snapshot, names: Names): Partial<Snapshot> => ({
  channels: channels.map((channel) => withName(channel, names.get(channel.stream_id))),
});

export const renamedGroups = ({ user_groups }: Snapshot, names: Names): Partial<Snapshot> => ({
  user_groups: user_groups.map((group) => withName(group, names.get(group.id))),
});

const OF_ACCESS: readonly Renaming[] = [
  { name: CHANNEL, live: { renamed: renamedChannels } },
  { name: GROUP, live: { renamed: renamedGroups } },
];

/** A realm whose channels and groups have the names that a plan gives them: rights exist only on these. */
export function namedAfter(realm: Realm, changes: readonly Change[]): Realm {
  return realmAfter(realm, renamesIn(changes), OF_ACCESS);
}
