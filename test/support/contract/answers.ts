import { event } from "./events.ts";
import * as of from "./objects.ts";
import { realmKeys, realmSettings, userDefaults, userSettings } from "./settings.ts";
import {
  all,
  anything,
  either,
  flag,
  int,
  type Keys,
  type Look,
  list,
  maybe,
  number,
  object,
  orNull,
  type Shape,
  since,
  someOf,
  table,
  text,
  tuple,
  word,
} from "./shape.ts";

/**
 * Successful answers by operation, besides `result`, `msg` and `ignored_parameters_unsupported`; operations that are not listed return nothing else.
 */
const { ids } = of;
const names = list(text);
const namesByUser = table(names, /^\d+$/);
const added: Keys = {
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  new_subscription_messages_sent: maybe(since(397, flag)),
  unauthorized: maybe(names),
};
const removed: Keys = { removed: names, not_removed: names };
const id = { id: int };
const range: Keys = {
  messages: list(of.readMessage),
  ...all("found_anchor found_oldest found_newest history_limited", flag),
  anchor: maybe(int),
};
const marked = { ignored_because_not_subscribed_channels: maybe(since(355, ids)) };

/** POST /register: each fetch type adds its keys (§2.2). */
const state: Keys = {
  alert_words: names,
  custom_profile_fields: list(of.profileField),
  custom_profile_field_types: table(object({ id: int, name: text })),
  onboarding_steps: list(object({ type: text, name: text })),
  navigation_tour_video_url: orNull(text),
  max_message_id: int,
  saved_snippets: list(anything),
  navigation_views: since(390, list(of.view)),
  drafts: list(of.draft),
  scheduled_messages: list(of.scheduled),
  reminders: since(399, list(of.reminder)),
  muted_topics: of.mutedTopics,
  muted_users: list(of.mutedUser),
  presences: of.presences,
  presence_last_update_id: int,
  server_timestamp: number,
  realm_user_groups: list(of.userGroup),
  realm_user_settings_defaults: userDefaults,
  realm_domains: list(of.domain),
  realm_emoji: of.emoji,
  realm_linkifiers: list(of.linkifier),
  realm_filters: list(anything),
  realm_playgrounds: list(of.playground),
  realm_billing: object({ has_pending_sponsorship_request: flag }),
  cross_realm_bots: list(of.user),
  ...all("realm_users realm_non_active_users", list(of.listedUser)),
  ...all("avatar_source email delivery_email full_name", text),
  ...all("avatar_url avatar_url_medium", orNull(text)),
  ...all(
    "can_create_private_streams can_create_public_streams can_create_web_public_streams can_create_streams can_invite_others_to_realm " +
      "is_admin is_owner is_moderator is_guest",
    flag,
  ),
  user_id: int,
  realm_bots: list(of.bot),
  realm_embedded_bots: list(object({ name: text, config: table(text) })),
  realm_incoming_webhook_bots: list(table(anything)),
  ...all("subscriptions unsubscribed", list(of.subscription)),
  never_subscribed: list(of.channel),
  channel_folders: since(389, list(of.folder)),
  starred_messages: ids,
  streams: list(of.channel),
  stop_words: names,
  realm_default_streams: either(ids, list(of.channel)),
  realm_default_stream_groups: list(of.defaultGroup),
  user_settings: userSettings,
  user_status: table(of.status, /^\d+$/),
  user_topics: list(of.userTopic),
  has_zoom_token: flag,
  ...all("giphy_api_key tenor_api_key", text),
  push_devices: since(406, table(anything)),
  unread_msgs: of.unread,
  recent_private_conversations: list(object({ max_message_id: int, user_ids: ids })),
};
const register: Keys = {
  queue_id: text,
  last_event_id: int,
  ...all("zulip_version zulip_merge_base", text),
  zulip_feature_level: int,
  idle_queue_timeout_secs: since(481, int),
  // The sandbox's own: the organization that it was made from.
  realmctl_sandbox_of: maybe(text),
  ...someOf(state),
  ...someOf(realmSettings),
};

