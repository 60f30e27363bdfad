import { OPENING_SETTINGS, readersOf } from "../../model/readers.ts";
import type { GroupValue, Realm } from "../../model/realm.ts";

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
  const opening = privacy.startsWith("private")
    ? OPENING_SETTINGS.map((setting) => realm.peopleIn(value(setting)))
    : [];
  return readersOf(privacy, opening, subscribers, realm);
}
