import { isList, isObject, type Json } from "../model/json.ts";
import { ApiError } from "./errors.ts";
import { isIn } from "./groups.ts";
import { ROLE, type User } from "./rows/accounts.ts";
import type { Channel, ChannelSetting } from "./rows/channels.ts";
import type { GroupValue } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

export const isOwner = (user: User): boolean => user.role === ROLE.owner;
/** Whether the user is an administrator or an owner. */
export const isAdmin = (user: User): boolean => user.role <= ROLE.administrator;
export const isModerator = (user: User): boolean => user.role <= ROLE.moderator;
export const isGuest = (user: User): boolean => user.role === ROLE.guest;

/** The value of a realm setting that holds a group. The setting's name has no `realm_` prefix. */
export function realmGroup({ realm }: RealmState, setting: string): GroupValue {
  const value = groupValueIn(realm[setting]);
  if (value === undefined) throw new Error(`the realm has no group setting ${setting}`);
  return value;
}
export function groupValueIn(value: Json | undefined): GroupValue | undefined {
  if (typeof value === "number") return value;
  if (!isObject(value) || !isList(value.direct_members) || !isList(value.direct_subgroups)) return undefined;
  return { direct_members: value.direct_members.filter(isId), direct_subgroups: value.direct_subgroups.filter(isId) };
}
const isId = (value: Json): value is number => typeof value === "number";

/**
 * Whether a realm setting allows the user. A role alone is never enough: an owner outside the group is refused. Guests are allowed only where the
 * setting may be everyone (`guestsToo`).
 */
export function mayInRealm(state: RealmState, user: User, setting: string, guestsToo = false): boolean {
  if (isGuest(user) && !guestsToo) return false;
  return isIn(state, realmGroup(state, setting), user.user_id);
}

/** The five settings that may not be everyone never apply to a guest, even one named by id (§3.7). */
const NEVER_GUESTS: ReadonlySet<ChannelSetting> = new Set([
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_subscribe_group",
]);
/** Whether a setting of the channel allows the user. */
export function mayInChannel(state: RealmState, user: User, channel: Channel, setting: ChannelSetting): boolean {
  if (isGuest(user) && NEVER_GUESTS.has(setting)) return false;
  return isIn(state, channel[setting], user.user_id);
}

export function isSubscribed(state: RealmState, channelId: number, userId: number): boolean {
  return state.subscriptions[channelId]?.[userId]?.active === true;
}
/** The ids of subscribed active accounts, ascending. */
export function subscribersOf(state: RealmState, channelId: number): number[] {
  const found: number[] = [];
  for (const [id, subscription] of Object.entries(state.subscriptions[channelId] ?? {}))
    if (subscription.active && state.users[Number(id)]?.is_active === true) found.push(Number(id));
  return found;
}

/** The number of those accounts. An answer needs it for every channel, so no list is built. */
export function subscriberCount(state: RealmState, channelId: number): number {
  const table = state.subscriptions[channelId] ?? {};
  let count = 0;
  for (const id in table) if (table[id]?.active === true && state.users[id]?.is_active === true) count += 1;
  return count;
}

/** Whether the user may read the messages of the channel (§3.6). Administrators have no extra right. */
export function hasContentAccess(state: RealmState, user: User, channel: Channel): boolean {
  if (channel.is_web_public) return true;
  if (isSubscribed(state, channel.stream_id, user.user_id)) return true;
  if (isGuest(user)) return false;
  if (!channel.invite_only) return true;
  return (
    mayInChannel(state, user, channel, "can_add_subscribers_group") ||
    mayInChannel(state, user, channel, "can_subscribe_group")
  );
}
/** Whether the user may add others to a channel that the user can read. */
export const mayAddSubscribers = (state: RealmState, user: User, channel: Channel): boolean =>
  mayInRealm(state, user, "can_add_subscribers_group") ||
  administers(state, user, channel) ||
  mayInChannel(state, user, channel, "can_add_subscribers_group");
/** Whether the user may know that the channel exists, and see its settings (§3.6). */
export function hasMetadataAccess(state: RealmState, user: User, channel: Channel): boolean {
  return (
    isAdmin(user) ||
    hasContentAccess(state, user, channel) ||
    mayInChannel(state, user, channel, "can_administer_channel_group")
  );
}
export function administers(state: RealmState, user: User, channel: Channel): boolean {
  return isAdmin(user) || mayInChannel(state, user, channel, "can_administer_channel_group");
}

/**
 * The channel that a caller names by its id.
 * @param needs the access that the caller must have
 * @throws ApiError "Invalid channel ID" without that access, if there is no such channel, and if it is archived, unless these count
 */
export function accessibleChannel(
  { state, user }: { readonly state: RealmState; readonly user: User },
  id: number,
  needs: "metadata" | "content",
  archivedToo = false,
): Channel {
  const channel = state.channels[id];
  const mayAccess = needs === "content" ? hasContentAccess : hasMetadataAccess;
  if (channel === undefined || (channel.is_archived && !archivedToo) || !mayAccess(state, user, channel))
    throw new ApiError("Invalid channel ID");
  return channel;
}

/** The realm's member with that id; system bots belong to no realm. @throws ApiError "No such user" */
export function memberById(state: RealmState, userId: number | undefined): User {
  const user = userId === undefined ? undefined : state.users[userId];
  if (user === undefined || user.is_system_bot) throw new ApiError("No such user");
  return user;
}

/** `realm_plan_type` of Zulip Cloud Free; a self-hosted server has 1. */
const LIMITED_PLAN = 2;
const WITH_PLUS: readonly unknown[] = [1, 10];
export const hasLimitedPlan = (state: RealmState): boolean => state.realm.plan_type === LIMITED_PLAN;

/** @throws ApiError unless the organization has Zulip Cloud Plus, or hosts itself */
export function checkPlusPlan({ realm }: RealmState): void {
  if (!WITH_PLUS.includes(realm.plan_type)) throw new ApiError("Available on Zulip Cloud Plus. Upgrade to access.");
}

/** @throws ApiError if the feature needs a paid plan */
export function checkPlan(state: RealmState): void {
  if (hasLimitedPlan(state)) throw new ApiError("Available on Zulip Cloud Standard. Upgrade to access.");
}
