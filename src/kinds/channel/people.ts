import { type GroupValue, type Realm, ROLE } from "../../model/realm.ts";
import { CONTENT_ACCESS_SETTINGS } from "./access.ts";
import { isPrivate } from "./privacy.ts";

/** How many people (not bots) come to be in the set, and how many no longer are. */
export function difference(
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
  realm: Realm,
): { readonly gained: number; readonly lost: number } {
  if (before === after) return { gained: 0, lost: 0 };
  const known = differences.get(before)?.get(after);
  if (known !== undefined) return known;
  const counts = { gained: countMissing(after, before, realm), lost: countMissing(before, after, realm) };
  const others = differences.get(before) ?? new WeakMap<ReadonlySet<number>, Counts>();
  differences.set(before, others.set(after, counts));
  return counts;
}
type Counts = Readonly<{ gained: number; lost: number }>;
// A thousand channels that change alike ask the same question a thousand times.
const differences = new WeakMap<ReadonlySet<number>, WeakMap<ReadonlySet<number>, Counts>>();

function countMissing(from: ReadonlySet<number>, within: ReadonlySet<number>, realm: Realm): number {
  let count = 0;
  for (const id of from) if (!within.has(id) && realm.user(id)?.is_bot !== true) count += 1;
  return count;
}

/** Who can read a channel without being invited by somebody else; subscribers count where they are known. */
export function readersByPrivacy(
  privacy: string,
  value: (setting: string) => GroupValue,
  subscribers: ReadonlySet<number> | undefined,
  realm: Realm,
): ReadonlySet<number> {
  const members = membersOf(realm);
  if (!isPrivate(privacy)) {
    // Guests read what they are subscribed to, and nothing else (§3.6); what is on the web, everybody reads.
    const isOpen = privacy === "web_public";
    const guests = guestsOf(realm).filter((id) => isOpen || subscribers?.has(id) === true);
    return guests.length === 0 ? members : new Set([...members, ...guests]);
  }
  const readers = new Set(subscribers);
  for (const setting of CONTENT_ACCESS_SETTINGS) {
    // Guests never profit from these two, even when they are named (zulip-api.md §3.7).
    for (const id of realm.peopleIn(value(setting))) if (members.has(id)) readers.add(id);
  }
  return readers;
}

/** Everybody but guests: all of them can read a public channel. */
function membersOf(realm: Realm): ReadonlySet<number> {
  const known = members.get(realm);
  if (known !== undefined) return known;
  const active = realm.snapshot.users.filter((user) => user.is_active && user.role !== ROLE.guest);
  const found = new Set(active.map((user) => user.user_id));
  members.set(realm, found);
  return found;
}
const members = new WeakMap<Realm, ReadonlySet<number>>();

function guestsOf(realm: Realm): readonly number[] {
  const known = guests.get(realm);
  if (known !== undefined) return known;
  const active = realm.snapshot.users.filter((user) => user.is_active && user.role === ROLE.guest);
  const found = active.map((user) => user.user_id);
  guests.set(realm, found);
  return found;
}
const guests = new WeakMap<Realm, readonly number[]>();
