import { PRIVACY_SYNONYMS } from "../access/words.ts";
import { type Synonyms, words } from "../model/synonyms.ts";

/*
 * Other words that people write for the sections, fields and values of all kinds. They are in one file since only errors need them: it is loaded then
 * (scripts/on-call.mjs).
 */

/** Other words for what is left out of a list of people. */
const EXCEPT_WORDS = words("exclude excludes excluded excluding without not but minus");

/** Other words for the fields of a value that names groups and people. */
const GROUP_VALUE_WORDS = {
  users: words("members people emails user_ids direct_members persons"),
  groups: words("roles role user_groups subgroups direct_subgroups group_ids"),
};

/** Other words that people write for the fields that invitations and invitation links share. */
const INVITATION_WORDS: NonNullable<Synonyms["fields"]> = {
  invite_as: words("role as invited_as user_role type"),
  channels: words("streams stream_ids channel_ids subscriptions subscribe"),
  groups: GROUP_VALUE_WORDS.groups,
  include_realm_default_subscriptions: words("default_channels defaults include_defaults default_streams"),
  welcome_message_custom_text: words("message text welcome welcome_message custom_text"),
};

const REQUIRED = "topics_policy: disable_empty_topic";
const FREE = "topics_policy: allow_empty_topic";

/** Words with true or false for whether messages need a topic. */
const TOPICS_POLICY_LINES: NonNullable<Synonyms["lines"]> = {
  mandatory_topics: [REQUIRED, FREE],
  require_topic: [REQUIRED, FREE],
  allow_empty_topics: [FREE, REQUIRED],
};

/** Who may post otherwise is for the writer to say. */
const POSTED_BY_FEW = ["can_send_message_group", "can_send_message_group: role:everyone"] as const;

const IN_GROUP = "user_groups: {staff: {members: [ada@example.org]}}";
const IN_CHANNEL = "channels: {general: {subscribers: {users: [ada@example.org]}}}";

/** Servers before Zulip 10 had a number for each of these rights. */
const OLD_POLICIES = {
  can_invite_users_group: words("invite_to_realm_policy who_can_invite can_invite"),
  create_multiuse_invite_group: words("invite_to_realm_policy_multiuse"),
  can_add_custom_emoji_group: words("add_custom_emoji_policy"),
  can_create_bots_group: words("bot_creation_policy"),
  can_create_groups: words("user_group_edit_policy"),
  can_create_public_channel_group: words("create_public_stream_policy create_stream_policy"),
  can_create_private_channel_group: words("create_private_stream_policy"),
  can_create_web_public_channel_group: words("create_web_public_stream_policy"),
  can_add_subscribers_group: words("invite_to_stream_policy"),
  can_delete_any_message_group: words("delete_any_message_policy"),
  can_delete_own_message_group: words("delete_own_message_policy allow_message_deleting"),
  can_move_messages_between_topics_group: words("edit_topic_policy move_messages_within_stream_policy"),
  can_move_messages_between_channels_group: words("move_messages_between_streams_policy"),
  direct_message_permission_group: words("private_message_policy"),
  can_mention_many_users_group: words("wildcard_mention_policy"),
};

const IN_DOMAINS = "domains: {example.org: {}}";

/** The channel says which folder it is in. */
const IN_FOLDER = "channels: {general: {folder: Projects}}";

