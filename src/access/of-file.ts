import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { isList, isObject, type Json, mapOf } from "../model/json.ts";
import { addTo, once } from "../model/lazy.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { asPeopleList, groupsOfList, type PeopleList } from "../model/people-list.ts";
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  isRightName,
  ORGANIZATION_PERMISSIONS,
} from "../model/permission-settings.ts";
import type { Address } from "../model/plan.ts";
import { type GroupValue, Realm } from "../model/realm.ts";
import { isRole, ROLE, type RoleNumber } from "../model/roles.ts";
import type { Snapshot, SnapshotChannel, SnapshotGroup, SnapshotUser } from "../model/snapshot.ts";
import { roleGroupsOf, SYSTEM_GROUPS } from "./account.ts";
import { inOrderOfLists, peopleOfList } from "./lists.ts";
import type { AccessGroup } from "./nesting.ts";
import { type Persona, personasByGroup, subscribePersonas, withPersonas } from "./personas.ts";
import { withFields } from "./projected.ts";
import { isOfBot } from "./renamed.ts";
import { OPENING_SETTINGS } from "./rules.ts";
import {
  CHANNEL,
  channelAddress,
  declaredBots,
  declaredChannels,
  declaredGroups,
  declaredOrganization,
  declaredPeople,
  GROUP,
  groupAddress,
  isGroup,
} from "./scope.ts";
import { type AccessChannel, type AccessState, INCOMING_WEBHOOK, isPrivate, objectAt, stateOf } from "./state.ts";

/** What a file alone says about access: an organization with the declarations of the file, and the server's defaults for everything else. */
export interface FileAccess {
  readonly realm: Realm;
  readonly state: AccessState;
  /** Ids of the personas, in their order. */
  readonly ids: readonly number[];
  /** Groups that the file names but does not declare: only a server knows their members. */
  readonly unknownGroups: readonly string[];
  /** People whom the file names without a role, and the owners of such bots: they count as members. */
  readonly withoutRole: readonly number[];
  /** People who are guests, or may be, if only the server knows whether they are subscribed to a public channel. */
  readonly guests: readonly number[];
  /** Invented people in the place of those whom only the server knows; none unless they were asked for. */
  readonly strangers: readonly Stranger[];
  /**
   * The state in which everybody is in each group of which the file does not say who is in it, except in these: no more can be held. Undefined without such
   * groups. Only the last state is kept, since there may be thousands of rules that each name other groups.
   */
  readonly filledExcept: ((groups: ReadonlySet<string>) => AccessState) | undefined;
}

interface FileOptions {
  /** The role of people without a role in the file. */
  readonly assumed?: RoleNumber;
  /** Whether strangers are in the state, as accounts. */
  readonly withStrangers?: boolean;
  /** Whether everybody is in each group whose members are unknown. */
  readonly isFilled?: boolean;
  /** Whether guests are subscribed to every public channel of which the file does not have the whole list. */
  readonly areGuestsSubscribed?: boolean;
}

/**
 * An invented person in the place of those whom only the server knows: who is in a group whose members the file does not have (one stranger is a guest, one
 * a member), who owns a bot that the file declares without its owner, and who owns a bot that a group brings into a list, although the list excepts the
 * owner. What a stranger holds, anybody whom it may be may hold.
 */
export interface Stranger {
  readonly id: number;
  /** Who it may be in truth: an owner may have any role. Of those whom a value names only members, since guests make no bots. */
  readonly mayBe: "guest" | "member" | "anybody" | { readonly excepted: GroupValue };
  /** The group, the bot, or the group or channel with the list, that the file does not say enough about. */
  readonly because:
    | { readonly group: string }
    | { readonly account: string }
    | { readonly list: string; readonly kind: typeof CHANNEL | typeof GROUP };
}

const NOBODY = "role:nobody";

/** An account that is not in the file: values that default to the creator name this account, which no rule can mean. */
const CREATOR = 1;

