import * as of from "./objects.ts";
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
  type Shape,
  since,
  someOf,
  table,
  text,
  word,
} from "./shape.ts";

/** Events by type and, if a type has several, by op (zulip-api.md §2.7, api.md). */
const { ids } = of;
const folderChange = object(someOf({ ...all("name description rendered_description", text), is_archived: flag }));
const groupChange = object(
  someOf({
    ...all("name description", text),
    deactivated: flag,
    ...all(
      "can_add_members_group can_join_group can_leave_group can_manage_group can_mention_group can_remove_members_group",
      of.group,
    ),
  }),
);
const place: Keys = {
  message_type: word("stream", "private"),
  stream_id: maybe(int),
  topic: maybe(text),
};
const person = object({ user_id: int, email: text });
const reaction: Keys = {
  ...all("message_id user_id", int),
  ...all("emoji_name emoji_code reaction_type", text),
  user: maybe(object({ user_id: int, ...all("email full_name", text) })),
};
const personChange = object({
  user_id: int,
  ...all("full_name email new_email timezone avatar_source", maybe(text)),
  ...all("delivery_email avatar_url avatar_url_medium", maybe(orNull(text))),
  ...all("avatar_version role bot_owner_id", maybe(int)),
  is_active: maybe(flag),
  custom_profile_field: maybe(object({ id: int, value: orNull(text), rendered_value: maybe(text) })),
});
const details = table(
  object({
    type: word("stream", "private"),
    mentioned: maybe(flag),
    user_ids: maybe(ids),
    stream_id: maybe(int),
    topic: maybe(text),
    unmuted_stream_msg: maybe(flag),
  }),
  /^\d+$/,
);
const setting: Keys = { property: text, value: anything, language_name: maybe(text) };

