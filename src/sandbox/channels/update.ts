import { administers, hasContentAccess, isAdmin, mayInRealm } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { ApiError, insufficientPermission, internalError } from "../errors.ts";
import { isChanged, normalGroupValue, writtenGroupValue } from "../groups.ts";
import type { Args, SentGroupChange } from "../params.ts";
import { CHANNEL_PERMISSIONS } from "../permissions.ts";
import { stripped } from "../python.ts";
import { CHANNEL_VALUED, NO_CHANNEL } from "../realm-settings/params.ts";
import { CHANNEL_SETTINGS, type Channel, type ChannelSetting } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { sharingWith } from "./create.ts";
import { addDefault, removeDefault, removeFromDefaultGroups } from "./default-groups.ts";
import { changePrivacyOf, changeVisibility, createdEvent, deletedEvent, emitUpdate, knowing } from "./events.ts";
import { channelNamed, checkChannelName, foldName, nameTaken } from "./names.ts";
import {
  noticeArchived,
  noticeDescription,
  noticePosting,
  noticePrivacy,
  noticeRename,
  noticeRetention,
  noticeTopicsPolicy,
  noticeUnarchived,
} from "./notices.ts";
import {
  type changeParams,
  checkMayMakeWebPublic,
  checkMaySetDeletePolicy,
  checkMaySetRetention,
  checkMaySetTopicsPolicy,
  checkProtectedHistory,
  checkStorableDays,
  folderById,
  isPolicy,
  oneLine,
  type Privacy,
  rendered,
  retentionDays,
  type TopicsPolicy,
} from "./params.ts";
import { postPolicyOf, shownValue } from "./shown.ts";

type ChannelChange = Args<typeof changeParams>;

/**
 * PATCH /streams/{id} in the server's order (zulip-api.md §3.5.2). Each step commits separately: a refusal does not undo the steps before it.
 */
export function updateChannel(call: Call, channelId: number, change: ChannelChange): void {
  const channel = channelToAdminister(call, channelId);
  const privacy = proposedPrivacy(call, channel, change);
  call.step(change.topics_policy, (policy) => changeTopicsPolicy(call, channel, policy));
  if (change.can_create_topic_group === undefined)
    checkProtectedHistory(call.state, privacy.history_public_to_subscribers, channel.can_create_topic_group);
  call.step(namesPrivacy(change) ? privacy : undefined, (wanted) => changePrivacy(call, channel, wanted));
  call.step(change.is_default_stream, (isDefault) => changeDefault(call, channel, isDefault));
  call.step(change.message_retention_days, (days) => changeRetention(call, channel, days));
  call.step(change.default_push_notifications, (push) => changePush(call, channel, push));
  call.step(change.is_archived === false ? channel : undefined, (archived) => unarchive(call, archived));
  if (change.can_delete_any_message_group !== undefined || change.can_delete_own_message_group !== undefined)
    checkMaySetDeletePolicy(call.state, call.user);
  call.step(change.description, (description) => changeDescription(call, channel, description));
  call.step(change.new_name, (name) => rename(call, channel, name));
  call.step(change.folder_id, (folderId) => changeFolder(call, channel, folderId));
  for (const setting of CHANNEL_SETTINGS)
    call.step(change[setting], (sent) => changeGroup(call, channel, setting, sent));
}

/** @throws ApiError unless the caller administers the channel; callers who cannot read it do not learn that it exists */
export function channelToAdminister(call: Call, channelId: number): Channel {
  const { state, user } = call;
  const channel = state.channels[channelId];
  if (channel === undefined) throw new ApiError("Invalid channel ID");
  if (administers(state, user, channel)) return channel;
  if (!hasContentAccess(state, user, channel)) throw new ApiError("Invalid channel ID");
  throw new ApiError("You do not have permission to administer this channel.");
}

/**
 * Before some level between 384 (recorded) and 395, sending a channel's current privacy needed no right to create such channels.
 * [442:zerver/views/streams.py]
 */
const PRIVACY_RIGHT_LEVEL = 385;

