import {
  administers,
  hasContentAccess,
  hasMetadataAccess,
  isSubscribed,
  mayInChannel,
  mayInRealm,
} from "../../src/sandbox/access.ts";
import { isIn } from "../../src/sandbox/groups.ts";
import { GROUP_PERMISSIONS, REALM_PERMISSIONS } from "../../src/sandbox/permissions.ts";
import type { User } from "../../src/sandbox/rows/accounts.ts";
import type { Channel, ChannelSetting } from "../../src/sandbox/rows/channels.ts";
import type { GroupSetting, UserGroup } from "../../src/sandbox/rows/groups.ts";
import type { RealmState } from "../../src/sandbox/state.ts";

/**
 * One person at a time, in the server's words: the checks that the sandbox makes before it allows something. Slow, and written independently of
 * src/access, which works with sets.
 */
export function mayOnChannel(state: RealmState, user: User, channel: Channel, right: string): boolean {
  if (!user.is_active) return false;
  const reads = hasContentAccess(state, user, channel);
  // Through the API, guests see web-public channels only if they are subscribed.
  const changes = reads && (user.role !== 600 || isSubscribed(state, channel.stream_id, user.user_id));
  const inRealm = (setting: string): boolean =>
    mayInRealm(state, user, setting, REALM_PERMISSIONS[setting]?.allow_everyone_group === true);
  const inChannel = (setting: ChannelSetting): boolean => mayInChannel(state, user, channel, setting);
  const owner = user.bot_owner_id === null ? undefined : state.users[user.bot_owner_id];
  const isAdmin = user.role <= 200;
  switch (right) {
    case "read":
      // While a private channel is archived, its settings let people in, but show no messages (channels-archived-reading.json).
      return channel.is_archived && channel.invite_only ? isSubscribed(state, channel.stream_id, user.user_id) : reads;
    // The server lets no guest subscribe.
    case "can_subscribe_group":
      return reads && user.role !== 600;
    case "see":
      return hasMetadataAccess(state, user, channel);
    case "can_administer_channel_group":
      return administers(state, user, channel);
    case "can_add_subscribers_group":
      return (
        reads &&
        user.role !== 600 &&
        (administers(state, user, channel) ||
          inRealm("can_add_subscribers_group") ||
          inChannel("can_add_subscribers_group"))
      );
    case "can_remove_subscribers_group":
      return (
        user.role !== 600 &&
        hasMetadataAccess(state, user, channel) &&
        (administers(state, user, channel) || inChannel("can_remove_subscribers_group"))
      );
    case "can_send_message_group":
    case "can_create_topic_group": {
      const lets = inChannel(right) || (owner?.is_active === true && mayInChannel(state, owner, channel, right));
      return lets && reaches(state, user, channel);
    }
    case "can_delete_any_message_group":
    case "can_delete_own_message_group":
    case "can_resolve_topics_group":
      return !channel.is_archived && changes && (inRealm(right) || inChannel(right));
    case "can_move_messages_within_channel_group":
    case "can_move_messages_out_of_channel_group": {
      const everywhere =
        right === "can_move_messages_within_channel_group"
          ? "can_move_messages_between_topics_group"
          : "can_move_messages_between_channels_group";
      const lets = isAdmin || inRealm(everywhere) || inChannel("can_administer_channel_group") || inChannel(right);
      return !channel.is_archived && changes && lets;
    }
    default:
      throw new RangeError(`no right ${right}`);
  }
}

/**
 * By the own account, or with the key of an active bot of theirs; an incoming webhook can only post.
 * @param earlier a state in which bots had other owners: they have seen keys that still work, also if they are deactivated
 */
export function mayThroughBots(
  state: RealmState,
  user: User,
  channel: Channel,
  right: string,
  earlier?: RealmState,
): boolean {
  const isPosting = right === "can_send_message_group" || right === "can_create_topic_group";
  const bots = Object.values(state.users).filter(({ user_id, bot_owner_id, bot_type }) => {
    const owns = bot_owner_id === user.user_id;
    const hasSeen = !owns && earlier?.users[user_id]?.bot_owner_id === user.user_id;
    return ((owns && user.is_active) || hasSeen) && (isPosting || bot_type !== 2);
  });
  return [user, ...bots].some((account) => mayOnChannel(state, account, channel, right));
}

/** The same, or the person can come to read a private channel: while it is archived, or by joining groups, unless they administer the organization. */
export function mayCome(state: RealmState, user: User, channel: Channel, right: string): boolean {
  if (mayThroughBots(state, user, channel, right)) return true;
  if (right !== "read" || !channel.invite_only) return false;
  const bots = Object.values(state.users).filter(
    ({ bot_owner_id, bot_type, is_active }) => bot_owner_id === user.user_id && is_active && bot_type !== 2,
  );
  const own = [user, ...(user.is_active ? bots : [])];
  if (channel.is_archived && own.some((account) => mayOnChannel(state, account, channel, "can_subscribe_group")))
    return true;
  if (own.some(({ role }) => role <= 200)) return false;
  return own.some((account) => mayOnChannel(joined(state, account), account, channel, "can_subscribe_group"));
}

/** The state after somebody joined every group that lets them in, one after the other. Below level 496, bots join none. */
function joined(state: RealmState, user: User): RealmState {
  if (user.is_bot && Number(state.server.zulip_feature_level) < 496) return state;
  let now = state;
  for (let more = true; more; ) {
    more = false;
    for (const group of Object.values(now.user_groups)) {
      if (group.is_system_group || group.deactivated || group.members.includes(user.user_id)) continue;
      const lets = (right: GroupSetting): boolean => mayOnGroup(now, user, group, right);
      if (!lets("can_join_group") && !lets("can_add_members_group")) continue;
      const members = [...group.members, user.user_id];
      now = { ...now, user_groups: { ...now.user_groups, [group.id]: { ...group, members } } };
      more = true;
    }
  }
  return now;
}

function reaches(state: RealmState, user: User, channel: Channel): boolean {
  if (channel.is_archived) return false;
  if (channel.is_web_public) return true;
  const isGuest = user.role === 600;
  if (!channel.invite_only && !isGuest) return true;
  const subscribed = (id: number | null): boolean =>
    id !== null && state.users[id]?.is_active === true && state.subscriptions[channel.stream_id]?.[id]?.active === true;
  if (subscribed(user.user_id) || (user.is_bot && subscribed(user.bot_owner_id))) return true;
  if (!channel.history_public_to_subscribers || isGuest) return false;
  return (
    mayInChannel(state, user, channel, "can_add_subscribers_group") ||
    mayInChannel(state, user, channel, "can_subscribe_group")
  );
}

export function mayOnGroup(state: RealmState, user: User, group: UserGroup, right: GroupSetting): boolean {
  if (!user.is_active) return false;
  const lets = (setting: GroupSetting): boolean =>
    !(user.role === 600 && !GROUP_PERMISSIONS[setting].allow_everyone_group) &&
    isIn(state, group[setting], user.user_id);
  if (right === "can_mention_group") return lets(right);
  // No guest may change any group.
  if (user.role === 600) return false;
  return mayInRealm(state, user, "can_manage_all_groups") || lets("can_manage_group") || lets(right);
}