const EVENTS: { readonly [typeAndOp: string]: Keys } = {
  heartbeat: {},
  invites_changed: {},
  alert_words: { alert_words: list(text) },
  // The first two are the older form, the third the one for clients with simplified_presence_events.
  presence: {
    ...someOf({ email: text, user_id: int, server_timestamp: int }),
    presence: maybe(of.changedPresence),
    presences: maybe(of.presences),
  },
  "attachment add": { attachment: of.attachment, upload_space_used: int },
  "attachment update": { attachment: of.attachment, upload_space_used: int },
  "attachment remove": { attachment: object({ id: int }), upload_space_used: int },
  "channel_folder add": { channel_folder: of.folder },
  "channel_folder update": { channel_folder_id: int, data: folderChange },
  "channel_folder reorder": { order: ids },
  custom_profile_fields: { fields: list(of.profileField) },
  default_stream_groups: { default_stream_groups: list(of.defaultGroup) },
  default_streams: { default_streams: either(ids, list(of.channel)) },
  delete_message: { message_id: maybe(int), message_ids: maybe(ids), ...place },
  "drafts add": { drafts: list(of.draft) },
  "drafts update": { draft: of.draft },
  "drafts remove": { draft_id: int },
  message: { message: of.message, flags: of.flags, local_message_id: maybe(text) },
  muted_topics: { muted_topics: of.mutedTopics },
  muted_users: { muted_users: list(of.mutedUser) },
  "navigation_view add": { navigation_view: of.view },
  "navigation_view update": { fragment: text, data: object({ is_pinned: maybe(flag), name: maybe(orNull(text)) }) },
  "navigation_view remove": { fragment: text },
  "reaction add": reaction,
  "reaction remove": reaction,
  "realm update": { property: text, value: anything },
  "realm update_dict": { property: word("default", "icon", "logo", "night_logo"), data: table(anything) },
  "realm_bot add": { bot: of.bot },
  "realm_bot update": { bot: of.botChange },
  "realm_bot delete": { bot: object({ user_id: int }) },
  "realm_domains add": { realm_domain: of.domain },
  "realm_domains change": { realm_domain: of.domain },
  "realm_domains remove": { domain: text },
  "realm_emoji update": { realm_emoji: of.emoji },
  realm_linkifiers: { realm_linkifiers: list(of.linkifier) },
  realm_playgrounds: { realm_playgrounds: list(of.playground) },
  "realm_user add": { person: of.listedUser },
  "realm_user update": { person: personChange },
  "realm_user_settings_defaults update": setting,
  "reminders add": { reminders: list(of.reminder) },
  "reminders remove": { reminder_id: int },
  "scheduled_messages add": { scheduled_messages: list(of.scheduled) },
  "scheduled_messages update": { scheduled_message: of.scheduled },
  "scheduled_messages remove": { scheduled_message_id: int },
  "stream create": { streams: list(of.channel) },
  "stream delete": { streams: list(either(object({ stream_id: int }), of.channel)), stream_ids: since(343, ids) },
  "stream update": {
    property: text,
    value: anything,
    stream_id: int,
    name: text,
    rendered_description: maybe(text),
    ...all("history_public_to_subscribers is_web_public", maybe(flag)),
  },
  submessage: { ...all("submessage_id message_id sender_id", int), ...all("msg_type content", text) },
  "subscription add": { subscriptions: list(of.subscription) },
  "subscription remove": { subscriptions: list(object({ stream_id: int, name: text })) },
  "subscription update": { property: text, value: anything, stream_id: int },
  "subscription peer_add": { stream_ids: ids, user_ids: ids },
  "subscription peer_remove": { stream_ids: ids, user_ids: ids },
  "typing start": {
    message_type: word("direct", "stream"),
    sender: person,
    recipients: maybe(list(person)),
    stream_id: maybe(int),
    topic: maybe(text),
  },
  "typing stop": {
    message_type: word("direct", "stream"),
    sender: person,
    recipients: maybe(list(person)),
    stream_id: maybe(int),
    topic: maybe(text),
  },
  "typing_edit_message start": { ...all("sender_id message_id", int), recipient: anything },
  "typing_edit_message stop": { ...all("sender_id message_id", int), recipient: anything },
  update_message: {
    user_id: orNull(int),
    ...all("edit_timestamp message_id", int),
    message_ids: ids,
    rendering_only: flag,
    flags: of.flags,
    ...all(
      "orig_content orig_rendered_content content rendered_content orig_subject subject propagate_mode stream_name",
      maybe(text),
    ),
    is_me_message: maybe(flag),
    ...all("stream_id new_stream_id", maybe(int)),
    topic_links: maybe(list(object({ text, url: text }))),
  },
  "update_message_flags add": { operation: word("add"), flag: text, messages: ids, all: flag },
  "update_message_flags remove": {
    operation: word("remove"),
    flag: text,
    messages: ids,
    all: flag,
    message_details: maybe(details),
  },
  "user_group add": { group: of.userGroup },
  "user_group update": { group_id: int, data: groupChange },
  "user_group remove": { group_id: int },
  "user_group add_members": { group_id: int, user_ids: ids },
  "user_group remove_members": { group_id: int, user_ids: ids },
  "user_group add_subgroups": { group_id: int, direct_subgroup_ids: ids },
  "user_group remove_subgroups": { group_id: int, direct_subgroup_ids: ids },
  "user_settings update": setting,
  user_status: {
    user_id: int,
    away: maybe(flag),
    ...all("status_text emoji_name emoji_code reaction_type", maybe(text)),
  },
  user_topic: { ...all("stream_id last_updated visibility_policy", int), topic_name: text },
};
const shapes = new Map(
  Object.entries(EVENTS).map(([name, keys]) => {
    const [type = "", op] = name.split(" ");
    return [name, object({ id: int, type: word(type), ...(op === undefined ? {} : { op: word(op) }), ...keys })];
  }),
);

export const event: Shape = (value, at, look) => {
  const { type, op } = Object(value);
  const shape = shapes.get(op === undefined ? String(type) : `${type} ${op}`);
  if (shape === undefined) look.problems.push(`${at}: the contract has no event ${type} ${op ?? ""}`);
  else shape(value, `${at} ${type}`, look);
};
