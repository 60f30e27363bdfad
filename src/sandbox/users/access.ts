import { isAdmin, memberById } from "../access.ts";
import type { Call } from "../call.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { int, possible, type Schema } from "../params.ts";
import { stripped } from "../python.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
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

/** The ids of accounts that have, or had, a real address in lower case: the index only grows. */
const indexes = new WeakMap<RealmState["users"], Map<string, number[]>>();

/** The account with this real address, system bots included; the oldest, if several have it. */
export function accountWithAddress({ users }: RealmState, address: string): User | undefined {
  const ids = indexOf(users).get(address.toLowerCase()) ?? [];
  // A refused call may have taken an account back, and a bot may have another address by now.
  return ids
    .flatMap((id) => users[id] ?? [])
    .find((user) => user.delivery_email.toLowerCase() === address.toLowerCase());
}

/** Adds an account to the index; must be called for each account that is added, and for each new address. */
export function noteAccount({ users }: RealmState, user: User): void {
  const index = indexes.get(users);
  if (index !== undefined) note(index, user);
}

function indexOf(users: RealmState["users"]): Map<string, number[]> {
  const known = indexes.get(users);
  if (known !== undefined) return known;
  const index = new Map<string, number[]>();
  for (const user of rows(users)) note(index, user);
  indexes.set(users, index);
  return index;
}

function note(index: Map<string, number[]>, { delivery_email, user_id }: User): void {
  const address = delivery_email.toLowerCase();
  const ids = index.get(address);
  if (ids === undefined) index.set(address, [user_id]);
  else ids.push(user_id);
}
