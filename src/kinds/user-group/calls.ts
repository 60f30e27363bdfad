import { defined } from "../../model/defined.ts";
import {
  type Dependency,
  type DraftCall,
  dependencyKey,
  inactive,
  membersWritten,
  partDone,
  type UseOfRight,
  written,
} from "../../model/draft-call.ts";
import { isList, type Json } from "../../model/json.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Address, type Change, type Expectation, objectChanges, type Param, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, groupValue } from "../../model/realm.ts";
import { listed } from "../../model/texts.ts";
import { changesAccounts } from "../accounts.ts";
import { groupChangeParam, groupId, groupParam, liveGroupSetting } from "../permissions.ts";
import { after, before, expectation, listChange, requestFor } from "../requests.ts";
import { usesOf } from "./schema.ts";
import {
  addressOf,
  doneBy,
  endsOwnRight,
  fieldsAlone,
  freeName,
  needsOf,
  type Part,
  placeAlone,
  type Step,
  settingsDone,
  stepsOf,
} from "./steps.ts";

/** Later than everything that may still use a group. */
const DEACTIVATION_RANK = 80;
/** Later still: changes that take a right away from the account that runs the plan. */
const OWN_RIGHTS_RANK = 90;

/** The requests for these changes: one for each new group, one for the settings and one for the members of an existing one, one to deactivate it. */
export function groupCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return [
    ...stepsOf(objectChanges(changes), context).flatMap((step) => stepCalls(step, context)),
    ...changes
      .filter((change) => sets(change.fields, "deactivated", true))
      .map((change) => deactivateCall(change, context)),
  ];
}

function stepCalls(step: Step, context: PlanContext): readonly DraftCall[] {
  const { change, temporary } = step;
  const draft = draftOf(step, step.parts, { needs: [], provides: doneBy(step, context) }, context);
  if (temporary === undefined) return [draft];
  const aside = {
    operation: "update-user-group",
    path: { user_group_id: groupId(change.name, context) },
    params: { name: temporary },
    provides: change.was === undefined ? [] : [freeName(change.was)],
  };
  return [requestFor(change, aside, ["name"]), withTemporaryName(draft, change, temporary)];
}

/** The dependencies of one request, as one of those that a step was split into. */
interface Place {
  readonly needs: readonly Dependency[];
  readonly provides: readonly Dependency[];
}

/** The request for these parts of a step. Its alternatives are all ways to move one part into a separate request. */
function draftOf(step: Step, parts: readonly Part[], { needs, provides }: Place, context: PlanContext): DraftCall {
  const { change, request } = step;
  // Each split leaves at least one part fewer, so no two splits of a step have the same number.
  const between = partDone(change.address, request, parts.length);
  const alternatives = parts.flatMap((part) => {
    const place = placeAlone(step, part);
    if (place === undefined || parts.length === 1) return [];
    const rest = parts.filter((other) => other !== part);
    const [first, last] = place === "before" ? [[part], rest] : [rest, [part]];
    return [
      [
        draftOf(step, first, { needs, provides: [between] }, context),
        draftOf(step, last, { needs: [between], provides }, context),
      ],
    ];
  });
  const draft = requestCall(step, parts, context);
  return {
    ...draft,
    needs: [...needs, ...needsOf(step, parts), ...(draft.needs ?? [])],
    provides: [...provides, ...parts.flatMap((part) => part.provides)],
    ...defined({
      alternatives: alternatives.length === 0 ? undefined : alternatives,
      parts: separateUpdates(step, parts, needs, context),
    }),
  };
}

/** Each setting of an existing group as a request of its own; the name, the description and a reactivation are parts, too. */
function separateUpdates(
  step: Step,
  parts: readonly Part[],
  needs: readonly Dependency[],
  context: PlanContext,
): readonly DraftCall[] | undefined {
  if (step.request !== "update" || !changesAccounts(context)) return undefined;
  // Below this level, the settings of a deactivated group cannot be changed (zulip-api.md §10.4).
  if (context.realm.level < 340 && parts.some(({ fields }) => fields.includes("deactivated"))) return undefined;
  const alone = parts.flatMap((part) => fieldsAlone(step, part));
  if (alone.length < 2) return undefined;
  return alone.map((part) => ({
    ...updateCall(step.change, part.fields, context),
    needs: [...needs, ...needsOf(step, [part])],
    provides: part.provides,
  }));
}

