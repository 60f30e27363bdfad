/**
 * The settings of an unconfigured server (zulip-api.md §3.7, §10.5, §12.1): for questions about a file alone. If there is a reading, the server's own
 * table is used (`server_supported_permission_settings`).
 */
export const CHANNEL_DEFAULTS: { readonly [setting: string]: string } = {
  can_add_subscribers_group: "role:nobody",
  can_administer_channel_group: "channel_creator",
  can_create_topic_group: "role:everyone",
  can_delete_any_message_group: "role:nobody",
  can_delete_own_message_group: "role:nobody",
  can_move_messages_out_of_channel_group: "role:nobody",
  can_move_messages_within_channel_group: "role:nobody",
  can_remove_subscribers_group: "role:administrators",
  can_send_message_group: "role:everyone",
  can_subscribe_group: "role:nobody",
  can_resolve_topics_group: "role:nobody",
};

export const GROUP_DEFAULTS: { readonly [setting: string]: string } = {
  can_add_members_group: "group_creator",
  can_join_group: "role:nobody",
  can_leave_group: "role:everyone",
  can_manage_group: "group_creator",
  can_mention_group: "role:everyone",
  can_remove_members_group: "role:nobody",
};

export const ORGANIZATION_DEFAULTS: { readonly [setting: string]: string } = {
  create_multiuse_invite_group: "role:administrators",
  can_access_all_users_group: "role:everyone",
  can_add_subscribers_group: "role:members",
  can_add_custom_emoji_group: "role:members",
  can_create_bots_group: "role:members",
  can_create_groups: "role:members",
  can_create_public_channel_group: "role:members",
  can_create_private_channel_group: "role:members",
  can_create_web_public_channel_group: "role:owners",
  can_create_write_only_bots_group: "role:members",
  can_delete_any_message_group: "role:administrators",
  can_delete_own_message_group: "role:everyone",
  can_invite_users_group: "role:members",
  can_manage_all_groups: "role:owners",
  can_manage_billing_group: "role:administrators",
  can_mention_many_users_group: "role:administrators",
  can_move_messages_between_channels_group: "role:members",
  can_move_messages_between_topics_group: "role:everyone",
  can_resolve_topics_group: "role:everyone",
  can_set_delete_message_policy_group: "role:moderators",
  can_set_topics_policy_group: "role:members",
  can_summarize_topics_group: "role:everyone",
  direct_message_initiator_group: "role:everyone",
  direct_message_permission_group: "role:everyone",
};
