import type { Shifted } from "../../access/difference.ts";
import { groupsIn } from "../../access/joining.ts";
import { accessIn, namesAccount, objectsNamed, organizationNamesAccount } from "../../access/of-plan.ts";
import { administeredIn, openedIn } from "../../access/opened-channels.ts";
import { renamedGroups } from "../../access/renamed.ts";
import { ADMINISTER, decidesReading, ENTRY_FIELDS, MANAGE_ALL } from "../../access/rules.ts";
import { channelAddress, isGroup, ORGANIZATION } from "../../access/scope.ts";
import type { AccessState } from "../../access/state.ts";
import { defined } from "../../model/defined.ts";
import type { DocsFacet, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { isList, type Json, mapOf, sameJson } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import { lazily, oncePer } from "../../model/lazy.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { allRights, isRightName, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import { type Call, type Change, fieldIn, type SideEffects, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, byText, type Realm } from "../../model/realm.ts";
import { SnapshotGroup } from "../../model/snapshot.ts";
import { notifiedPeople } from "../accounts.ts";
import { openedToInvited } from "../invited-into.ts";
import { exceptedByGroup, listToYaml } from "../list-to-yaml.ts";
import { mayJoinInto, membershipFacts, shiftRisks, sizesOf } from "../may-join-into.ts";
import {
  creationDefaults,
  groupsInOtherSettings,
  impliedRights,
  liveGroupSetting,
  permissionsAtCreation,
  permissionsToYaml,
} from "../permissions.ts";
import { keysBeyond, liveObject, withShownTexts } from "../readings.ts";
import { inexpressibleGroups, writtenPerson } from "../references.ts";
import { renamesAsMoves } from "../requests.ts";
import { groupCalls, leastGroupCalls } from "./calls.ts";
import { BOTS_LEVEL, checkGroups, checkGroupsInFile, REACTIVATE_LEVEL, withoutGroups } from "./check.ts";
import { decodeGroup, GROUP_FIELDS, resolveMembers, type UserGroup, userGroupForm } from "./schema.ts";

/** The settings of groups that this version does not know (zulip-api.md §10.2). */
const newerOfGroups = keysBeyond(
  ({ snapshot }) => snapshot.user_groups,
  [...KNOWN_RIGHTS.group, ...Object.keys(SnapshotGroup.shape)],
);

/** Every group except the server's own, also deactivated ones. */
function liveGroups(realm: Realm): readonly LiveObject[] {
  return realm.snapshot.user_groups
    .filter((group) => !group.is_system_group)
    .map((group) => liveObject(group.name, fieldsOf(group, realm), { id: group.id, inactive: group.deactivated }));
}

function fieldsOf(group: SnapshotGroup, realm: Realm) {
  const fields: { [field: string]: Json } = { description: group.description };
  // Deactivated accounts return to their groups by themselves; until then the server hides them (level 303).
  lazily(fields, "members", () => realm.namesOfActive(group.members));
  // A deactivated subgroup gives nobody access, and cannot be removed (zulip-api.md §10.4).
  fields.subgroups = group.direct_subgroup_ids
    .filter((id) => realm.group(id)?.deactivated !== true)
    .map((id) => realm.groupName(id))
    .sort(byText);
  fields.deactivated = group.deactivated;
  for (const setting of allRights("group", realm.snapshot)) {
    const value = liveGroupSetting(group, setting);
    if (value !== undefined) fields[setting] = realm.canonical(value);
  }
  return fields;
}

/** The values of a group that nobody configured: those of its creation, with its creator, and without members. */
export function standingDefaults(realm: Realm, { id }: LiveObject): Fields {
  const creator = (id === null ? undefined : realm.group(id)?.creator_id) ?? null;
  return { description: "", members: [], subgroups: [], ...permissionsAtCreation("group", realm, creator) };
}

/** The members in the form of the file: a list of people stays one. */
function membersToYaml(live: Json, raw: Json | undefined, realm: Realm): Json {
  const before = mapOf(raw);
  if (before === undefined) return live;
  return { ...defined({ ...listToYaml(live, before, { isExact: true, isWhole: () => true }, realm) }) };
}

/** A group as a person would write it: the values of new groups are left out, and so are the rights of its creator. */
function groupToYaml(live: LiveObject, realm: Realm): Json {
  if (live.inactive) return { deactivated: true };
  const { description, members, subgroups } = live.fields;
  const item: { [field: string]: Json } = {};
  if (description !== "" && description !== undefined) item.description = description;
  if (isList(members) && members.length > 0) item.members = members.map((name) => writtenPerson(String(name)));
  if (isList(subgroups) && subgroups.length > 0) item.subgroups = subgroups;
  const usual = standingDefaults(realm, live);
  const isUsual = (setting: string, value: Json): boolean => sameJson(value, usual[setting] ?? null);
  Object.assign(item, permissionsToYaml("group", live.fields, isUsual));
  return item;
}

const docs: DocsFacet = {
  who: "Everybody whom the group's `can_manage_group` or the organization's `can_manage_all_groups` names (owners, if nobody changed it): no role is enough. To create a group, the account must be in the organization's `can_create_groups`. Bots may from feature level 496 on, guests never.",
  whoMay: {
    members:
      "to add: `can_add_members_group` too; to remove: `can_remove_members_group` too; to add or remove oneself: `can_join_group` and `can_leave_group`",
    subgroups: "to add: `can_add_members_group` too; to remove: as above",
  },
  defaults: {
    name: "–",
    description: "empty",
    members: "nobody",
    subgroups: "none",
    deactivated: "`false`",
    ...creationDefaults("group"),
  },
  example: `user_groups:
  staff: {description: Employees, members: [ada@example.org], subgroups: [leads]}
  leads: {description: '', permissions: {can_manage_group: role:owners}}`,
};

/**
 * A user group of the organization. Its name is its identity, compared with case, and deactivated groups count: the API cannot delete a group, and a
 * deactivated one with a declared name is reactivated.
 * @see zulip-api.md §10 https://zulip.com/api/update-user-group
 */
export const userGroup: MapKind<UserGroup> = {
  name: "user_group",
  section: "user_groups",
  shape: "map",
  noun: ["group", "groups"],
  identity: {
    keyOf: (name) => name,
    undeclarable: ({ user_groups }) => user_groups.filter(({ is_system_group }) => is_system_group),
  },
  inactivity: { field: "deactivated", reactivatedFrom: REACTIVATE_LEVEL },
  file: {
    schema: userGroupForm,
    rights: "group",
    fields: GROUP_FIELDS,
    decode: decodeGroup,
    check: checkGroupsInFile,
  },
  live: {
    read: liveGroups,
    otherNames: ({ id, fields }, realm) => groupsInOtherSettings(realm.group(id ?? 0), fields, realm),
    newer: newerOfGroups,
    renamed: renamedGroups,
  },
  diff: {
    resolveTogether: resolveMembers,
    defaults: standingDefaults,
    implied: impliedRights("group"),
    traits: { description: "words", members: "items", subgroups: "items" },
  },
  review: { check: checkGroups, risks: groupRisks },
  calls: {
    draft: groupCalls,
    moves: renamesAsMoves,
    writtenStates: ["written", "members-written"],
    least: leastGroupCalls,
    sideEffects: messagesOf,
  },
  undo: {
    // Groups that name each other can be deactivated only after they no longer do.
    beforeDeactivation: withoutGroups,
  },
  yaml: {
    item: groupToYaml,
    field: (field, live, raw, _, realm) => (field === "members" ? membersToYaml(live, raw, realm) : live),
    whyInexpressible: (field, live, realm, declared) => {
      if (field === "members") return exceptedByGroup(live, declared?.creation?.members, realm);
      return isRightName(field) ? inexpressibleGroups(live, realm) : undefined;
    },
  },
  secrecy: {
    name: "public",
    fields: {
      description: "about",
      members: "groups",
      subgroups: "groups",
    },
    snapshot: ({ user_groups }, { text }) => ({
      user_groups: user_groups.map((group) => withShownTexts(group, text, ["name"])),
    }),
  },
  reach: { role: "member", bots: BOTS_LEVEL },
  docs,
};

/** The server writes to everybody whom somebody else adds to a group or removes from it, but not to the first members of a new group (zulip-api.md §10.4). */
function messagesOf(_changes: readonly Change[], context: PlanContext, calls: readonly Call[]): Partial<SideEffects> {
  const direct_messages = calls
    .filter(({ operation }) => operation === "update-user-group-members")
    .reduce((sum, { params }) => sum + notifiedPeople(params.add, context) + notifiedPeople(params.delete, context), 0);
  return { direct_messages };
}

type Add = (kind: FoundRisk["kind"], fact: RiskFact, field: string) => void;

/**
 * The changes that a reviewer must see first: who joins or leaves, what they can then read, who gains which right, and which groups are deactivated.
 */
function groupRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const found: FoundRisk[] = [];
  const object = namedOf(change);
  const add: Add = (kind, fact, field) => found.push({ kind, fact, field });
  if (sets(change.fields, "deactivated", true)) add("removes", { kind: "deactivated", object }, "deactivated");
  if (change.action === "create" || change.action === "remove") return found;
  if (sets(change.fields, "deactivated", false)) add("widens", { kind: "reactivated", object }, "deactivated");
  membershipRisks(change, context, add);
  joiningRisks(change, context, add);
  found.push(...openedToInvited(change, context));
  throughGroupRisks(change, context, add);
  for (const { field } of change.fields) {
    if (!isRightName(field)) continue;
    const { difference, after } = accessIn(context);
    const pair = difference.pairOf(after.group(change.name));
    if (pair === undefined) continue;
    const right = { kind: "right", object, setting: field, at_most: false } as const;
    const sizes = sizesOf(difference.usable(pair, field), context);
    found.push(...shiftRisks(sizes, (shift, people) => ({ ...right, shift, people }), field));
  }
  const cause = ["can_manage_group", "members", "subgroups"].find(
    (field) => fieldIn(change.fields, field) !== undefined,
  );
  if (cause !== undefined && letsGo(change, context)) {
    const { user_id, full_name } = context.snapshot.account;
    add("lockout", { kind: "account-locked-out", object, account: { user_id, full_name }, from: "managing" }, cause);
  }
  return found;
}