function withTemporaryName(draft: DraftCall, change: Change, temporary: string): DraftCall {
  const expects = (draft.expects ?? []).map((expected) =>
    expected.field === "name" && expected.address === change.address ? { ...expected, value: temporary } : expected,
  );
  const alternatives = draft.alternatives?.map((split) =>
    split.map((part) => withTemporaryName(part, change, temporary)),
  );
  const parts = draft.parts?.map((part) => withTemporaryName(part, change, temporary));
  return { ...draft, expects, ...defined({ alternatives, parts }) };
}

function requestCall(step: Step, parts: readonly Part[], context: PlanContext): DraftCall {
  const { change, request } = step;
  const fields = parts.flatMap((part) => part.fields);
  if (request === "create" && parts.some(({ part }) => part === "base")) return createCall(change, fields, context);
  const onlyUnlinks = parts.every(({ part }) => part === "remove");
  const linksAlone = onlyUnlinks || parts.every(({ part }) => part === "add" || part === "remove");
  if (linksAlone) {
    const removesHere =
      parts.some(({ part }) => part === "remove") || !step.parts.some(({ part }) => part === "remove");
    return membersCall(
      change,
      onlyUnlinks ? ["subgroups"] : fields,
      { adds: !onlyUnlinks, removes: removesHere },
      context,
    );
  }
  return updateCall(change, fields, context);
}

/** Who may create groups: a setting of the organization from which no role is exempt. */
export const CREATING_RIGHT = "can_create_groups";

function createCall(change: Change, fields: readonly string[], context: PlanContext): DraftCall {
  const value = (field: string): Json => after(change, field) ?? null;
  const settings = fields.filter(isRightName);
  const subgroups = listed(value("subgroups"));
  const own = {
    operation: "create-user-group",
    uses: [CREATING_RIGHT],
    params: {
      name: change.name,
      description: String(after(change, "description") ?? ""),
      members: context.realm.userIds(listed(value("members"))),
      ...defined({
        subgroups:
          fields.includes("subgroups") && subgroups.length > 0
            ? subgroups.map((name) => groupId(name, context))
            : undefined,
      }),
      ...Object.fromEntries(settings.map((setting) => [setting, groupParam(after(change, setting), context)])),
      ...heldBack(change, fields, context),
    },
  };
  return requestFor(change, own, fields);
}

/**
 * A setting that names a group which is created later (perhaps the new one itself) is set by a separate request. Until then it names the people that
 * it will name, so that nobody gets the rights of the server's default. An exception is the setting of who manages the group: until then that is the
 * account that creates it, which must still be allowed to continue.
 */
function heldBack(
  change: Change,
  fields: readonly string[],
  context: PlanContext,
): { readonly [setting: string]: Param } {
  const later = change.fields
    .map(({ field }) => field)
    .filter((field) => isRightName(field) && field !== "can_manage_group" && !fields.includes(field));
  return Object.fromEntries(
    later.map((setting) => {
      const value = asGroupValue(after(change, setting) ?? null);
      const users = value === undefined || typeof value === "string" ? [] : value.users;
      return [setting, context.realm.wire(groupValue([], users), (name) => groupId(name, context))];
    }),
  );
}

function updateCall(change: Change, fields: readonly string[], context: PlanContext): DraftCall {
  const isRenamed = fields.includes("name");
  const holder = context.pair(addressOf(change.name))?.live;
  const params: { [name: string]: Param } = {};
  for (const field of fields) {
    if (field === "name") params.name = change.name;
    else if (field === "description") params.description = String(after(change, field));
    else if (field === "deactivated") params.deactivated = false;
    else if (isRightName(field)) params[field] = update(change, field, context);
  }
  const overwritten = fields
    .filter((field) => field !== "name" && change.action !== "create")
    .map((field) => expectation(change, field, before(change, field)));
  const named: Expectation[] =
    isRenamed && change.was !== undefined
      ? [
          expectation(change, "name", change.was),
          ...(holder === undefined || holder.id === change.id
            ? [{ address: change.address, field: "exists", value: false }]
            : []),
        ]
      : [];
  return {
    operation: "update-user-group",
    path: { user_group_id: groupId(change.name, context) },
    params,
    for: [{ address: change.address, fields }],
    usesOn: change.action === "create" ? [] : [{ address: change.address, settings: [MANAGING] }],
    expects: [...overwritten, ...named],
    // Changes that take the account's own right away come after everything that needs it (zulip-api.md §15.3.19).
    ...defined({
      rank:
        endsOwnRight(change, context) && fields.includes("can_manage_group") && !fields.includes("deactivated")
          ? OWN_RIGHTS_RANK - 20
          : undefined,
    }),
  };
}

