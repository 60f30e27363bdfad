import {
  all,
  anything,
  either,
  flag,
  int,
  type Keys,
  list,
  maybe,
  object,
  orNull,
  since,
  someOf,
  table,
  text,
  tuple,
  word,
} from "./shape.ts";

/** The objects of the contract (zulip-api.md, api.md): the parts of answers and events. */

export const ids = list(int);
export const group = either(int, object({ direct_members: ids, direct_subgroups: ids }));
const role = word(100, 200, 300, 400, 600);

/** §3.1 */
export const channelKeys: Keys = {
  stream_id: int,
  ...all("name description rendered_description", text),
  ...all("invite_only is_web_public history_public_to_subscribers is_announcement_only is_archived", flag),
  ...all("creator_id first_message_id message_retention_days stream_weekly_traffic", orNull(int)),
  date_created: int,
  stream_post_policy: word(1, 2, 3, 4),
  is_recently_active: since(323, flag),
  subscriber_count: since(394, int),
  folder_id: since(389, orNull(int)),
  topics_policy: since(392, word("inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only")),
  default_push_notifications: since(507, flag),
  can_remove_subscribers_group: since(320, group),
  can_administer_channel_group: since(325, group),
  can_send_message_group: since(333, group),
  can_add_subscribers_group: since(342, group),
  can_subscribe_group: since(357, group),
  can_move_messages_out_of_channel_group: since(396, group),
  can_move_messages_within_channel_group: since(396, group),
  can_resolve_topics_group: since(402, group),
  can_delete_any_message_group: since(407, group),
  can_delete_own_message_group: since(407, group),
  can_create_topic_group: since(441, group),
};
const ownFlags =
  "audible_notifications desktop_notifications email_notifications push_notifications wildcard_mentions_notify";
export const channel = object({
  ...channelKeys,
  is_default: maybe(flag),
  subscribers: maybe(ids),
  partial_subscribers: maybe(ids),
});
/** §5: the channel and one's own settings for it. */
export const subscription = object({
  ...channelKeys,
  color: text,
  ...all("is_muted in_home_view pin_to_top", flag),
  ...all(ownFlags, orNull(flag)),
  subscribers: maybe(ids),
  partial_subscribers: maybe(ids),
});

/** §10.2 */
export const userGroup = object({
  id: int,
  ...all("name description", text),
  members: ids,
  direct_subgroup_ids: ids,
  is_system_group: flag,
  deactivated: flag,
  ...all("creator_id date_created", orNull(int)),
  can_mention_group: group,
  can_manage_group: since(283, group),
  can_add_members_group: since(305, group),
  can_join_group: since(301, group),
  can_leave_group: since(308, group),
  can_remove_members_group: since(324, group),
});

/** §1.3; `is_active` only if the list itself does not imply it. */
const profileData = table(object({ value: anything, rendered_value: maybe(text) }), /^\d+$/);
const userKeys: Keys = {
  user_id: int,
  ...all("email full_name timezone date_joined", text),
  delivery_email: orNull(text),
  role,
  ...all("is_admin is_owner is_guest is_bot", flag),
  is_billing_admin: since(0, flag, 363),
  is_imported_stub: since(433, flag),
  is_deleted: maybe(since(490, flag)),
  avatar_url: orNull(text),
  avatar_version: int,
  bot_type: maybe(orNull(word(1, 2, 3, 4))),
  bot_owner_id: maybe(orNull(int)),
  is_system_bot: maybe(flag),
  profile_data: maybe(profileData),
};
export const user = object({ ...userKeys, is_active: flag });
export const listedUser = object({ ...userKeys, is_active: maybe(flag) });
export const ownUser = { ...userKeys, is_active: flag, max_message_id: int };

const clientState: Keys = { status: word("active", "idle", "offline"), timestamp: int };
const website = object({ client: text, ...clientState, pushable: flag });
/** By id in the modern form, by address in the older one. */
export const presences = table(
  either(
    object({ active_timestamp: int, idle_timestamp: int }),
    object({ aggregated: object({ client: text, ...clientState }), website }),
  ),
);
export const presenceOfOne = object({ aggregated: object(clientState), website: object(clientState) });
export const changedPresence = object({ website });

const botDefaults: Keys = {
  default_sending_stream: orNull(text),
  default_events_register_stream: orNull(text),
  default_all_public_streams: flag,
};
const service = either(
  object({ base_url: text, interface: word(1, 2), token: text }),
  // Changes contain only the configuration.
  object({ config_data: table(text), service_name: maybe(text) }),
);
/** §2.2 and §18: as those who may administer it see it. */
const botKeys: Keys = {
  user_id: int,
  ...all("email full_name api_key avatar_url", since(0, text, 474)),
  bot_type: since(0, word(1, 2, 3, 4), 474),
  is_active: since(0, flag, 474),
  ...botDefaults,
  owner_id: since(0, orNull(int), 474),
  services: list(service),
};
export const bot = object(botKeys);
export const botChange = object({ ...someOf(botKeys), user_id: int });
export const ownBot = object({
  ...all("username full_name avatar_url", text),
  // Not sent from that level on.
  api_key: since(0, text, 474),
  ...botDefaults,
});
export const madeBot = { user_id: int, ...all("api_key avatar_url", text), ...botDefaults };
export const changedBot = {
  ...all("full_name avatar_url", text),
  bot_owner: maybe(text),
  ...botDefaults,
  service_interface: orNull(int),
  service_payload_url: orNull(text),
  config_data: orNull(anything),
};

