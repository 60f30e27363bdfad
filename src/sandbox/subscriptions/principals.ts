import { memberById } from "../access.ts";
import { ApiError } from "../errors.ts";
import { type RealmState, rows, type User } from "../state.ts";

/** Somebody named by id, or by the address that the API shows. @throws ApiError */
export function memberByPrincipal(state: RealmState, principal: number | string): User {
  const user = typeof principal === "number" ? memberById(state, principal) : memberByAddress(state, principal);
  if (!user.is_active) throw new ApiError("User is deactivated");
  return user;
}

function memberByAddress(state: RealmState, address: string): User {
  const wanted = address.trim().toLowerCase();
  const user = rows(state.users).find((each) => !each.is_system_bot && each.email.toLowerCase() === wanted);
  if (user === undefined) throw new ApiError("No such user");
  return user;
}
