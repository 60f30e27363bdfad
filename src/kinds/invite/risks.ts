import type { PlanContext } from "../../model/kind.ts";
import type { Change, Risk } from "../../model/plan.ts";
import { invitesOf } from "./calls.ts";
import { roleWord, type SnapshotInvite } from "./pending.ts";
import { wantedOf } from "./terms.ts";

export function inviteRisks(change: Change, context: PlanContext): readonly Risk[] {
  const { name, address, at } = change;
  const risk = (kind: Risk["kind"], message: string): Risk => ({
    kind,
    message,
    address,
    ...(at === undefined ? {} : { at }),
  });
  if (change.action === "remove") {
    const invites = invitesOf(change, context);
    const whose = [...new Set(invites.map((invite) => describe(invite, context)))].join(" and ");
    return [risk("removes", `the invitation of ${name} (${whose}) is revoked: its link no longer works`)];
  }
  const role = String(wantedOf(change, context).invite_as ?? "member");
  const powers = ["owner", "administrator", "moderator"].includes(role)
    ? [risk("widens", `${name} is invited as ${role}`)]
    : [];
  if (change.action === "create") return powers;
  return [...powers, risk("noisy", `${name} is invited again: the link of the first e-mail no longer works`)];
}

/** "as member, by Ada Okafor": `exact` revokes what others have sent, too. */
function describe(invite: SnapshotInvite, { realm, snapshot }: PlanContext): string {
  const role = `as ${roleWord(invite.invited_as) ?? invite.invited_as}`;
  const inviter = invite.invited_by_user_id;
  if (inviter === null || inviter === snapshot.account.user_id) return role;
  return `${role}, by ${realm.user(inviter)?.full_name ?? `account ${inviter}`}`;
}
