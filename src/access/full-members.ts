import type { Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";

/** The group of people whose waiting period is over. */
export const FULL_MEMBERS = "role:fullmembers";
/** The setting with the length of the waiting period in days; it takes effect at once (zulip-api.md §12.1). */
export const WAITING_PERIOD = "waiting_period_threshold";

const MS_PER_DAY = 86_400_000;

/**
 * The members who are full members with a waiting period of this length; moderators and above are full members by their roles. Of whom the reading does
 * not say when they joined, and of invented people, it stays as it is.
 * @param isMember whether somebody is, or will be, a member
 * @param isFull whether somebody is a full member now
 * @param days counted back from the time of the reading: when a plan is applied, more people may be full members
 */
export function fullMembersAfter(
  days: number,
  { snapshot }: Realm,
  isMember: (user: SnapshotUser) => boolean,
  isFull: (id: number) => boolean,
): readonly number[] {
  const latest = Date.parse(snapshot.taken_at) - days * MS_PER_DAY;
  return snapshot.users.flatMap((user) => {
    if (!isMember(user)) return [];
    const { user_id, date_joined } = user;
    const isOver = date_joined === undefined ? isFull(user_id) : Date.parse(date_joined) <= latest;
    return days === 0 || isOver ? [user_id] : [];
  });
}

/** Whether an account of this age has to wait as a member. If the reading does not say when somebody joined, they do not. */
export function hasToWait({ date_joined }: SnapshotUser, realm: Realm): boolean {
  const days = realm.setting(WAITING_PERIOD);
  if (typeof days !== "number" || days <= 0 || date_joined === undefined) return false;
  return Date.parse(date_joined) > Date.parse(realm.snapshot.taken_at) - days * MS_PER_DAY;
}

/** The days of a waiting period in the form of plans: `none`, `3d`. */
export function daysOf(written: unknown): number | undefined {
  if (written === "none") return 0;
  const days = typeof written === "string" ? /^(\d+)d$/.exec(written)?.[1] : undefined;
  return days === undefined ? undefined : Number(days);
}