/** The privacy that results from the three flags, sent or not. Refuses combinations without a meaning. Writes nothing. */
function proposedPrivacy(call: Call, channel: Channel, change: ChannelChange): Privacy {
  const { state, user } = call;
  const proposed: Privacy = {
    invite_only: change.is_private ?? channel.invite_only,
    is_web_public: change.is_web_public ?? channel.is_web_public,
    history_public_to_subscribers:
      change.history_public_to_subscribers ??
      (change.is_private === undefined ? channel.history_public_to_subscribers : !change.is_private),
  };
  if (!isPolicy(proposed)) throw new ApiError("Invalid parameters");
  const isDefault = change.is_default_stream ?? state.default_channels.includes(channel.stream_id);
  if (proposed.invite_only && isDefault) throw new ApiError("A default channel cannot be private.");
  if (!proposed.invite_only && state.realm.moderation_request_channel_id === channel.stream_id)
    throw new ApiError("Moderation request channel must be private.");
  if (change.is_private !== undefined) {
    if (!hasContentAccess(state, user, channel)) throw new ApiError("Channel content access is required.");
    const creators = change.is_private ? "can_create_private_channel_group" : "can_create_public_channel_group";
    const asks = call.level >= PRIVACY_RIGHT_LEVEL || change.is_private !== channel.invite_only;
    if (asks && !mayInRealm(state, user, creators)) throw insufficientPermission();
  }
  if (change.is_web_public === true) checkMayMakeWebPublic(state, user);
  return proposed;
}
const namesPrivacy = (change: ChannelChange): boolean =>
  change.is_private !== undefined ||
  change.is_web_public !== undefined ||
  change.history_public_to_subscribers !== undefined;

function changeTopicsPolicy(call: Call, channel: Channel, policy: TopicsPolicy): void {
  const { state, user, ledger } = call;
  if (policy !== "inherit") checkMaySetTopicsPolicy(state, user);
  if (policy === "empty_topic_only" && hasNamedTopics(call, channel))
    throw new ApiError(
      "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.",
      { extra: { empty_topic_display_name: state.realm.empty_topic_display_name ?? "general chat" } },
    );
  if (policy === channel.topics_policy) return;
  const before = channel.topics_policy;
  ledger.set(channel, "topics_policy", policy);
  emitUpdate(call, channel, "topics_policy", policy);
  noticeTopicsPolicy(call, channel, before);
}
const hasNamedTopics = (call: Call, channel: Channel): boolean =>
  rows(call.state.messages).some((message) => message.channel_id === channel.stream_id && message.topic !== "");

function changePrivacy(call: Call, channel: Channel, privacy: Privacy): void {
  const before = { ...channel };
  changePrivacyOf(
    call,
    channel,
    () => call.ledger.assign(channel, privacy),
    (audience) =>
      emitUpdate(
        call,
        channel,
        "invite_only",
        privacy.invite_only,
        {
          history_public_to_subscribers: privacy.history_public_to_subscribers,
          is_web_public: privacy.is_web_public,
        },
        audience,
      ),
  );
  noticePrivacy(call, channel, before);
}

function changeDefault(call: Call, channel: Channel, isDefault: boolean): void {
  if (!isAdmin(call.user)) throw new ApiError("You do not have permission to change default channels.");
  if (isDefault) addDefault(call, channel);
  else removeDefault(call, channel);
}
function changeRetention(call: Call, channel: Channel, sent: string | number): void {
  checkMaySetRetention(call.state, call.user);
  const days = retentionDays(sent);
  checkStorableDays(days);
  const before = channel.message_retention_days;
  call.ledger.set(channel, "message_retention_days", days);
  emitUpdate(call, channel, "message_retention_days", days);
  noticeRetention(call, channel, before);
}

/** The administrators of the channel may not. */
function changePush(call: Call, channel: Channel, push: boolean): void {
  if (!isAdmin(call.user)) throw insufficientPermission();
  if (push === channel.default_push_notifications) return;
  call.ledger.set(channel, "default_push_notifications", push);
  emitUpdate(call, channel, "default_push_notifications", push);
}

