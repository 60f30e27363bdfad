import { kindOf, nameIn } from "../model/address.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { isList, type Json } from "../model/json.ts";
import { asPeopleList } from "../model/people-list.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Address, Change } from "../model/plan.ts";
import { asGroupValue, type GroupValue, groupValue, type Realm } from "../model/realm.ts";
import { isRole, ROLE } from "../model/roles.ts";
import type { SnapshotUser } from "../model/snapshot.ts";
import { inactivityIn } from "../model/tally.ts";
import { type AccessAccount, daysOf, FULL_MEMBERS, fullMembersAfter, WAITING_PERIOD } from "./account.ts";
import { rolesInvited } from "./invitations.ts";
import { peopleOfList } from "./lists.ts";
import type { AccessGroup } from "./nesting.ts";
import type { People } from "./people.ts";
import { SPECTATORS } from "./rules.ts";
import { CHANNEL, GROUP, isAccountKind, isChannel, isDefaultChannel, ORGANIZATION } from "./scope.ts";
import { type AccessChannel, type AccessPart, type AccessState, isPrivacy, lazyChannel, partAt } from "./state.ts";

/** Fields of a channel or group that say who may do what, by name, in the canonical form of a plan. */
export type AccessFields = ReadonlyMap<string, Json>;

/**
 * The state after a plan: its changes applied to the state before it. Both use the names that the plan gives.
 * @param realm the reading, for the defaults of new objects and for the account that creates them
 */
export function projectedState(before: AccessState, changes: readonly Change[], realm: Realm): AccessState {
  const after = before.copy();
  for (const change of changes) {
    const { address, action, fields } = change;
    const account = accountOf(after, change);
    if (account !== undefined) {
      after.putAccount(withAccountFields(account, new Map(fields.map((field) => [field.field, field.after])), after));
      continue;
    }
    const from = action === "create" ? newObject(address, realm, after) : partAt(after, address);
    if (from === undefined) continue;
    const made = withFields(from, new Map(fields.map(({ field, after: value }) => [field, value])), after);
    after.put(withImplied(made, fields));
  }
  takeBotsAlong(before, after);
  for (const group of movedByWaitingPeriod(changes, realm, after)) after.put(group);
  after.facts = {
    ...after.facts,
    defaultChannels: defaultsAfter(changes, before),
    invitedRoles: rolesInvited(realm.snapshot, changes),
    newMembersAreFull: (waitingAfter(changes) ?? (before.facts.newMembersAreFull ? 0 : 1)) === 0,
  };
  return after;
}

/** Archived channels are no default channels any more (zulip-api.md §4). */
function defaultsAfter(changes: readonly Change[], { facts }: AccessState): ReadonlySet<string> {
  const found = new Set(facts.defaultChannels);
  for (const change of changes) {
    if (isChannel(change) && inactivityIn(change) !== undefined) found.delete(change.name);
    if (!isDefaultChannel(change.address)) continue;
    if (change.action === "remove") found.delete(change.name);
    else found.add(change.name);
  }
  return found;
}

/** Bots are deactivated with their owners (zulip-api.md §17.4); bots that the plan gives to somebody else have that owner by then. */
function takeBotsAlong(before: AccessState, after: AccessState): void {
  if (before.accounts === after.accounts) return;
  for (const [bot, owner] of after.accounts.owners) {
    const account = after.account(bot);
    const ownerLeaves = before.account(owner)?.active === true && after.account(owner)?.active === false;
    if (account !== undefined && ownerLeaves) after.putAccount({ ...account, active: false });
  }
}

/** Marks the fields of an object that no line of the file sets. */
function withImplied(object: AccessPart, fields: Change["fields"]): AccessPart {
  const implied = new Set(fields.flatMap(({ field, implied: isImplied }) => (isImplied === true ? [field] : [])));
  return object.kind === "organization" || implied.size === 0 ? object : { ...object, implied };
}

/** The account that a change is about; undefined for changes of other objects, and for an account that the plan creates. */
export function accountOf(state: AccessState, { kind, id }: Pick<Change, "kind" | "id">): AccessAccount | undefined {
  return isAccountKind(kind) ? whenDefined(id, (account) => state.account(account)) : undefined;
}

/** An account with another role, owner or activity. */
export function withAccountFields(account: AccessAccount, fields: AccessFields, state: AccessState): AccessAccount {
  const role = fields.get("role");
  const deactivated = fields.get("deactivated");
  const owner = fields.get("owner");
  return {
    ...account,
    role: isRole(role) ? ROLE[role] : account.role,
    active: typeof deactivated === "boolean" ? !deactivated : account.active,
    ...defined({ owner: typeof owner === "string" ? state.facts.idOf(owner) : undefined }),
  };
}