export function fileAccess(
  desired: Desired,
  personas: readonly Persona[],
  { assumed = ROLE.member, withStrangers = false, isFilled = false, areGuestsSubscribed = false }: FileOptions = {},
): FileAccess {
  const channels = declaredChannels(desired);
  const groups = declaredGroups(desired);
  const settings = declaredOrganization(desired);
  const people = declaredPeople(desired);
  const declared = new Set(groups.map(({ name }) => name));
  const named = namesIn([...channels, ...groups, ...settings]);
  const known: ReadonlySet<string> = new Set<string>(SYSTEM_GROUPS);
  const unknownGroups = [...named.groups].filter((name) => !declared.has(name) && !known.has(name));
  for (const { groups: own } of personas) for (const name of own) if (!known.has(name)) declared.add(name);
  const bots = declaredBots(desired);
  // Owners act through their bots.
  const owners = bots.flatMap(({ fields }) => (typeof fields.owner === "string" ? [fields.owner] : []));
  const accounts = accountsNamed(withOwners(named.people, owners), { people, bots }, assumed);
  const openGroups = [...withoutMembers(desired, groups), ...unknownGroups];
  const strange = withStrangers ? strangersFor({ openGroups, groups, channels }, accounts) : [];
  const base = organization({
    channels: channels.map(({ name }) => name),
    groups: [...declared, ...unknownGroups.filter((name) => !declared.has(name))],
    people: [...accounts.map((account) => withStranger(account, strange)), ...strange.map(({ account }) => account)],
  });
  const { snapshot, ids } = withPersonas(base, personas);
  const realm = new Realm(snapshot);
  const state = stateOf(realm);
  const strangers = strange.map(({ account, ...about }): Stranger => ({ ...about, id: realm.userId(account.name) }));
  const staying = inventedByGroup(personasByGroup(personas, ids), strangers);
  if (isFilled) for (const name of openGroups) staying.set(name, snapshot.users.map(userId));
  const sureList = layGroups(state, groups, { unknownGroups, openGroups, isFilled, staying });
  for (const { fields } of settings)
    state.put(
      withFields({ ...ORGANIZATION_ITSELF, settings: state.organization }, new Map(Object.entries(fields)), state),
    );
  const guests = mayBeGuests(accounts, base);
  const saysAll = desired.unset?.channels !== undefined;
  const sure = channels.map((object) => withSureList(object, sureList));
  const open = sure.filter((object) => layChannel(state, object, areGuestsSubscribed ? guests : [], saysAll));
  const join = (joined: AccessState): void => {
    subscribePersonas(joined, personas, ids);
    subscribeStrangers(joined, strangers);
  };
  join(state);
  const filled = once(
    () => fileAccess(desired, personas, { assumed, withStrangers, areGuestsSubscribed, isFilled: true }).state,
  );
  const filledExcept =
    withStrangers && openGroups.length > 0 ? emptying(filled, state, sure.flatMap(listOfGroups), join) : undefined;
  return {
    realm,
    state,
    ids,
    unknownGroups,
    withoutRole: peopleWithoutRole(accounts, base),
    guests: open.length > 0 ? guests : [],
    strangers,
    filledExcept,
  };
}

/** Without members in the file, a group has those that the server knows; with `unset: default` it has none. */
const withoutMembers = ({ unset }: Desired, groups: readonly DeclaredObject[]): readonly string[] =>
  groups.flatMap(({ name, fields, creation }) =>
    unset?.user_groups === undefined && (fields.members ?? creation?.members) === undefined ? [name] : [],
  );

const userId = ({ user_id }: SnapshotUser): number => user_id;

/** Invented people by the groups that they stay in, whatever the file says. */
function inventedByGroup(
  personas: ReadonlyMap<string, readonly number[]>,
  strangers: readonly Stranger[],
): Map<string, number[]> {
  const staying = new Map([...personas].map(([name, some]) => [name, [...some]]));
  for (const { id, because } of strangers)
    if ("group" in because) addTo(staying, because.group, id);
    else if ("list" in because && because.kind === GROUP) addTo(staying, because.list, id);
  return staying;
}

