import { isAdmin } from "../access.ts";
import type { Call, InviteLimits } from "../call.ts";
import { ApiError } from "../errors.ts";
import { ROLE } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

const SELF_HOSTED_PLAN = 1;
/** Zulip Cloud, recognizable by its plans, limits how many invitations an organization may send; a self-hosted server does not. */
export const usualInviteLimits = ({ realm }: RealmState): InviteLimits =>
  realm.plan_type === SELF_HOSTED_PLAN ? {} : { perDay: 100, minAccountAgeDays: 3 };

export type Refusal = readonly [address: string, reason: string, deactivated: boolean];
interface Outcome {
  readonly errors?: readonly Refusal[];
  readonly sent?: boolean;
  readonly limit?: "license" | "daily";
}
export const failed = (message: string, { errors = [], sent = false, limit }: Outcome): ApiError =>
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
export function checkInviteLimits(call: Call, count: number, invitedAs: number): void {
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