/** The group of full members after a new waiting period (zulip-api.md §12.1); empty without a new period. */
export function movedByWaitingPeriod(
  changes: readonly Change[],
  realm: Realm,
  state: AccessState,
): readonly AccessGroup[] {
  const days = waitingAfter(changes);
  const group = state.group(FULL_MEMBERS);
  if (days === undefined || group === undefined) return [];
  const isMember = ({ user_id }: SnapshotUser): boolean => state.account(user_id)?.role === ROLE.member;
  const members = fullMembersAfter(days, realm, isMember, (id) => group.members.has(id));
  return [{ ...group, members: state.population.of(members) }];
}

/** The days of a new waiting period. */
function waitingAfter(changes: readonly Change[]): number | undefined {
  const fields = changes.find(({ address }) => address === ORGANIZATION)?.fields ?? [];
  return daysOf(fields.find(({ field }) => field === WAITING_PERIOD)?.after);
}

/** A new object with default values; undefined for kinds without access rights. */
export function newObject(address: Address, realm: Realm, state: AccessState): AccessChannel | AccessGroup | undefined {
  const kind = kindOf(address);
  const name = nameIn(address);
  if (kind === CHANNEL) return newChannel(name, realm, state);
  return kind === GROUP ? newGroup(name, realm, state) : undefined;
}

/** An object with other values for some of its fields; fields that are not about access are ignored. */
export function withFields(object: AccessPart, fields: AccessFields, state: AccessState): AccessPart {
  if (object.kind === "organization") {
    const wanted = fields.get(SPECTATORS);
    const spectators = typeof wanted === "boolean" ? wanted : object.spectators;
    return { ...object, settings: withSettings(object.settings, fields), ...defined({ spectators }) };
  }
  return isChannel(object) ? withChannelFields(object, fields, state) : withGroupFields(object, fields, state);
}

function withChannelFields(channel: AccessChannel, fields: AccessFields, state: AccessState): AccessChannel {
  const privacy = fields.get("privacy");
  const archived = fields.get("archived");
  const wanted = fields.get("subscribers");
  // Now, since groups of the state can change later.
  const listed = wanted === undefined ? undefined : peopleListed(wanted, state);
  return lazyChannel(
    {
      kind: CHANNEL,
      name: channel.name,
      privacy: isPrivacy(privacy) ? privacy : channel.privacy,
      archived: typeof archived === "boolean" ? archived : channel.archived,
      ...defined({ openTo: channel.openTo, isPrivacyLeftOut: channel.isPrivacyLeftOut }),
    },
    () => withSettings(channel.settings, fields),
    () => listed ?? channel.subscribers,
  );
}

function withGroupFields(group: AccessGroup, fields: AccessFields, state: AccessState): AccessGroup {
  const list = asPeopleList(fields.get("members"));
  const subgroups = fields.get("subgroups");
  const deactivated = fields.get("deactivated");
  return {
    kind: GROUP,
    name: group.name,
    members: list === undefined ? group.members : peopleOfList(list, state),
    subgroups: isList(subgroups) ? subgroups.map(String) : group.subgroups,
    deactivated: typeof deactivated === "boolean" ? deactivated : group.deactivated,
    settings: withSettings(group.settings, fields),
  };
}

function withSettings(
  settings: ReadonlyMap<string, GroupValue>,
  fields: AccessFields,
): ReadonlyMap<string, GroupValue> {
  let changed: Map<string, GroupValue> | undefined;
  for (const [field, wanted] of fields) {
    const value = isRightName(field) ? asGroupValue(wanted) : undefined;
    if (value === undefined) continue;
    changed ??= new Map(settings);
    changed.set(field, value);
  }
  return changed ?? settings;
}

/** Everybody whom a value lists. */
const peopleListed = (value: Json, state: AccessState): People => peopleOfList(asPeopleList(value), state);

/** A new channel with default values: the server's defaults, and its creator as the only subscriber. */
function newChannel(name: string, realm: Realm, state: AccessState): AccessChannel {
  const { user_id } = realm.snapshot.account;
  return {
    kind: CHANNEL,
    name,
    privacy: "public",
    archived: false,
    settings: defaultsOf("stream", realm),
    subscribers: state.population.of([user_id]),
  };
}

function newGroup(name: string, realm: Realm, state: AccessState): AccessGroup {
  return {
    kind: GROUP,
    name,
    members: state.population.nobody,
    subgroups: [],
    deactivated: false,
    settings: defaultsOf("group", realm),
  };
}

/** `channel_creator` and `group_creator` are the account that runs the plan. */
function defaultsOf(scope: "stream" | "group", realm: Realm): ReadonlyMap<string, GroupValue> {
  const found = new Map<string, GroupValue>();
  for (const [setting, { default_group_name: name }] of Object.entries(
    realm.snapshot.permission_settings?.[scope] ?? {},
  )) {
    const creator = groupValue([], [realm.userName(realm.snapshot.account.user_id)]);
    found.set(setting, name.startsWith("role:") ? name : creator);
  }
  return found;
}
