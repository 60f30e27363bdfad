import { accessIn, maySometime, maySometimeBy, namesAccount, organizationNamesAccount } from "../../access/of-plan.ts";
import { MANAGE_ALL } from "../../access/rules.ts";
import { stateOf } from "../../access/state.ts";
import { type Diagnostic, error, tooOld, warning } from "../../model/diagnostic.ts";
import type { GroupRight, GroupUse } from "../../model/diagnostics/user-groups.ts";
import { type Quoted, quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import type { FileCheck } from "../../model/facets.ts";
import { componentsOf } from "../../model/graph.ts";
import type { Json } from "../../model/json.ts";
import { oncePer } from "../../model/lazy.ts";
import { groupsIn, namedIn } from "../../model/named-in.ts";
import type { DeclaredObject, Fields, LiveObject } from "../../model/objects.ts";
import { groupsOfList } from "../../model/people-list.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Address, type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue, groupValue, type Realm } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import { listed } from "../../model/texts.ts";
import { exceptDiagnostics } from "../checks.ts";
import { nameTakenBy } from "../name-taken.ts";
import { pairsByLiveName, pinsNothing } from "../names.ts";
import { groupValueJson, neverAllowed, refusedIn } from "../permissions.ts";
import { listChange } from "../requests.ts";
import { CREATING_RIGHT } from "./calls.ts";
import { GROUP_FIELDS, listOfMembers, usesOf } from "./schema.ts";

/** Errors that the server would refuse, found before anything is sent. */
export function checkGroups(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...changes.flatMap((change) => [
      ...nameDiagnostics(change, context),
      ...levelDiagnostics(change, context),
      ...change.fields.flatMap((field) => refusedIn("user_groups/group-not-allowed", "group", field, context.realm)),
      ...useDiagnostics(change, context),
    ]),
    ...unseenUses(changes, context),
    ...cycleDiagnostics(changes, context),
    ...exceptDiagnostics({ name: "user_group", section: "user_groups", noun: ["group", "groups"] }, "members", context),
    ...groupRightsDiagnostics(changes, context),
  ];
}

/** Cycles of subgroups, groups that are deactivated and named at once, and groups that a setting cannot be, as far as the file alone shows them. */
export const checkGroupsInFile: FileCheck = (declared, _section, realm) => {
  const children = new Map(
    declared.flatMap((object) => {
      const inside = [...listed(object.fields.subgroups), ...groupsOfList(listOfMembers(object))];
      return object.absent ? [] : [[object.name, inside] as const];
    }),
  );
  const going = new Set(declared.filter(({ absent }) => absent).map(({ name }) => name));
  const named = declared.flatMap((object) =>
    namedIn({ fields: GROUP_FIELDS, rights: "group" }, object).flatMap(({ name, field }) =>
      name === undefined || !going.has(name)
        ? []
        : error(
            "user_groups/named-and-deactivated",
            { name: groupName(name), named_by: groupName(object.name), field },
            object.spans.of(field) ?? object.at,
          ),
    ),
  );
  return [
    ...cyclesIn(
      declared.map(({ name }) => name),
      (name) => children.get(name) ?? [],
    ).map((groups) => {
      const first = declared.find(({ name }) => name === groups[0]);
      return cycle(groups, first && placeOfInner(first));
    }),
    ...named,
    ...(realm === undefined ? neverAllowed("user_groups/group-not-allowed", "group", declared) : []),
  ];
};

/** The same with the groups that are only on the server, and their subgroups. */
function cycleDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const { after } = accessIn(context);
  const touched = changes.filter(({ fields }) => fieldIn(fields, "subgroups") !== undefined);
  // Their members could not be worked out.
  const open = new Map(
    context
      .pairs("user_groups")
      .flatMap(({ declared }) =>
        declared === undefined || listOfMembers(declared) === undefined ? [] : [[declared.name, declared] as const],
      ),
  );
  const listedIn = (name: string): readonly string[] => {
    const declared = open.get(name);
    return declared === undefined ? [] : groupsOfList(listOfMembers(declared));
  };
  return cyclesIn([...touched.map(({ name }) => name), ...open.keys()], (name) => [
    ...(after.group(name)?.subgroups ?? []),
    ...listedIn(name),
  ]).map((groups) => {
    const change = touched.find(({ name }) => groups.includes(name));
    const [declared] = groups.flatMap((name) => open.get(name) ?? []);
    return cycle(groups, declared ? placeOfInner(declared) : change && spanOfField(change, "subgroups"));
  });
}

const placeOfInner = (object: DeclaredObject): Diagnostic["at"] =>
  object.spans.of(listOfMembers(object) === undefined ? "subgroups" : "members") ?? object.at;

const cycle = (names: readonly string[], at: Diagnostic["at"]) =>
  error("user_groups/cycle", { groups: quoteAll(names, "user_group") }, at);

