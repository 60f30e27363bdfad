import { oncePer } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { foldCase } from "./names.ts";

interface Channels {
  readonly byKey: ReadonlyMap<string, SnapshotChannel>;
  readonly active: readonly string[];
}

/** A realm's channels by the names that the server compares: an index for thousands of names. */
export const channelsIn = oncePer((realm: Realm): Channels => {
  const byKey = new Map<string, SnapshotChannel>();
  for (const channel of realm.snapshot.channels) {
    const key = foldCase(channel.name);
    if (!byKey.has(key)) byKey.set(key, channel);
  }
  const active = realm.snapshot.channels.flatMap(({ name, is_archived }) => (is_archived ? [] : [name]));
  return { byKey, active };
});