/** DELETE /streams/{id} (§3.12). */
export function archive(call: Call, channel: Channel): void {
  const { state, ledger } = call;
  if (channel.is_archived) throw new ApiError("Channel is already deactivated");
  ledger.set(channel, "is_archived", true);
  const cleared = CHANNEL_VALUED.filter((setting) => state.realm[setting] === channel.stream_id);
  if (cleared.length > 0) {
    const data = Object.fromEntries(cleared.map((setting) => [setting, NO_CHANNEL]));
    ledger.set(state, "realm", { ...state.realm, ...data });
    call.emit(everybody, { type: "realm", op: "update_dict", property: "default", data });
  }
  if (state.default_channels.includes(channel.stream_id)) removeDefault(call, channel);
  removeFromDefaultGroups(call, channel);
  emitArchived(call, channel, true);
  noticeArchived(call, channel);
}
function unarchive(call: Call, channel: Channel): void {
  const { state, ledger } = call;
  if (!channel.is_archived) throw new ApiError("Channel is not currently deactivated");
  const hasSubscribers = Object.values(state.subscriptions[channel.stream_id] ?? {}).some(({ active }) => active);
  if (channel.invite_only && !hasSubscribers) throw new ApiError("Channel is private and have no subscribers");
  ledger.set(channel, "is_archived", false);
  emitArchived(call, channel, false);
  noticeUnarchived(call, channel);
}
/** To clients that do not know archived channels, they appear as created and deleted. */
function emitArchived(call: Call, channel: Channel, isArchived: boolean): void {
  const { stream_id, name } = channel;
  call.emit(knowing(call, channel), ({ capabilities }) => {
    if (capabilities.has("archived_channels") && call.level >= 378)
      return { type: "stream", op: "update", stream_id, name, property: "is_archived", value: isArchived };
    if (capabilities.has("archived_channels")) return undefined;
    return isArchived ? deletedEvent(call, [channel]) : createdEvent(call, [channel]);
  });
}

function changeDescription(call: Call, channel: Channel, sent: string): void {
  const description = oneLine(sent);
  const before = channel.description;
  const rendered_description = rendered(description);
  call.ledger.assign(channel, { description, rendered_description });
  emitUpdate(call, channel, "description", description, { rendered_description });
  noticeDescription(call, channel, before);
}

function rename(call: Call, channel: Channel, sent: string): void {
  const name = stripped(sent);
  const before = channel.name;
  if (name === before) throw new ApiError("Channel already has that name.");
  checkChannelName(name);
  if (foldName(name) !== foldName(before) && channelNamed(call.state, name) !== undefined)
    throw nameTaken(call.level, name);
  emitUpdate(call, channel, "name", name);
  call.ledger.set(channel, "name", name);
  noticeRename(call, channel, before);
}

function changeFolder(call: Call, channel: Channel, folderId: number | null): void {
  if (folderId !== null) folderById(call.state, folderId);
  call.ledger.set(channel, "folder_id", folderId);
  emitUpdate(call, channel, "folder_id", folderId);
}

/** Changing these requires content access to the channel (§3.6). */
const NEEDS_CONTENT: ReadonlySet<ChannelSetting> = new Set(["can_add_subscribers_group", "can_subscribe_group"]);

function changeGroup(call: Call, channel: Channel, setting: ChannelSetting, sent: SentGroupChange): void {
  const { state, user, ledger } = call;
  const before = channel[setting];
  if (!isChanged(state, before, sent)) return;
  if (NEEDS_CONTENT.has(setting) && !hasContentAccess(state, user, channel))
    throw new ApiError("Channel content access is required.");
  if (setting === "can_create_topic_group")
    checkProtectedHistory(state, channel.history_public_to_subscribers, normalGroupValue(state, sent.new));
  const value = writtenGroupValue(call, setting, CHANNEL_PERMISSIONS[setting], sent.new, before);
  const sharing = sharingWith(state, channel, setting);
  // The change would delete the unnamed group, but other channels still use it, so the database forbids it.
  if (sharing.length > 1 && typeof value === "number") throw internalError();
  changeVisibility(
    call,
    channel,
    () => {
      for (const each of sharing) ledger.set(each, setting, value);
    },
    (audience) => emitUpdate(call, channel, setting, shownValue(state, value), {}, audience),
  );
  if (setting !== "can_send_message_group") return;
  const policy = postPolicyOf(state, value);
  if (policy !== postPolicyOf(state, before)) {
    emitUpdate(call, channel, "stream_post_policy", policy);
    emitUpdate(call, channel, "is_announcement_only", policy === 2);
  }
  noticePosting(call, channel, before);
}
