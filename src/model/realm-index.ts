import type { Snapshot, SnapshotChannel, SnapshotGroup, SnapshotUser } from "./snapshot.ts";

/** What is looked up in a snapshot by id and by name. Worked out once for each snapshot, however many realms are made of it. */
export interface RealmIndex {
  readonly people: PeopleIndex;
  readonly groups: ReadonlyMap<number, SnapshotGroup>;
  readonly groupsByName: ReadonlyMap<string, SnapshotGroup>;
  readonly channels: ReadonlyMap<number, SnapshotChannel>;
  /** Group → everybody in it: what was asked for so far. */
  readonly members: Map<number, ReadonlySet<number>>;
}

const known = new WeakMap<Snapshot, RealmIndex>();
/** A plan's renames make other snapshots of the same people. */
const knownPeople = new WeakMap<readonly SnapshotUser[], PeopleIndex>();

export function indexOf(snapshot: Snapshot): RealmIndex {
  const found = known.get(snapshot);
  if (found !== undefined) return found;
  const made: RealmIndex = {
    people: peopleIn(snapshot.users),
    groups: new Map(snapshot.user_groups.map((group) => [group.id, group])),
    groupsByName: new Map(snapshot.user_groups.map((group) => [group.name, group])),
    channels: new Map(snapshot.channels.map((channel) => [channel.stream_id, channel])),
    members: new Map(),
  };
  known.set(snapshot, made);
  return made;
}

function peopleIn(users: readonly SnapshotUser[]): PeopleIndex {
  const found = knownPeople.get(users) ?? new PeopleIndex(users);
  knownPeople.set(users, found);
  return found;
}

/** People by id, by address and by the name that plans give them. */
class PeopleIndex {
  readonly byId = new Map<number, SnapshotUser>();
  private readonly users: readonly SnapshotUser[];
  private addresses: ReadonlyMap<string, SnapshotUser> | undefined;
  private readonly names = new Map<number, string>();
  private readonly activeNames = new Map<number, string | undefined>();

  constructor(users: readonly SnapshotUser[]) {
    this.users = users;
    for (const user of users) this.byId.set(user.user_id, user);
  }

  /** By lower-cased address. Not every command asks for somebody by address, so it is made when the first one does. */
  get byEmail(): ReadonlyMap<string, SnapshotUser> {
    if (this.addresses !== undefined) return this.addresses;
    const found = new Map<string, SnapshotUser>();
    // The real address wins over an API address of somebody else that happens to read the same.
    for (const user of this.users) found.set(user.email.toLowerCase(), user);
    for (const user of this.users) if (user.delivery_email !== null) found.set(user.delivery_email.toLowerCase(), user);
    this.addresses = found;
    return found;
  }

  /** The name of somebody whose account is in use; of an id that is nobody's too. One look for each of the many members of many groups. */
  activeName(id: number): string | undefined {
    const found = this.activeNames.get(id);
    if (found !== undefined || this.activeNames.has(id)) return found;
    const made = this.byId.get(id)?.is_active === false ? undefined : this.name(id);
    this.activeNames.set(id, made);
    return made;
  }

  name(id: number): string {
    const found = this.names.get(id);
    if (found !== undefined) return found;
    const user = this.byId.get(id);
    const made = (user?.delivery_email ?? user?.email ?? `user:${id}`).toLowerCase();
    this.names.set(id, made);
    return made;
  }
}