export const folder = object({
  id: int,
  ...all("name description rendered_description", text),
  order: since(414, int),
  creator_id: orNull(int),
  date_created: int,
  is_archived: flag,
});
export const linkifier = object({
  id: int,
  ...all("pattern url_template", text),
  example_input: since(471, orNull(text)),
  reverse_template: since(471, orNull(text)),
  alternative_url_templates: since(478, list(text)),
});
export const domain = object({ domain: text, allow_subdomains: flag });
export const view = object({ fragment: text, is_pinned: flag, name: orNull(text) });
export const playground = object({ id: int, ...all("name pygments_language url_template", text) });
export const emoji = table(
  object({ ...all("id name source_url", text), still_url: orNull(text), deactivated: flag, author_id: orNull(int) }),
  /^\d+$/,
);
export const profileField = object({
  id: int,
  ...all("name hint field_data", text),
  type: word(1, 2, 3, 4, 5, 6, 7, 8),
  order: int,
  required: flag,
  editable_by_user: since(296, flag),
  display_in_profile_summary: maybe(flag),
  use_for_user_matching: maybe(flag),
});
export const defaultGroup = object({
  id: int,
  ...all("name description", text),
  streams: list(either(int, channel)),
});
/** §9.1; a link has no address, and does not say whom it notifies. */
export const invite = either(
  object({
    id: int,
    is_multiuse: flag,
    email: text,
    ...all("invited_by_user_id invited", int),
    expiry_date: orNull(int),
    invited_as: int,
    notify_referrer_on_join: flag,
  }),
  object({
    id: int,
    is_multiuse: flag,
    link_url: text,
    ...all("invited_by_user_id invited", int),
    expiry_date: orNull(int),
    invited_as: int,
  }),
);

const attachmentMessage = object({ id: int, date_sent: int });
export const attachment = object({
  ...all("id size create_time", int),
  ...all("name path_id", text),
  messages: since(0, list(attachmentMessage), 472),
  message_ids: since(472, ids),
});
export const status = object({
  away: maybe(flag),
  ...all("status_text emoji_name emoji_code reaction_type", maybe(text)),
});
export const draft = object({
  ...all("id timestamp", int),
  type: word("", "stream", "private"),
  to: ids,
  ...all("topic content", text),
});
export const scheduled = object({
  ...all("scheduled_message_id scheduled_delivery_timestamp", int),
  to: either(int, ids),
  type: word("stream", "private"),
  ...all("content rendered_content", text),
  topic: maybe(text),
  failed: flag,
});
export const reminder = object({
  ...all("reminder_id scheduled_delivery_timestamp reminder_target_message_id", int),
  to: ids,
  type: word("private"),
  ...all("content rendered_content", text),
  failed: flag,
});

const person = object({ id: int, ...all("email full_name", text), is_mirror_dummy: flag });
const edit = object({
  user_id: orNull(int),
  timestamp: int,
  ...all("prev_content prev_rendered_content topic prev_topic", maybe(text)),
  ...all("stream prev_stream", maybe(int)),
});
const reaction = object({
  ...all("emoji_name emoji_code reaction_type", text),
  user_id: int,
  user: maybe(object({ id: int, ...all("email full_name", text), is_mirror_dummy: maybe(flag) })),
});
const FLAGS =
  "read starred collapsed mentioned stream_wildcard_mentioned topic_wildcard_mentioned group_mentioned force_expand force_collapse has_alert_word historical wildcard_mentioned";
export const flags = list(word(...FLAGS.split(" ")));
export const submessage = object({ ...all("id message_id sender_id", int), ...all("msg_type content", text) });
/** api.md, Message object. */
export const messageKeys: Keys = {
  ...all("id sender_id recipient_id timestamp", int),
  ...all("content client subject sender_full_name sender_email sender_realm_str", text),
  content_type: word("text/html", "text/x-markdown"),
  topic_links: list(object({ text, url: text })),
  is_me_message: flag,
  reactions: list(reaction),
  submessages: list(submessage),
  display_recipient: either(text, list(person)),
  type: word("stream", "private"),
  stream_id: maybe(int),
  avatar_url: orNull(text),
  edit_history: maybe(list(edit)),
  last_edit_timestamp: maybe(int),
  last_moved_timestamp: maybe(since(365, int)),
};
export const message = object(messageKeys);
export const readMessage = object({ ...messageKeys, flags, ...all("match_content match_subject", maybe(text)) });
/** One step of GET /messages/{id}/history. */
export const historyEntry = object({
  ...all("topic", text),
  timestamp: int,
  user_id: orNull(int),
  ...all("content rendered_content prev_content prev_rendered_content content_html_diff prev_topic", maybe(text)),
  ...all("stream prev_stream", maybe(int)),
});
export const userTopic = object({
  ...all("stream_id visibility_policy last_updated", int),
  topic_name: text,
});
export const mutedTopics = list(tuple(text, text, int));
export const mutedUser = object({ ...all("id timestamp", int) });
export const unread = object({
  pms: list(object({ ...all("other_user_id sender_id", int), unread_message_ids: ids })),
  streams: list(object({ stream_id: int, topic: text, unread_message_ids: ids })),
  huddles: list(object({ user_ids_string: text, unread_message_ids: ids })),
  mentions: ids,
  count: int,
  old_unreads_missing: flag,
});