function cyclesIn(starts: readonly string[], children: (name: string) => readonly string[]): readonly string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of starts) {
    // Depth first, with an explicit stack: groups may be nested deeply.
    const path: { readonly name: string; readonly open: string[] }[] = [];
    const places = new Map<string, number>();
    const enter = (name: string) => {
      places.set(name, path.length);
      path.push({ name, open: [...children(name)].reverse() });
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.open.pop();
      if (next === undefined) {
        done.add(top.name);
        places.delete(top.name);
        path.pop();
        continue;
      }
      const closed = places.get(next);
      if (closed !== undefined) cycles.push(path.slice(closed).map(({ name }) => name));
      else if (!done.has(next)) enter(next);
    }
  }
  return cycles;
}

/** Deactivated groups keep their names, and case counts (zulip-api.md §10.4). */
function nameDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (change.was === undefined && change.action !== "create") return [];
  const named = pairsByLiveName(context.pairs("user_groups"), change.name);
  const holder = named.find(({ address }) => address !== change.address)?.live;
  const [own] = named;
  const live = holder ?? (own?.live?.id === change.id ? undefined : own?.live);
  if (live === undefined || own?.change?.was !== undefined || pinsNothing(change, context)) return [];
  const fact = nameTakenBy(live, change, context);
  return [error("user_groups/name-taken", fact, spanOfField(change, "name"))];
}

/** From this level on, a deactivated group can be reactivated (zulip-api.md §10.3). */
export const REACTIVATE_LEVEL = 386;

function levelDiagnostics(change: Change, { realm }: PlanContext): readonly Diagnostic[] {
  const isReactivated = sets(change.fields, "deactivated", false);
  if (!isReactivated || realm.level >= REACTIVATE_LEVEL) return [];
  return [
    tooOld(
      { kind: "reactivation", noun: "deactivated group", name: groupName(change.name) },
      REACTIVATE_LEVEL,
      realm.level,
      change.at,
    ),
  ];
}

/** A group that something still names cannot be deactivated: the server lists the uses, and so do we (zulip-api.md §10.4). */
function useDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  if (!sets(change.fields, "deactivated", true)) return [];
  if (context.isNamedInFile(change.address)) return [];
  const uses = usesOf(change, context);
  const left = uses.filter(({ endedBy }) => endedBy === undefined).map(({ place }) => place);
  const circular = circularUses(change, context);
  if (left.length === 0 && circular.length === 0) return [];
  const fact = { name: groupName(change.name), uses: [...left, ...circular] };
  return [error("user_groups/in-use", fact, spanOfField(change, "deactivated"))];
}

/** Only administrators see every private channel, and an unseen channel uses groups like any other. */
function unseenUses(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const going = changes.filter(({ fields }) => sets(fields, "deactivated", true));
  const [first] = going;
  if (first === undefined || context.realm.isAdmin) return [];
  const fact = {
    account: runningAccount(context.snapshot),
    names: quoteAll(
      going.map(({ name }) => name),
      "user_group",
    ),
  };
  return [warning("user_groups/unseen-uses", fact, spanOfField(first, "deactivated"))];
}

/** Groups that are deactivated together and name each other: neither can be first, and only settings could be changed before. */
function circularUses(change: Change, context: PlanContext): readonly GroupUse[] {
  const { going, circular } = goingIn(context.changes, context);
  if (!circular.has(change.address)) return [];
  return usesOf(change, context)
    .filter(({ endedBy, isMadeInactive }) => endedBy !== undefined && isMadeInactive === true && going.has(endedBy))
    .map(({ place }) => place);
}

interface Going {
  /** Groups that the plan deactivates. */
  readonly going: ReadonlySet<Change>;
  /** Those in a cycle, where each is used by another one until that is deactivated. */
  readonly circular: ReadonlySet<Address>;
}
const goingIn = oncePer((changes: readonly Change[], context: PlanContext): Going => {
  const list = changes.filter(({ kind, fields }) => kind === "user_group" && sets(fields, "deactivated", true));
  const places = new Map(list.map((change, place) => [change, place]));
  const links = list.map((change) =>
    usesOf(change, context).flatMap(({ endedBy, isMadeInactive }) => {
      const place = endedBy === undefined || isMadeInactive !== true ? undefined : places.get(endedBy);
      return place === undefined ? [] : [place];
    }),
  );
  const components = componentsOf(links);
  const sizes = new Map<number, number>();
  for (const component of components) sizes.set(component, (sizes.get(component) ?? 0) + 1);
  const isCircular = (place: number): boolean =>
    (sizes.get(components[place] ?? -1) ?? 0) > 1 || links[place]?.includes(place) === true;
  const circular = new Set(list.filter((_, place) => isCircular(place)).map(({ address }) => address));
  return { going: new Set(list), circular };
});

const groupName = (name: string): Quoted => quote(name, "user_group");

/** From this level on, bots may use the endpoints of groups; reading was always possible (zulip-api.md §10.1). */
export const BOTS_LEVEL = 496;

