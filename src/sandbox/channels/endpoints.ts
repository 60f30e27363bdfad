import { createHash } from "node:crypto";
import { defined } from "../../model/defined.ts";
import {
  accessibleChannel,
  hasContentAccess,
  hasMetadataAccess,
  isAdmin,
  isGuest,
  isSubscribed,
  subscribersOf,
} from "../access.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { systemGroup } from "../groups.ts";
import { checkSendPermission, seesMessage } from "../messages/access.ts";
import { shownTopic } from "../messages/topics.ts";
import { type Args, bool, int, json, list, optional, required, text, withDefault } from "../params.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { subscribe } from "../subscriptions/change.ts";
import { membersByPrincipals } from "../subscriptions/properties.ts";
import { checkMayCreate, createChannels, groupSettings, preparedChannel } from "./create.ts";
import { addDefault, removeDefault } from "./default-groups.ts";
import { channelExists, channelNamed, checkChannelName, readableChannelNamed } from "./names.ts";
import { announce, noticeCreated } from "./notices.ts";
import {
  changeParams,
  checkMaySetTopicsPolicy,
  checkTopicsPolicyLevel,
  descriptionText,
  flag,
  folderById,
  groupValueParams,
  postersOf,
  postPolicy,
  pushAtCreation,
  retention,
  retentionDays,
  topicsPolicyJson,
} from "./params.ts";
import { byName, shownChannel } from "./shown.ts";
import { archive, channelToAdminister, updateChannel } from "./update.ts";

/** Each of these adds channels to the list, unless it is about archived ones or a field. */
const listFlags = {
  exclude_archived: withDefault(flag, true, { level: 315 }),
  include_all: withDefault(flag, false, { level: 356 }),
  include_all_active: withDefault(flag, false),
  include_can_access_content: withDefault(flag, false, { level: 356 }),
  include_default: withDefault(flag, false),
  include_owner_subscribed: withDefault(flag, false),
  include_public: withDefault(flag, true),
  include_subscribed: withDefault(flag, true),
  include_web_public: withDefault(flag, false),
};

