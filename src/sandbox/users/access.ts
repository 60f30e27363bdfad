import { isAdmin, memberById } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { int, type Schema } from "../params.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import type { RealmState } from "../state.ts";
import { stripped } from "../white-space.ts";
import { addressIsVisible, hostOfHiddenAddresses, mayKnowOf, members } from "./shown.ts";

/** Whom of the realm a caller may ask about. */

/** @throws ApiError when the caller is a guest who may not know of the user */
export function known({ state, user }: Pick<Call, "state" | "user">, target: User): User {
  if (!mayKnowOf(state, user, target)) throw insufficientPermission();
  return target;
}

const ROLES = [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.guest] as const;
export const roleNumber: Schema<Role> = (value, path) => {
  const number = int()(value, path);
  const found = ROLES.find((each) => each === number);
  if (found === undefined) throw new ApiError(`Invalid ${path}: Value error, Not in the list of possible values`);
  return found;
};

/** Who may be meant besides active people. */
interface Allowed {
  readonly bots: boolean;
  readonly deactivated: boolean;
}
export const toAdminister = (call: Call, userId: number, allowed: Allowed): User =>
  administered(call, memberById(call.state, userId), allowed);
/** @throws ApiError unless the caller may administer the account: administrators may, and whoever owns a bot */
export function administered({ user }: Call, target: User, allowed: Allowed): User {
  if (target.is_bot && !allowed.bots) throw new ApiError("No such user");
  if (!target.is_active && !allowed.deactivated) throw new ApiError("User is deactivated");
  if (!isAdmin(user) && target.bot_owner_id !== user.user_id) throw insufficientPermission();
  return target;
}

/** @throws ApiError for unknown and deactivated accounts, and bots unless those are allowed */
export function activeTarget({ state, user }: Pick<Call, "state" | "user">, userId: number, botsToo: boolean): User {
  const target = memberById(state, userId);
  if (target.is_bot && !botsToo) throw new ApiError("No such user");
  if (!target.is_active) throw new ApiError("User is deactivated");
  return known({ state, user }, target);
}

/**
 * By the real address only if the caller's role may see it. What begins with an address that stands for a hidden one names
 * an account by its number, whether it hides its address or not; there letters differ by case (§1.4).
 */
export function memberByAddress(state: RealmState, viewer: User, address: string): User {
  const [, id, rest = ""] = /^user(\d+)@(.*)$/s.exec(address) ?? [];
  const host = hostOfHiddenAddresses(state);
  if (id !== undefined && host !== undefined && rest.startsWith(host)) return memberById(state, Number(id));
  const wanted = stripped(address).toLowerCase();
  const found = members(state).find(
    (user) => user.delivery_email.toLowerCase() === wanted && addressIsVisible(state, user, viewer),
  );
  if (found === undefined) throw new ApiError("No such user");
  return found;
}
