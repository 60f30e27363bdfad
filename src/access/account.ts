import { defined } from "../model/defined.ts";
import { type Realm, ROLE } from "../model/realm.ts";
import { FULL_MEMBERS } from "./full-members.ts";
import type { People, Population } from "./people.ts";

/** An account, as far as its role and its activity determine its rights. */
export interface AccessAccount {
  readonly id: number;
  readonly role: number;
  readonly active: boolean;
  /** As a member: whether there is no waiting period, or it is over. */
  readonly full: boolean;
  /** For a bot. */
  readonly owner?: number;
}

/** People by role; only active accounts are in any of them. */
export interface Accounts {
  readonly everybody: People;
  /** Everybody except guests. */
  readonly members: People;
  readonly guests: People;
  /** Owners too. */
  readonly administrators: People;
  readonly bots: People;
  /** Bot → its owner. */
  readonly owners: ReadonlyMap<number, number>;
}

/** Accounts by id: those of a reading, each created when it is first used, and those that a plan changes. */
export class AccountTable {
  private readonly read: AccountSource;
  private readonly changed: Map<number, AccessAccount>;

  private constructor(read: AccountSource, changed: Map<number, AccessAccount> = new Map()) {
    this.read = read;
    this.changed = changed;
  }

  static of(accounts: readonly AccessAccount[]): AccountTable {
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const owners = accounts.filter(({ role }) => role === ROLE.owner).map(({ id }) => id);
    return new AccountTable({ get: (id) => byId.get(id), owners: () => owners });
  }
  /**
   * Somebody who is not a member yet counts as a full member once they are one. So does a deactivated account, which no reading shows in its groups:
   * a waiting period only ever reduces rights.
   */
  static in(realm: Realm): AccountTable {
    let fullMembers: ReadonlySet<number> | undefined;
    const isFull = (id: number): boolean => {
      const group = realm.groupByName(FULL_MEMBERS);
      fullMembers ??= new Set(group?.members);
      return group === undefined || fullMembers.has(id);
    };
    return new AccountTable({
      get: (id) => {
        const user = realm.user(id);
        if (user === undefined) return undefined;
        const { role, is_active: active, bot_owner_id } = user;
        const full = role !== ROLE.member || !active || isFull(id);
        return { id, role, active, full, ...defined({ owner: bot_owner_id === null ? undefined : bot_owner_id }) };
      },
      owners: () => realm.snapshot.users.filter(({ role }) => role === ROLE.owner).map(({ user_id }) => user_id),
    });
  }

  copy(): AccountTable {
    return new AccountTable(this.read, new Map(this.changed));
  }
  get(id: number): AccessAccount | undefined {
    return this.changed.get(id) ?? this.read.get(id);
  }
  set(account: AccessAccount): void {
    this.changed.set(account.id, account);
  }
  /** Ids of accounts with the role of an owner, active or not. */
  owners(): ReadonlySet<number> {
    const found = new Set(this.read.owners());
    for (const { id, role } of this.changed.values()) {
      if (role === ROLE.owner) found.add(id);
      else found.delete(id);
    }
    return found;
  }
}

interface AccountSource {
  readonly get: (id: number) => AccessAccount | undefined;
  readonly owners: () => readonly number[];
}

/** The groups that a role makes somebody a direct member of; members of these are also in the wider ones (zulip-api.md §17.3). */
const ROLE_GROUPS: ReadonlyMap<number, readonly string[]> = new Map([
  [ROLE.owner, ["role:owners"]],
  [ROLE.administrator, ["role:administrators"]],
  [ROLE.moderator, ["role:moderators"]],
  [ROLE.member, ["role:members", FULL_MEMBERS]],
  [ROLE.guest, ["role:everyone"]],
]);
export const ROLE_GROUP_NAMES: readonly string[] = [...ROLE_GROUPS.values()].flat();

/** The groups that every organization has, from the most to the least powerful role, then everybody and nobody (zulip-api.md §10.2). */
export const SYSTEM_GROUPS = [
  "role:owners",
  "role:administrators",
  "role:moderators",
  "role:fullmembers",
  "role:members",
  "role:everyone",
  "role:internet",
  "role:nobody",
] as const;

/** The groups that an account is a direct member of. */
export function roleGroupsOf({ role, full }: Pick<AccessAccount, "role" | "full">): readonly string[] {
  return (ROLE_GROUPS.get(role) ?? []).filter((name) => full || name !== FULL_MEMBERS);
}

/** The same accounts, one of them with another role, owner or activity. */
export function withAccount(accounts: Accounts, account: AccessAccount, population: Population): Accounts {
  const { id, role, active, owner } = account;
  const own = population.of([id]);
  const isIn = (set: People, belongs: boolean): People => (active && belongs ? set.or(own) : set.minus(own));
  const owners = new Map(accounts.owners);
  if (active && owner !== undefined) owners.set(id, owner);
  else owners.delete(id);
  return {
    everybody: isIn(accounts.everybody, true),
    members: isIn(accounts.members, role !== ROLE.guest),
    guests: isIn(accounts.guests, role === ROLE.guest),
    administrators: isIn(accounts.administrators, role <= ROLE.administrator),
    bots: isIn(accounts.bots, owner !== undefined || accounts.bots.has(id)),
    owners,
  };
}
