import type { Json, JsonObject } from "../../model/json.ts";
import { hasMetadataAccess, isAdmin, isGuest, isModerator, isOwner, isSubscribed, mayInRealm } from "../access.ts";
import type { Call } from "../call.ts";
import { shownDefaultGroups } from "../channels/default-groups.ts";
import { byName, shownChannel, shownDefaultChannels, shownSubscribers, shownSubscription } from "../channels/shown.ts";
import { NEW_SUBSCRIPTION } from "../defaults.ts";
import { shownDrafts } from "../drafts.ts";
import { shownFolders } from "../folders/endpoints.ts";
import { shownLinkifiers } from "../linkifiers/endpoints.ts";
import { topicFor } from "../messages/topics.ts";
import { decidedTopics, mutedTopics } from "../messages/user-topics.ts";
import { alertWordsOf } from "../personal-data.ts";
import { shownPlaygrounds } from "../playgrounds.ts";
import { presences } from "../presence.ts";
import { shownProfileFields } from "../profile/fields.ts";
import { shownReminders } from "../reminders.ts";
import type { Channel } from "../rows/channels.ts";
import { rows } from "../rows/values.ts";
import { shownScheduledMessages } from "../scheduled.ts";
import { settingsOf } from "../state.ts";
import { shownStatus } from "../status.ts";
import { shownGroups } from "../user-groups/shown.ts";
import { existsAt, RECENT_RENAMED } from "../user-settings/table.ts";
import { mediumUrl } from "../users/avatar.ts";
import { shownBot } from "../users/bot-events.ts";
import { INTEGRATIONS } from "../users/integrations.ts";
import { lastMessageId, mayKnowOf, members, shownUser } from "../users/shown.ts";
import type { Asked } from "./asked.ts";
import { realmFields } from "./realm-fields.ts";
import { recentConversations, unread } from "./unread.ts";

/** The server's own lists, which clients get when they register; a recorded realm can have its own. */

/** Words that searches ignore. */
const STOP_WORDS: readonly string[] = (
  "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself " +
  "they them their theirs themselves what which who whom this that these those am is are was were be been being have has had " +
  "having do does did doing a an the and but if or because as until while of at by for with about against between into through " +
  "during before after above below to from up down in out on off over under again further then once here there when where why " +
  "how all any both each few more most other some such no nor not only own same so than too very s t can will just don should now"
).split(" ");

/** Hints that the web app shows each person once; in a sandbox nobody has seen any of them. */
const ONBOARDING_STEPS: readonly JsonObject[] = [
  "visibility_policy_banner",
  "intro_inbox_view_modal",
  "intro_recent_view_modal",
  "first_stream_created_banner",
  "jump_to_conversation_banner",
  "non_interleaved_view_messages_fading",
  "interleaved_view_messages_fading",
  "intro_resolve_topic",
  "navigation_tour_video",
].map((name) => ({ type: "one_time_notice", name }));

/** The services for which incoming webhook bots can be created. Their display names belong to the server, and are not known here. */
const WEBHOOK_BOTS: readonly JsonObject[] = [...INTEGRATIONS].map((name) => ({
  name,
  display_name: name,
  all_event_types: null,
  config_options: [],
  url_options: [],
}));

/** One part of the state, and the fetch types that include it (zulip-api.md §2.2): any one of them or, with `all`, only all of them together. */
export interface StatePart {
  readonly types: readonly string[];
  readonly all?: true;
  /** Omitted if this type is requested by name. */
  readonly unless?: string;
  readonly level?: number;
  readonly fields: (asked: Asked) => JsonObject;
}