const SUCCESSES: { readonly [operation: string]: Keys } = {
  "GET /server_settings": {
    authentication_methods: table(flag),
    external_authentication_methods: list(anything),
    ...all("zulip_version zulip_merge_base realm_url realm_uri realm_name realm_icon realm_description", text),
    zulip_feature_level: int,
    ...all(
      "push_notifications_enabled is_incompatible email_auth_enabled require_email_format_usernames realm_web_public_access_enabled",
      flag,
    ),
  },
  "GET /events": { events: list(event), queue_id: maybe(text) },
  "POST /register": register,
  "GET /channel_folders": { channel_folders: list(of.folder) },
  "POST /channel_folders/create": { channel_folder_id: int },
  "POST /user_uploads": { ...all("uri url", text), filename: maybe(text) },
  "GET /user_uploads/{realm_id:str}/{filename:path}": { url: text },
  "GET /attachments": { attachments: list(of.attachment), upload_space_used: int },
  "GET /streams": { streams: list(of.channel) },
  "GET /streams/{stream_id}": { stream: of.channel },
  "GET /streams/{stream_id}/members": { subscribers: ids },
  "GET /get_stream_id": { stream_id: int },
  "POST /channels/create": id,
  "GET /users/me/{stream_id}/topics": { topics: list(object({ name: text, max_id: int })) },
  "GET /streams/{stream_id}/email_address": { email: text },
  "GET /users/me/subscriptions": { subscriptions: list(of.subscription) },
  "POST /users/me/subscriptions": added,
  "PATCH /users/me/subscriptions": { ...added, ...removed },
  "DELETE /users/me/subscriptions": removed,
  "GET /user_groups": { user_groups: list(of.userGroup) },
  "POST /user_groups/create": { group_id: maybe(int) },
  "GET /user_groups/{group_id}/members": { members: ids },
  "GET /user_groups/{group_id}/members/{user_id}": { is_user_group_member: flag },
  "GET /user_groups/{group_id}/subgroups": { subgroups: ids },
  "GET /users": { members: list(of.user) },
  "GET /users/me": of.ownUser,
  "GET /users/{user_id}": { user: of.user },
  "GET /users/{email:str}": { user: of.user },
  "GET /users/{user_id}/channels": { subscribed_channel_ids: ids },
  "GET /users/{user_id}/subscriptions/{stream_id}": { is_subscribed: flag },
  "POST /users/me/avatar": { avatar_url: text },
  "DELETE /users/me/avatar": { avatar_url: text },
  "GET /bots": { bots: list(of.ownBot) },
  "POST /bots": of.madeBot,
  "PATCH /bots/{bot_id}": of.changedBot,
  "GET /bots/{bot_id}/api_key": { api_key: text },
  "GET /users/me/alert_words": { alert_words: names },
  "POST /users/me/alert_words": { alert_words: names },
  "DELETE /users/me/alert_words": { alert_words: names },
  "GET /bot_storage": { storage: table(text) },
  "POST /fetch_api_key": { ...all("api_key email", text), user_id: int },
  "GET /realm/presence": { presences: of.presences, server_timestamp: number },
  "GET /users/{who:str}/presence": { presence: of.presenceOfOne },
  "POST /users/me/presence": {
    presences: maybe(of.presences),
    server_timestamp: maybe(number),
    presence_last_update_id: maybe(int),
  },
  "POST /bots/{bot_id}/api_key/regenerate": { api_key: text },
  "GET /realm/domains": { domains: list(of.domain) },
  "POST /realm/domains": { new_domain: tuple(int, text) },
  "GET /realm/emoji": { emoji: of.emoji },
  "GET /invites": { invites: list(of.invite) },
  "POST /invites/multiuse": { invite_link: text },
  "GET /realm/linkifiers": { linkifiers: list(of.linkifier) },
  "POST /realm/filters": id,
  "GET /messages": range,
  "GET /messages/{message_id}": { message: of.readMessage, raw_content: text },
  "GET /messages/{message_id}/history": { message_history: list(of.historyEntry) },
  "POST /messages": { ...id, automatic_new_visibility_policy: maybe(int) },
  "POST /messages/render": { rendered: text },
  "PATCH /messages/{message_id}": { detached_uploads: list(of.attachment) },
  "POST /mark_all_as_read": { complete: maybe(flag) },
  "POST /messages/flags": { messages: ids, ...marked },
  "POST /messages/flags/narrow": {
    ...all("processed_count updated_count", int),
    ...all("first_processed_id last_processed_id", orNull(int)),
    ...all("found_oldest found_newest", flag),
    ...marked,
  },
  "GET /messages/{message_id}/read_receipts": { user_ids: ids },
  "GET /users/{user_id}/status": { status: of.status },
  "GET /scheduled_messages": { scheduled_messages: list(of.scheduled) },
  "POST /scheduled_messages": { scheduled_message_id: int },
  "GET /reminders": { reminders: list(of.reminder) },
  "POST /reminders": { reminder_id: int },
  "GET /drafts": { count: int, drafts: list(of.draft) },
  "POST /drafts": { ids },
  "GET /navigation_views": { navigation_views: list(of.view) },
  "POST /realm/playgrounds": id,
  "GET /realm/profile_fields": { custom_fields: list(of.profileField) },
  "POST /realm/profile_fields": id,
  // Changed values, some of them as the server stores them and not as it shows them.
  "PATCH /realm": {
    ...someOf(realmKeys),
    ...all("topics_policy message_edit_history_visibility_policy", maybe(int)),
    authentication_methods: maybe(table(either(flag, int))),
  },
  "POST /realm/icon": { icon_url: text },
  "DELETE /realm/icon": { icon_url: text },
  "POST /realm/test_welcome_bot_custom_message": { message_id: int },
};
const envelope: Keys = { result: word("success"), msg: word(""), ignored_parameters_unsupported: maybe(names) };
const successes = new Map(
  Object.entries(SUCCESSES).map(([operation, keys]) => [operation, object({ ...envelope, ...keys })]),
);
const plainSuccess = object(envelope);
/** If one setting of the realm is there, all are. */
const wholeRealm = object({ ...envelope, ...register, ...realmSettings });

