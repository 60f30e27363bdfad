import { administratorsOf } from "../../access/grants.ts";
import { letInBy } from "../../access/joining.ts";
import type { AccessGroup } from "../../access/nesting.ts";
import { accessIn } from "../../access/of-plan.ts";
import type { People } from "../../access/people.ts";
import { ENTRY_FIELDS, MANAGE_ALL, OPENING_SETTINGS, READ } from "../../access/rules.ts";
import { BOT, GROUP } from "../../access/scope.ts";
import { ownersOfBots } from "../../access/sources.ts";
import type { AccessChannel, AccessState } from "../../access/state.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { sameJson } from "../../model/json.ts";
import { addTo, once, oncePer } from "../../model/lazy.ts";
import { type DeclaredObject, hasGap } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue, type Realm } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import { listed as namesIn } from "../../model/texts.ts";
import { botIds } from "../accounts.ts";
import { groupValueJson, settingAtCreation } from "../permissions.ts";
import { hasList, inOrListed } from "./subscriptions.ts";

/*
 * Who comes into a private channel by something that the file leaves out, beside what it says.
 *
 * Terms. A field is *left out* if the file has the object, or names it, and does not write the field: it stays as the server has it, and no plan tells a change
 * of it. The *closed* state is the one after the plan in which everything that is left out lets in nobody: who may join or manage a group, subgroups of those
 * whose members the file lists, the right to manage all groups, owners of bots, and roles above a member's of accounts that the file has.
 *
 * The idea. let in by the channel's settings after the plan − let in by those that the file sets in the closed state
 *
 * What it does not do. A group of which the file does not list the members may have anybody in it, so its members and subgroups are not closed, and what the
 * server gave to whoever created it is not either: nobody opened that by hand.
 */

/** A field of a group, of a bot or of the organization. */
interface LeftOutField {
  readonly field: string;
  /** Absent for the organization. */
  readonly of?: Quoted;
}

interface Opening {
  readonly field: string;
  readonly value: GroupValue;
}

interface Closed {
  readonly state: () => AccessState;
  /** By group: what is left out, and whom it names. Under no name what is the organization's. */
  readonly openings: ReadonlyMap<string, readonly Opening[]>;
  /** Bots whose owners are left out. */
  readonly bots: People;
  /** People and bots whom the file has without their roles, which are more than a member's. */
  readonly roles: People;
}

const NOBODY = "role:nobody";
/** The key of what is the organization's. */
const WHOLE = "";

const closedIn = oncePer((context: PlanContext): Closed => {
  const { after } = accessIn(context);
  const openings = new Map<string, Opening[]>();
  const entries = groupEntries(context);
  const groups = context.snapshot.user_groups.flatMap(({ name, is_system_group }): readonly AccessGroup[] => {
    const group = is_system_group ? undefined : after.group(name);
    if (group === undefined || group.deactivated) return [];
    const declared = entries.get(name) ?? { fields: {} };
    const found = groupOpenings(group, declared, context);
    if (found.length === 0) return [];
    openings.set(name, [...found]);
    return [closedGroup(group, declared, found, after)];
  });
  const managing = after.organization.get(MANAGE_ALL);
  if (managing !== undefined && isLeftOutIn(context, "settings", MANAGE_ALL))
    addTo(openings, WHOLE, { field: MANAGE_ALL, value: managing });
  // Also what is not in the part of the file that is planned.
  const owned = new Set(accountsIn(context, "bots", ({ fields }) => fields.owner !== undefined));
  const bots = [...after.accounts.owners.keys()].filter((bot) => !owned.has(bot));
  const roles = ["people", "bots"]
    .filter((section) => context.file.unset?.[section] === undefined)
    .flatMap((section) => accountsIn(context, section, ({ fields }) => fields.role === undefined))
    .filter((id) => (after.account(id)?.role ?? ROLE.member) < ROLE.member);
  const state = once(() => {
    const closed = after.copy();
    for (const group of groups) closed.put(group);
    if (openings.has(WHOLE)) {
      const settings = new Map([...after.organization, [MANAGE_ALL, NOBODY] as const]);
      closed.put({ kind: "organization", name: "organization", settings });
    }
    for (const id of roles) {
      const account = after.account(id);
      if (account !== undefined) closed.putAccount({ ...account, role: ROLE.member });
    }
    for (const bot of bots) {
      const { owner, ...rest } = closed.account(bot) ?? {};
      if ("id" in rest && owner !== undefined) closed.putAccount(rest);
    }
    return closed;
  });
  return { state, openings, bots: after.population.of(bots), roles: after.population.of(roles) };
});

