import { type Realm, ROLE } from "./realm.ts";

/** The two settings whose members can read a private channel (zulip-api.md §3.6). */
export const OPENING_SETTINGS = ["can_add_subscribers_group", "can_subscribe_group"] as const;

/** Everybody who is active, but guests: all of them read a public channel. The same set for the same realm. */
export function membersIn(realm: Realm): ReadonlySet<number> {
  return activeIn(realm).members;
}

/**
 * Who can read a channel, by id, bots too (zulip-api.md §3.6). What is on the web everybody reads, guests included; what is public everybody
 * but guests; what is private nobody but subscribers and those whom the two settings name, of which guests get nothing (§3.7). Subscribers
 * read it in any case.
 * @param privacy as the file says it: `web_public`, `public`, or a word that begins with `private`
 * @param opening people whom the {@link OPENING_SETTINGS} name
 * @param subscribers undefined where nobody knows: then none count
 * @returns {@link membersIn} itself where nobody else reads it and everybody of them does
 */
export function readersOf(
  privacy: string,
  opening: readonly ReadonlySet<number>[],
  subscribers: Iterable<number> | undefined,
  realm: Realm,
): ReadonlySet<number> {
  const { members, everybody } = activeIn(realm);
  if (privacy === "web_public") return everybody;
  const isPrivate = privacy.startsWith("private");
  const others = [...(subscribers ?? [])].filter((id) => everybody.has(id) && (isPrivate || !members.has(id)));
  if (!isPrivate) return others.length === 0 ? members : new Set([...members, ...others]);
  const found = new Set(others);
  for (const group of opening) for (const id of group) if (members.has(id)) found.add(id);
  return found;
}

interface Active {
  readonly members: ReadonlySet<number>;
  readonly everybody: ReadonlySet<number>;
}

/** A thousand channels ask the same question. */
const known = new WeakMap<Realm, Active>();

function activeIn(realm: Realm): Active {
  const before = known.get(realm);
  if (before !== undefined) return before;
  const active = realm.snapshot.users.filter(({ is_active }) => is_active);
  const ids = (users: typeof active) => new Set(users.map(({ user_id }) => user_id));
  const members = ids(active.filter(({ role }) => role !== ROLE.guest));
  const found = { members, everybody: members.size === active.length ? members : ids(active) };
  known.set(realm, found);
  return found;
}