/** Whether the account gives up the right to manage the group: by the setting, or by leaving the groups that the setting names. */
function letsGo(change: Change, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const field = fieldIn(change.fields, "can_manage_group");
  const live = context.pair(change.address)?.live?.fields.can_manage_group ?? null;
  const manages = (on: AccessState, value: Json): boolean =>
    organizationNamesAccount(MANAGE_ALL, on, context) || namesAccount(asGroupValue(value), on, context);
  return manages(before, field?.before ?? live) && !manages(after, field?.after ?? live);
}

function membershipRisks(change: Change, context: PlanContext, add: Add): void {
  const field = membersIn(change);
  if (field === undefined || change.id === undefined) return;
  const object = namedOf(change);
  const access = accessIn(context);
  for (const shift of ["gained", "lost"] as const)
    for (const fact of [...membershipFacts(object, shift, access), ...botsReading(change, shift, context)])
      add(shift === "gained" ? "widens" : "narrows", fact, field.field);
}

/** Channels that somebody reads by the key of a bot that comes into the group or leaves it: bots are not in the number of its members. */
function botsReading({ name }: Change, shift: keyof Shifted, context: PlanContext): readonly RiskFact[] {
  const access = accessIn(context);
  const { after, changes, difference } = access;
  const state = shift === "gained" ? after : access.before;
  const { bots, owners } = state.accounts;
  const ids = [...difference.members(name)[shift].and(bots)].flatMap((bot) => owners.get(bot) ?? []);
  if (ids.length === 0) return [];
  const people = after.population.of(ids);
  const opened = openedIn(difference)[shift === "gained" ? "after" : "before"].of(state.groupsAround([name]));
  return objectsNamed(access, opened, channelAddress).flatMap((object): readonly RiskFact[] => {
    // Its own change says it.
    if (changes.get(object.address)?.fields.some(({ field }) => decidesReading(field)) === true) return [];
    const pair = difference.pairOf(after.channel(object.name));
    const shifted = pair && difference.reading(pair);
    if (shifted === undefined || shifted[shift].and(people).size === 0) return [];
    return [{ kind: "readers", object, shift, people: sizesOf(shifted, context)[shift], at_most: false }];
  });
}

