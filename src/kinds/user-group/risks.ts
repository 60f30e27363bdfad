import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change, Risk } from "../../model/plan.ts";
import { asGroupValue, type Realm } from "../../model/realm.ts";
import { riskText } from "../../model/sentences.ts";
import { spanOfField } from "../problems.ts";
import { groupsIn } from "../tokens.ts";
import { isGroupPermission } from "./schema.ts";

/** What a reviewer must see first: who comes in or goes out, what they can read by it, who may do what, what is put away. */
export function groupRisks(change: Change, context: PlanContext): readonly Risk[] {
  const found: Risk[] = [];
  const object = namedOf(change);
  const add = (kind: Risk["kind"], fact: RiskFact, field: string): void => {
    const at = spanOfField(change, field);
    found.push({ kind, message: riskText(fact), fact, address: change.address, ...(at === undefined ? {} : { at }) });
  };
  const sets = (field: string, value: boolean) =>
    change.fields.some((candidate) => candidate.field === field && candidate.after === value);
  if (sets("deactivated", true)) add("removes", { kind: "deactivated", object }, "deactivated");
  if (change.action === "create" || change.action === "remove") return found;
  if (sets("deactivated", false)) add("widens", { kind: "reactivated", object }, "deactivated");
  membershipRisks(change, context, add);
  for (const { field, before, after } of change.fields) {
    if (!isGroupPermission(field)) continue;
    const from = context.realm.peopleIn(asGroupValue(before) ?? "role:nobody");
    const to = context.after.peopleIn(asGroupValue(after) ?? "role:nobody");
    const right = { kind: "right", object, setting: field, at_most: false } as const;
    const gained = humans(to, from, context.realm);
    const lost = humans(from, to, context.realm);
    if (gained > 0) add("widens", { ...right, shift: "gained", people: gained }, field);
    if (lost > 0) add("narrows", { ...right, shift: "lost", people: lost }, field);
  }
  const cause = ["can_manage_group", "members", "subgroups"].find((field) =>
    change.fields.some((candidate) => candidate.field === field),
  );
  if (cause !== undefined && letsGo(change, context)) {
    const { user_id, full_name } = context.snapshot.account;
    add("lockout", { kind: "account-locked-out", object, account: { user_id, full_name }, from: "managing" }, cause);
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
  context: PlanContext,
  add: (kind: Risk["kind"], fact: RiskFact, field: string) => void,
): void {
  const field = change.fields.find((candidate) => candidate.field === "members" || candidate.field === "subgroups");
  if (field === undefined || change.id === undefined) return;
  const { realm, after } = context;
  const from = realm.membersOf(change.id);
  const to = after.membersOf(change.id);
  const gained = humans(to, from, realm);
  const lost = humans(from, to, realm);
  const members = { kind: "members", object: namedOf(change) } as const;
  if (gained > 0) {
    const channels = channelsOpenedTo(change.id, context, "after");
    add("widens", { ...members, shift: "gained", people: gained, channels }, field.field);
  }
  if (lost > 0) {
    const channels = channelsOpenedTo(change.id, context, "before");
    add("narrows", { ...members, shift: "lost", people: lost, channels }, field.field);
  }
}

/**
 * Private channels that the members of a group can read, or let themselves in (zulip-api.md §3.6). Who comes in gets what the plan leaves;
 * who goes out loses what the group opens now, as far as it stays private.
 */
function channelsOpenedTo(groupId: number, context: PlanContext, side: "before" | "after"): readonly Named[] {
  const realm = side === "before" ? context.realm : context.after;
  const above = supergroups(groupId, realm);
  const names = new Set([...above].map((id) => realm.groupName(id)));
  const changes = new Map(
    context.changes.flatMap((change) =>
      change.kind === "channel" && change.id !== undefined ? [[change.id, change]] : [],
    ),
  );
  const opened: Named[] = [];
  for (const channel of realm.snapshot.channels) {
    const fields = new Map((changes.get(channel.stream_id)?.fields ?? []).map((field) => [field.field, field.after]));
    const isPrivate = (value: Json | undefined): boolean =>
      value === undefined ? channel.invite_only : String(value).startsWith("private");
    const isArchived = fields.has("archived") ? fields.get("archived") === true : channel.is_archived;
    if (isArchived || !isPrivate(fields.get("privacy")) || (side === "before" && !channel.invite_only)) continue;
    const opens = OPENING.some((setting) => {
      const wanted = side === "after" ? fields.get(setting) : undefined;
      return wanted === undefined
        ? namesAny(channel[setting], above)
        : groupsIn(wanted).some((name) => names.has(name));
    });
    if (opens)
      opened.push(
        namedOf(changes.get(channel.stream_id) ?? { address: `channel:${channel.name}`, name: channel.name }),
      );
  }
  if (side === "before") return opened;
  for (const change of context.changes) {
    const { kind, action, fields } = change;
    if (kind !== "channel" || action !== "create") continue;
    const value = (field: string) => fields.find((candidate) => candidate.field === field)?.after;
    if (!String(value("privacy")).startsWith("private")) continue;
    if (OPENING.some((setting) => groupsIn(value(setting)).some((group) => names.has(group))))
      opened.push(namedOf(change));
  }
  return opened;
}

const OPENING = ["can_subscribe_group", "can_add_subscribers_group"] as const;

/** Does a setting as the server shows it name one of these groups? */
function namesAny(value: unknown, groups: ReadonlySet<number>): boolean {
  if (typeof value === "number") return groups.has(value);
  if (typeof value !== "object" || value === null || !("direct_subgroups" in value)) return false;
  return Array.isArray(value.direct_subgroups) && value.direct_subgroups.some((id) => groups.has(Number(id)));
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
