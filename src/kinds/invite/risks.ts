import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { roleWord } from "../../model/roles.ts";
import { madeBy } from "../invitation-terms.ts";
import { invitedInto } from "../invited-into.ts";
import { invitesOf, wantedOf } from "./calls.ts";

export function inviteRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const object = namedOf(change);
  const risk = (kind: FoundRisk["kind"], fact: RiskFact): FoundRisk => ({ kind, fact });
  if (change.action === "remove") {
    const invites = invitesOf(change, context);
    // As what, and by whom: `exact` revokes what others have sent, too.
    const terms = invites.map((one) => ({ role: roleWord(one.invited_as), ...madeBy(one, context) }));
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
