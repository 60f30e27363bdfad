import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

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