/** Whether the file does not set the field of the one object of a section, in any part of it. */
function isLeftOutIn({ file }: PlanContext, section: string, field: string): boolean {
  const [declared] = file.sections.get(section) ?? [];
  return file.unset?.[section] === undefined && (declared === undefined || isLeftOut(field, declared));
}

/** The ids of accounts in a section of the file, also if only another part of it is planned. */
function accountsIn(
  context: PlanContext,
  section: string,
  only: (declared: DeclaredObject) => boolean,
): readonly number[] {
  const ids = new Map(context.pairs(section).map(({ declared, live }) => [declared?.name, live?.id]));
  const declared = (context.file.sections.get(section) ?? []).filter(only);
  const { unrenamed } = context;
  return declared.flatMap(
    ({ name }) => ids.get(name) ?? botIds(unrenamed).get(name) ?? unrenamed.userByEmail(name)?.user_id ?? [],
  );
}

/** What the file says about a group; nothing if it does not have it. */
type GroupEntry = Pick<DeclaredObject, "fields" | "gaps" | "partial">;

/** The entries of groups by their names after the plan, also those that are not in the part of the file that is planned. */
function groupEntries(context: PlanContext): ReadonlyMap<string, DeclaredObject> {
  const entries = new Map<string, DeclaredObject>();
  const { after } = accessIn(context);
  for (const declared of context.file.sections.get("user_groups") ?? []) {
    const { name, was, id } = declared;
    const now = id === undefined ? undefined : context.realm.group(id)?.name;
    entries.set(now ?? (after.group(name) === undefined ? (was ?? name) : name), declared);
  }
  // A planned entry has names that resolved.
  for (const { declared } of context.pairs("user_groups"))
    if (declared !== undefined) entries.set(declared.name, declared);
  return entries;
}

/** Whom fields of a group let in that the file leaves out. */
function groupOpenings(
  { name, members, settings, subgroups }: AccessGroup,
  entry: GroupEntry,
  { realm }: PlanContext,
): readonly Opening[] {
  const isListed = entry.fields.members !== undefined;
  const users = isListed && hasGap(entry, "members") ? [...members].map((id) => realm.userName(id)) : [];
  const values: readonly (readonly [string, GroupValue | undefined])[] = [
    ["members", users.length === 0 ? undefined : { groups: [], users }],
    ["subgroups", !isListed || subgroups.length === 0 ? undefined : { groups: subgroups, users: [] }],
    ...ENTRY_FIELDS.map((field) => [field, settings.get(field)] as const),
  ];
  return values.flatMap(([field, value]) => {
    if (value === undefined || value === NOBODY || !isLeftOut(field, entry)) return [];
    return isListed || !isAsCreated(name, field, value, realm) ? [{ field, value }] : [];
  });
}

/** Whether a setting of a group is as the server made it: nobody has changed it. */
function isAsCreated(name: string, field: string, value: GroupValue, realm: Realm): boolean {
  const creator = realm.groupByName(name)?.creator_id ?? null;
  return sameJson(settingAtCreation("group", field, realm, creator), groupValueJson(value));
}

function closedGroup(
  group: AccessGroup,
  declared: GroupEntry,
  openings: readonly Opening[],
  { population, facts: { idOf } }: AccessState,
): AccessGroup {
  const closed = new Set(openings.map(({ field }) => field));
  const settings = new Map(
    [...group.settings].map(([field, value]) => [field, closed.has(field) ? saidOf(field, declared) : value]),
  );
  const members = namesIn(declared.fields.members).map((name) => idOf(name));
  return {
    ...group,
    settings,
    members: closed.has("members") ? group.members.and(population.of(members)) : group.members,
    subgroups: closed.has("subgroups") ? namesIn(declared.fields.subgroups) : group.subgroups,
  };
}

/** What the file has of a field that it does not wholly set. */
const saidOf = (field: string, { fields, partial }: GroupEntry): GroupValue =>
  asGroupValue(partial?.[field] ?? fields[field] ?? null) ?? NOBODY;

/** Whether the field stays as the server has it, wholly or, with a name that does not resolve, in part. */
const isLeftOut = (field: string, { fields, gaps }: GroupEntry): boolean =>
  fields[field] === undefined || gaps?.some((gap) => gap.field === field) === true;

/** People, their bots, and the fields that let them in. */
interface Comers {
  readonly people: People;
  readonly settings: readonly string[];
  readonly others: readonly LeftOutField[];
}

