import { memberById } from "../access.ts";
import { ApiError } from "../errors.ts";
import { stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import type { Subscription } from "../rows/channels.ts";
import { rows, type Table } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

type Tables = RealmState["subscriptions"];

/** Account → channels that have a row of it, and perhaps some that a refused call was to add: each is looked up again. */
const indexes = new WeakMap<Tables, Map<number, Set<number>>>();

/** The subscriptions that an account has or had, by channel, ascending. */
export function subscriptionsOf(
  { subscriptions }: RealmState,
  userId: number,
): readonly (readonly [number, Subscription])[] {
  const channels = [...(indexOf(subscriptions).get(userId) ?? [])].sort((a, b) => a - b);
  return channels.flatMap((channelId) => {
    const row = subscriptions[channelId]?.[userId];
    return row === undefined ? [] : [[channelId, row] as const];
  });
}

/** Adds a row to the index; must be called for each row that is added. */
export function noteSubscription({ subscriptions }: RealmState, channelId: number, userId: number): void {
  const index = indexes.get(subscriptions);
  if (index !== undefined) note(index, channelId, userId);
}

/** The index of the subscriptions. Rows are never removed, so it is built once, and then only grows. */
function indexOf(subscriptions: Tables): Map<number, Set<number>> {
  const known = indexes.get(subscriptions);
  if (known !== undefined) return known;
  const index = new Map<number, Set<number>>();
  for (const [channelId, table] of Object.entries<Table<Subscription>>(subscriptions))
    for (const userId in table) note(index, Number(channelId), Number(userId));
  indexes.set(subscriptions, index);
  return index;
}

function note(index: Map<number, Set<number>>, channelId: number, userId: number): void {
  const channels = index.get(userId);
  if (channels === undefined) index.set(userId, new Set([channelId]));
  else channels.add(channelId);
}

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