const WORDS: { readonly [kind: string]: Synonyms } = {
  bot: {
    section: words("bot integrations"),
    fields: {
      full_name: words("name short_name title display_name bot_name"),
      owner: words("bot_owner owner_id bot_owner_id owned_by manager managed_by created_by creator user"),
      type: words("bot_type kind"),
    },
    values: {
      incoming_webhook: words("webhook incoming"),
      outgoing_webhook: words("outgoing"),
    },
  },
  channel: {
    section: words("streams stream"),
    fields: {
      ...GROUP_VALUE_WORDS,
      except: EXCEPT_WORDS,
      ...PRIVACY_SYNONYMS.fields,
      folder: words("channel_folder folder_name category parent section folder_id channel_folder_id"),
      subscribers: words("members member people users participants subscriptions subscribed subscriber"),
      permissions: words("rights settings acl can"),
      can_send_message_group: words(
        "post posting posters post_policy stream_post_policy who_can_post can_post can_send write writers",
        "senders who_can_send post_permission posting_permission",
      ),
      can_subscribe_group: words("join can_join who_can_join can_subscribe who_can_subscribe joinable"),
      can_administer_channel_group: words(
        "admin admins administrators owner owners manager managers moderator moderators mods channel_admins",
        "can_administer can_manage creator",
      ),
      can_add_subscribers_group: words("invite inviters can_invite can_add who_can_add can_add_subscribers"),
      can_remove_subscribers_group: words("can_remove who_can_remove can_remove_subscribers kick"),
      can_create_topic_group: words("can_create_topics create_topics who_can_create_topics"),
      can_delete_any_message_group: words("can_delete_messages delete_messages can_delete_any_message"),
      can_resolve_topics_group: words("can_resolve_topics resolve_topics"),
      topics_policy: words("topics topic_policy empty_topics"),
      message_retention_days: words("retention retention_days retention_policy message_retention ttl keep_days keep"),
      default_push_notifications: words("push push_notifications notifications mobile_notifications"),
    },
    lines: {
      ...PRIVACY_SYNONYMS.lines,
      ...TOPICS_POLICY_LINES,
      announcement_only: POSTED_BY_FEW,
      is_announcement_only: POSTED_BY_FEW,
      announce_only: POSTED_BY_FEW,
      announcement: POSTED_BY_FEW,
      announcements: POSTED_BY_FEW,
      readonly: POSTED_BY_FEW,
      read_only: POSTED_BY_FEW,
    },
    elsewhere: {
      default: "default_channels: [general]",
      is_default: "default_channels: [general]",
      default_stream: "default_channels: [general]",
      is_default_stream: "default_channels: [general]",
      default_channel: "default_channels: [general]",
      auto_join: "default_channels: [general]",
      autojoin: "default_channels: [general]",
    },
  },
  channel_folder: {
    section: words("folders folder categories stream_folders"),
    elsewhere: { channels: IN_FOLDER, streams: IN_FOLDER },
    inside: IN_FOLDER,
  },
  default_channel: { section: words("default_streams realm_default_streams"), entry: [] },
  domain: {
    section: words("realm_domains allowed_domains email_domains"),
    fields: {
      allow_subdomains: words("subdomains include_subdomains with_subdomains wildcard"),
    },
  },
  emoji: {
    section: words("emojis custom_emoji realm_emoji"),
    fields: {
      image: words("file path picture src url source_url image_url filename gif emoji"),
    },
  },
  invite: {
    section: words("invitations invitation"),
    entry: ["emails"],
    besides: "send_until",
    fields: {
      ...INVITATION_WORDS,
      emails: words("email addresses address users people to invitees invitee_emails"),
      expires_in: words("expires expiry expires_after valid_for ttl days invite_expires_in_minutes"),
      send_until: words("until deadline send_before valid_until expires_on expires_at"),
      notify_referrer_on_join: words("notify"),
      replace: words("resend renew"),
    },
  },
  invite_link: {
    section: words("invitation_links multiuse_invites reusable_links join_links"),
    fields: {
      ...INVITATION_WORDS,
      expires_on: words(
        "expires expires_in expiry until valid_until invite_expires_in_minutes send_until expires_at",
        "valid_for ttl days",
      ),
    },
  },
  linkifier: {
    section: words("filters realm_filters realm_linkifiers links link_patterns autolinks"),
    entry: ["pattern", "url_template"],
    fields: {
      pattern: words("regex regexp re match find expression trigger search prefix"),
      url_template: words(
        "url url_prefix link href target to template url_format url_format_string uri destination replace",
        "replacement",
      ),
      example_input: words("example sample test"),
      reverse_template: words("reverse"),
      alternative_url_templates: words("alternatives alternative alternative_urls other_urls"),
    },
  },
  navigation_view: {
    section: words("views view sidebar"),
    fields: {
      is_pinned: words("pinned pin visible"),
    },
  },
  person: {
    section: words("users persons accounts members admins administrators owners roles"),
    fields: { role: words("roles type rank permission permissions access access_level") },
    lines: {
      is_owner: ["role: owner", "role"],
      owner: ["role: owner", "role"],
      is_admin: ["role: administrator", "role"],
      admin: ["role: administrator", "role"],
      administrator: ["role: administrator", "role"],
      is_moderator: ["role: moderator", "role"],
      moderator: ["role: moderator", "role"],
      is_guest: ["role: guest", "role"],
      guest: ["role: guest", "role"],
    },
    elsewhere: {
      group: IN_GROUP,
      groups: IN_GROUP,
      user_groups: IN_GROUP,
      teams: IN_GROUP,
      channel: IN_CHANNEL,
      channels: IN_CHANNEL,
      streams: IN_CHANNEL,
      subscriptions: IN_CHANNEL,
    },
  },
  playground: {
    section: words("realm_playgrounds code_playgrounds playground"),
    entry: ["language", "url_template"],
    fields: {
      url_template: words("url url_prefix link href target to template url_format url_format_string"),
      language: words("pygments_language lang"),
    },
  },
  profile_field: {
    section: words("custom_profile_fields profile_field custom_fields"),
    entry: ["name", "type"],
    fields: {
      hint: words("description help placeholder help_text"),
      options: words("choices values field_data"),
      in_profile_summary: words("display_in_profile_summary summary"),
      service: words("subtype provider"),
      type: words("field_type kind"),
      required: words("mandatory is_required"),
      editable_by_user: words("editable user_editable"),
      url_pattern: words("url url_template"),
    },
    values: {
      short_text: words("text string"),
      long_text: words("paragraph textarea markdown"),
      select: words("list dropdown choice enum options"),
      users: words("user person people"),
      external_account: words("account external"),
      link: words("url"),
    },
  },
  settings: {
    section: words("organization_settings realm_settings org_settings permissions"),
    fields: {
      ...GROUP_VALUE_WORDS,
      permissions: words("rights settings acl can"),
      ...OLD_POLICIES,
      org_type: words("type organization_type"),
      name: words("realm_name organization_name title display_name"),
      invite_required: words("invite_only invites_required require_invite closed"),
      emails_restricted_to_domains: words("restricted_to_domain restrict_domains restrict_to_domains allowed_domains"),
      enable_spectator_access: words("web_public spectators public_access spectator_access"),
      enable_read_receipts: words("read_receipts"),
      authentication_methods: words("auth auth_methods authentication login_methods sign_in"),
      message_retention_days: words("retention retention_days keep_days keep"),
      default_language: words("language lang locale"),
      message_content_edit_limit: words(
        "message_edit_time_limit message_edit_limit message_content_edit_time_limit edit_time_limit",
        "edit_limit realm_message_content_edit_limit_seconds",
      ),
      message_content_delete_limit: words(
        "message_delete_time_limit message_delete_limit message_content_delete_time_limit delete_time_limit",
        "delete_limit realm_message_content_delete_limit_seconds",
      ),
      move_messages_within_stream_limit: words("move_messages_within_channel_limit topic_edit_limit move_topics_limit"),
      move_messages_between_streams_limit: words("move_messages_between_channels_limit move_messages_limit"),
      allow_message_editing: words("message_editing edit_messages allow_editing"),
      new_stream_announcements_channel: words(
        "new_channel_announcements_channel notifications_stream notifications_channel",
      ),
      signup_announcements_channel: words("signup_notifications_stream signup_notifications_channel"),
      waiting_period_threshold: words("waiting_period full_member_after"),
      topics_policy: words("topics empty_topics"),
      gif_rating_policy: words("giphy_rating"),
      icon: words("realm_icon favicon avatar"),
      night_logo: words("dark_logo logo_dark logo_night"),
      image: words("file path picture src url source_url"),
      welcome_message_custom_text: words("message text welcome welcome_message custom_text"),
    },
    lines: TOPICS_POLICY_LINES,
    elsewhere: {
      domain: IN_DOMAINS,
      domains: IN_DOMAINS,
      allowed_domains: IN_DOMAINS,
      theme: "user_defaults: {color_scheme: dark}",
      color_scheme: "user_defaults: {color_scheme: dark}",
      default_channels: "default_channels: [general]",
      default_streams: "default_channels: [general]",
    },
    values: {
      business: words("company corporation firm"),
      open_source: words("oss foss"),
    },
  },
  user_defaults: {
    section: words("default_user_settings user_settings realm_user_settings_defaults"),
    fields: {
      twenty_four_hour_time: words("24_hour_time time_format"),
      color_scheme: words("theme colour_scheme"),
    },
    lines: {
      dark_mode: ["color_scheme: dark", "color_scheme: light"],
      night_mode: ["color_scheme: dark", "color_scheme: light"],
    },
    elsewhere: {
      language: "settings: {default_language: de}",
      default_language: "settings: {default_language: de}",
    },
    values: {
      dark: words("night black"),
      light: words("day white"),
      automatic: words("auto system"),
    },
  },
  user_group: {
    section: words("groups group realm_user_groups teams"),
    fields: {
      ...GROUP_VALUE_WORDS,
      except: EXCEPT_WORDS,
      permissions: words("rights settings acl can"),
      can_manage_group: words("admin admins administrators owner owners manager managers moderators lead can_manage"),
      can_mention_group: words("mention mentions mentionable can_mention who_can_mention"),
      members: words(
        "member users user people participants subscribers user_ids member_ids direct_members",
        "direct_member_ids emails",
      ),
      subgroups: words("groups children direct_subgroups direct_subgroup_ids nested subgroup nested_groups includes"),
      can_join_group: words("join can_join who_can_join joinable self_join"),
      can_leave_group: words("leave can_leave who_can_leave"),
      can_add_members_group: words("invite can_add who_can_add can_add_members"),
      can_remove_members_group: words("can_remove who_can_remove can_remove_members"),
    },
  },
};

/** The other words for a kind. */
export const synonymsOf = (kind: string): Synonyms => WORDS[kind] ?? {};