export const STATE_PARTS: readonly StatePart[] = [
  { types: ["alert_words"], fields: ({ call }) => alertWordsOf(call.user) },
  {
    types: ["custom_profile_fields"],
    fields: ({ call: { state, level } }) => ({
      custom_profile_fields: shownProfileFields(state, level),
      custom_profile_field_types: state.server.custom_profile_field_types ?? {},
    }),
  },
  {
    types: ["onboarding_steps"],
    fields: ({ call: { state } }) => ({
      onboarding_steps: ONBOARDING_STEPS,
      ...fact(state.server, "navigation_tour_video_url"),
    }),
  },
  {
    types: ["stop_words"],
    fields: ({ call: { state } }) => ({ stop_words: state.server.stop_words ?? STOP_WORDS }),
  },
  {
    types: ["message"],
    fields: ({ call: { state, user } }) => ({ max_message_id: lastMessageId(state, user.user_id) }),
  },
  { types: ["saved_snippets"], fields: () => ({ saved_snippets: [] }) },
  {
    types: ["navigation_views"],
    level: 390,
    fields: ({ call: { state, user } }) => ({
      navigation_views: (state.navigation_views[user.user_id] ?? []).map((view) => ({ ...view })),
    }),
  },
  {
    types: ["drafts"],
    // The newest edit first, unlike GET /drafts.
    fields: ({ call: { state, user } }) => ({ drafts: shownDrafts(state, user).reverse() }),
  },
  {
    types: ["scheduled_messages"],
    fields: ({ call: { state, user } }) => ({ scheduled_messages: shownScheduledMessages(state, user) }),
  },
  {
    types: ["reminders"],
    level: 399,
    fields: ({ call: { state, user } }) => ({ reminders: shownReminders(state, user) }),
  },
  {
    types: ["muted_topics"],
    unless: "user_topic",
    fields: ({ call: { state, user }, ...client }) => ({ muted_topics: mutedTopics(state, user, client) }),
  },
  {
    types: ["muted_users"],
    fields: ({ call: { state, user } }) => ({
      muted_users: (state.muted_users[user.user_id] ?? []).map((muted) => ({ ...muted })),
    }),
  },
  {
    types: ["presence"],
    fields: ({ call, slimPresence: slim }) => {
      const { shown, last } = presences(call, { slim });
      return { presences: shown, presence_last_update_id: last, server_timestamp: call.server.clock.now() / 1000 };
    },
  },
  {
    types: ["realm_user_groups"],
    fields: ({ call, capabilities }) => ({
      realm_user_groups: shownGroups(call, capabilities.has("include_deactivated_groups")),
    }),
  },
  { types: ["realm"], fields: ({ call }) => realmFields(call) },
  {
    types: ["realm_user_settings_defaults"],
    fields: ({ call: { state, level } }) => ({
      realm_user_settings_defaults: shownSettings(state.user_settings_defaults, level),
    }),
  },
  {
    types: ["realm_domains"],
    fields: ({ call: { state } }) => ({ realm_domains: state.domains.map((domain) => ({ ...domain })) }),
  },
  {
    types: ["realm_emoji"],
    fields: ({ call: { state } }) => ({
      realm_emoji: Object.fromEntries(Object.entries(state.emoji).map(([id, emoji]) => [id, { ...emoji }])),
    }),
  },
  {
    types: ["realm_linkifiers"],
    fields: ({ call: { state, level }, capabilities }) => ({
      realm_linkifiers: capabilities.has("linkifier_url_template") ? shownLinkifiers(state, level) : [],
    }),
  },
  { types: ["realm_filters"], fields: () => ({ realm_filters: [] }) },
  {
    types: ["realm_playgrounds"],
    fields: ({ call: { state } }) => ({ realm_playgrounds: shownPlaygrounds(state) }),
  },
  {
    types: ["realm_billing"],
    fields: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  },
  { types: ["realm_user"], fields: people },
  { types: ["realm_bot"], fields: ({ call }) => ({ realm_bots: bots(call) }) },
  {
    types: ["realm_embedded_bots"],
    fields: ({ call: { state } }) => ({ realm_embedded_bots: state.realm.embedded_bots ?? [] }),
  },
  {
    types: ["realm_incoming_webhook_bots"],
    fields: ({ call: { state } }) => ({
      realm_incoming_webhook_bots: state.realm.incoming_webhook_bots ?? WEBHOOK_BOTS,
    }),
  },
  { types: ["subscription"], fields: subscriptions },
  {
    types: ["channel_folders"],
    level: 389,
    fields: ({ call }) => ({ channel_folders: shownFolders(call, true) }),
  },
  {
    types: ["starred_messages"],
    fields: ({ call: { state, user } }) => ({
      starred_messages: rows(state.messages)
        .filter((message) => message.flags[user.user_id]?.includes("starred") === true)
        .map((message) => message.id),
    }),
  },
  {
    types: ["stream"],
    fields: ({ call, capabilities }) => ({
      streams: rows(call.state.channels)
        .filter((channel) => capabilities.has("archived_channels") || !channel.is_archived)
        .filter((channel) => hasMetadataAccess(call.state, call.user, channel))
        .sort(byName)
        .map((channel) => shownChannel(call, channel)),
    }),
  },
  {
    types: ["default_streams"],
    fields: ({ call }) => ({ realm_default_streams: isGuest(call.user) ? [] : shownDefaultChannels(call) }),
  },
  {
    types: ["default_stream_groups"],
    fields: ({ call }) => ({ realm_default_stream_groups: isGuest(call.user) ? [] : shownDefaultGroups(call) }),
  },
  {
    types: ["user_settings"],
    fields: ({ call: { state, user, level } }) => ({ user_settings: shownSettings(settingsOf(state, user), level) }),
  },
  {
    types: ["user_status"],
    fields: ({ call }) => ({
      user_status: Object.fromEntries(
        members(call.state)
          .filter((user) => user.is_active && mayKnowOf(call.state, call.user, user))
          .map((user) => [String(user.user_id), { ...shownStatus(call, user.user_id) }] as const)
          .filter(([, status]) => Object.keys(status).length > 0),
      ),
    }),
  },
  {
    types: ["user_topic"],
    fields: ({ call: { state, user }, ...client }) => ({
      user_topics: decidedTopics(state, user).map((row) => ({
        ...row,
        topic_name: topicFor(state, client, row.topic_name),
      })),
    }),
  },
  { types: ["video_calls"], fields: () => ({ has_zoom_token: false }) },
  {
    types: ["giphy"],
    fields: ({ call: { state } }) => ({ giphy_api_key: "", ...fact(state.server, "tenor_api_key") }),
  },
  { types: ["push_device"], level: 406, fields: () => ({ push_devices: {} }) },
  // Without both kinds of events, a client could not keep the list up to date.
  { types: ["update_message_flags", "message"], all: true, fields: unread },
  { types: ["recent_private_conversations"], fields: recentConversations },
];

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