/** Fields besides `result`, `msg` and `code`, by code (§13.3). */
const ERRORS: { readonly [code: string]: Keys } = {
  AUTHENTICATION_FAILED: {},
  PASSWORD_AUTH_DISABLED: {},
  USER_DEACTIVATED: {},
  // The sandbox's own: what only real servers have.
  NOT_IN_SANDBOX: { documentation: text },
  BAD_REQUEST: someOf({ parameters: text, errors: table(list(text)), empty_topic_display_name: text }),
  UNAUTHORIZED: {},
  UNAUTHORIZED_PRINCIPAL: {},
  REQUEST_VARIABLE_MISSING: { var_name: text },
  REQUEST_VARIABLE_INVALID: { var_name: text, bad_value: either(text, number) },
  REQUEST_CONFUSING_VAR: { ...all("var_name1 var_name2", text) },
  EXPECTATION_MISMATCH: { field_name: text },
  SYSTEM_GROUP_REQUIRED: { setting_name: text },
  CHANNEL_ALREADY_EXISTS: { channel_name: text },
  STREAM_DOES_NOT_EXIST: someOf({ stream: text, stream_id: int }),
  CANNOT_DEACTIVATE_GROUP_IN_USE: { objections: list(table(anything)) },
  CANNOT_DEACTIVATE_LAST_USER: { is_last_owner: flag, entity: text },
  INVITATION_FAILED: {
    errors: list(tuple(text, text, flag)),
    ...all("sent_invitations license_limit_reached daily_limit_reached", flag),
  },
  BAD_EVENT_QUEUE_ID: { queue_id: text },
  BAD_IMAGE: {},
  BAD_NARROW: { desc: text },
  REACTION_ALREADY_EXISTS: {},
  REACTION_DOES_NOT_EXIST: {},
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {},
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {},
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    first_message_id_allowed_to_move: orNull(int),
    ...all("total_messages_in_topic total_messages_allowed_to_move", int),
  },
  NO_ACTIVE_PUSH_DEVICE: {},
  RATE_LIMIT_HIT: { "retry-after": number },
};
const error = { result: word("error"), msg: text };
const errors = new Map(
  Object.entries(ERRORS).map(([code, keys]) => [code, object({ ...error, code: word(code), ...keys })]),
);
/** 405 and 500 have no code. */
const withoutCode = object({ ...error, allowed_methods: maybe(names) });

export interface Answered {
  /** Spelt as in the operations: `PATCH /streams/{stream_id}` */
  readonly operation: string;
  readonly level: number;
  readonly status: number;
  /** A text answer is a page. */
  readonly body: unknown;
}

/** Where an answer differs from the contract; empty if it does not. */
export function deviations({ operation, level, status, body }: Answered): readonly string[] {
  if (typeof body === "string") return [];
  const look: Look = { level, problems: [] };
  shapeOf(operation, status, Object(body))(body, operation, look);
  return look.problems;
}
function shapeOf(
  operation: string,
  status: number,
  body: { readonly code?: unknown; readonly realm_url?: unknown },
): Shape {
  if (status === 200) {
    if (operation === "POST /register" && body.realm_url !== undefined) return wholeRealm;
    return successes.get(operation) ?? plainSuccess;
  }
  if (body.code === undefined && [405, 500].includes(status)) return withoutCode;
  const shape = errors.get(String(body.code));
  return shape ?? ((_, at, look) => void look.problems.push(`${at}: the contract has no code ${body.code}`));
}
/** Operations with an answer of their own. */
export const OPERATIONS: readonly string[] = Object.keys(SUCCESSES);
