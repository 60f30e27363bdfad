import { isList, isObject, type Json } from "./json.ts";
import { indexed, oncePer } from "./lazy.ts";
import type { IdOf, Param } from "./plan.ts";
import { ROLE } from "./roles.ts";
import type {
  GroupSettingValue,
  PermissionRule,
  Snapshot,
  SnapshotChannel,
  SnapshotGroup,
  SnapshotUser,
} from "./snapshot.ts";
import { byText } from "./texts.ts";

/**
 * A group-setting value in canonical form: the name of one group, or an anonymous group of names. People stand as the address
 * the reading account sees, lower-cased; both lists sorted, without doubles. `{[],[]}` is `role:nobody`, `{[g],[]}` is `g`
 * (zulip-api.md §3.7), so equal meanings are equal texts.
 */
export type GroupValue = string | { readonly groups: readonly string[]; readonly users: readonly string[] };

export function groupValue(groups: Iterable<string>, users: Iterable<string>): GroupValue {
  const sortedGroups = [...new Set(groups)].sort(byText);
  const sortedUsers = [...new Set(users)].sort(byText);
  const [first] = sortedGroups;
  if (sortedUsers.length === 0 && first === undefined) return "role:nobody";
  if (sortedUsers.length === 0 && first !== undefined && sortedGroups.length === 1) return first;
  return { groups: sortedGroups, users: sortedUsers };
}

/** Reads a canonical value back out of a plan's JSON. */
export function asGroupValue(value: Json): GroupValue | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  const { groups, users } = value;
  if (!isList(groups) || !isList(users)) return undefined;
  return { groups: groups.map(String), users: users.map(String) };
}

export { byText };

const botsByOwner = indexed<SnapshotUser>(({ bot_owner_id: owner }) => (owner === null ? [] : [String(owner)]));

/** The name of somebody who hides the address. */
const PINNED = /^user:(-?\d+)$/;

/** A snapshot with its indexes: ids to names and back, which roles the reading account has. Pure. */
export class Realm {
  readonly snapshot: Snapshot;
  readonly level: number;
  private readonly index: RealmIndex;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.level = snapshot.server.feature_level;
    this.index = indexOf(snapshot);
  }

  user(id: number): SnapshotUser | undefined {
    return this.index.people.byId.get(id);
  }
  /** Finds somebody by address, whatever its case, or by `user:17`; real addresses are tried before API addresses. */
  userByEmail(email: string): SnapshotUser | undefined {
    const pinned = PINNED.exec(email)?.[1];
    return pinned === undefined ? this.index.people.byEmail(email.toLowerCase()) : this.user(Number(pinned));
  }
  /** The name of a person in plans and files: the address that the reading account sees, lower-cased, or `user:17`. */
  userName(id: number): string {
    return this.index.people.name(id);
  }
  /** The names of the active accounts among these ids, sorted, as in plans and files. */
  namesOfActive(ids: readonly number[]): readonly string[] {
    return this.index.people.activeNames(ids);
  }
  /** The bots that this account owns, active or not. */
  botsOf(owner: number): readonly SnapshotUser[] {
    return botsByOwner(this.snapshot.users, String(owner));
  }
  group(id: number): SnapshotGroup | undefined {
    return this.index.groups.get(id);
  }
  /** Finds a group by its name. Case matters, and deactivated groups keep their names. */
  groupByName(name: string): SnapshotGroup | undefined {
    return this.index.groupsByName.get(name);
  }
  groupName(id: number): string {
    return this.index.groups.get(id)?.name ?? `group:${id}`;
  }
  channel(id: number): SnapshotChannel | undefined {
    return this.index.channels.get(id);
  }
  /** A setting of the realm by its name without `realm_`, or a `max_…`/`server_…` key. */
  setting(name: string): Json | undefined {
    return this.snapshot.settings[name];
  }
  permissionRule(scope: "realm" | "stream" | "group", setting: string): PermissionRule | undefined {
    return this.snapshot.permission_settings?.[scope][setting];
  }

  get isOwner(): boolean {
    return this.snapshot.account.role === ROLE.owner;
  }
  /** Whether the reading account is an administrator or an owner. */
  get isAdmin(): boolean {
    return this.snapshot.account.role <= ROLE.administrator;
  }

  /** The canonical form of a value that was read; deactivated people are left out, as the server does (level 303). */
  canonical(value: GroupSettingValue): GroupValue {
    if (typeof value === "number") return this.groupName(value);
    const active = value.direct_members.filter((id) => this.index.people.byId.get(id)?.is_active !== false);
    return groupValue(
      value.direct_subgroups.map((id) => this.groupName(id)),
      active.map((id) => this.userName(id)),
    );
  }

  /** The wire form of a canonical value. `groupId` returns the ids of groups that this plan creates. */
  wire(value: GroupValue, groupId: (name: string) => number | IdOf): Param {
    if (typeof value === "string") return groupId(value);
    return {
      direct_members: this.userIds(value.users),
      direct_subgroups: value.groups.map(groupId),
    };
  }

  /** @throws RangeError for a name that {@link Realm.userName} never returned */
  userId(name: string): number {
    // Ids below zero are personas, or from a damaged snapshot; a file cannot name them.
    const pinned = PINNED.exec(name)?.[1];
    if (pinned !== undefined) return Number(pinned);
    const user = this.userByEmail(name);
    if (user === undefined) throw new RangeError(`no user "${name}" in the snapshot`);
    return user.user_id;
  }
  /**
   * The ids of people, sorted by id: in the order of the names, a request would reveal how secret names begin. @throws RangeError as {@link
   * Realm.userId}
   */
  userIds(names: readonly string[]): readonly number[] {
    return names.map((name) => this.userId(name)).sort((a, b) => a - b);
  }
}

