import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import type { Invite } from "../rows/organization.ts";
import { tellInvitesChanged } from "./send.ts";

/** Whether anybody can still accept it. */
export const isOpen = (call: Call, invite: Invite): boolean =>
  invite.revoked !== true && (invite.expiry_date === null || invite.expiry_date > call.now);

/** Invitations of an account that is deactivated run out; they can still be taken back. */
export function revokeInvitesOf(call: Call, user: User): void {
  const open = call.state.invites.filter(
    (invite) => invite.invited_by_user_id === user.user_id && isOpen(call, invite),
  );
  for (const invite of open) call.ledger.assign(invite, { expiry_date: call.now });
  if (open.length > 0) tellInvitesChanged(call, user.user_id);
}
