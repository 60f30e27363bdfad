import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

/** The ids for each real address in lower case. No call changes an address, so the index only grows. */
const indexes = new WeakMap<RealmState["users"], Map<string, number[]>>();

/** The account with this real address, system bots included; the oldest, if several have it. */
export function accountWithAddress({ users }: RealmState, address: string): User | undefined {
  const ids = indexOf(users).get(address.toLowerCase()) ?? [];
  // A refused call may have taken an account back.
  return ids.flatMap((id) => users[id] ?? [])[0];
}

/** Adds an account to the index; must be called for each account that is added. */
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
