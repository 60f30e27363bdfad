import { indexed } from "./indexed.ts";
import type { Json } from "./json.ts";
import { isList, isObject } from "./json.ts";
import type { IdOf, Param } from "./plan.ts";
import { indexOf, type RealmIndex } from "./realm-index.ts";
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
