import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { type Renaming, realmAfter, renamesIn, withName } from "../model/renames.ts";
import type { Snapshot, SnapshotUser } from "../model/snapshot.ts";
import { BOT, CHANNEL, GROUP } from "./scope.ts";

type Names = ReadonlyMap<number, string>;

export const renamedChannels = ({ channels }: Snapshot, names: Names): Partial<Snapshot> => ({
  channels: channels.map((channel) => withName(channel, names.get(channel.stream_id))),
});

export const renamedGroups = ({ user_groups }: Snapshot, names: Names): Partial<Snapshot> => ({
  user_groups: user_groups.map((group) => withName(group, names.get(group.id))),
});

/** From this level on, a bot's address can be changed (PATCH /bots/{id}, `short_name`). */
export const SHORT_NAME_LEVEL = 447;

/** Everything else names a bot by its address, which follows its name; below the level, no bot gets another one. */
export function renamedAccounts(snapshot: Snapshot, names: Names): Partial<Snapshot> {
  if (snapshot.server.feature_level < SHORT_NAME_LEVEL) return {};
  const users = snapshot.users.map((user) => {
    const name = names.get(user.user_id);
    const email = name === undefined ? undefined : botAddress(user, name, snapshot);
    return email === undefined ? user : { ...user, email, delivery_email: email };
  });
  return { users };
}

export const addressOf = ({ delivery_email, email }: SnapshotUser): string => (delivery_email ?? email).toLowerCase();

/** The server ends the part before the @ with -bot in every address that it makes for a bot, and a person hardly has such a one (zulip-api.md §18.3). */
export const isOfBot = (address: string): boolean => /-bot@/.test(address);

/** The address that a bot has once it has this name: it may have been on another domain than that of new bots (zulip-api.md §18.3). */
export function botAddress(bot: SnapshotUser, name: string, { settings }: Snapshot): string {
  if (name.includes("@")) return name;
  const { bot_domain } = settings;
  return `${name}@${typeof bot_domain === "string" ? bot_domain : addressOf(bot).replace(/^.*@/s, "")}`;
}

const OF_ACCESS: readonly Renaming[] = [
  { name: CHANNEL, live: { renamed: renamedChannels } },
  { name: GROUP, live: { renamed: renamedGroups } },
  { name: BOT, live: { renamed: renamedAccounts } },
];

/** A realm whose channels, groups and bots have the names that a plan gives them: rights exist only on these, and name them. */
export function namedAfter(realm: Realm, changes: readonly Change[]): Realm {
  return realmAfter(realm, renamesIn(changes), OF_ACCESS);
}
