import { defined } from "../model/defined.ts";
import type { HiddenAccounts } from "../model/diagnostics/values.ts";
import type { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import type { People, Population } from "./people.ts";

/** The group of people whose waiting period is over. */
export const FULL_MEMBERS = "role:fullmembers";
/** The setting with the length of the waiting period in days; it takes effect at once (zulip-api.md §12.1). */
export const WAITING_PERIOD = "waiting_period_threshold";

const MS_PER_DAY = 86_400_000;

/**
 * The members who are full members with a waiting period of this length; moderators and above are full members by their roles. Of whom the reading does
 * not say when they joined, and of invented people, it stays as it is.
 * @param isMember whether somebody is, or will be, a member
 * @param isFull whether somebody is a full member now
 * @param days counted back from the time of the reading: when a plan is applied, more people may be full members
 */
export function fullMembersAfter(
  days: number,
  { snapshot }: Realm,
  isMember: (user: SnapshotUser) => boolean,
  isFull: (id: number) => boolean,
): readonly number[] {
  const latest = Date.parse(snapshot.taken_at) - days * MS_PER_DAY;
  return snapshot.users.flatMap((user) => {
    if (!isMember(user)) return [];
    const { user_id, date_joined } = user;
    const isOver = date_joined === undefined ? isFull(user_id) : Date.parse(date_joined) <= latest;
    return days === 0 || isOver ? [user_id] : [];
  });
}

/** Whether an account of this age has to wait as a member. If the reading does not say when somebody joined, they do not. */
function hasToWait({ date_joined }: SnapshotUser, realm: Realm): boolean {
  const days = realm.setting(WAITING_PERIOD);
  if (typeof days !== "number" || days <= 0 || date_joined === undefined) return false;
  return Date.parse(date_joined) > Date.parse(realm.snapshot.taken_at) - days * MS_PER_DAY;
}

/** The days of a waiting period in the form of plans: `none`, `3d`. */
export function daysOf(written: unknown): number | undefined {
  if (written === "none") return 0;
  const days = typeof written === "string" ? /^(\d+)d$/.exec(written)?.[1] : undefined;
  return days === undefined ? undefined : Number(days);
}

/** The parts of an account that determine its rights. */
export interface AccessAccount {
  readonly id: number;
  readonly role: number;
  readonly active: boolean;
  /** Whether the account, as a member, is a full member: there is no waiting period, or it is over. */
  readonly full: boolean;
  /** The owner of a bot. */
  readonly owner?: number;
}

/** People by role, only active accounts. */
export interface Accounts {
  readonly everybody: People;
  /** Everybody except guests. */
  readonly members: People;
  readonly guests: People;
  /** Administrators and owners. */
  readonly administrators: People;
  /** Active or not: a bot that comes back is no person. */
  readonly bots: People;
  /** Bots that can only post (incoming webhooks), active or not. */
  readonly webhooks: People;
  /** Active bot → its owner. */
  readonly owners: ReadonlyMap<number, number>;
  /** Active bot → who owned it before a plan: its key does not change with its owner, so they have it, also if the plan deactivates them. */
  readonly formerOwners?: ReadonlyMap<number, number>;
}

/** Everybody who has the key of a bot, of whom its owner must be active to use it. */
export const keyHoldersOf = ({ owners, formerOwners, everybody }: Accounts, bot: number): readonly number[] => {
  const [owner, former] = [owners.get(bot), formerOwners?.get(bot)];
  return [...(owner !== undefined && everybody.has(owner) ? [owner] : []), ...(former === undefined ? [] : [former])];
};

/** An account, as far as it decides in which sets of people it is. */
interface Counted extends Pick<AccessAccount, "id" | "role" | "active"> {
  readonly owner?: number | null;
}

/** Accounts as sets of people. */
export function accountsAmong(
  all: readonly Counted[],
  population: Population,
  { bots, webhooks }: Pick<Accounts, "bots" | "webhooks">,
): Accounts {
  const active = all.filter((account) => account.active);
  const among = (belongs: (account: Counted) => boolean): People =>
    population.of(active.filter(belongs).map(({ id }) => id));
  const [everybody, guests] = [among(() => true), among(({ role }) => role === ROLE.guest)];
  return {
    everybody,
    members: everybody.minus(guests),
    guests,
    administrators: among(({ role }) => role <= ROLE.administrator),
    bots,
    webhooks,
    owners: new Map(active.flatMap(({ id, owner }) => (owner == null ? [] : [[id, owner] as const]))),
  };
}

/** Accounts by id: those of a reading, each created when it is first used, and those that a plan changes. */
export class AccountTable {
  private readonly read: AccountSource;
  private readonly changed: Map<number, AccessAccount>;
  /** Person → bots that a change gave to them, or changed. Some of these may belong to somebody else by now. */
  private readonly given: Map<number, Set<number>>;

  private constructor(
    read: AccountSource,
    changed: Map<number, AccessAccount> = new Map(),
    given: Map<number, Set<number>> = new Map(),
  ) {
    this.read = read;
    this.changed = changed;
    this.given = given;
  }

  static of(accounts: readonly AccessAccount[]): AccountTable {
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const owners = accounts.filter(({ role }) => role === ROLE.owner).map(({ id }) => id);
    return new AccountTable({
      get: (id) => byId.get(id),
      owners: () => owners,
      botsOf: (owner) => accounts.filter((account) => account.owner === owner).map(({ id }) => id),
    });
  }
  /**
   * If accounts with another role become members, their age decides whether they are full members (zulip-api.md §12.1). Deactivated members count as such:
   * no reading shows them in their groups, and a waiting period only ever reduces rights.
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
        const full = role === ROLE.member ? !active || isFull(id) : !hasToWait(user, realm);
        return { id, role, active, full, ...defined({ owner: bot_owner_id === null ? undefined : bot_owner_id }) };
      },
      owners: () => realm.snapshot.users.filter(({ role }) => role === ROLE.owner).map(({ user_id }) => user_id),
      botsOf: (owner) => realm.botsOf(owner).map(({ user_id }) => user_id),
    });
  }

  copy(): AccountTable {
    const given = new Map([...this.given].map(([owner, bots]) => [owner, new Set(bots)]));
    return new AccountTable(this.read, new Map(this.changed), given);
  }
  get(id: number): AccessAccount | undefined {
    return this.changed.get(id) ?? this.read.get(id);
  }
  set(account: AccessAccount): void {
    const { id, owner } = account;
    this.changed.set(id, account);
    if (owner !== undefined) this.given.set(owner, (this.given.get(owner) ?? new Set()).add(id));
  }
  /** Active bots of this account. */
  botsOf(owner: number): readonly AccessAccount[] {
    const ids = new Set([...this.read.botsOf(owner), ...(this.given.get(owner) ?? [])]);
    return [...ids].flatMap((id) => this.get(id) ?? []).filter((account) => account.active && account.owner === owner);
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
  /** Ids, active or not. */
  readonly botsOf: (owner: number) => readonly number[];
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

/** Accounts in which some have another role, owner or activity. */
export function withAccounts(accounts: Accounts, changed: readonly AccessAccount[], population: Population): Accounts {
  const among = (set: People, belongs: (account: AccessAccount) => boolean): People =>
    withEach(set, changed, (account) => account.active && belongs(account), population);
  return {
    everybody: among(accounts.everybody, () => true),
    members: among(accounts.members, ({ role }) => role !== ROLE.guest),
    guests: among(accounts.guests, ({ role }) => role === ROLE.guest),
    administrators: among(accounts.administrators, ({ role }) => role <= ROLE.administrator),
    bots: accounts.bots,
    webhooks: accounts.webhooks,
    owners: withOwners(accounts.owners, changed),
    ...defined({ formerOwners: accounts.formerOwners }),
  };
}

/** Moves accounts into or out of a set: of the changed accounts, it then has exactly those that belong there. */
export function withEach(
  set: People,
  accounts: readonly AccessAccount[],
  belongs: (account: AccessAccount) => boolean,
  population: Population,
): People {
  const come: number[] = [];
  const go: number[] = [];
  for (const account of accounts)
    if (set.has(account.id) !== belongs(account)) (set.has(account.id) ? go : come).push(account.id);
  const left = go.length === 0 ? set : set.minus(population.of(go));
  return come.length === 0 ? left : left.or(population.of(come));
}

function withOwners(
  owners: ReadonlyMap<number, number>,
  changed: readonly AccessAccount[],
): ReadonlyMap<number, number> {
  // The same map is returned while it is right, since results are cached by it.
  if (changed.every(({ id, active, owner }) => owners.get(id) === (active ? owner : undefined))) return owners;
  const found = new Map(owners);
  for (const { id, active, owner } of changed) {
    if (active && owner !== undefined) found.set(id, owner);
    else found.delete(id);
  }
  return found;
}

/** Whom an address can mean that nobody seems to have. @param isInvented not an account of the organization */
export function hiddenAccounts({ snapshot }: Realm, isInvented = (_id: number) => false): HiddenAccounts {
  const hidden = snapshot.users.filter(
    (user) => user.delivery_email === null && !user.is_bot && user.is_active && !isInvented(user.user_id),
  );
  const [only, ...others] = hidden.map(({ user_id, full_name }) => ({ user_id, full_name }));
  return { hidden: hidden.length, ...defined({ only: others.length > 0 ? undefined : only }) };
}