/** What the reading account may not do with groups (zulip-api.md §10.3): no role has a right here by itself. */
function groupRightsDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { account } = context.snapshot;
  const refuse: Refuse = (change, field, right) =>
    error("user_groups/not-allowed", { account: runningAccount(context.snapshot), right }, spanOfField(change, field));
  if (account.role === ROLE.guest) return [refuse(first, "name", { to: "change-as-guest" })];
  if (account.is_bot && context.realm.level < BOTS_LEVEL)
    return [refuse(first, "name", { to: "change-as-bot", needs: BOTS_LEVEL, level: context.realm.level })];
  return changes.flatMap((change) =>
    change.action === "create"
      ? creationDiagnostics(change, context, refuse)
      : changeDiagnostics(change, context, refuse),
  );
}

type Refuse = (change: Change, field: string, right: GroupRight) => Diagnostic;

function creationDiagnostics(change: Change, context: PlanContext, refuse: Refuse): readonly Diagnostic[] {
  const { realm } = context;
  if (realm.setting("zulip_plan_is_not_limited") === false) return [error("user_groups/limited-plan", {}, change.at)];
  if (maySometime(CREATING_RIGHT, context)) return [];
  return [refuse(change, "name", { to: "create" })];
}

function changeDiagnostics(change: Change, context: PlanContext, refuse: Refuse): readonly Diagnostic[] {
  const has = (right: string): boolean => hasRight(change, right, context);
  if (has("can_manage_group")) return [];
  const group = quote(change.was ?? change.name, "user_group");
  const people = listChange(change, "members");
  const groups = listChange(change, "subgroups");
  const me = context.realm.userName(context.snapshot.account.user_id);
  const own = (list: readonly string[], right: string): boolean => list.length === 1 && list[0] === me && has(right);
  const managed = change.fields.find(({ field }) => field !== "members" && field !== "subgroups");
  if (managed !== undefined || groups.removed.length > 0)
    return [refuse(change, managed?.field ?? "subgroups", { to: "manage", group })];
  const diagnostics: Diagnostic[] = [];
  const setting = "can_add_members_group";
  const adds = has(setting);
  if (people.added.length > 0 && !adds && !own(people.added, "can_join_group"))
    diagnostics.push(refuse(change, "members", { to: "add-members", group, setting }));
  if (groups.added.length > 0 && !adds)
    diagnostics.push(refuse(change, "subgroups", { to: "add-subgroups", group, setting }));
  if (people.removed.length > 0 && !has("can_remove_members_group") && !own(people.removed, "can_leave_group"))
    diagnostics.push(refuse(change, "members", { to: "remove-members", group, setting: "can_remove_members_group" }));
  return diagnostics;
}

function hasRight(change: Change, right: string, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const own = asGroupValue(context.pair(change.address)?.live?.fields[right] ?? null);
  const me = context.snapshot.account.user_id;
  const isOwnWay = after.membersOf(change.name).has(me) && !before.membersOf(change.name).has(me);
  if (!isOwnWay || context.realm.setting(MANAGE_ALL) === undefined)
    return maySometime(MANAGE_ALL, context) || maySometimeBy(own, context);
  // A request that takes the account into a group cannot use what the account gets there.
  const through = new Set([change.name, ...after.groupsAround([change.name])]);
  const otherwise = (value: GroupValue | undefined): boolean =>
    namesAccount(value, before, context) || namesAccount(without(value, through), after, context);
  return (
    organizationNamesAccount(MANAGE_ALL, before, context) ||
    otherwise(after.organization.get(MANAGE_ALL)) ||
    otherwise(own)
  );
}

function without(value: GroupValue | undefined, groups: ReadonlySet<string>): GroupValue | undefined {
  if (typeof value === "string") return groups.has(value) ? undefined : value;
  return value && { ...value, groups: value.groups.filter((name) => !groups.has(name)) };
}

/**
 * The settings of a group that name others, with their people only: groups that name each other can be deactivated only after they no longer do. The
 * account that deactivates the group must still manage it.
 */
export function withoutGroups({ fields }: LiveObject, realm: Realm): Fields {
  const { snapshot } = realm;
  const managesAll = organizationNamesAccount(MANAGE_ALL, stateOf(realm), { snapshot });
  const me = realm.userName(snapshot.account.user_id);
  const named = Object.entries(fields).filter(
    ([field, value]) => isRightName(field) && groupsIn(value).some((name) => !name.startsWith("role:")),
  );
  return Object.fromEntries(
    named.map(([field, value]) => {
      const people = peopleIn(value);
      const isOwn = field === "can_manage_group" && !managesAll;
      return [field, groupValueJson(groupValue([], [...people, ...(isOwn && !people.includes(me) ? [me] : [])]))];
    }),
  );
}

function peopleIn(value: Json): readonly string[] {
  const named = asGroupValue(value);
  return named === undefined || typeof named === "string" ? [] : named.users;
}