/** Channels and default channels (zulip-api.md §3, §4). */
export const channelEndpoints = [
  defineEndpoint("GET /streams", {
    params: listFlags,
    handler(call, flags) {
      const { state, user } = call;
      if (flags.include_all_active && call.level < 356 && !isAdmin(user))
        throw new ApiError("User not authorized for this query");
      // The old name of include_all, available to everybody since then.
      const all = flags.include_all || flags.include_all_active;
      const channels = rows(state.channels)
        .filter((channel) => !(flags.exclude_archived && channel.is_archived))
        .filter((channel) => (all ? hasMetadataAccess(state, user, channel) : isAskedFor(call, channel, flags)))
        .sort(byName);
      return {
        streams: channels.map((channel) => ({
          ...shownChannel(call, channel),
          ...defined({
            is_default: flags.include_default ? state.default_channels.includes(channel.stream_id) : undefined,
          }),
        })),
      };
    },
  }),
  defineEndpoint("GET /streams/{stream_id}", {
    params: {},
    handler(call, { stream_id }) {
      return { stream: shownChannel(call, accessibleChannel(call, stream_id, "metadata", call.level >= 480)) };
    },
  }),
  defineEndpoint("PATCH /streams/{stream_id}", {
    params: {
      ...changeParams,
      is_announcement_only: optional(flag, { until: 333 }),
      stream_post_policy: optional(postPolicy, { until: 333 }),
    },
    handler(call, { stream_id, is_announcement_only, stream_post_policy, ...change }) {
      checkTopicsPolicyLevel(call.level, change.topics_policy);
      // The older of the two names takes precedence.
      const policy = is_announcement_only === undefined ? stream_post_policy : is_announcement_only ? 2 : 1;
      const posting = policy === undefined ? undefined : { new: postersOf(call.state, policy), old: undefined };
      updateChannel(call, stream_id, { ...change, can_send_message_group: posting ?? change.can_send_message_group });
    },
  }),
  defineEndpoint("DELETE /streams/{stream_id}", {
    handler(call, { stream_id }) {
      archive(call, channelToAdminister(call, stream_id));
    },
  }),
  defineEndpoint("GET /streams/{stream_id}/members", {
    params: {},
    handler(call, { stream_id }) {
      accessibleChannel(call, stream_id, "metadata", call.level >= 480);
      return { subscribers: subscribersOf(call.state, stream_id) };
    },
  }),
  defineEndpoint("GET /get_stream_id", {
    params: { stream: required(text()) },
    handler: (call, { stream }) => ({ stream_id: readableChannelNamed(call, stream).stream_id }),
  }),
  defineEndpoint("POST /channels/create", {
    level: 417,
    who: ["non-guest"],
    params: {
      announce: withDefault(flag, false),
      ...groupValueParams,
      default_push_notifications: pushAtCreation,
      description: withDefault(descriptionText, ""),
      folder_id: optional(json(int())),
      history_public_to_subscribers: optional(flag),
      invite_only: withDefault(flag, false),
      is_web_public: withDefault(flag, false),
      is_default_stream: withDefault(flag, false),
      message_retention_days: withDefault(retention, "realm_default"),
      name: required(text({ strip: true, notBlank: true })),
      subscribers: required(json(list(int()))),
      topics_policy: optional(topicsPolicyJson),
    },
    handler(call, { name, subscribers, description, announce: announced, ...wanted }) {
      const { state, user } = call;
      checkChannelName(name);
      if (channelNamed(state, name) !== undefined) throw channelExists(name);
      if (wanted.folder_id !== undefined) folderById(state, wanted.folder_id);
      const days = retentionDays(wanted.message_retention_days);
      if (wanted.topics_policy !== undefined && wanted.topics_policy !== "inherit")
        checkMaySetTopicsPolicy(state, user);
      const all = { ...wanted, groups: wanted };
      checkMayCreate(call, all, days);
      const prepared = preparedChannel(all, groupSettings(call, all), days);
      const [channel] = createChannels(call, forgetful(call, prepared), [{ name, description }]);
      if (channel === undefined) throw new Error("a channel was not created");
      const people = membersByPrincipals(state, subscribers);
      subscribe(call, people, [channel]);
      if (people.length > 0) {
        if (announced) announce(call, [channel]);
        noticeCreated(call, channel);
      }
      return { id: channel.stream_id };
    },
  }),
  defineEndpoint("POST /default_streams", {
    who: ["administrator"],
    params: { stream_id: required(json(int())) },
    handler(call, { stream_id }) {
      const channel = accessibleChannel(call, stream_id, "content");
      if (channel.invite_only) throw new ApiError("Private channels cannot be made default.");
      addDefault(call, channel);
    },
  }),
  defineEndpoint("DELETE /default_streams", {
    who: ["administrator"],
    params: { stream_id: required(json(int())) },
    handler(call, { stream_id }) {
      removeDefault(call, accessibleChannel(call, stream_id, "metadata"));
    },
  }),
  // The topics of a channel in which the caller sees messages, the latest first; each has the name that its last message uses.
  defineEndpoint("GET /users/me/{stream_id}/topics", {
    params: { allow_empty_topic_name: withDefault(json(bool), false, { level: 334 }) },
    handler(call, { stream_id, allow_empty_topic_name }) {
      const { state, user } = call;
      accessibleChannel(call, stream_id, "content", call.level >= 480);
      const topics = new Map<string, { name: string; max_id: number }>();
      for (const message of rows(state.messages)) {
        if (message.channel_id !== stream_id || !seesMessage(state, user, message)) continue;
        const name = shownTopic(state, message.topic, allow_empty_topic_name);
        topics.set(message.topic.toLowerCase(), { name, max_id: message.id });
      }
      return { topics: [...topics.values()].sort((a, b) => b.max_id - a.max_id) };
    },
  }),
  // The channel's e-mail address: a secret of the caller, and of the account as which the mail would be posted.
  defineEndpoint("GET /streams/{stream_id}/email_address", {
    level: 226,
    params: { sender_id: optional(json(int({ min: 0 })), { level: 335 }) },
    handler(call, { stream_id, sender_id }) {
      const { state, user, server } = call;
      const channel = accessibleChannel(call, stream_id, "content");
      // In which words a server refuses this is not known.
      if (call.level >= 448) checkSendPermission(call, user, channel);
      const sender = sender_id === undefined ? undefined : state.users[sender_id];
      const isOwn = sender?.user_id === user.user_id;
      if (sender_id !== undefined && !isOwn && sender?.is_system_bot !== true) {
        if (sender?.is_bot !== true) throw new ApiError("No such bot");
        if (!isAdmin(user) && sender.bot_owner_id !== user.user_id) throw new ApiError("Insufficient permission");
      }
      const secret = `${server.keyOf(user.user_id)} ${stream_id} ${sender_id ?? ""}`;
      const token = createHash("sha256").update(secret).digest("hex").slice(0, 32);
      const name = slug(channel.name);
      return { email: `${name === "" ? "" : `${name}.`}${token}.show-sender@${new URL(server.url).hostname}` };
    },
  }),
];

/** Whether the request asks for the channel: each flag adds channels. */
function isAskedFor({ state, user }: Call, channel: Channel, flags: Args<typeof listFlags>): boolean {
  const id = channel.stream_id;
  return (
    (flags.include_subscribed && isSubscribed(state, id, user.user_id)) ||
    (flags.include_public && !channel.invite_only && !isGuest(user)) ||
    (flags.include_web_public && channel.is_web_public && !channel.is_archived) ||
    (flags.include_owner_subscribed && user.bot_owner_id !== null && isSubscribed(state, id, user.bot_owner_id)) ||
    (flags.include_can_access_content && hasContentAccess(state, user, channel))
  );
}

/**
 * This route checks three of the settings and then drops them (§3.3): at least up to 509. The level of the correction (gh#39951) is unknown, so no
 * level has it here.
 */
function forgetful<Settings extends Pick<Channel, (typeof FORGOTTEN)[number]>>(
  { state }: Call,
  prepared: Settings,
): Settings {
  const everyone = systemGroup(state, "role:everyone").id;
  const nobody = systemGroup(state, "role:nobody").id;
  return {
    ...prepared,
    can_create_topic_group: everyone,
    can_delete_any_message_group: nobody,
    can_delete_own_message_group: nobody,
  };
}
const FORGOTTEN = ["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"] as const;

/** Names that cannot be written in plain letters are omitted. */
function slug(name: string): string {
  const hyphened = name.replace(/[^\p{L}\p{N}_]+/gu, "-");
  const plain = hyphened
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .toLowerCase()
    .replace(/^[-_]+|[-_]+$/g, "");
  return [...plain].length === [...hyphened].length ? plain : "";
}