function membersCall(
  change: Change,
  fields: readonly string[],
  { adds, removes }: { readonly adds: boolean; readonly removes: boolean },
  context: PlanContext,
): DraftCall {
  const live = change.id === undefined ? undefined : context.realm.group(change.id);
  const people = fields.includes("members") ? listChange(change, "members") : { added: [], removed: [] };
  const groups = listChange(change, "subgroups");
  // A subgroup that was deactivated kept its place, but is not shown.
  const added = groups.added.filter(
    (name) => live?.direct_subgroup_ids.some((id) => context.realm.groupName(id) === name) !== true,
  );
  const ids = (list: readonly string[]): readonly number[] => context.realm.userIds(list);
  const params: { [name: string]: Param } = {};
  if (adds && people.added.length > 0) params.add = ids(people.added);
  if (adds && people.removed.length > 0) params.delete = ids(people.removed);
  if (adds && added.length > 0) params.add_subgroups = added.map((name) => groupId(name, context));
  if (removes && groups.removed.length > 0)
    params.delete_subgroups = groups.removed.map((name) => groupId(name, context));
  const me = context.snapshot.account.user_id;
  const leaves = ids(people.removed).includes(me);
  return {
    operation: "update-user-group-members",
    path: { user_group_id: groupId(change.name, context) },
    params,
    for: [{ address: change.address, fields: fields.filter((field) => after(change, field) !== undefined) }],
    expects: change.action === "create" ? [] : fields.map((field) => expectation(change, field, before(change, field))),
    usesOn: change.action === "create" ? [] : membershipRights(change.address, params, me),
    ...defined({ rank: leaves ? OWN_RIGHTS_RANK : undefined }),
  };
}

const MANAGING = "can_manage_group";

/** The server checks a right for each of the lists (zulip-api.md §10.3). */
function membershipRights(address: Address, params: { readonly [name: string]: Param }, me: number) {
  const isOwn = (list: Param | undefined): boolean => isList(list) && list.length === 1 && list[0] === me;
  const use = (...settings: readonly string[]): UseOfRight => ({ address, settings: [MANAGING, ...settings] });
  return [
    ...(params.add === undefined
      ? []
      : [use("can_add_members_group", ...(isOwn(params.add) ? ["can_join_group"] : []))]),
    ...(params.add_subgroups === undefined ? [] : [use("can_add_members_group")]),
    ...(params.delete === undefined
      ? []
      : [use("can_remove_members_group", ...(isOwn(params.delete) ? ["can_leave_group"] : []))]),
    ...(params.delete_subgroups === undefined ? [] : [use()]),
  ];
}

function deactivateCall(change: Change, context: PlanContext): DraftCall {
  const own = {
    operation: "deactivate-user-group",
    path: { user_group_id: groupId(change.name, context) },
    usesOn: [{ address: change.address, settings: [MANAGING] }],
    needs: [
      settingsDone(change, context),
      // The settings of a deactivated group cannot be changed below this level (zulip-api.md §10.4): then there is no order.
      ...(context.realm.level < 340 ? [written(change.address)] : []),
      membersWritten(change.address),
      // Nothing may use it then (zulip-api.md §10.4).
      ...new Map(usesOf(change, context).flatMap(({ end }) => end.map((each) => [dependencyKey(each), each]))).values(),
    ],
    provides: [inactive(change.address)],
    rank: DEACTIVATION_RANK,
  };
  return requestFor(change, own, ["deactivated"]);
}

function update(change: Change, setting: string, context: PlanContext): Param {
  const group = change.id === undefined ? undefined : context.realm.group(change.id);
  const old = group === undefined ? undefined : liveGroupSetting(group, setting);
  return groupChangeParam(after(change, setting), old, context);
}

/** The fewest requests (docs/internals/decisions/0013-fewest-requests-with-a-proof.md says why no way takes fewer). */
export function leastGroupCalls(changes: readonly Change[], context: PlanContext): number {
  const ends = changes.filter(({ fields }) => sets(fields, "deactivated", true));
  return stepsOf(changes, context).length + ends.length;
}
