import { kindOf, nameIn } from "../model/address.ts";
import { defined } from "../model/defined.ts";
import { once, oncePer } from "../model/lazy.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Address } from "../model/plan.ts";
import type { GroupValue, Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import {
  GroupSettingValue,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
  type SnapshotUser,
} from "../model/snapshot.ts";
import {
  type AccessAccount,
  type Accounts,
  AccountTable,
  accountsAmong,
  keyHoldersOf,
  ROLE_GROUP_NAMES,
  roleGroupsOf,
  WAITING_PERIOD,
  withAccounts,
  withEach,
} from "./account.ts";
import { rolesInvited } from "./invitations.ts";
import { type AccessGroup, GroupNesting } from "./nesting.ts";
import { type People, Population } from "./people.ts";
import { BOTS_CHANGE_GROUPS, SPECTATORS } from "./rules.ts";
import { CHANNEL, channelAddress, GROUP, groupAddress, isChannel, ORGANIZATION } from "./scope.ts";
import { otherRightsOf, type Right } from "./words.ts";

/*
 * One state of an organization, as far as it matters for who may do what.
 *
 * Terms. A *value* is what a permission setting names: one group, or groups and people. The *people in* a value are the active accounts that it names,
 * directly, through groups, or through groups in groups. *Population* is all accounts of a reading: a set of people (`People`) is a set of bits in it.
 * An account *turns* if it is activated or deactivated, and *moves* if it goes to the group of another role.
 *
 * Premise. An organization can have a hundred thousand accounts and ten thousand channels, and many settings have the same value. A plan changes a few
 * of them, and its order is tried request by request. So nothing is computed before it is asked for, nothing twice, and a change forgets only what
 * depends on it.
 *
 * The idea.
 *     peopleIn(value) = ∪ membersOf(each group) ∪ active people of the value       kept by the text of the value
 *     membersOf(group) = own members ∪ membersOf(each subgroup), only active ones  kept by the name of the group (GroupNesting)
 *     put(group)       forgets the members of the group and of all groups around it, and the values that name one of these
 *     putAccount       is only noted; the next question puts all noted accounts into the sets at once (settle)
 *
 * What it does not do. It knows no rules about rights: `sources.ts` says what a setting allows, `grants.ts` through which groups. It does not plan:
 * `projected.ts` applies a plan's changes to it.
 */

/** An account that changed, and the effects on its groups. */
interface PendingAccount {
  readonly account: AccessAccount;
  /** Whether the account goes to the groups of another role. */
  readonly moves: boolean;
  /** Whether the account was activated or deactivated, so that it now counts, or no longer counts, in its groups. */
  readonly turns: boolean;
}

/** How open a channel is, in the words of the file. */
export const PRIVACIES = ["web_public", "public", "private_shared_history", "private_protected_history"] as const;
export type Privacy = (typeof PRIVACIES)[number];
export const isPrivacy = (value: unknown): value is Privacy => PRIVACIES.some((privacy) => privacy === value);

/** How open a channel is in an organization: without spectator access, nobody reads a web-public one without an account (zulip-api.md §3.9). */
export type Openness = Privacy | "web_public_off";

export const isPrivate = ({ privacy }: { readonly privacy: Openness }): boolean => privacy.startsWith("private");

/**
 * Whether everybody who can come into a private channel gains something by the channel itself, also who could come in before: it is no longer archived, or
 * its history is no longer protected.
 */
export const opensAnew = (
  was: Pick<AccessChannel, "archived" | "privacy">,
  is: Pick<AccessChannel, "archived" | "privacy">,
): boolean =>
  (was.archived && !is.archived) ||
  (was.privacy === "private_protected_history" && is.privacy !== "private_protected_history");

export interface AccessChannel {
  readonly kind: typeof CHANNEL;
  readonly name: string;
  readonly privacy: Privacy;
  readonly archived: boolean;
  readonly settings: ReadonlyMap<string, GroupValue>;
  /** The subscribers, active or not; undefined if the reading does not have them. */
  readonly subscribers: People | undefined;
  /** Who may get in besides these people: the file alone, which is all that is known, does not say. Settings let in no guests. */
  readonly openTo?: "members" | "anybody";
  /** Only a server knows how open it is: the file leaves it out. Then `privacy` is one that lets in the fewest, and anybody may get in. */
  readonly isPrivacyLeftOut?: true;
  /** Fields of a new channel that the server sets to the account that creates it. */
  readonly implied?: ReadonlySet<string>;
}

/** The permission settings of the whole organization. */
interface AccessOrganization {
  readonly kind: "organization";
  readonly name: "organization";
  readonly settings: ReadonlyMap<string, GroupValue>;
  /** Whether it lets people without an account read web-public channels; left out: as before. */
  readonly spectators?: boolean;
}

/** What holds for the whole organization. */
interface StateFacts {
  /** The id of a person by the name in plans; only names of the reading have ids. */
  readonly idOf: (name: string) => number;
  /** The full name of an account. */
  readonly nameOf: (id: number) => string;
  /** Whether the server lets bots change groups. */
  readonly botsChangeGroups: boolean;
  /** Rights that only the server knows. */
  readonly otherRights: readonly Right[];
  /** Whether there is no waiting period, so that somebody who joins is a full member at once. */
  readonly newMembersAreFull: boolean;
  /** Channels to which new accounts are subscribed. */
  readonly defaultChannels: ReadonlySet<string>;
  /** Whether the server and its plan let organizations have spectators, and whether this one does; true if that is unknown. */
  readonly offersWeb: boolean;
  readonly spectators: boolean;
  /** Roles that open invitations and links give, as far as invitations were read. */
  readonly invitedRoles: ReadonlySet<number>;
  /** Whether all invitations and links were read: only administrators read those of others (zulip-api.md §9.1). */
  readonly invitationsAreRead: boolean;
  /** Bots that a plan creates, by their ids here. */
  readonly newBots: ReadonlyMap<Address, number>;
}

export type AccessObject = AccessChannel | AccessGroup;
/** The parts of a state that a plan can change. */
export type AccessPart = AccessObject | AccessOrganization;

/**
 * The parts of an organization's state that matter for access: who is in which group, how open each channel is, and whom each setting names. Objects
 * have the names that a plan uses. A state can be changed object by object; values that depend on groups are computed again.
 */
export class AccessState {
  readonly population: Population;
  facts: StateFacts;
  private groupedAccounts: Accounts;
  /** Accounts that changed since the sets of people were computed: a plan can change each account of the organization. */
  private readonly pending = new Map<number, PendingAccount>();
  private readonly accountsById: AccountTable;
  private ofOrganization: ReadonlyMap<string, GroupValue>;
  private readonly channelsByName = new Map<string, AccessChannel>();
  private readonly nesting: GroupNesting;
  private readonly named = new Map<string, People>();
  /** Group → texts in {@link named} that it is a part of. */
  private readonly namedBy = new Map<string, Set<string>>();
  private changes = 0;
  /** Until something changes. */
  private ofPromoted: (() => { readonly state: AccessState; readonly people: People } | undefined) | undefined;

  constructor(
    population: Population,
    accounts: Accounts,
    organization: ReadonlyMap<string, GroupValue>,
    objects: {
      readonly channels: Iterable<AccessChannel>;
      readonly groups: Iterable<AccessGroup> | GroupNesting;
      readonly accounts: AccountTable;
    },
    facts: StateFacts,
  ) {
    this.population = population;
    this.facts = facts;
    this.groupedAccounts = accounts;
    this.accountsById = objects.accounts;
    this.ofOrganization = organization;
    for (const channel of objects.channels) this.channelsByName.set(channel.name, channel);
    this.nesting = objects.groups instanceof GroupNesting ? objects.groups : new GroupNesting(objects.groups);
  }

  /** An independent copy of the state. Cached group members are kept. */
  copy(): AccessState {
    const objects = { channels: this.channels(), groups: this.nesting.copy(), accounts: this.accountsById.copy() };
    const copy = new AccessState(this.population, this.accounts, this.organization, objects, this.facts);
    for (const [key, people] of this.named) copy.named.set(key, people);
    for (const [group, keys] of this.namedBy) copy.namedBy.set(group, new Set(keys));
    return copy;
  }

  /** The same state, in which those who owned some bots before have the keys of these. */
  withFormerOwners(formerOwners: ReadonlyMap<number, number>): AccessState {
    const made = this.copy();
    made.groupedAccounts = { ...made.groupedAccounts, formerOwners };
    return made;
  }

  get accounts(): Accounts {
    this.settle();
    return this.groupedAccounts;
  }
  account(id: number): AccessAccount | undefined {
    return this.accountsById.get(id);
  }
  /** Active owners of the organization, bots included. */
  get owners(): People {
    return this.population.of(this.accountsById.owners()).and(this.accounts.everybody);
  }
  /** Active bots of this account, which are deactivated with it (zulip-api.md §17.4). */
  botsOf(owner: number): readonly AccessAccount[] {
    return this.accountsById.botsOf(owner);
  }
  /**
   * The owners of bots with a higher role than their own, and the state in which each has the role of the bot: an administrator bot makes its owner an
   * administrator, with all that the role opens, also where bots are not let in (zulip-api.md §17.1). Undefined if there are none.
   */
  get promoted(): { readonly state: AccessState; readonly people: People } | undefined {
    this.ofPromoted ??= once(() => this.withPromoted());
    return this.ofPromoted();
  }
  private withPromoted() {
    const { accounts } = this;
    const roles = new Map<number, number>();
    for (const bot of accounts.administrators.and(accounts.bots).minus(accounts.webhooks)) {
      const { role = ROLE.member } = this.account(bot) ?? {};
      for (const owner of keyHoldersOf(accounts, bot)) {
        const { role: own, active } = this.account(owner) ?? { role: 0, active: true };
        // Who is deactivated can reactivate themselves, unless they have the higher role.
        const isHigher = role < own || (!active && role === own);
        if (isHigher && role <= (roles.get(owner) ?? role)) roles.set(owner, role);
      }
    }
    if (roles.size === 0) return undefined;
    const state = this.copy();
    for (const [owner, role] of roles) {
      const account = this.account(owner);
      if (account !== undefined) state.putAccount({ ...account, role, active: true });
    }
    return { state, people: this.population.of(roles.keys()) };
  }

  /** Another number after each change. */
  get version(): number {
    return this.changes;
  }
  private changed(): void {
    this.changes += 1;
    this.ofPromoted = undefined;
  }

  /** Replaces the account with that id, and moves it to the groups of its role. */
  putAccount(account: AccessAccount): void {
    this.changed();
    const before = this.accountsById.get(account.id);
    this.accountsById.set(account);
    const known = this.pending.get(account.id);
    // No reading shows a deactivated account in the groups of its role.
    const comesBack = account.active && before?.active === false;
    this.pending.set(account.id, {
      account,
      moves: known?.moves === true || before?.role !== account.role || comesBack,
      turns: known?.turns === true || before?.active !== account.active,
    });
  }

  /** Puts the accounts that changed into the sets of people, all at once: each set is computed once for all of them. */
  private settle(): void {
    if (this.pending.size === 0) return;
    const pending = [...this.pending.values()];
    this.pending.clear();
    const accounts = pending.map(({ account }) => account);
    this.groupedAccounts = withAccounts(this.groupedAccounts, accounts, this.population);
    this.moveToRoles(pending.flatMap(({ account, moves }) => (moves ? [account] : [])));
    if (!pending.some(({ turns }) => turns)) return;
    this.nesting.forgetAll();
    this.named.clear();
    this.namedBy.clear();
  }

  private moveToRoles(accounts: readonly AccessAccount[]): void {
    if (accounts.length === 0) return;
    for (const name of ROLE_GROUP_NAMES) {
      const group = this.nesting.get(name);
      if (group === undefined) continue;
      const belongs = (account: AccessAccount): boolean => roleGroupsOf(account).includes(name);
      const moved = accounts.filter((account) => group.members.has(account.id) !== belongs(account));
      if (moved.length === 0) continue;
      this.putGroup({ ...group, members: withEach(group.members, moved, belongs, this.population) });
    }
  }

  /** The organization's own permission settings. */
  get organization(): ReadonlyMap<string, GroupValue> {
    return this.ofOrganization;
  }
  channels(): Iterable<AccessChannel> {
    return this.channelsByName.values();
  }
  groups(): Iterable<AccessGroup> {
    this.settle();
    return this.nesting.groups();
  }
  channel(name: string): AccessChannel | undefined {
    return this.channelsByName.get(name);
  }
  group(name: string): AccessGroup | undefined {
    this.settle();
    return this.nesting.get(name);
  }
  /** The given groups, and every group that contains one of them at any depth. */
  groupsAround(names: Iterable<string>): ReadonlySet<string> {
    return this.nesting.around(names);
  }
  /** Replaces the object with that kind and name. */
  put(object: AccessPart): void {
    this.changed();
    if (object.kind === "organization") {
      this.ofOrganization = object.settings;
      this.facts = { ...this.facts, ...defined({ spectators: object.spectators }) };
      return;
    }
    if (isChannel(object)) {
      this.channelsByName.set(object.name, object);
      return;
    }
    this.settle();
    this.putGroup(object);
  }
  remove(object: AccessObject): void {
    this.changed();
    if (isChannel(object)) {
      this.channelsByName.delete(object.name);
      return;
    }
    this.settle();
    this.forgetNamed(this.nesting.remove(object.name));
  }

  private putGroup(group: AccessGroup): void {
    this.forgetNamed(this.nesting.put(group));
  }

  private forgetNamed(groups: readonly string[]): void {
    for (const group of groups) {
      for (const key of this.namedBy.get(group) ?? []) this.named.delete(key);
      this.namedBy.delete(group);
    }
  }

  /** Active members of a group, including those of its subgroups; nobody for a name that no group has. Deactivated groups count. */
  membersOf(name: string): People {
    return this.nesting.membersOf(name, this.accounts.everybody, this.population.nobody);
  }

  /** Everybody whom a setting's value names. */
  peopleIn(value: GroupValue | undefined): People {
    if (value === undefined) return this.population.nobody;
    if (typeof value === "string") return this.membersOf(value);
    this.settle();
    const key = `${value.groups.join("\n")}\n\n${value.users.join("\n")}`;
    const known = this.named.get(key);
    if (known !== undefined) return known;
    let found = this.population.of(value.users.map((user) => this.facts.idOf(user))).and(this.accounts.everybody);
    for (const group of value.groups) found = found.or(this.membersOf(group));
    // If a group is not cached, a value that names it is not cached either: nothing would tell when to forget it.
    if (!value.groups.every((group) => this.nesting.isKept(group))) return found;
    this.named.set(key, found);
    for (const group of value.groups) this.namedBy.set(group, (this.namedBy.get(group) ?? new Set()).add(key));
    return found;
  }

  /** How open a channel is, archived or not. */
  opennessOf({ privacy }: AccessChannel): Openness {
    const { offersWeb, spectators } = this.facts;
    return privacy === "web_public" && !(offersWeb && spectators) ? "web_public_off" : privacy;
  }
  /** Whether people without an account read the channel. */
  isOnWeb(channel: AccessChannel | undefined): boolean {
    return channel !== undefined && this.opennessOf(channel) === "web_public";
  }
}

/** The channel or group with this address; undefined for objects of other kinds, which are not about access. */
export function objectAt(state: AccessState, address: Address): AccessObject | undefined {
  const kind = kindOf(address);
  const name = nameIn(address);
  return kind === CHANNEL ? state.channel(name) : kind === GROUP ? state.group(name) : undefined;
}

/** The channel, the group or the organization with this address; undefined for other objects. */
export function partAt(state: AccessState, address: Address): AccessPart | undefined {
  if (address !== ORGANIZATION) return objectAt(state, address);
  return {
    kind: "organization",
    name: "organization",
    settings: state.organization,
    spectators: state.facts.spectators,
  };
}

/** Every channel and group, and the organization, by address. */
export function addressesIn(state: AccessState): readonly Address[] {
  return [
    ORGANIZATION,
    ...[...state.channels()].map(({ name }): Address => channelAddress(name)),
    ...[...state.groups()].map(({ name }): Address => groupAddress(name)),
  ];
}

/**
 * The state that a reading shows, as a copy that the caller may change. It is computed once for each reading. Objects have the names of `realm`: pass
 * the realm after a plan's renames to use its names.
 */
export function stateOf(realm: Realm): AccessState {
  return knownState(realm.snapshot, realm).copy();
}

/** Who is in which group in a reading. For callers that change nothing: the state is shared. */
export function membershipIn(realm: Realm): Pick<AccessState, "membersOf" | "peopleIn"> {
  return knownState(realm.snapshot, realm);
}

const knownState = oncePer((snapshot: Snapshot, realm: Realm): AccessState => {
  const population = new Population(snapshot.users.map(({ user_id }) => user_id));
  const objects = {
    channels: snapshot.channels.map((channel) => channelOf(channel, realm, population)),
    groups: snapshot.user_groups.map((group) => groupOf(group, realm, population)),
    accounts: AccountTable.in(realm),
  };
  const waiting = realm.setting(WAITING_PERIOD);
  const defaults = new Set(snapshot.default_channels);
  return new AccessState(population, accountsOf(realm, population), organizationOf(realm), objects, {
    idOf: (name) => realm.userId(name),
    nameOf: (id) => realm.user(id)?.full_name ?? `account ${id}`,
    otherRights: otherRightsOf(realm),
    botsChangeGroups: realm.level >= BOTS_CHANGE_GROUPS,
    newMembersAreFull: typeof waiting !== "number" || waiting <= 0,
    offersWeb: realm.setting("server_web_public_streams_enabled") !== false && realm.setting("plan_type") !== LIMITED,
    spectators: realm.setting(SPECTATORS) !== false,
    defaultChannels: new Set(
      snapshot.channels.flatMap(({ stream_id, name }) => (defaults.has(stream_id) ? [name] : [])),
    ),
    invitedRoles: rolesInvited(snapshot),
    invitationsAreRead: snapshot.invites !== null && realm.isAdmin,
    newBots: new Map(),
  });
});

/** The plan of Zulip Cloud without spectators. */
const LIMITED = 2;

/** The type of bots that post what other services send them. */
export const INCOMING_WEBHOOK = 2;

function accountsOf({ snapshot: { users } }: Realm, population: Population): Accounts {
  const among = (belongs: (user: SnapshotUser) => boolean): People =>
    population.of(users.filter(belongs).map(({ user_id }) => user_id));
  return accountsAmong(
    users.map(({ user_id: id, role, is_active: active, bot_owner_id: owner }) => ({ id, role, active, owner })),
    population,
    { bots: among(({ is_bot }) => is_bot), webhooks: among(({ bot_type }) => bot_type === INCOMING_WEBHOOK) },
  );
}

function organizationOf(realm: Realm): ReadonlyMap<string, GroupValue> {
  return settingsIn(realm.snapshot.settings, realm);
}

function channelOf(channel: SnapshotChannel, realm: Realm, population: Population): AccessChannel {
  const listed = realm.snapshot.subscribers?.[String(channel.stream_id)];
  const unread = channel.subscriber_count === 0 ? population.nobody : undefined;
  return lazyChannel(
    { kind: CHANNEL, name: channel.name, privacy: privacyOf(channel), archived: channel.is_archived },
    () => settingsIn(channel, realm),
    () => (listed === undefined ? unread : population.of(listed)),
  );
}

/** The objects of a state with other people in them. Channels are as they are, as far as nobody asks. */
export function withPeople(
  state: AccessState,
  population: Population,
  accounts: readonly AccessAccount[],
  {
    subscribersOf,
    membersOf,
    facts,
    ...bots
  }: Pick<Accounts, "bots" | "webhooks"> & {
    readonly facts: StateFacts;
    readonly subscribersOf: (channel: AccessChannel) => People | undefined;
    readonly membersOf: (group: AccessGroup) => People;
  },
): AccessState {
  const objects = {
    channels: [...state.channels()].map((channel) => {
      const { kind, name, privacy, archived, openTo, isPrivacyLeftOut, implied } = channel;
      return lazyChannel(
        { kind, name, privacy, archived, ...defined({ openTo, isPrivacyLeftOut, implied }) },
        () => channel.settings,
        () => subscribersOf(channel),
      );
    }),
    groups: [...state.groups()].map((group) => ({ ...group, members: membersOf(group) })),
    accounts: AccountTable.of(accounts),
  };
  return new AccessState(population, accountsAmong(accounts, population, bots), state.organization, objects, facts);
}

/** A channel whose settings and subscribers are computed when they are used, since most channels never are. */
export function lazyChannel(
  plain: Omit<AccessChannel, "settings" | "subscribers">,
  settingsOf: () => AccessChannel["settings"],
  subscribersOf: () => AccessChannel["subscribers"],
): AccessChannel {
  const [settings, subscribers] = [once(settingsOf), once(subscribersOf)];
  return {
    ...plain,
    get settings() {
      return settings();
    },
    get subscribers() {
      return subscribers();
    },
  };
}

function groupOf(group: SnapshotGroup, realm: Realm, population: Population): AccessGroup {
  return {
    kind: GROUP,
    name: group.name,
    members: population.of(group.members),
    subgroups: group.direct_subgroup_ids.map((id) => realm.groupName(id)),
    deactivated: group.deactivated,
    settings: settingsIn(group, realm),
  };
}

export function privacyOf(channel: SnapshotChannel): Privacy {
  if (channel.invite_only)
    return channel.history_public_to_subscribers ? "private_shared_history" : "private_protected_history";
  return channel.is_web_public ? "web_public" : "public";
}

const isGroupId = (value: unknown): value is number => Number.isSafeInteger(value);

/** Every group setting of an object in the server's words, by name, in canonical form. */
function settingsIn(object: { readonly [key: string]: unknown }, realm: Realm): ReadonlyMap<string, GroupValue> {
  const found = new Map<string, GroupValue>();
  for (const [name, value] of Object.entries(object)) {
    if (!isRightName(name)) continue;
    // Nearly every value is the id of one group: a check by a schema takes longer than all else here.
    const read = isGroupId(value) ? { success: true, data: value } : GroupSettingValue.safeParse(value);
    if (read.success) found.set(name, realm.canonical(read.data));
  }
  return found;
}