/** Strangers whose bots are in the list of a channel. */
function subscribeStrangers(state: AccessState, strangers: readonly Stranger[]): void {
  for (const { id, because } of strangers)
    if ("list" in because && because.kind === CHANNEL) subscribePersonas(state, [{ channels: [because.list] }], [id]);
}

/** With the key of a bot, its owner takes the role of the bot. */
function peopleWithoutRole(accounts: readonly NamedAccount[], { users }: Snapshot): readonly number[] {
  const unsure = new Set(
    accounts
      .flatMap(({ name, isAssumed, owner = "" }) => (isAssumed ? [name, owner] : []))
      .map((name) => name.toLowerCase()),
  );
  return users.filter(({ email }) => unsure.has(email.toLowerCase())).map(({ user_id }) => user_id);
}

/** The list of subscribers of a channel, if it names groups. */
function listOfGroups(object: DeclaredObject): readonly (readonly [channel: string, list: Json])[] {
  const lists = [...wishesOf(object), ...Object.entries(object.fields)].filter(([field]) => field === "subscribers");
  return lists.flatMap(([, list]) =>
    isObject(list) || typeof list === "string" ? [[object.name, list] as const] : [],
  );
}

/** The filled state with some groups as they are in the other one, and lists of subscribers that follow them. */
function emptying(
  filled: () => AccessState,
  state: AccessState,
  lists: readonly (readonly [channel: string, list: Json])[],
  join: (state: AccessState) => void,
): NonNullable<FileAccess["filledExcept"]> {
  let last: { readonly key: string; readonly state: AccessState } | undefined;
  return (groups) => {
    if (groups.size === 0) return filled();
    const key = [...groups].sort().join("\n");
    if (last?.key === key) return last.state;
    const made = filled().copy();
    for (const name of groups) {
      const group = state.group(name);
      if (group !== undefined) made.put(group);
    }
    for (const [name, list] of lists) {
      const channel = made.channel(name);
      if (channel?.subscribers !== undefined) made.put(withFields(channel, new Map([["subscribers", list]]), made));
    }
    join(made);
    last = { key, state: made };
    return made;
  };
}

/** Active people who are guests, or of whom the file says no role. */
function mayBeGuests(accounts: readonly NamedAccount[], { users }: Snapshot): readonly number[] {
  const names = new Set(
    accounts
      .filter(({ isBot, isAssumed, active, role }) => active && !isBot && (isAssumed || role === ROLE.guest))
      .map(({ name }) => name.toLowerCase()),
  );
  return users.filter(({ email }) => names.has(email.toLowerCase())).map(({ user_id }) => user_id);
}

/**
 * @param saysAll whether settings that the file leaves out have the values of new channels (`unset: default`)
 * @returns whether it is a public channel to which guests may be subscribed whom the file does not list
 */
function layChannel(state: AccessState, object: DeclaredObject, guests: readonly number[], saysAll: boolean): boolean {
  lay(state, channelAddress(object.name), object);
  const channel = state.channel(object.name);
  if (channel === undefined) return false;
  const { fields, creation } = object;
  // The server keeps how open a channel is, of an archived one whatever the file says of others. Only one that is not there yet becomes public.
  if ((!saysAll || channel.archived) && fields.privacy === undefined) {
    const named = (fields.subscribers ?? creation?.subscribers) === undefined ? undefined : channel.subscribers;
    state.put({
      ...channel,
      privacy: "private_shared_history",
      isPrivacyLeftOut: true,
      subscribers: named,
      openTo: "anybody",
    });
    return false;
  }
  const hasList = isListed(object, channel);
  if (isPrivate(channel)) {
    if (hasList && (saysAll || setsOpenings(object))) return false;
    const openTo = hasList ? "members" : "anybody";
    const named = creation?.subscribers === undefined ? undefined : channel.subscribers;
    state.put({ ...channel, subscribers: named, openTo });
    return false;
  }
  if (hasList) return false;
  const { population } = state;
  state.put({ ...channel, subscribers: population.of(guests).or(channel.subscribers ?? population.nobody) });
  return true;
}

