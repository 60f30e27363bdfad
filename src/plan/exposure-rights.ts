import { type AccessAccount, FULL_MEMBERS, WAITING_PERIOD } from "../access/account.ts";
import { insidersOf } from "../access/grants.ts";
import { withNewBots } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import {
  type AccessFields,
  accountOf,
  movedByWaitingPeriod,
  newObject,
  projectedState,
  withAccountFields,
  withFields,
} from "../access/projected.ts";
import { ADMINISTER, MANAGE_ALL, READ, READ_PAST, SPECTATORS, WEB } from "../access/rules.ts";
import { CHANNEL, GROUP, groupAddress, isChannel, isGroup, ORGANIZATION } from "../access/scope.ts";
import { ownersOfBots } from "../access/sources.ts";
import { type AccessPart, type AccessState, addressesIn, partAt, stateOf } from "../access/state.ts";
import { isList, type Json } from "../model/json.ts";
import type { Address, Change, Purpose } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { type Doors, doorsOf } from "./exposure-doors.ts";
import { GroupDependents } from "./group-dependents.ts";

/*
 * Who holds which right between two requests of a plan. `exposure.ts` asks it about each request that could be sent next.
 *
 * Terms. A *step* is what one request changes, which may be a half: only the members that it adds, or only those that it removes. The *allowed* rights
 * on an object are those that people hold before the plan or after it. *Excess* is the rights on top of these. An object *depends* on a group if its
 * rights change with the group's members (`GroupDependents`).
 *
 * Premise. The access model (src/access/) computes the rights of one state. A plan with n requests has n states, and each position of the order tries
 * several requests. So the state is changed in place and changed back, and only objects that a step can reach are looked at.
 *
 * The idea.
 *     allowed[object] = rights before the plan ∪ rights after it                    once
 *     excessAfter(step):
 *         change the state by the step
 *         for each object whose rights depend on what the step changes:
 *             count the people who hold a right that is not in allowed[object]
 *         change the state back
 *     a step of accounts alone (roles, deactivations) is not tried if others like it were: what a person may do depends on no other account except
 *     those of the person's bots, so one look with all accounts changed answers for each of them (opensByAccounts)
 *
 * What people can give themselves by joining groups is computed only for channels where the plan moves that (exposure-doors.ts).
 *
 * What it does not do. It does not choose an order. It leaves out rights that come from roles or from the organization's settings (rightsAt): an order
 * that is safe without them is safe with them.
 */

/** What a request changes. For a list, `adding` only adds the wanted members, and `removing` only removes the unwanted ones. */
export interface Step {
  readonly parts: readonly Purpose[];
  readonly half: "whole" | "adding" | "removing";
  /** User ids that a request to subscribe or unsubscribe names; other subscribers stay as they are. */
  readonly people?: readonly number[];
  /** People who join a group by it, and people who leave; everybody else stays as they are. */
  readonly members?: { readonly add: readonly number[]; readonly delete: readonly number[] };
  /** Accounts that are deactivated by it and that no change of the plan names: bots that go with their owner. */
  readonly leaving?: readonly number[];
}

/** How many people hold a right on an object that they hold neither before nor after the plan. */
export interface Excess {
  readonly address: Address;
  readonly right: string;
  readonly people: number;
}

/** The rights if the plan changed accounts and nothing else. Bots that leave with their owner are not among the changes: they only lose rights. */
interface Outlook {
  /** Each account after its change. */
  readonly standing: ReadonlyMap<number, AccessAccount>;
  /** Who would hold a right that is not allowed. */
  readonly opened: People;
}

/** Right → its holders. */
type Rights = ReadonlyMap<string, People>;