/** Undefined if there are none. Administrators count where the channel names them: they may put themselves into every group, but not into the channel. */
export function letInByLeftOut(declared: DeclaredObject, context: PlanContext): Comers | undefined {
  if (!hasList(declared)) return undefined;
  const closed = closedIn(context);
  const own = OPENING_SETTINGS.filter((setting) => isLeftOut(setting, declared));
  const isShut = OPENING_SETTINGS.every((setting) => !own.includes(setting) && declared.fields[setting] === NOBODY);
  // The settings of most channels need not be read.
  if (isShut && closed.bots.size === 0) return undefined;
  const listed = inOrListed(declared, context);
  if (isShut && closed.bots.and(listed).size === 0) return undefined;
  const { after } = accessIn(context);
  const channel = after.channel(declared.name);
  if (channel === undefined) return undefined;
  const now = comersBy(after, channel, listed);
  const people = now.minus(listed).minus(administratorsOf(after).minus(namedBy(after, channel)));
  if (people.size === 0) return undefined;
  const said = new Map(own.map((setting) => [setting, saidOf(setting, declared)]));
  const saying = { ...channel, settings: new Map([...channel.settings, ...said]) };
  const beside = people.minus(comersBy(closed.state(), saying, listed));
  if (beside.size === 0) return undefined;
  let rest = beside;
  const lets = (value: GroupValue): boolean => {
    const by = letInBy(after, channel, value);
    rest = rest.minus(by);
    return by.and(beside).size > 0;
  };
  const settings = own.filter((setting) => lets(channel.settings.get(setting) ?? NOBODY));
  const fields = own.length === OPENING_SETTINGS.length ? [] : fieldsOnTheWay(channel, closed, context, lets);
  const roles = givenRoles(beside, closed, after);
  return { people: beside, settings, others: [...fields, ...roles, ...givenBots(rest, now.or(listed), closed, after)] };
}

/** Whom the channel's settings name, without what anybody would have to join first. */
const namedBy = (state: AccessState, { settings }: AccessChannel): People =>
  OPENING_SETTINGS.reduce((people, name) => people.or(state.peopleIn(settings.get(name))), state.population.nobody);

/** People, and bots of people, who come in by a role that the file does not set. */
const givenRoles = (people: People, { roles }: Closed, after: AccessState): readonly LeftOutField[] =>
  [...roles]
    .filter((id) => people.has(id) || people.has(after.account(id)?.owner ?? -1))
    .map((id) => ({ field: "role", of: quote(after.facts.nameOf(id), after.accounts.bots.has(id) ? BOT : "person") }));

/**
 * A channel that everybody reads, although its entry says that nobody may subscribe, or has a list and says who may, which counts in private channels only:
 * somebody opened it, and `privacy`, which the file leaves out, is compared with nothing.
 */
export function letInByLeftOutPrivacy(declared: DeclaredObject, context: PlanContext): Comers | undefined {
  const { fields } = declared;
  // Who may add others counts in public channels, too.
  if (fields.privacy !== undefined || fields.can_subscribe_group === undefined) return undefined;
  if (!hasList(declared) && fields.can_subscribe_group !== NOBODY) return undefined;
  const { after } = accessIn(context);
  const people = after.accounts.members.minus(inOrListed(declared, context)).minus(administratorsOf(after));
  return people.size === 0 ? undefined : { people, settings: [], others: [{ field: "privacy" }] };
}

/** Everybody whom the settings let in, with the owners of the bots that are in the channel. */
function comersBy(state: AccessState, channel: AccessChannel, listed: People): People {
  let found = ownersOfBots(state, channel, READ, listed);
  for (const setting of OPENING_SETTINGS) {
    const value = channel.settings.get(setting) ?? NOBODY;
    if (value !== NOBODY) found = found.or(letInBy(state, channel, value));
  }
  return found;
}

/** What lets people into groups that the channel admits. */
function fieldsOnTheWay(
  { name: channel }: AccessChannel,
  { openings }: Closed,
  context: PlanContext,
  lets: (value: GroupValue) => boolean,
): readonly LeftOutField[] {
  if (openings.size === 0) return [];
  const ways = [...accessIn(context).difference.ways.waysInto(channel)];
  // Nobody manages the groups of roles.
  const managed = ways.some((name) => !name.startsWith("role:")) ? [WHOLE] : [];
  return [...ways, ...managed].flatMap((name) =>
    (openings.get(name) ?? [])
      .filter(({ value }) => lets(value))
      .map(({ field }) => (name === WHOLE ? { field } : { field, of: quote(name, GROUP) })),
  );
}

/** Bots in the channel, or let into it, with whose keys their owners come in, and by nothing else. */
function givenBots(owners: People, inside: People, { bots }: Closed, after: AccessState): readonly LeftOutField[] {
  const inIt = bots.and(inside);
  if (inIt.size === 0) return [];
  return [...inIt]
    .filter((bot) => owners.has(after.account(bot)?.owner ?? -1))
    .map((bot) => ({ field: "owner", of: quote(after.facts.nameOf(bot), BOT) }));
}