/** Whether the file says who can let themselves into a private channel. What it leaves out is as the server has it. */
const setsOpenings = ({ fields }: DeclaredObject): boolean =>
  OPENING_SETTINGS.every((setting) => fields[setting] !== undefined);

/** A stranger before it has an id. */
interface NewStranger extends Omit<Stranger, "id"> {
  readonly account: NamedAccount;
}

/** What of the file brings in people whom only the server knows. */
interface Bringing {
  readonly openGroups: readonly string[];
  readonly groups: readonly DeclaredObject[];
  readonly channels: readonly DeclaredObject[];
}

function strangersFor(bringing: Bringing, accounts: readonly NamedAccount[]): readonly NewStranger[] {
  const members = bringing.openGroups.flatMap((group) =>
    (["guest", "member"] as const).map((mayBe) => ({ mayBe, because: { group } })),
  );
  const owners = accounts.flatMap(({ name, isBot, active, owner }) =>
    isBot && active && owner === undefined ? [{ mayBe: "anybody" as const, because: { account: name } }] : [],
  );
  return [...members, ...owners, ...exceptedOwners(bringing)].map((stranger, index) => ({
    ...stranger,
    account: {
      name: `stranger:${index}`,
      isBot: false,
      active: true,
      isWebhook: false,
      // An owner has the fewest rights: what they hold, they hold by the bot, or everybody does.
      role: isGuestly(stranger) ? ROLE.guest : ROLE.member,
      isAssumed: false,
    },
  }));
}

/** Whether a stranger has the rights of a guest, and not those of a member. */
export const isGuestly = ({ mayBe }: Pick<Stranger, "mayBe">): boolean => mayBe === "guest" || mayBe === "anybody";

/** People whom a list excepts, and whose bots it may have: a group brings them in. */
function exceptedOwners({ openGroups, groups, channels }: Bringing): readonly Pick<Stranger, "mayBe" | "because">[] {
  const withBots = groupsWithBots(openGroups, groups);
  const ownersIn = (kind: typeof CHANNEL | typeof GROUP, field: string) => {
    return ({ name, fields, creation }: DeclaredObject) => {
      const { who, except } = asPeopleList(fields[field] ?? creation?.[field]) ?? {};
      if (who === undefined || except === undefined) return [];
      const brings = groupsOfList({ who }).some((group) => withBots.has(group));
      return brings ? [{ mayBe: { excepted: except }, because: { list: name, kind } }] : [];
    };
  };
  return [...groups.flatMap(ownersIn(GROUP, "members")), ...channels.flatMap(ownersIn(CHANNEL, "subscribers"))];
}

/** Groups in which there may be bots that the file does not name: those of roles, those whose members it does not have, and those with these in them. */
function groupsWithBots(openGroups: readonly string[], groups: readonly DeclaredObject[]): ReadonlySet<string> {
  const around = new Map<string, string[]>();
  for (const { name, fields, creation } of groups) {
    const subgroups = isList(fields.subgroups) ? fields.subgroups.map(String) : [];
    const { who = NOBODY } = asPeopleList(creation?.members) ?? {};
    for (const inner of [...subgroups, ...groupsOfList({ who })]) addTo(around, inner, name);
  }
  const found = new Set([...SYSTEM_GROUPS.filter((name) => name !== NOBODY), ...openGroups]);
  // Groups that are added during the loop are visited as well.
  for (const name of found) for (const outer of around.get(name) ?? []) found.add(outer);
  return found;
}

/** A bot with its unknown owner. */
function withStranger(account: NamedAccount, strangers: readonly NewStranger[]): NamedAccount {
  const owner = strangers.find(({ because }) => "account" in because && because.account === account.name)?.account.name;
  return owner === undefined ? account : { ...account, owner };
}

/** Groups that the file declares or names. */
export function groupsNamedIn(desired: Desired): readonly string[] {
  const objects = [...declaredChannels(desired), ...declaredGroups(desired), ...declaredOrganization(desired)];
  return [...new Set([...declaredGroups(desired).map(({ name }) => name), ...namesIn(objects).groups])];
}

