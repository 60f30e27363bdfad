import { accessIn } from "../../access/of-plan.ts";
import { type Diagnostic, warning } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { FieldChange } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue } from "../../model/realm.ts";

const MANAGES_ALL = "can_manage_all_groups";
/** The rights by which the members of a group can change. Which of them the server counts is not known for certain, so this is a warning. */
const MEMBERSHIP = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_remove_members_group",
] as const;
const STRICT = ["role:nobody", "role:owners", "role:administrators"] as const;
const isStrict = (value: GroupValue | undefined): boolean => STRICT.some((role) => role === value);

/** Who is billed must not be for others than administrators to decide: the server checks each named group, and the groups in it (zulip-api.md §12.1). */
export function workplaceDiagnostics({ field, after, at }: FieldChange, context: PlanContext): readonly Diagnostic[] {
  const value = field === "workplace_users_group" ? asGroupValue(after) : undefined;
  if (value === undefined) return [];
  const state = accessIn(context).after;
  const names = new Set(typeof value === "string" ? [value] : value.groups);
  // A set also yields what is added meanwhile.
  for (const name of names) for (const inner of state.group(name)?.subgroups ?? []) names.add(inner);
  const own = [...names].filter((name) => !name.startsWith("role:"));
  const loose = own.flatMap((group) => {
    const settings = state.group(group)?.settings;
    if (!isStrict(state.organization.get(MANAGES_ALL))) return [{ group, right: MANAGES_ALL }];
    return MEMBERSHIP.filter((right) => !isStrict(settings?.get(right))).map((right) => ({ group, right }));
  });
  const [first] = loose;
  if (first === undefined) return [];
  const fact = { right: first.right, group: quote(first.group, "user_group"), allowed: STRICT } as const;
  return [warning("settings/workplace-group", fact, at)];
}
