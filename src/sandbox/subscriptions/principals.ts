import { memberById } from "../access.ts";
import { ApiError } from "../errors.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { stripped } from "../white-space.ts";

/**
 * People given by ids, or by the addresses that the API shows.
 * @throws ApiError first if one of them does not exist, then if one is deactivated
 */
export function membersByPrincipals(state: RealmState, principals: readonly (number | string)[]): User[] {
  const people = principals.map((principal) =>
    typeof principal === "number" ? memberById(state, principal) : memberByAddress(state, principal),
  );
  if (!people.every((user) => user.is_active)) throw new ApiError("User is deactivated");
  return people;
}

function memberByAddress(state: RealmState, address: string): User {
  const wanted = stripped(address).toLowerCase();
  const user = rows(state.users).find((each) => !each.is_system_bot && each.email.toLowerCase() === wanted);
  if (user === undefined) throw new ApiError("No such user");
  return user;
}