/** People whom the file names where it says who is there, in lower case. */
export function peopleNamedIn(desired: Desired): ReadonlySet<string> {
  const objects = [...declaredChannels(desired), ...declaredGroups(desired), ...declaredOrganization(desired)];
  const people = declaredPeople(desired).map(({ name }) => name);
  return new Set([...namesIn(objects).people, ...people].map((name) => name.toLowerCase()));
}

/** Addresses are compared without case. */
function withOwners(names: ReadonlySet<string>, owners: readonly string[]): ReadonlySet<string> {
  const known = new Set([...names].map((name) => name.toLowerCase()));
  return new Set([...names, ...owners.filter((name) => !known.has(name.toLowerCase()))]);
}

/** Whether the file has everybody who is subscribed: only the server knows who else is. */
export function isListed({ fields, creation }: DeclaredObject, channel: Pick<AccessChannel, "privacy">): boolean {
  const wish = creation?.subscribers;
  if (fields.subscribers !== undefined) return true;
  const exact = wish !== undefined && isObject(wish) ? wish.exact : undefined;
  return wish !== undefined && (exact === undefined ? isPrivate(channel) : exact === true);
}

const ORGANIZATION_ITSELF = { kind: "organization", name: "organization" } as const;

/** Somebody whom the file names, or a bot, of the role that it gives them. */
interface NamedAccount {
  readonly name: string;
  readonly isBot: boolean;
  readonly role: RoleNumber;
  /** Whether the role is assumed, because the file does not say it. */
  readonly isAssumed: boolean;
  readonly active: boolean;
  /** The name of a bot's owner, and whether the bot can only post, as far as the file says. */
  readonly owner?: string;
  readonly isWebhook: boolean;
}

/** The sections of the file about accounts, in addition to the names in other sections. */
interface Said {
  readonly people: readonly DeclaredObject[];
  readonly bots: readonly DeclaredObject[];
}

/**
 * Addresses are compared without case. A bot's address begins with the bot's name. An address in the file's `people` is not a bot's; one that ends like
 * those of bots and is nowhere else in the file is that of a bot of which nothing is known.
 */
function accountsNamed(
  names: ReadonlySet<string>,
  { people, bots }: Said,
  assumed: RoleNumber,
): readonly NamedAccount[] {
  const saidOf = byLetters(people);
  const botOf = byLetters(bots);
  const known = new Set([...names].map((name) => name.toLowerCase()));
  const others = people.map(({ name }) => name).filter((name) => !known.has(name.toLowerCase()));
  const botCalled = (name: string): DeclaredObject | undefined => {
    const letters = name.toLowerCase();
    return saidOf.has(letters) ? undefined : (botOf.get(letters) ?? botOf.get(letters.replace(/@.*/s, "")));
  };
  const named = [...names, ...others];
  // Bots that nothing else names hold what every bot of their role holds, and so do their owners.
  const used = new Set(named.map(botCalled));
  const more = bots.filter((bot) => !used.has(bot)).map(({ name }) => name);
  return [...named, ...more].map((name) => {
    const person = saidOf.get(name.toLowerCase());
    const bot = botCalled(name);
    const { role, deactivated, owner, type } = (person ?? bot)?.fields ?? {};
    const active = deactivated !== true && bot?.absent !== true;
    const isBot = bot !== undefined || (person === undefined && isOfBot(name.toLowerCase()));
    const owned = defined({ owner: isBot && typeof owner === "string" ? owner : undefined });
    const is = { name, isBot, active, isWebhook: isBot && type === "incoming_webhook", ...owned };
    return isRole(role) ? { ...is, role: ROLE[role], isAssumed: false } : { ...is, role: assumed, isAssumed: true };
  });
}

const byLetters = (declared: readonly DeclaredObject[]): ReadonlyMap<string, DeclaredObject> =>
  new Map(declared.map((object) => [object.name.toLowerCase(), object]));