/** The access state while a plan is carried out, request by request, and the allowed rights: all rights that are held before or after the plan. */
export class RightsModel {
  private readonly realm: Realm;
  private readonly state: AccessState;
  private readonly wanted = new Map<Address, AccessFields>();
  private readonly created = new Set<Address>();
  /** Accounts whose role, owner or activity changes. */
  private readonly accounts = new Map<Address, number>();
  /** Bots whose owner changes. */
  private readonly givenBots = new Set<number>();
  private reachedByOthers: ReadonlySet<Address> | undefined;
  private readonly allowed = new Map<Address, Rights>();
  /** In the place of everybody on the web. */
  private readonly web: People;
  private readonly dependents = new GroupDependents();
  private readonly doors: Doors;
  private readonly newBots: ReadonlyMap<Address, number>;
  /** By the fields that requests set; valid until a request changes something other than accounts. */
  private readonly outlooks = new Map<string, Outlook>();
  /** Whether somebody currently holds a right that is not allowed; undefined if unknown. */
  private isOpen: boolean | undefined;
  /** How many requests are being tried. Above zero, the state is hypothetical. */
  private trying = 0;
  /** How often the rights on an object were computed: most of the time that the model takes. */
  looked = 0;

  /** @param realm the current organization, with the names that objects get by the plan */
  constructor(all: readonly Change[], now: Realm) {
    const { changes, realm, bots } = withNewBots(all, now);
    this.newBots = bots;
    this.realm = realm;
    this.state = stateOf(realm);
    this.web = this.state.accounts.everybody;
    for (const change of changes) {
      const { kind, address, action, fields } = change;
      const account = accountOf(this.state, change);
      if (account !== undefined) {
        this.accounts.set(address, account.id);
        if (fields.some(({ field }) => field === "owner")) this.givenBots.add(account.id);
      } else if (kind !== CHANNEL && kind !== GROUP && address !== ORGANIZATION) continue;
      this.wanted.set(address, new Map(fields.map(({ field, after }) => [field, after])));
      if (action === "create") this.created.add(address);
    }
    const after = projectedState(this.state, changes, realm);
    for (const group of movedByWaitingPeriod(changes, realm, after)) {
      const members = [...group.members].map((id) => realm.userName(id));
      this.wanted.set(FULL_MEMBERS_ADDRESS, new Map([["members", members]]));
    }
    const { state: before, wanted, created } = this;
    const accounts = this.accounts.values();
    this.doors = doorsOf({ before, after, wanted, created, accounts, me: before.population.of([this.me]) });
    for (const address of new Set([...addressesIn(this.state), ...addressesIn(after)])) {
      const held = union(this.rightsAt(address, this.state), this.rightsAt(address, after));
      this.allowed.set(address, this.created.has(address) ? union(held, this.ownAtCreation(address)) : held);
      for (const state of [this.state, after])
        this.dependents.add(address, partAt(state, address), this.wanted.get(ORGANIZATION)?.has(SPECTATORS));
    }
  }

  apply(step: Step): void {
    if (!this.isOfAccounts(step)) this.outlooks.clear();
    if (this.opensByAccounts(step) !== false) this.isOpen = undefined;
    this.change(step);
  }

  private change(step: Step): void {
    for (const account of this.leavingBy(step)) this.state.putAccount(account);
    for (const part of this.partsOf(step)) {
      const { address, fields } = part;
      const wanted = this.wanted.get(address);
      if (wanted === undefined) continue;
      const account = this.accountAt(address);
      if (account !== undefined) {
        for (const changed of this.accountsAfter(account, part)) this.state.putAccount(changed);
        continue;
      }
      const before = partAt(this.state, address) ?? this.bare(address);
      if (before === undefined) continue;
      const values = new Map<string, Json>();
      for (const field of fields) {
        const value = wanted.get(field);
        if (value !== undefined) values.set(field, this.partly(before, field, value, step));
      }
      this.state.put(withFields(before, values, this.state));
    }
  }

  private leavingBy({ leaving = [] }: Step): readonly AccessAccount[] {
    return leaving.flatMap((id) => this.state.account(id) ?? []).map((account) => ({ ...account, active: false }));
  }

  /** An account after a part of a request, and the bots that are deactivated with it. */
  private accountsAfter(account: AccessAccount, { address, fields }: Purpose): readonly AccessAccount[] {
    const changed = this.accountAfter(account, address, fields);
    const bots = account.active && !changed.active ? this.state.botsOf(account.id) : [];
    return [changed, ...bots.map((bot) => ({ ...bot, active: false }))];
  }

