import type { Json, JsonObject } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import {
  hasMetadataAccess,
  isAdmin,
  isGuest,
  isModerator,
  isOwner,
  isSubscribed,
  mayInRealm,
  realmGroup,
} from "../access.ts";
import type { Call } from "../call.ts";
import { shownFolders } from "../channel-folders/endpoints.ts";
import { shownDefaultGroups } from "../channels/default-groups.ts";
import {
  byName,
  type SubscribersWish,
  shownChannel,
  shownDefaultChannels,
  shownSubscribers,
  shownSubscription,
  shownValue,
} from "../channels/shown.ts";
import { NEW_SUBSCRIPTION, ratingOptionsAt } from "../defaults.ts";
import { shownDrafts } from "../drafts.ts";
import { shownEmoji } from "../emoji.ts";
import { shownLinkifiers } from "../linkifiers/endpoints.ts";
import { counts, isMention } from "../messages/flags.ts";
import { topicFor } from "../messages/topics.ts";
import { decidedTopics, mutedTopics } from "../messages/user-topics.ts";
import { shownOtherRights } from "../other-rights.ts";
import { REALM_PERMISSIONS, supportedPermissions } from "../permissions.ts";
import { alertWordsOf } from "../personal-data.ts";
import { shownPlaygrounds } from "../playgrounds.ts";
import { presences, shownStatus } from "../presence.ts";
import { externalAccounts, shownProfileFields } from "../profile/profile.ts";
import { olderValues, realmParams, realmSettingAt } from "../realm-settings/params.ts";
import { shownReminders } from "../reminders.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { shownScheduledMessages } from "../scheduled.ts";
import { type RealmState, settingsOf } from "../state.ts";
import { shownGroups } from "../user-groups/rules.ts";
import { existsAt, RECENT_RENAMED } from "../user-settings/table.ts";
import { mediumUrl } from "../users/avatar.ts";
import { INTEGRATIONS } from "../users/bots.ts";
import { lastMessageId, mayKnowOf, members, shownUser } from "../users/shown.ts";
import { shownBot } from "../users/shown-bots.ts";

/** The server's own lists, which clients get when they register; a recorded realm can have its own. */

/** Words that searches ignore. */
const STOP_WORDS: readonly string[] = words(
  "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself",
  "it its itself they them their theirs themselves what which who whom this that these those am is are was were be",
  "been being have has had having do does did doing a an the and but if or because as until while of at by for with",
  "about against between into through during before after above below to from up down in out on off over under",
  "again further then once here there when where why how all any both each few more most other some such no nor not",
  "only own same so than too very s t can will just don should now",
);

/** Hints that the web app shows each person once; in a sandbox nobody has seen any of them. */
const ONBOARDING_STEPS: readonly JsonObject[] = words(
  "visibility_policy_banner intro_inbox_view_modal intro_recent_view_modal first_stream_created_banner",
  "jump_to_conversation_banner non_interleaved_view_messages_fading interleaved_view_messages_fading",
  "intro_resolve_topic navigation_tour_video",
).map((name) => ({ type: "one_time_notice", name }));

/** The services for which incoming webhook bots can be created. Their display names belong to the server, and are not known here. */
const WEBHOOK_BOTS: readonly JsonObject[] = [...INTEGRATIONS].map((name) => ({
  name,
  display_name: name,
  all_event_types: null,
  config_options: [],
  url_options: [],
}));