/** Declared fields, applied to a new object; a persona stays in its groups. */
function lay(state: AccessState, address: Address, declared: DeclaredObject, staying: readonly number[] = []): void {
  const object = objectAt(state, address);
  if (object === undefined) return;
  const fields: readonly (readonly [string, Json])[] = [
    ...wishesOf(declared),
    ...Object.entries(declared.fields),
    ...(declared.absent ? ([["archived", true]] as const) : []),
  ];
  const made = withFields(object, new Map(fields), state);
  if (isGroup(made)) stay(state, made, staying);
  else state.put(made);
}

/** Puts invented people into a group. */
function stay(state: AccessState, group: AccessGroup | undefined, staying: readonly number[] = []): void {
  if (group !== undefined) state.put({ ...group, members: group.members.or(state.population.of(staying)) });
}

/** The fields that matter only at creation. Subscribers have the form `{who, exact}`. */
function wishesOf({ creation = {} }: DeclaredObject): readonly (readonly [string, Json])[] {
  return Object.entries(creation);
}

type SureList = (list: PeopleList) => PeopleList;

/**
 * Lays the groups of the file, and then gives groups the members that their lists give them, one after the other.
 * @returns makes lists sure: only a server knows whom an open group takes out of a list. If everybody is in the open groups, that is nobody, so that no more
 * can be in the list; otherwise it is everybody.
 */
function layGroups(
  state: AccessState,
  groups: readonly DeclaredObject[],
  {
    unknownGroups,
    openGroups,
    isFilled,
    staying,
  }: {
    readonly unknownGroups: readonly string[];
    readonly openGroups: readonly string[];
    readonly isFilled: boolean;
    readonly staying: ReadonlyMap<string, readonly number[]>;
  },
): SureList {
  for (const object of groups) lay(state, groupAddress(object.name), object, staying.get(object.name));
  for (const name of unknownGroups) stay(state, state.group(name), staying.get(name));
  const lists = new Map(
    groups.flatMap(({ name, creation }) => {
      const list = asPeopleList(creation?.members);
      return list === undefined ? [] : [[name, list] as const];
    }),
  );
  let unsure = state.groupsAround(openGroups);
  const sure: SureList = ({ who, except }) => {
    if (except === undefined || !groupsOfList({ who: except }).some((name) => unsure.has(name)))
      return { who, ...defined({ except }) };
    if (!isFilled) return { who: NOBODY };
    const { groups: named, users } = typeof except === "string" ? { groups: [except], users: [] } : except;
    return { who, except: { groups: named.filter((name) => !unsure.has(name)), users } };
  };
  for (const name of inOrderOfLists(lists, state)) {
    const list = lists.get(name);
    const group = state.group(name);
    if (list === undefined || group === undefined) continue;
    const members = peopleOfList(sure(list), state);
    stay(state, { ...group, members }, staying.get(name));
    if (groupsOfList(list).some((other) => unsure.has(other))) unsure = state.groupsAround([...unsure, name]);
  }
  return sure;
}

function withSureList(object: DeclaredObject, sure: SureList): DeclaredObject {
  const wish = mapOf(object.creation?.subscribers);
  const list = asPeopleList(wish);
  if (wish === undefined || list?.except === undefined) return object;
  const { who: _, except: __, ...rest } = wish;
  return { ...object, creation: { ...object.creation, subscribers: { ...rest, ...sure(list) } } };
}

/** Every group and person that any object names. */
function namesIn(objects: readonly DeclaredObject[]): {
  readonly groups: ReadonlySet<string>;
  readonly people: ReadonlySet<string>;
} {
  const groups = new Set<string>();
  const people = new Set<string>();
  for (const object of objects)
    for (const [field, value] of [...Object.entries(object.fields), ...wishesOf(object)]) {
      if (field === "subgroups" && isList(value)) for (const name of value) groups.add(String(name));
      else if (field === "members" || field === "subscribers" || isRightName(field)) {
        const list = asPeopleList(value);
        for (const name of groupsOfList(list)) groups.add(name);
        for (const part of [list?.who, list?.except])
          if (typeof part === "object") for (const name of part.users) people.add(name);
      }
    }
  return { groups, people };
}

