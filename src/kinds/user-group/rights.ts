import { accessIn, maySometime, maySometimeBy, namesAccount, organizationNamesAccount } from "../../access/of-plan.ts";
import { stateOf } from "../../access/state.ts";
import { type Diagnostic, error } from "../../model/diagnostic.ts";
import type { GroupRight } from "../../model/diagnostics/user-groups.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { Json } from "../../model/json.ts";
import type { Fields, LiveObject } from "../../model/objects.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Change, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue, groupValue, type Realm } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import { groupValueJson } from "../permissions.ts";
import { groupsIn } from "../tokens.ts";
import { CREATING_RIGHT, difference } from "./calls.ts";

/** From this level on, bots may use the endpoints of groups; reading was always possible (zulip-api.md §10.1). */
export const BOTS_LEVEL = 496;

/** What the reading account may not do with groups (zulip-api.md §10.3): no role has a right here by itself. */
export function groupRightsDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
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
  const people = difference(change, "members");
  const groups = difference(change, "subgroups");
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
  const all = "can_manage_all_groups";
  const own = asGroupValue(context.pair(change.address)?.live?.fields[right] ?? null);
  const me = context.snapshot.account.user_id;
  const isOwnWay = after.membersOf(change.name).has(me) && !before.membersOf(change.name).has(me);
  if (!isOwnWay || context.realm.setting(all) === undefined)
    return maySometime(all, context) || maySometimeBy(own, context);
  // A request that takes the account into a group cannot use what the account gets there.
  const through = new Set([change.name, ...after.groupsAround([change.name])]);
  const otherwise = (value: GroupValue | undefined): boolean =>
    namesAccount(value, before, context) || namesAccount(without(value, through), after, context);
  return organizationNamesAccount(all, before, context) || otherwise(after.organization.get(all)) || otherwise(own);
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
  const managesAll = organizationNamesAccount("can_manage_all_groups", stateOf(realm), { snapshot });
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
