import { isAdmin } from "../access.ts";
import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import type { Invite } from "../rows/organization.ts";
import { checkInCalendar } from "../storable.ts";
import { whyNotAllowed, whyTaken } from "./addresses.ts";
import { checkInviteLimits, countMailed, failed, type Refusal } from "./limits.ts";

/** The fields that all invitations of one call have in common. */
export type InviteTerms = Pick<
  Invite,
  "invited_as" | "stream_ids" | "group_ids" | "include_realm_default_subscriptions" | "welcome_message_custom_text"
> & { readonly expires_in_minutes: number | null };

/**
 * Invites every address, or refuses: a malformed address stops everything, people who already have an account are skipped (zulip-api.md §9.3).
 */
export function inviteAll(
  call: Call,
  addresses: readonly string[],
  terms: InviteTerms,
  notifyReferrerOnJoin: boolean,
): void {
  checkInviteLimits(call, addresses.length, terms.invited_as);
  const invalid: Refusal[] = [];
  const skipped: Refusal[] = [];
  const good: string[] = [];
  for (const address of addresses) {
    if (address === "") continue;
    const reason = whyNotAllowed(call.state, address);
    const taken = reason === undefined ? whyTaken(call.state, address) : undefined;
    if (reason !== undefined) invalid.push([address, reason, false]);
    else if (taken !== undefined) skipped.push([address, taken.reason, taken.deactivated]);
    else good.push(address);
  }
  if (invalid.length > 0)
    throw failed("Some emails did not validate, so we didn't send any invitations.", {
      errors: [...invalid, ...skipped],
    });
  if (skipped.length > 0 && skipped.length === addresses.length)
    throw failed("We weren't able to invite anyone.", { errors: skipped });
  const made = good.map((email) => ({
    ...rowOf(call, terms, call.ledger.nextId("invite")),
    is_multiuse: false,
    email,
    notify_referrer_on_join: notifyReferrerOnJoin,
  }));
  call.ledger.set(call.state, "invites", [...call.state.invites, ...made]);
  countMailed(call, made.length);
  tellInvitesChanged(call, call.user.user_id);
  if (skipped.length === 0) return;
  // The answer is a refusal, although the others were invited.
  call.commit();
  const message =
    "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!";
  throw failed(message, { errors: skipped, sent: true });
}

/** A row with the fields that e-mail invitations and links share. */
export function rowOf(call: Call, terms: InviteTerms, id: number): Invite {
  const { expires_in_minutes, ...kept } = terms;
  return {
    ...kept,
    id,
    is_multiuse: true,
    email: null,
    invited_by_user_id: call.user.user_id,
    invited: call.now,
    expiry_date: expires_in_minutes === null ? null : expiryOf(call, expires_in_minutes),
    notify_referrer_on_join: true,
    link_url: null,
  };
}

/** @throws ApiError 500 for times outside the server's calendar */
function expiryOf(call: Call, minutes: number): number {
  const expiry = call.now + minutes * 60;
  checkInCalendar(expiry);
  return expiry;
}

/** Administrators and the sender are notified that something changed, and fetch the list themselves. */
export function tellInvitesChanged(call: Call, referrerId: number): void {
  call.emit((user) => user.is_active && (isAdmin(user) || user.user_id === referrerId), { type: "invites_changed" });
}

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
