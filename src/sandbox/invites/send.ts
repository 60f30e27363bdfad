import { isAdmin } from "../access.ts";
import { whyNotAllowed, whyTaken } from "../addresses.ts";
import type { Call, InviteLimits } from "../call.ts";
import { ApiError } from "../errors.ts";
import { checkInCalendar } from "../params.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import type { Invite } from "../rows/organization.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

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

const SELF_HOSTED_PLAN = 1;
/** Zulip Cloud, recognizable by its plans, limits how many invitations an organization may send; a self-hosted server does not. */
export const usualInviteLimits = ({ realm }: RealmState): InviteLimits =>
  realm.plan_type === SELF_HOSTED_PLAN ? {} : { perDay: 100, minAccountAgeDays: 3 };

type Refusal = readonly [address: string, reason: string, deactivated: boolean];
interface Outcome {
  readonly errors?: readonly Refusal[];
  readonly sent?: boolean;
  readonly limit?: "license" | "daily";
}
const failed = (message: string, { errors = [], sent = false, limit }: Outcome): ApiError =>
  new ApiError(message, {
    code: "INVITATION_FAILED",
    extra: {
      errors,
      sent_invitations: sent,
      license_limit_reached: limit === "license",
      daily_limit_reached: limit === "daily",
    },
  });

/** @throws ApiError if this many more mails exceed a limit, if seats are missing, or if the account is too young */
function checkInviteLimits(call: Call, count: number, invitedAs: number): void {
  checkDailyLimit(call, count);
  const { licenses, minAccountAgeDays } = call.server.inviteLimits;
  if (licenses !== undefined && seats(call.state, count, invitedAs) > licenses)
    throw failed("Your organization does not have enough Zulip licenses. Invitations were not sent.", {
      limit: "license",
    });
  if (minAccountAgeDays === undefined || call.state.realm.invite_required !== false || isAdmin(call.user)) return;
  const oldEnough = Date.parse(call.user.date_joined) + minAccountAgeDays * MS_PER_DAY;
  if (call.server.clock.now() < oldEnough)
    throw failed(
      "Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.",
      {},
    );
}

export function checkDailyLimit(call: Call, count: number): void {
  const { perDay } = call.server.inviteLimits;
  const today = unixDay(call);
  const mailed = call.state.invites_mailed ?? {};
  const recent = (mailed[today] ?? 0) + (mailed[today - 1] ?? 0);
  if (perDay !== undefined && recent + count > perDay)
    throw failed(
      "To protect users, Zulip limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.",
      { limit: "daily" },
    );
}
export function countMailed(call: Call, count: number): void {
  const mailed = call.state.invites_mailed ?? {};
  const today = unixDay(call);
  call.ledger.assign(call.state, { invites_mailed: { ...mailed, [today]: (mailed[today] ?? 0) + count } });
}

const MS_PER_DAY = 86_400_000;
const unixDay = (call: Call): number => Math.floor(call.server.clock.now() / MS_PER_DAY);

/** One seat for each person who is not a guest, or one for every five guests, whichever is more. */
function seats(state: RealmState, count: number, invitedAs: number): number {
  const people = rows(state.users).filter((user) => user.is_active && !user.is_bot);
  const roles = [...people.map(({ role }) => role), ...Array<number>(count).fill(invitedAs)];
  const guests = roles.filter((role) => role === ROLE.guest).length;
  return Math.max(roles.length - guests, Math.ceil(guests / GUESTS_PER_SEAT));
}
const GUESTS_PER_SEAT = 5;