  /** @param fields undefined: all fields that the plan changes */
  private accountAfter(account: AccessAccount, address: Address, fields: readonly string[] | undefined): AccessAccount {
    const all = [...(this.wanted.get(address) ?? [])];
    const own = new Map(all.filter(([field]) => fields === undefined || fields.includes(field)));
    return this.withNew(address, own, withAccountFields(account, own, this.state));
  }

  /** How many rights somebody would hold that they hold neither before nor after the plan; 0: the request is safe. */
  excessAfter(step: Step): number {
    return this.openedBy(step).reduce((sum, { people }) => sum + people, 0);
  }

  /** Like {@link excessAfter}, without the account that runs the plan: it could give itself rights that others may not have. */
  excessOfOthersAfter(step: Step): number {
    const own = this.state.population.of([this.me]);
    return this.tried(step, () =>
      [...this.touchedNow(step)]
        .flatMap((address) => this.excessAt(address, own))
        .reduce((sum, { people }) => sum + people, 0),
    );
  }

  /** Whether {@link excessAfter} is above zero. */
  opens(step: Step): boolean {
    return this.opensByAccounts(step) ?? this.excessAfter(step) > 0;
  }

  /** The excess after a request, by object and right; the state does not change. */
  openedBy(step: Step): readonly Excess[] {
    if (this.opensByAccounts(step) === false) return [];
    return this.tried(step, () => [...this.touchedNow(step)].flatMap((address) => this.excessAt(address)));
  }

  /** The result of `measure` after the request; the state itself does not change. */
  tried<Found>(step: Step, measure: () => Found): Found {
    const accounts = [
      ...step.parts
        .flatMap(({ address }) => this.accountAt(address) ?? [])
        .flatMap((account) => [account, ...this.state.botsOf(account.id)]),
      ...(step.leaving ?? []).flatMap((id) => this.state.account(id) ?? []),
    ];
    const addresses = this.partsOf(step).map(({ address }) => address);
    const before = [...addresses, ...this.setByWaitingPeriod()].map(
      (address) => [address, partAt(this.state, address)] as const,
    );
    this.change(step);
    this.trying += 1;
    const found = measure();
    this.trying -= 1;
    for (const account of accounts) this.state.putAccount(account);
    for (const [address, object] of before) {
      const now = partAt(this.state, address);
      if (object !== undefined) this.state.put(object);
      else if (now !== undefined && now.kind !== "organization") this.state.remove(now);
    }
    return found;
  }

  /** The result of `measure` after several requests, one after the other; the state itself does not change. */
  triedAll<Found>(steps: readonly Step[], measure: () => Found): Found {
    const [first, ...others] = steps;
    return first === undefined ? measure() : this.tried(first, () => this.triedAll(others, measure));
  }

  /**
   * Whether the account that runs the plan has the right of a setting of the organization. If the reading does not hold the setting, everybody has
   * it.
   */
  has(setting: string): boolean {
    const value = this.state.organization.get(setting);
    return value === undefined || this.state.peopleIn(value).has(this.me);
  }

  /** Whether the account that runs the plan manages the group, by the group's own setting or by that of the organization. */
  manages(group: Address): boolean {
    const value = partAt(this.state, group)?.settings.get("can_manage_group");
    return this.state.peopleIn(this.state.organization.get(MANAGE_ALL)).or(this.state.peopleIn(value)).has(this.me);
  }

  /** Whether the account that runs the plan reads the channel. If nobody knows who is subscribed, it is assumed to be. */
  reads(channel: Address): boolean {
    const found = partAt(this.state, channel);
    if (found === undefined || !isChannel(found)) return true;
    const { people, bound } = insidersOf(this.state, found);
    return bound !== undefined || people.has(this.me);
  }

  /** Whether the account that runs the plan is in the group, or in one that the group contains. */
  isIn(group: Address): boolean {
    const found = partAt(this.state, group);
    return found !== undefined && isGroup(found) && this.state.membersOf(found.name).has(this.me);
  }

