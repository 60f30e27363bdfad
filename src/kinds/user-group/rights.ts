import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { asGroupValue, ROLE } from "../../model/realm.ts";
import { accountThatRuns, problem, spanOfField } from "../problems.ts";
import { difference } from "./calls.ts";

/** Bots may call the endpoints of groups from here on; reading was always possible (zulip-api.md §10.1). */
const BOTS_LEVEL = 496;

/** What the reading account may not do with groups (zulip-api.md §10.3): no role has a right here by itself. */
export function groupRightsProblems(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { account } = context.snapshot;
  const refuse = (change: Change, field: string, why: string, hint: string): Diagnostic =>
    problem("user_groups/not-allowed", `${accountThatRuns(context)} ${why}`, hint, spanOfField(change, field));
  if (account.role === ROLE.guest)
    return [refuse(first, "name", "is a guest, and guests change no groups", "use the API key of a member")];
  if (account.is_bot && context.realm.level < BOTS_LEVEL)
    return [
      refuse(
        first,
        "name",
        `is a bot, and below feature level ${BOTS_LEVEL} the server lets no bot change groups; this one has ${context.realm.level}`,
        "use the API key of a person who may manage groups, or take user_groups out of this file and into one that a person applies",
      ),
    ];
  return changes.flatMap((change) =>
    change.action === "create" ? creationProblems(change, context, refuse) : changeProblems(change, context, refuse),
  );
}

type Refuse = (change: Change, field: string, why: string, hint: string) => Diagnostic;

function creationProblems(change: Change, context: PlanContext, refuse: Refuse): readonly Diagnostic[] {
  const { realm } = context;
  if (realm.setting("zulip_plan_is_not_limited") === false) {
    const hint = "take the group out of the file, or upgrade the plan of the organization";
    return [problem("user_groups/limited-plan", "groups are not in this organization's plan", hint, change.at)];
  }
  if (realm.setting("can_create_groups") === undefined || realm.accountIn("can_create_groups")) return [];
  return [refuse(change, "name", "may not make groups", "it has to be in the organization's can_create_groups")];
}

function changeProblems(change: Change, context: PlanContext, refuse: Refuse): readonly Diagnostic[] {
  const has = (right: string): boolean => hasRight(change, right, context);
  if (has("can_manage_group")) return [];
  const name = change.was ?? change.name;
  const people = difference(change, "members");
  const groups = difference(change, "subgroups");
  const me = context.realm.userName(context.snapshot.account.user_id);
  const own = (list: readonly string[], right: string): boolean => list.length === 1 && list[0] === me && has(right);
  const problems: Diagnostic[] = [];
  const missing = (field: string, what: string, right: string): void => {
    const hint = `it has to be in ${right} or can_manage_group of the group, or in the organization's can_manage_all_groups; no role is enough`;
    problems.push(refuse(change, field, `may not ${what}`, hint));
  };
  const managed = change.fields.find(({ field }) => field !== "members" && field !== "subgroups");
  if (managed !== undefined || groups.removed.length > 0) {
    problems.push(
      refuse(
        change,
        managed?.field ?? "subgroups",
        `may not manage the group ${name}`,
        "it has to be in can_manage_group of the group, or in the organization's can_manage_all_groups; no role is enough",
      ),
    );
    return problems;
  }
  const adds = has("can_add_members_group");
  if (people.added.length > 0 && !adds && !own(people.added, "can_join_group"))
    missing("members", `add members to the group ${name}`, "can_add_members_group");
  if (groups.added.length > 0 && !adds) missing("subgroups", `add subgroups to ${name}`, "can_add_members_group");
  if (people.removed.length > 0 && !has("can_remove_members_group") && !own(people.removed, "can_leave_group"))
    missing("members", `remove members from the group ${name}`, "can_remove_members_group");
  return problems;
}

function hasRight(change: Change, right: string, context: PlanContext): boolean {
  if (context.realm.accountIn("can_manage_all_groups")) return true;
  const value = asGroupValue(context.pair(change.address)?.live?.fields[right] ?? null);
  return value !== undefined && context.realm.peopleIn(value).has(context.snapshot.account.user_id);
}
