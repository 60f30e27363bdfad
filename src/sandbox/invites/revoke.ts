import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import type { Invite } from "../rows/organization.ts";
import { tellInvitesChanged } from "./send.ts";

/** Whether the invitation can still be accepted. */
export const isOpen = (call: Call, invite: Invite): boolean =>
  invite.revoked !== true && (invite.expiry_date === null || invite.expiry_date > call.now);

/** The invitations of a deactivated account expire; they can still be revoked. */
export function revokeInvitesOf(call: Call, user: User): void {
  const open = call.state.invites.filter(
    (invite) => invite.invited_by_user_id === user.user_id && isOpen(call, invite),
  );
  for (const invite of open) call.ledger.assign(invite, { expiry_date: call.now });
  if (open.length > 0) tellInvitesChanged(call, user.user_id);
}