  /** Whether a request puts a bot somewhere that gets another owner by the plan. */
  addsGivenBot({ members, people = [], half }: Step): boolean {
    const added = [...(members?.add ?? []), ...(half === "adding" ? people : [])];
    return this.givenBots.size > 0 && added.some((id) => this.givenBots.has(id));
  }

  /** The rights that the defaults give to the account that creates an object: it could have them at any time, with any object of its own. */
  private ownAtCreation(address: Address): Rights {
    const own = this.state.population.of([this.me]);
    return new Map([...(this.bare(address)?.settings.keys() ?? [])].map((setting) => [setting, own]));
  }

  /** The account that runs the plan. */
  get me(): number {
    return this.realm.snapshot.account.user_id;
  }

  /**
   * A bot that the plan creates counts from the request that sets its role. Until then, only the account that created it has its key
   * (docs/internals/decisions/0025-no-account-comes-back-by-accident.md).
   */
  private withNew(address: Address, own: AccessFields, account: AccessAccount): AccessAccount {
    if (!this.newBots.has(address)) return account;
    const isFinished = own.has("role") || this.wanted.get(address)?.has("role") !== true;
    return isFinished ? { ...account, active: true } : account;
  }

  /**
   * Whether a request that changes nothing but accounts opens something. A plan can have such a request for each account of an organization. What a
   * person may do depends on no other person's account, so the answers for all of them are found with the same few sets of people.
   * @returns undefined if only trying the request tells
   */
  private opensByAccounts(step: Step): boolean | undefined {
    if (this.trying > 0 || !this.isOfAccounts(step)) return undefined;
    const [part, ...others] = step.parts;
    // Bots that leave ahead of their owner hold fewer rights then.
    if (part === undefined) return false;
    this.isOpen ??= [...this.othersReached()].some((address) => this.excessAt(address).length > 0);
    const account = this.accountAt(part.address);
    if (this.isOpen || others.length > 0 || account === undefined) return undefined;
    // Who owns the bot between two requests is not who owns it in the outlook.
    if (this.givenBots.has(account.id)) return undefined;
    const changed = this.accountAfter(account, part.address, part.fields);
    for (const fields of [undefined, part.fields]) {
      const { standing, opened } = this.outlookOn(fields);
      if (isSame(changed, standing.get(account.id))) return this.isAmong(opened, account);
    }
    return undefined;
  }

  /** Whether the account, or the owner of the bot, is among these; undefined if another account of the same person can be the reason. */
  private isAmong(opened: People, { id, owner }: AccessAccount): boolean | undefined {
    if (!opened.has(id) && (owner === undefined || !opened.has(owner))) return false;
    return owner === undefined && this.state.botsOf(id).length === 0 ? true : undefined;
  }

  /** @param fields the fields of each account that requests change; undefined: all fields that the plan changes */
  private outlookOn(fields: readonly string[] | undefined): Outlook {
    const key = fields?.join(" ") ?? "";
    const known = this.outlooks.get(key) ?? this.foundOutlook(fields);
    this.outlooks.set(key, known);
    return known;
  }

  private foundOutlook(fields: readonly string[] | undefined): Outlook {
    const before: AccessAccount[] = [];
    const standing = new Map<number, AccessAccount>();
    const groups = this.setByWaitingPeriod().flatMap((address) => partAt(this.state, address) ?? []);
    for (const [address, id] of this.accounts) {
      const account = this.state.account(id);
      if (account === undefined) continue;
      const changed = this.accountAfter(account, address, fields);
      before.push(account);
      standing.set(id, changed);
      this.state.putAccount(changed);
    }
    let opened = this.state.population.nobody;
    for (const address of this.othersReached())
      for (const { holders, allowed } of this.excessive(address)) opened = opened.or(holders.minus(allowed));
    for (const account of before) this.state.putAccount(account);
    for (const group of groups) this.state.put(group);
    return { standing, opened };
  }