/**
 * Rights of which nobody knows what they allow, and the bill: who gets them through the group is said by the group's own change, since no other line of the
 * plan does.
 */
function throughGroupRisks(change: Change, context: PlanContext, add: Add): void {
  const field = membersIn(change);
  if (field === undefined) return;
  for (const { fact, by } of shiftsThroughGroups(context))
    if (by === change.address) add(fact.shift === "gained" ? "widens" : "narrows", fact, field.field);
}

const membersIn = ({ fields }: Change) => fields.find(({ field }) => field === "members" || field === "subgroups");

/** Who has a right on another object, or no longer. */
interface Through {
  readonly fact: Extract<RiskFact, { readonly kind: "right" | "organization-right" }>;
  /** The first group of the plan that is a cause. */
  readonly by: Change["address"];
}

const BILLING = { scope: "organization", right: "workplace_users_group" } as const;

/** The settings that keep their values while the groups that they name change; computed once for a plan. */
const shiftsThroughGroups = oncePer((context: PlanContext) => {
  const access = accessIn(context);
  const { difference, after, changes } = access;
  const causes = context.changes.flatMap((change) =>
    isGroup(change) && membersIn(change) !== undefined
      ? [{ by: change.address, around: after.groupsAround([change.name]) }]
      : [],
  );
  return [...after.facts.otherRights, BILLING].flatMap(({ scope, right }) =>
    [...difference.pairs([scope])].flatMap((pair) => {
      const { was, is } = pair;
      const groups = groupsIn((is === "organization" ? after.organization : is.settings).get(right));
      const cause = causes.find(({ around }) => groups.some((group) => around.has(group)));
      if (was === undefined || cause === undefined) return [];
      const address = is === "organization" ? ORGANIZATION : (`${is.kind}:${is.name}` as const);
      if (fieldIn(changes.get(address)?.fields, right) !== undefined) return [];
      const sizes = sizesOf(difference.usable(pair, right), context);
      const [object] = is === "organization" ? [] : objectsNamed(access, [is.name], () => address);
      return (["gained", "lost"] as const).flatMap((shift): readonly Through[] => {
        const people = sizes[shift];
        if (people === 0 || (shift === "lost" && right !== BILLING.right)) return [];
        const what = { setting: right, shift, people };
        if (object === undefined) return [{ by: cause.by, fact: { kind: "organization-right", ...what } }];
        return [{ by: cause.by, fact: { kind: "right", object, ...what, at_most: false } }];
      });
    }),
  );
});

/** People who may add themselves to the group, and can then read what its members can read, and administer what they administer. */
function joiningRisks(change: Change, context: PlanContext, add: Add): void {
  const field = [...ENTRY_FIELDS, "members", "subgroups", "deactivated"].find(
    (each) => fieldIn(change.fields, each) !== undefined,
  );
  if (field === undefined) return;
  const access = accessIn(context);
  const { difference } = access;
  const ahead = difference.ways.ahead([change.name]);
  const facts = [
    mayJoinInto(change, openedIn(difference).after.of(ahead), context),
    mayJoinInto(change, administeredIn(difference).after.of(ahead), context, ADMINISTER),
  ];
  for (const fact of facts) if (fact !== undefined) add("widens", fact, field);
}
