import type { Json } from "../../model/json.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change, Risk } from "../../model/plan.ts";
import { asGroupValue, type Realm } from "../../model/realm.ts";
import { listNames } from "../../model/suggest.ts";
import { people } from "../people.ts";
import { spanOfField } from "../problems.ts";
import { GROUP_PERMISSIONS, isGroupPermission } from "./schema.ts";

/** What a reviewer must see first: who comes in or goes out, what they can read by it, who may do what, what is put away. */
export function groupRisks(change: Change, context: PlanContext): readonly Risk[] {
  const found: Risk[] = [];
  const add = (kind: Risk["kind"], message: string, field: string): void => {
    const at = spanOfField(change, field);
    found.push({ kind, message, address: change.address, ...(at === undefined ? {} : { at }) });
  };
  const sets = (field: string, value: boolean) =>
    change.fields.some((candidate) => candidate.field === field && candidate.after === value);
  if (sets("deactivated", true)) add("removes", `the group ${change.name} is deactivated`, "deactivated");
  if (change.action === "create" || change.action === "remove") return found;
  if (sets("deactivated", false)) add("widens", `the group ${change.name} is brought back`, "deactivated");
  membershipRisks(change, context, add);
  for (const { field, before, after } of change.fields) {
    if (!isGroupPermission(field)) continue;
    const from = context.realm.peopleIn(asGroupValue(before) ?? "role:nobody");
    const to = context.after.peopleIn(asGroupValue(after) ?? "role:nobody");
    const { deed } = GROUP_PERMISSIONS[field];
    const gained = humans(to, from, context.realm);
    const lost = humans(from, to, context.realm);
    if (gained > 0) add("widens", `${people(gained, "more ")} may ${deed} ${change.name}`, field);
    if (lost > 0) add("narrows", `${people(lost)} may no longer ${deed} ${change.name}`, field);
  }
  const cause = ["can_manage_group", "members", "subgroups"].find((field) =>
    change.fields.some((candidate) => candidate.field === field),
  );
  if (cause !== undefined && letsGo(change, context)) {
    const { full_name: name } = context.snapshot.account;
    add("lockout", `${name}, the account that runs this, no longer manages ${change.name} afterwards`, cause);
  }
  return found;
}

/** Does the account give away that it manages the group: by the setting, or because it is in the groups that it names no longer? */
function letsGo(change: Change, { realm, after, snapshot, pair }: PlanContext): boolean {
  const { user_id: me } = snapshot.account;
  const field = change.fields.find((candidate) => candidate.field === "can_manage_group");
  const live = pair(change.address)?.live?.fields.can_manage_group ?? null;
  const manages = (on: typeof realm, value: Json): boolean =>
    on.accountIn("can_manage_all_groups") || on.peopleIn(asGroupValue(value) ?? "role:nobody").has(me);
  return manages(realm, field?.before ?? live) && !manages(after, field?.after ?? live);
}

function membershipRisks(
  change: Change,
  { realm, after }: PlanContext,
  add: (kind: Risk["kind"], message: string, field: string) => void,
): void {
  const field = change.fields.find((candidate) => candidate.field === "members" || candidate.field === "subgroups");
  if (field === undefined || change.id === undefined) return;
  const from = realm.membersOf(change.id);
  const to = after.membersOf(change.id);
  const gained = humans(to, from, realm);
  const lost = humans(from, to, realm);
  const channels = privateChannelsOf(change.id, realm);
  const reading = channels.length === 0 ? "" : `, whose members can read ${listNames(channels, 4)}`;
  if (gained > 0)
    add("widens", `${people(gained, "more ")} ${gained === 1 ? "is" : "are"} in ${change.name}${reading}`, field.field);
  if (lost > 0)
    add("narrows", `${people(lost)} ${lost === 1 ? "is" : "are"} no longer in ${change.name}${reading}`, field.field);
}

/** Private channels that the members of a group can read, or let themselves in (zulip-api.md §3.6). */
function privateChannelsOf(groupId: number, realm: Realm): readonly string[] {
  const above = supergroups(groupId, realm);
  const names = (value: unknown): boolean => {
    if (typeof value === "number") return above.has(value);
    if (typeof value !== "object" || value === null || !("direct_subgroups" in value)) return false;
    return Array.isArray(value.direct_subgroups) && value.direct_subgroups.some((id) => above.has(Number(id)));
  };
  return realm.snapshot.channels
    .filter((channel) => channel.invite_only && !channel.is_archived)
    .filter((channel) => names(channel.can_subscribe_group) || names(channel.can_add_subscribers_group))
    .map(({ name }) => `#${name}`);
}

function supergroups(groupId: number, realm: Realm): ReadonlySet<number> {
  const found = new Set([groupId]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const group of realm.snapshot.user_groups) {
      if (found.has(group.id) || !group.direct_subgroup_ids.some((id) => found.has(id))) continue;
      found.add(group.id);
      grew = true;
    }
  }
  return found;
}

function humans(from: ReadonlySet<number>, without: ReadonlySet<number>, realm: Realm): number {
  let count = 0;
  for (const id of from) if (!without.has(id) && realm.user(id)?.is_bot !== true) count += 1;
  return count;
}