  /** Whether another request can change something that the rights of this one depend on, at any time of the plan. */
  entangledWith(step: Step): (other: Step) => boolean {
    const isAccount = ({ parts, leaving = [] }: Step): boolean =>
      leaving.length > 0 || parts.some(({ address }) => this.accounts.has(address));
    // Everything else that changes memberships can depend on a role, and what a new owner gets also on the other accounts.
    if (isAccount(step)) return (other) => !isAccount(other) || givesBot(step) || givesBot(other);
    const known = this.addressesOf(step);
    const touched = this.dependentOn(known, (groups) => this.dependents.groupsAround(groups));
    const decisive = new Set([...this.dependents.withGroupsOf(touched), ...this.doors.behind(touched)]);
    return (other) => isAccount(other) || this.addressesOf(other).some((address) => decisive.has(address));
  }

  /**
   * The group whose members a waiting period of the plan sets. An account that is put back joins the groups that its role had before the plan, so this
   * one has to be put back, too.
   */
  private setByWaitingPeriod(): readonly Address[] {
    return this.wanted.has(FULL_MEMBERS_ADDRESS) ? [FULL_MEMBERS_ADDRESS] : [];
  }

  /** A waiting period of the organization changes a group that no request names. */
  private partsOf({ parts }: Step): readonly Purpose[] {
    const moves =
      this.wanted.has(FULL_MEMBERS_ADDRESS) &&
      parts.some(({ address, fields }) => address === ORGANIZATION && fields.includes(WAITING_PERIOD));
    return moves ? [...parts, { address: FULL_MEMBERS_ADDRESS, fields: ["members"] }] : parts;
  }

  /** Whether a request changes nothing but accounts. */
  private isOfAccounts({ parts }: Step): boolean {
    return parts.every(({ address }) => this.accountAt(address) !== undefined);
  }

  private addressesOf(step: Step): readonly Address[] {
    return this.partsOf(step)
      .map(({ address }) => address)
      .filter((address) => this.allowed.has(address));
  }

  /** The objects whose rights depend on these parts, with the current nesting of groups: a request reaches no further. */
  private touchedNow(step: Step): ReadonlySet<Address> {
    const found = this.dependentOn(this.addressesOf(step), (groups) => this.state.groupsAround(groups));
    // During a change of an account, its rights go from the old ones to the new ones. They can exceed both only together with another change.
    return step.parts.some(({ address }) => this.accounts.has(address))
      ? new Set([...found, ...this.othersReached()])
      : found;
  }

  private accountAt(address: Address): AccessAccount | undefined {
    const id = this.accounts.get(address);
    return id === undefined ? undefined : this.state.account(id);
  }

  /** Objects whose rights depend on a change other than that of an account. */
  private othersReached(): ReadonlySet<Address> {
    if (this.reachedByOthers !== undefined) return this.reachedByOthers;
    const others = [...this.wanted.keys()].filter((address) => !this.accounts.has(address));
    this.reachedByOthers = this.dependentOn(others, (groups) => this.dependents.groupsAround(groups));
    return this.reachedByOthers;
  }

  /** These objects, and those whose rights depend on one of them, or what people can give themselves there. */
  private dependentOn(
    addresses: readonly Address[],
    around: (groups: readonly string[]) => ReadonlySet<string>,
  ): ReadonlySet<Address> {
    const found = this.dependents.of(addresses, around);
    const doors = this.doors.of(addresses);
    return doors.length === 0 ? found : new Set([...found, ...doors]);
  }

  private excessAt(address: Address, except = this.state.population.nobody): readonly Excess[] {
    return this.excessive(address).map(({ right, holders, allowed }) => {
      return { address, right, people: holders.sizeWithout(except, allowed) };
    });
  }

  /** The rights on an object whose current holders include somebody who is not allowed to hold them. */
  private excessive(
    address: Address,
  ): readonly { readonly right: string; readonly holders: People; readonly allowed: People }[] {
    const { nobody } = this.state.population;
    return [...this.rightsAt(address, this.state)]
      .map(([right, holders]) => ({ right, holders, allowed: this.allowed.get(address)?.get(right) ?? nobody }))
      .filter(({ holders, allowed }) => !holders.isWithin(allowed));
  }

