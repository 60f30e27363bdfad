import { isAdmin, memberById } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { int, possible, type Schema } from "../params.ts";
import { stripped } from "../python.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import { growingIndex, rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { addressIsVisible, hostOfHiddenAddresses, mayKnowOf, members } from "./shown.ts";

/** The people of the realm about whom a caller may ask. */

/** @throws ApiError if the caller is a guest who may not know of the user */
export function known({ state, user }: Pick<Call, "state" | "user">, target: User): User {
  if (!mayKnowOf(state, user, target)) throw insufficientPermission();
  return target;
}

export const roleNumber: Schema<Role> = possible(int(), ...Object.values(ROLE));

/** Which accounts are allowed besides active people. */
interface Allowed {
  readonly bots: boolean;
  readonly deactivated: boolean;
}
export const toAdminister = (call: Call, userId: number, allowed: Allowed): User =>
  administered(call, memberById(call.state, userId), allowed);
/** @throws ApiError unless the caller may administer the account: administrators may, and a bot's owner may */
export function administered({ user }: Call, target: User, allowed: Allowed): User {
  if (target.is_bot && !allowed.bots) throw new ApiError("No such user");
  if (!target.is_active && !allowed.deactivated) throw new ApiError("User is deactivated");
  if (!isAdmin(user) && target.bot_owner_id !== user.user_id) throw insufficientPermission();
  return target;
}

/** @throws ApiError for unknown and deactivated accounts, and for bots, unless these are allowed */
export function activeTarget({ state, user }: Pick<Call, "state" | "user">, userId: number, botsToo: boolean): User {
  const target = memberById(state, userId);
  if (target.is_bot && !botsToo) throw new ApiError("No such user");
  if (!target.is_active) throw new ApiError("User is deactivated");
  return known({ state, user }, target);
}

/**
 * Finds an account by its real address only if the caller's role may see that address. Text that begins like the placeholder of a hidden address
 * identifies an account by its id, whether or not the account hides its address; placeholders are case-sensitive (§1.4).
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

/** The account, perhaps of the server, for which the API shows this address. */
export const accountShownAs = ({ users }: RealmState, address: string): User | undefined =>
  rows(users).find(({ email }) => email.toLowerCase() === address.toLowerCase());

/** Accounts by the real addresses that they have, or had, in lower case. */
const byAddress = growingIndex((users: RealmState["users"]) =>
  rows(users).map(({ delivery_email, user_id }) => [delivery_email.toLowerCase(), user_id] as const),
);
/** The account with this real address, system bots included unless they are not wanted; the oldest, if several have it. */
export function accountWithAddress({ users }: RealmState, address: string, botsOfServer = true): User | undefined {
  const wanted = address.toLowerCase();
  return byAddress
    .find(users, wanted)
    .flatMap((id) => users[id] ?? [])
    .find((user) => user.delivery_email.toLowerCase() === wanted && (botsOfServer || !user.is_system_bot));
}
/** Must be called for each account that is added, and for each new address. */
export const noteAccount = ({ users }: RealmState, { delivery_email, user_id }: User): void =>
  byAddress.note(users, delivery_email.toLowerCase(), user_id);