/** The index of a snapshot by id and by name. Computed once for each snapshot, however many realms use it. */
interface RealmIndex {
  readonly people: PeopleIndex;
  readonly groups: ReadonlyMap<number, SnapshotGroup>;
  readonly groupsByName: ReadonlyMap<string, SnapshotGroup>;
  readonly channels: ReadonlyMap<number, SnapshotChannel>;
}

export const indexOf = oncePer(
  (snapshot: Snapshot): RealmIndex => ({
    people: peopleIn(snapshot.users),
    groups: new Map(snapshot.user_groups.map((group) => [group.id, group])),
    groupsByName: new Map(snapshot.user_groups.map((group) => [group.name, group])),
    channels: new Map(snapshot.channels.map((channel) => [channel.stream_id, channel])),
  }),
);

/** A plan's renames create other snapshots with the same people. */
const peopleIn = oncePer((users: readonly SnapshotUser[]) => new PeopleIndex(users));

/** The mark of an id without a rank in the table of ranks. */
const UNKNOWN = -1;
const INACTIVE = -2;

/** People by id, by address and by their names in plans. */
class PeopleIndex {
  readonly byId = new Map<number, SnapshotUser>();
  private readonly users: readonly SnapshotUser[];
  private byReal: ReadonlyMap<string, SnapshotUser> | undefined;
  private byApi: ReadonlyMap<string, SnapshotUser> | undefined;
  private readonly names = new Map<number, string>();
  /** How many names were requested in lists so far. */
  private asked = 0;
  private namesByRank: readonly string[] = [];
  private rankById: Int32Array | undefined;

  constructor(users: readonly SnapshotUser[]) {
    this.users = users;
    for (const user of users) this.byId.set(user.user_id, user);
  }

  /**
   * Finds somebody by a lower-cased address. A real address takes precedence over an equal API address of somebody else. Each table is created when
   * it is first used.
   */
  byEmail(address: string): SnapshotUser | undefined {
    this.byReal ??= tableOf(this.users, (user) => user.delivery_email);
    const real = this.byReal.get(address);
    if (real !== undefined) return real;
    this.byApi ??= tableOf(this.users, (user) => user.email);
    return this.byApi.get(address);
  }

  /**
   * Names of the active accounts among them, sorted; ids without an account get a name, too. Callers need either many long lists, or none. Once as
   * many names were requested as there are people, their order is computed once for all, and then it is enough to sort numbers.
   */
  activeNames(ids: readonly number[]): readonly string[] {
    this.asked += ids.length;
    const ranks = this.asked > this.users.length ? this.ranksOf(ids) : undefined;
    if (ranks !== undefined) {
      ranks.sort();
      const names = new Array<string>(ranks.length);
      // By index: an iterator creates an object for each name until V8 optimises the loop.
      for (let at = 0; at < ranks.length; at += 1) names[at] = this.namesByRank[ranks[at] ?? 0] ?? "";
      return names;
    }
    const active = ids.filter((id) => this.byId.get(id)?.is_active !== false);
    return active.map((id) => this.name(id)).sort(byText);
  }

  /** The place of each active account in the order of all names; undefined if an id has no account, or if ids are too sparse for a table. */
  private ranksOf(ids: readonly number[]): Uint32Array | undefined {
    const table = this.rankTable();
    const ranks = new Uint32Array(ids.length);
    let count = 0;
    for (const id of ids) {
      const rank = table[id] ?? UNKNOWN;
      if (rank === UNKNOWN) return undefined;
      if (rank === INACTIVE) continue;
      ranks[count] = rank;
      count += 1;
    }
    return ranks.subarray(0, count);
  }

  /** The table of ranks by id; empty if ids are too sparse. */
  private rankTable(): Int32Array {
    if (this.rankById !== undefined) return this.rankById;
    const highest = this.users.reduce((most, { user_id }) => Math.max(most, user_id), 0);
    const isDense = highest <= 1000 + this.users.length * 16;
    this.rankById = new Int32Array(isDense ? highest + 1 : 0).fill(UNKNOWN);
    if (!isDense) return this.rankById;
    const ranked = this.users.map(({ user_id, is_active }) => ({ id: user_id, name: this.name(user_id), is_active }));
    ranked.sort((a, b) => byText(a.name, b.name));
    this.namesByRank = ranked.map(({ name }) => name);
    for (const [rank, { id, is_active }] of ranked.entries()) this.rankById[id] = is_active ? rank : INACTIVE;
    return this.rankById;
  }

  name(id: number): string {
    const found = this.names.get(id);
    if (found !== undefined) return found;
    const user = this.byId.get(id);
    const made =
      user === undefined || isStandIn(user) ? `user:${id}` : (user.delivery_email ?? user.email).toLowerCase();
    this.names.set(id, made);
    return made;
  }
}

/** Whether the account hides its address: the one that the server shows instead ends to exist when the account shows its own (zulip-api.md §1.3). */
const isStandIn = ({ user_id, email, delivery_email }: SnapshotUser): boolean =>
  delivery_email === null && email.toLowerCase().startsWith(`user${user_id}@`);

function tableOf(
  users: readonly SnapshotUser[],
  addressOf: (user: SnapshotUser) => string | null,
): ReadonlyMap<string, SnapshotUser> {
  const found = new Map<string, SnapshotUser>();
  for (const user of users) {
    const address = addressOf(user);
    if (address !== null) found.set(address.toLowerCase(), user);
  }
  return found;
}