interface Contents {
  readonly channels: readonly string[];
  readonly groups: readonly string[];
  readonly people: readonly NamedAccount[];
}

/** The reading of a new organization in which nobody has changed anything. */
function organization({ channels, groups, people }: Contents): Snapshot {
  // Each group has the one before it as a subgroup, except nobody and the owners.
  const roleGroups = [NOBODY, ...SYSTEM_GROUPS.filter((name) => name !== NOBODY)];
  const idOfRole = (name: string): number => roleGroups.indexOf(name) + 1;
  const valueFor = (name: string) =>
    name.startsWith("role:") ? idOfRole(name) : { direct_members: [], direct_subgroups: [] };
  const settings = (known: { readonly [setting: string]: { readonly server: { readonly standard: string } } }) =>
    Object.fromEntries(Object.entries(known).map(([setting, { server }]) => [setting, valueFor(server.standard)]));
  const pinned = new Set(people.map(({ name }) => pinnedId(name)));
  let next = CREATOR + 1;
  const ids = people.map(({ name }) => {
    while (pinned.has(next)) next += 1;
    return pinnedId(name) ?? next++;
  });
  const idOf = new Map(people.map(({ name }, index) => [name.toLowerCase(), ids[index] ?? CREATOR]));
  const users = people.map((person, index) => account(ids[index] ?? CREATOR, person, idOf));
  const group = (id: number, name: string, below: readonly number[]): SnapshotGroup => ({
    id,
    name,
    description: "",
    members: users
      .filter(({ role }) => roleGroupsOf({ role, full: true }).includes(name))
      .map(({ user_id }) => user_id),
    direct_subgroup_ids: [...below],
    is_system_group: name.startsWith("role:"),
    deactivated: false,
    creator_id: null,
    date_created: null,
    ...settings(GROUP_PERMISSIONS),
  });
  return {
    format: "realmctl.snapshot",
    version: 1,
    taken_at: "1970-01-01T00:00:00.000Z",
    server: { zulip_version: "", feature_level: 0 },
    realm: { url: "", name: "" },
    account: { user_id: CREATOR, email: "", full_name: "", role: ROLE.owner, is_bot: false },
    permission_settings: null,
    settings: settings(ORGANIZATION_PERMISSIONS),
    users,
    user_groups: [
      ...roleGroups.map((name, index) => {
        const inner = index < 2 ? undefined : roleGroups[index - 1];
        return group(index + 1, name, inner === undefined ? [] : [idOfRole(inner)]);
      }),
      ...groups.map((name, index) => group(roleGroups.length + 1 + index, name, [])),
    ],
    channels: channels.map((name, index) => channel(index + 1, name, settings(CHANNEL_PERMISSIONS))),
    default_channels: null,
    channel_folders: null,
    linkifiers: null,
    domains: null,
    navigation_views: null,
    subscribers: Object.fromEntries(channels.map((_, index) => [String(index + 1), []])),
    invites: null,
  };
}

/** The id in a name of the form `user:17`. */
function pinnedId(name: string): number | undefined {
  const found = /^user:(\d+)$/.exec(name);
  return found === null ? undefined : Number(found[1]);
}

function account(
  user_id: number,
  { name, isBot, isWebhook, owner = "", role, active }: NamedAccount,
  idOf: ReadonlyMap<string, number>,
): SnapshotUser {
  return {
    user_id,
    email: name,
    delivery_email: name,
    full_name: name,
    role,
    is_bot: isBot,
    bot_type: isWebhook ? INCOMING_WEBHOOK : null,
    bot_owner_id: idOf.get(owner.toLowerCase()) ?? null,
    is_active: active,
  };
}

function channel(stream_id: number, name: string, settings: { readonly [setting: string]: unknown }): SnapshotChannel {
  return {
    stream_id,
    name,
    description: "",
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    message_retention_days: null,
    creator_id: null,
    date_created: 0,
    ...settings,
  };
}
