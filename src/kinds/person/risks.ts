import { defined } from "../../model/defined.ts";
import { type Named, namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change, Risk } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { RoleWord } from "../../model/roles.ts";
import { isRole } from "../../model/roles.ts";
import { roleRisks } from "../account-reach.ts";
import { deactivationIn, roleBefore } from "./check.ts";

export function personRisks(change: Change, context: PlanContext): readonly Risk[] {
  const { address, id, fields } = change;
  const object = namedOf(change);
  const now = roleBefore(change, context);
  const from: RoleWord = isRole(now) ? now : "member";
  const risk = (kind: Risk["kind"], fact: RiskFact, at = change.at): Risk => ({
    kind,
    fact,
    address,
    ...defined({ at }),
  });
  const risks = [...roleRisks(change, from, context)];
  const leaves = deactivationIn(change);
  if (leaves !== undefined && id !== undefined)
    risks.push(risk("removes", { kind: "account-deactivated", object, from, ...goesWith(id, context) }, leaves.at));
  const returns = fields.find(({ field, after }) => field === "deactivated" && after === false);
  if (returns !== undefined) {
    const role = fields.find(({ field }) => field === "role")?.after;
    risks.push(risk("widens", { kind: "account-reactivated", object, role: isRole(role) ? role : from }, returns.at));
  }
  return risks;
}

/** Bots and invitations of a deactivated person (zulip-api.md §17.4). */
function goesWith(
  id: number,
  { snapshot, realm, changes }: PlanContext,
): Pick<Extract<RiskFact, { readonly kind: "account-deactivated" }>, "bots" | "invitations" | "links" | "channels"> {
  const bots = snapshot.users
    .filter(({ bot_owner_id, is_active }) => bot_owner_id === id && is_active)
    .filter(({ user_id }) => !isGivenAway(user_id, changes))
    .map(({ user_id }): Named => ({ address: `bot:${realm.userName(user_id)}`, name: realm.userName(user_id) }));
  const own = snapshot.invites?.filter(({ invited_by_user_id }) => invited_by_user_id === id);
  const channels = snapshot.subscribers && Object.values(snapshot.subscribers).filter((list) => list.includes(id));
  return {
    bots,
    invitations: own?.filter(({ is_multiuse }) => !is_multiuse).length ?? null,
    links: own?.filter(({ is_multiuse }) => is_multiuse).length ?? null,
    channels: channels?.length ?? null,
  };
}

/** A bot that the plan gives to somebody else has another owner by then. */
function isGivenAway(bot: number, changes: readonly Change[]): boolean {
  return changes.some(
    ({ kind, id, fields }) => kind === "bot" && id === bot && fields.some(({ field }) => field === "owner"),
  );
}
