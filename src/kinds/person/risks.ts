import type { FoundRisk } from "../../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import { indexed } from "../../model/indexed.ts";
import { oncePer } from "../../model/lazy.ts";
import { type Change, fieldIn, sets } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { isRole, type RoleWord } from "../../model/roles.ts";
import type { Snapshot, SnapshotInvite } from "../../model/snapshot.ts";
import { roleRisks } from "../account-reach.ts";
import { accountMayJoinInto } from "../may-join-into.ts";
import { roleBefore } from "./check.ts";

export function personRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const { id, fields } = change;
  const object = namedOf(change);
  const now = roleBefore(change, context);
  const from: RoleWord = isRole(now) ? now : "member";
  const field = "deactivated";
  const risks = [...roleRisks(change, from, context), ...accountMayJoinInto(change, context)];
  if (sets(change.fields, "deactivated", true) && id !== undefined)
    risks.push({
      kind: "removes",
      fact: { kind: "account-deactivated", object, from, ...goesWith(id, context) },
      field,
    });
  if (sets(fields, field, false)) {
    const role = fieldIn(fields, "role")?.after;
    const fact: RiskFact = { kind: "account-reactivated", object, role: isRole(role) ? role : from };
    risks.push({ kind: "widens", fact, field });
  }
  return risks;
}

/** Bots, invitations and channels of a deactivated person (zulip-api.md §17.4). */
function goesWith(
  id: number,
  { snapshot, realm, changes }: PlanContext,
): Pick<Extract<RiskFact, { readonly kind: "account-deactivated" }>, "bots" | "invitations" | "links" | "channels"> {
  // A bot that the plan gives to somebody else has another owner by then; one that it deactivates is said by its own change.
  const bots = realm
    .botsOf(id)
    .filter(({ user_id, is_active }) => is_active && ownChange(changes, String(user_id)).length === 0)
    .map(({ user_id }): Named => ({ address: `bot:${realm.userName(user_id)}`, name: realm.userName(user_id) }));
  const own = snapshot.invites && invitedBy(snapshot.invites, String(id));
  const channels = snapshot.subscribers && channelsOfLeaving(changes, snapshot.subscribers).get(id);
  return {
    bots,
    invitations: own?.filter(({ is_multiuse }) => !is_multiuse).length ?? null,
    links: own?.filter(({ is_multiuse }) => is_multiuse).length ?? null,
    channels: snapshot.subscribers ? (channels ?? 0) : null,
  };
}

const ownChange = indexed<Change>(({ kind, id, fields }) =>
  kind === "bot" && id !== undefined && fields.some(({ field }) => field === "owner" || field === "deactivated")
    ? [String(id)]
    : [],
);
const invitedBy = indexed<SnapshotInvite>(({ invited_by_user_id: id }) => [String(id)]);

/** Account that the plan deactivates → the number of channels that it is subscribed to. Each list is read once, however many accounts leave. */
const channelsOfLeaving = oncePer((changes: readonly Change[], subscribers: NonNullable<Snapshot["subscribers"]>) => {
  const found = new Map<number, number>();
  for (const change of changes)
    if (change.id !== undefined && sets(change.fields, "deactivated", true)) found.set(change.id, 0);
  for (const list of Object.values(subscribers))
    for (const id of new Set(list)) {
      const count = found.get(id);
      if (count !== undefined) found.set(id, count + 1);
    }
  return found;
});