/** A part of the state, under the fetch type that includes it (zulip-api.md §2.2). `unread_msgs` belongs to two types. */
export const STATE_PARTS: { readonly [type: string]: (asked: Asked) => JsonObject } = {
  alert_words: ({ call }) => alertWordsOf(call.user),
  custom_profile_fields: ({ call: { state, level } }) => ({
    custom_profile_fields: shownProfileFields(state, level),
    custom_profile_field_types: state.server.custom_profile_field_types ?? {},
  }),
  onboarding_steps: ({ call: { state } }) => ({
    onboarding_steps: ONBOARDING_STEPS,
    ...fact(state.server, "navigation_tour_video_url"),
  }),
  stop_words: ({ call: { state } }) => ({ stop_words: state.server.stop_words ?? STOP_WORDS }),
  message: ({ call: { state, user } }) => ({ max_message_id: lastMessageId(state, user.user_id) }),
  saved_snippets: () => ({ saved_snippets: [] }),
  navigation_views: ({ call: { state, user } }) => ({
    navigation_views: (state.navigation_views[user.user_id] ?? []).map((view) => ({ ...view })),
  }),
  // The newest edit first, unlike GET /drafts.
  drafts: ({ call: { state, user } }) => ({ drafts: shownDrafts(state, user).reverse() }),
  scheduled_messages: ({ call: { state, user } }) => ({ scheduled_messages: shownScheduledMessages(state, user) }),
  reminders: ({ call: { state, user } }) => ({ reminders: shownReminders(state, user) }),
  muted_topics: ({ call: { state, user }, ...client }) => ({ muted_topics: mutedTopics(state, user, client) }),
  muted_users: ({ call: { state, user } }) => ({
    muted_users: (state.muted_users[user.user_id] ?? []).map((muted) => ({ ...muted })),
  }),
  presence: ({ call, slimPresence: slim }) => {
    const { shown, last } = presences(call, { slim });
    return { presences: shown, presence_last_update_id: last, server_timestamp: call.server.clock.now() / 1000 };
  },
  realm_user_groups: ({ call, capabilities }) => ({
    realm_user_groups: shownGroups(call, capabilities.has("include_deactivated_groups")),
  }),
  realm: ({ call }) => realmFields(call),
  realm_user_settings_defaults: ({ call: { state, level } }) => ({
    realm_user_settings_defaults: shownSettings(state.user_settings_defaults, level),
  }),
  realm_domains: ({ call: { state } }) => ({ realm_domains: state.domains.map((domain) => ({ ...domain })) }),
  realm_emoji: ({ call: { state } }) => ({ realm_emoji: shownEmoji(state) }),
  realm_linkifiers: ({ call: { state, level }, capabilities }) => ({
    realm_linkifiers: capabilities.has("linkifier_url_template") ? shownLinkifiers(state, level) : [],
  }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_playgrounds: ({ call: { state } }) => ({ realm_playgrounds: shownPlaygrounds(state) }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_user: people,
  realm_bot: ({ call }) => ({ realm_bots: bots(call) }),
  realm_embedded_bots: ({ call: { state } }) => ({ realm_embedded_bots: state.realm.embedded_bots ?? [] }),
  realm_incoming_webhook_bots: ({ call: { state } }) => ({
    realm_incoming_webhook_bots: state.realm.incoming_webhook_bots ?? WEBHOOK_BOTS,
  }),
  subscription: subscriptions,
  channel_folders: ({ call }) => ({ channel_folders: shownFolders(call, true) }),
  starred_messages: ({ call: { state, user } }) => ({
    starred_messages: rows(state.messages)
      .filter((message) => message.flags[user.user_id]?.includes("starred") === true)
      .map((message) => message.id),
  }),
  stream: ({ call, capabilities }) => ({
    streams: rows(call.state.channels)
      .filter((channel) => capabilities.has("archived_channels") || !channel.is_archived)
      .filter((channel) => hasMetadataAccess(call.state, call.user, channel))
      .sort(byName)
      .map((channel) => shownChannel(call, channel)),
  }),
  default_streams: ({ call }) => ({ realm_default_streams: isGuest(call.user) ? [] : shownDefaultChannels(call) }),
  default_stream_groups: ({ call }) => ({
    realm_default_stream_groups: isGuest(call.user) ? [] : shownDefaultGroups(call),
  }),
  user_settings: ({ call: { state, user, level } }) => ({
    user_settings: shownSettings(settingsOf(state, user), level),
  }),
  user_status: ({ call }) => ({
    user_status: Object.fromEntries(
      members(call.state)
        .filter((user) => user.is_active && mayKnowOf(call.state, call.user, user))
        .map((user) => [String(user.user_id), { ...shownStatus(call, user.user_id) }] as const)
        .filter(([, status]) => Object.keys(status).length > 0),
    ),
  }),
  user_topic: ({ call: { state, user }, ...client }) => ({
    user_topics: decidedTopics(state, user).map((row) => ({
      ...row,
      topic_name: topicFor(state, client, row.topic_name),
    })),
  }),
  video_calls: () => ({ has_zoom_token: false }),
  giphy: ({ call: { state } }) => ({ giphy_api_key: "", ...fact(state.server, "tenor_api_key") }),
  push_device: () => ({ push_devices: {} }),
  unread_msgs: unread,
  recent_private_conversations: recentConversations,
};
/** The first feature level of the parts that the oldest supported level lacks. */
const LEVELS: { readonly [type: string]: number } = {
  channel_folders: 389,
  navigation_views: 390,
  reminders: 399,
  push_device: 406,
};

/** Whether an answer has a part. @param types the fetch types that the client names; undefined: all */
export function isWanted(part: string, level: number, types: ReadonlySet<string> | undefined): boolean {
  if (level < (LEVELS[part] ?? 0)) return false;
  if (types === undefined) return true;
  if (part === "muted_topics" && types.has("user_topic")) return false;
  // Without both kinds of events, a client could not keep the list up to date.
  if (part === "unread_msgs") return types.has("update_message_flags") && types.has("message");
  return types.has(part);
}

const fact = (facts: JsonObject, key: string): JsonObject => {
  const value: Json | undefined = facts[key];
  return value === undefined ? {} : { [key]: value };
};
function people({ call, capabilities, clientGravatar }: Asked): JsonObject {
  const { state, user, level } = call;
  const wish = { state, level, viewer: user, profile: true, clientGravatar };
  const shown = (list: readonly (typeof user)[]): JsonObject[] =>
    list.map((each) => shownUser({ ...wish, listSaysActive: true }, each));
  // Clients that can do without placeholders get none for people whom the caller may not know.
  const all = members(state).filter(
    (each) => !capabilities.has("user_list_incomplete") || mayKnowOf(state, user, each),
  );
  // The members of the group, without further checks: for guests among them, the list claims rights that each endpoint then refuses.
  const named = (setting: string): boolean => mayInRealm(state, user, setting, true);
  return {
    cross_realm_bots: rows(state.users)
      .filter((each) => each.is_system_bot)
      .map((each) => shownUser({ ...wish, profile: false }, each)),
    avatar_source: user.avatar_source,
    avatar_url_medium: mediumUrl(user.avatar_url),
    avatar_url: user.avatar_url,
    can_create_private_streams: named("can_create_private_channel_group"),
    can_create_public_streams: named("can_create_public_channel_group"),
    can_create_web_public_streams: named("can_create_web_public_channel_group"),
    can_create_streams:
      named("can_create_private_channel_group") ||
      named("can_create_public_channel_group") ||
      named("can_create_web_public_channel_group"),
    can_invite_others_to_realm: named("can_invite_users_group"),
    is_admin: isAdmin(user),
    is_owner: isOwner(user),
    is_moderator: isModerator(user),
    is_guest: isGuest(user),
    user_id: user.user_id,
    email: user.email,
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    realm_users: shown(all.filter((each) => each.is_active)),
    realm_non_active_users: shown(all.filter((each) => !each.is_active)),
  };
}

/** The bots that the caller may administer, each with its API key (§2.2). */
function bots(call: Call): JsonObject[] {
  const { state, user } = call;
  return members(state)
    .filter((bot) => bot.is_bot && (isAdmin(user) || bot.bot_owner_id === user.user_id))
    .map((bot) => shownBot(call, bot));
}

function subscriptions({ call, capabilities, subscribers }: Asked): JsonObject {
  const { state, user } = call;
  const lists: { subscriptions: JsonObject[]; unsubscribed: JsonObject[]; never_subscribed: JsonObject[] } = {
    subscriptions: [],
    unsubscribed: [],
    never_subscribed: [],
  };
  const withPeople = (channel: Channel, shown: JsonObject): JsonObject => ({
    ...shown,
    ...shownSubscribers(state, channel, subscribers),
  });
  const settled = (row: JsonObject): JsonObject =>
    capabilities.has("notification_settings_null") ? row : withoutNulls(row, settingsOf(state, user));
  for (const channel of rows(state.channels).sort(byName)) {
    if (channel.is_archived && !capabilities.has("archived_channels")) continue;
    const subscription = state.subscriptions[channel.stream_id]?.[user.user_id];
    if (isSubscribed(state, channel.stream_id, user.user_id))
      lists.subscriptions.push(
        withPeople(channel, settled(shownSubscription(call, channel, subscription ?? NEW_SUBSCRIPTION))),
      );
    else if (!hasMetadataAccess(state, user, channel)) continue;
    else if (subscription !== undefined)
      lists.unsubscribed.push(withPeople(channel, settled(shownSubscription(call, channel, subscription))));
    else lists.never_subscribed.push(withPeople(channel, shownChannel(call, channel)));
  }
  return lists;
}

/** Clients that do not know "same as my settings" get the resulting values (except for the wildcard setting). */
function withoutNulls(row: JsonObject, settings: JsonObject): JsonObject {
  const out: { [key: string]: Json } = { ...row };
  for (const name of ["audible", "desktop", "email", "push"])
    out[`${name}_notifications`] ??= settings[`enable_stream_${name}_notifications`] ?? false;
  return out;
}

/** Settings of an account, or a realm's defaults, as the level shows them: without settings that it does not know yet. */
function shownSettings(settings: JsonObject, level: number): JsonObject {
  const entries = Object.entries({ dense_mode: true, ...settings });
  const known = Object.fromEntries(entries.filter(([name]) => existsAt(name, level)));
  const view = settings.web_home_view;
  if (view !== "recent" && view !== "recent_topics") return known;
  return { ...known, web_home_view: level >= RECENT_RENAMED ? "recent" : "recent_topics" };
}

/** The things for which one call of POST /register asked. */
interface Asked {
  readonly call: Call;
  readonly capabilities: ReadonlySet<string>;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly subscribers: SubscribersWish;
}

/** `unread_msgs`: conversations with their unread messages. */
function unread({ call: { state, user }, capabilities }: Asked): JsonObject {
  const unreads = rows(state.messages).filter(
    (message) => message.received_by.includes(user.user_id) && message.flags[user.user_id]?.includes("read") !== true,
  );
  const topics = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>();
  const conversations = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>();
  const groups = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>();
  for (const message of unreads) {
    if (message.channel_id !== null) {
      const name = topicFor(state, { capabilities }, message.topic);
      const key = `${message.channel_id} ${name.toLowerCase()}`;
      const topic = topics.get(key) ?? { stream_id: message.channel_id, topic: name, unread_message_ids: [] };
      topic.unread_message_ids.push(message.id);
      topics.set(key, topic);
    } else if (message.to.length <= 2) {
      const other = message.to.find((id) => id !== user.user_id) ?? user.user_id;
      const conversation = conversations.get(other) ?? {
        other_user_id: other,
        sender_id: other,
        unread_message_ids: [],
      };
      conversation.unread_message_ids.push(message.id);
      conversations.set(other, conversation);
    } else {
      const user_ids_string = [...message.to].sort((a, b) => a - b).join();
      const group = groups.get(user_ids_string) ?? { user_ids_string, unread_message_ids: [] };
      group.unread_message_ids.push(message.id);
      groups.set(user_ids_string, group);
    }
  }
  return {
    unread_msgs: {
      pms: [...conversations.values()].sort((a, b) => a.other_user_id - b.other_user_id),
      streams: [...topics.values()].sort(
        (a, b) => a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1),
      ),
      huddles: [...groups.values()].sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
      mentions: unreads.filter((message) => isMention(state, user, message)).map((message) => message.id),
      count: unreads.filter((message) => counts(state, user, message)).length,
      old_unreads_missing: false,
    },
  };
}

/** Direct conversations, sorted by their last message; the caller is not listed among the people. */
function recentConversations({ call: { state, user } }: Asked): JsonObject {
  const last = new Map<string, { max_message_id: number; user_ids: number[] }>();
  for (const message of rows(state.messages)) {
    if (message.channel_id !== null || !message.received_by.includes(user.user_id)) continue;
    const user_ids = message.to.filter((id) => id !== user.user_id).sort((a, b) => a - b);
    last.set(user_ids.join(), { max_message_id: message.id, user_ids });
  }
  return { recent_private_conversations: [...last.values()] };
}

/** The feature levels of settings that are newer than the oldest supported level; all other settings always exist. */
const SETTING_LEVELS: { readonly [setting: string]: number } = {
  empty_topic_display_name: 334,
  owner_full_content_access: 442,
  ...Object.fromEntries(Object.entries(realmParams).map(([setting, { level }]) => [setting, level])),
  ...Object.fromEntries(Object.entries(REALM_PERMISSIONS).map(([setting, { level }]) => [setting, level])),
};
const FACT_LEVELS: { readonly [fact: string]: number } = {
  max_bulk_new_subscription_messages: 397,
  max_channel_folder_name_length: 410,
  max_channel_folder_description_length: 410,
  max_reminder_note_length: 415,
  server_report_message_types: 435,
};
/** Facts about the server that belong to other fetch types, or to all. */
const NOT_OF_REALM: ReadonlySet<string> = new Set(
  words(
    "custom_profile_field_types navigation_tour_video_url giphy_api_key tenor_api_key has_zoom_token",
    "zulip_feature_level stop_words",
  ),
);
/** Stored among the settings, but fetched as types of their own. */
const OTHER_TYPES = new Set(["embedded_bots", "incoming_webhook_bots", "billing"]);

/** The fetch type `realm` (zulip-api.md §2.3). */
function realmFields(call: Call): JsonObject {
  const { state, level, server } = call;
  const out: { [key: string]: Json } = {};
  for (const [setting, value] of Object.entries({ ...state.realm, ...derived(state, level) })) {
    if (OTHER_TYPES.has(setting) || level < (SETTING_LEVELS[setting] ?? 0)) continue;
    out[`realm_${realmSettingAt(level, setting)}`] =
      setting in REALM_PERMISSIONS ? shownValue(state, realmGroup(state, setting)) : value;
  }
  for (const [fact, value] of Object.entries(state.server))
    if (!NOT_OF_REALM.has(fact) && level >= (FACT_LEVELS[fact] ?? 0))
      out[fact === "gif_rating_options" ? ratingOptionsAt(level) : fact] = value;
  // If the realm has no value, this is the server's own URL.
  if (state.server.jitsi_server_url !== undefined)
    out.jitsi_server_url = state.realm.jitsi_server_url ?? state.server.server_jitsi_server_url ?? null;
  // The URL at which clients reach the sandbox now, not that of the recorded realm.
  Object.assign(out, { realm_url: server.url, realm_uri: server.url });
  // At its own URL, the sandbox does not present itself as another organization.
  if (state.server.realmctl_sandbox_of === server.url) delete out.realmctl_sandbox_of;
  const recordedUrl = state.realm.url;
  if (typeof recordedUrl === "string")
    for (const [key, value] of Object.entries(out))
      if (typeof value === "string" && value.startsWith(`${recordedUrl}/`))
        out[key] = call.server.url + value.slice(recordedUrl.length);
  for (const [setting, value] of Object.entries(shownOtherRights(state, "realm"))) out[`realm_${setting}`] = value;
  out.server_supported_permission_settings = {
    ...supportedPermissions(level, state.other_rights),
    ...state.other_scopes,
  };
  return out;
}

/** What depends on the level, and older names of newer settings: they appear in answers, but are never stored. */
function derived(state: RealmState, level: number): JsonObject {
  const { realm } = state;
  return {
    default_external_accounts: externalAccounts(state, level),
    ...olderValues(realm),
    create_public_stream_policy: policyNumber(state, "can_create_public_channel_group", CREATE_POLICY),
    create_private_stream_policy: policyNumber(state, "can_create_private_channel_group", CREATE_POLICY),
    create_web_public_stream_policy: policyNumber(state, "can_create_web_public_channel_group", WEB_PUBLIC_POLICY),
    wildcard_mention_policy: policyNumber(state, "can_mention_many_users_group", MENTION_POLICY),
  };
}

/** The numbers of an older setting; every other group, and every object, has the number of the largest group that the setting could have. */
interface Policy {
  readonly numbers: { readonly [group: string]: number };
  readonly otherwise: number;
}
const CREATE_POLICY: Policy = {
  numbers: { "role:members": 1, "role:administrators": 2, "role:fullmembers": 3, "role:moderators": 4 },
  otherwise: 1,
};
const WEB_PUBLIC_POLICY: Policy = {
  numbers: { "role:administrators": 2, "role:moderators": 4, "role:nobody": 6, "role:owners": 7 },
  otherwise: 4,
};
const MENTION_POLICY: Policy = {
  numbers: {
    "role:everyone": 1,
    "role:members": 2,
    "role:fullmembers": 3,
    "role:administrators": 5,
    "role:nobody": 6,
    "role:moderators": 7,
  },
  otherwise: 1,
};
function policyNumber(state: RealmState, setting: string, { numbers, otherwise }: Policy): number {
  const value = realmGroup(state, setting);
  const group = typeof value === "number" ? state.user_groups[value] : undefined;
  return (group?.is_system_group === true ? numbers[group.name] : undefined) ?? otherwise;
}
