import { defined } from "../../model/defined.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { roleWord } from "../../model/roles.ts";
import type { SnapshotInvite } from "../../model/snapshot.ts";
import { invitedInto } from "../invited-into.ts";
import { invitesOf, wantedOf } from "./calls.ts";

export function inviteRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const object = namedOf(change);
  const risk = (kind: FoundRisk["kind"], fact: RiskFact): FoundRisk => ({ kind, fact });
  if (change.action === "remove") {
    const invites = invitesOf(change, context);
    const terms = invites.map((invite) => termsOf(invite, context));
    return [risk("removes", { kind: "invitation-revoked", object, terms })];
  }
  const wanted = wantedOf(change, context);
  const role = String(wanted.invite_as ?? "member");
  const into = invitedInto(change, wanted, context);
  const powers = ["owner", "administrator", "moderator"].includes(role)
    ? [risk("widens", { kind: "invited-as", object, role })]
    : [];
  const gains = [...powers, ...(into === undefined ? [] : [risk("widens", into)])];
  if (change.action === "create") return gains;
  return [...gains, risk("noisy", { kind: "invited-again", object })];
}

/** As what, and by whom: `exact` revokes what others have sent, too. */
function termsOf(invite: SnapshotInvite, { realm, snapshot }: PlanContext): { role: string; by?: Inviter } {
  const role = roleWord(invite.invited_as);
  const inviter = invite.invited_by_user_id;
  if (inviter === null || inviter === snapshot.account.user_id) return { role };
  const full_name = realm.user(inviter)?.full_name;
  return { role, by: { user_id: inviter, ...defined({ full_name }) } };
}

interface Inviter {
  readonly user_id: number;
  readonly full_name?: string;
}