  /**
   * The people whom each setting names, if they reach the object, and the owners of the bots among them. Rights from roles or from the organization's settings are left out, so that an
   * order is safe however these change. What an archived channel or a deactivated group grants is effective again after its reactivation, and its
   * managers may reactivate it. So it counts as held all the time.
   */
  private rightsAt(address: Address, state: AccessState): Rights {
    this.looked += 1;
    const rights = new Map<string, People>();
    const object = partAt(state, address);
    if (object === undefined) return rights;
    const target = object.kind === "organization" ? "organization" : object;
    const add = (right: string, people: People): People => {
      const holders = people.or(ownersOfBots(state, target, right, people));
      rights.set(right, holders);
      return holders;
    };
    if (!isChannel(object)) {
      for (const [setting, value] of object.settings) {
        const people = state.peopleIn(value);
        // With a bot's key, its owner could only deactivate groups (zulip-api.md §10.1). So who has the bot does not have what a person has whom it names.
        if (setting === MANAGE_ALL && !state.facts.botsChangeGroups) rights.set(setting, people);
        else add(setting, people);
      }
      return rights;
    }
    const readers = add(READ, insidersOf(state, object).people);
    if (state.isOnWeb(object)) rights.set(WEB, this.web);
    if (object.privacy !== "private_protected_history") rights.set(READ_PAST, readers);
    // A channel with protected history has to open its topic group first, whatever the order (docs/internals/decisions/0014-nothing-is-open-in-between.md).
    const isForced = this.wanted.get(address)?.get("privacy") === "private_protected_history";
    for (const [setting, value] of object.settings) {
      if (isForced && setting === "can_create_topic_group") continue;
      // Who administers a channel need not read it.
      add(setting, state.peopleIn(value).and(setting === ADMINISTER ? state.accounts.members : readers));
    }
    for (const [right, people] of this.doors.rights(object, state, rights)) rights.set(right, people);
    return rights;
  }

  /**
   * An object that the plan creates, before its requests set anything: with the server's defaults where the plan leaves them. Until a setting is set
   * by a separate request, it gives rights only to people whom it will name.
   */
  private bare(address: Address): AccessPart | undefined {
    const made = this.created.has(address) ? newObject(address, this.realm, this.state) : undefined;
    if (made === undefined) return undefined;
    const own = this.wanted.get(address);
    const settings = new Map([...made.settings].filter(([setting]) => own?.has(setting) !== true));
    return isChannel(made) ? { ...made, settings, subscribers: this.state.population.nobody } : { ...made, settings };
  }

  /** The value of a field after half of a request to change it. */
  private partly(object: AccessPart, field: string, wanted: Json, { half, people: only, members }: Step): Json {
    if (field === "members" && members !== undefined) {
      const named = (ids: readonly number[]): readonly string[] => ids.map((id) => this.realm.userName(id));
      const leave = new Set(named(members.delete));
      return [...new Set([...this.listOf(object, field), ...named(members.add)])].filter((name) => !leave.has(name));
    }
    if (half === "whole" || !isList(wanted)) return wanted;
    const from = this.listOf(object, field);
    const to = new Set(wanted.map(String));
    const meant = only?.map((id) => this.realm.userName(id));
    const isMeant = (name: string): boolean => meant === undefined || meant.includes(name);
    return half === "adding"
      ? [...new Set([...from, ...[...to].filter(isMeant)])]
      : from.filter((name) => to.has(name) || !isMeant(name));
  }

  private listOf(object: AccessPart, field: string): readonly string[] {
    if (object.kind === "organization") return [];
    if (field === "subgroups") return isGroup(object) ? object.subgroups : [];
    const people = isGroup(object) ? object.members : object.subscribers;
    return [...(people ?? [])].map((id) => this.realm.userName(id));
  }
}

/** Whether an account gives the same rights as another one. */
const isSame = (one: AccessAccount, other: AccessAccount | undefined): boolean =>
  one.role === other?.role && one.active === other.active;

const givesBot = ({ parts }: Step): boolean => parts.some(({ fields }) => fields.includes("owner"));

const FULL_MEMBERS_ADDRESS: Address = groupAddress(FULL_MEMBERS);

function union(a: Rights, b: Rights): Rights {
  const rights = new Map(a);
  for (const [right, people] of b) rights.set(right, rights.get(right)?.or(people) ?? people);
  return rights;
}
