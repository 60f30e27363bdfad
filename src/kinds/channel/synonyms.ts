import { PRIVACY_SYNONYMS } from "../../access/privacy-synonyms.ts";
import type { Synonyms } from "../../model/synonyms.ts";
import { EXCEPT_WORDS, GROUP_VALUE_WORDS, TOPICS_POLICY_LINES } from "../shared-words.ts";

/** Who may post otherwise is for the writer to say. */
const POSTED_BY_FEW = ["can_send_message_group", "can_send_message_group: role:everyone"] as const;

const WORDS: Synonyms = {
  section: ["streams", "stream"],
  fields: {
    ...GROUP_VALUE_WORDS,
    except: EXCEPT_WORDS,
    ...PRIVACY_SYNONYMS.fields,
    folder: ["channel_folder", "folder_name", "category", "parent", "section", "folder_id", "channel_folder_id"],
    subscribers: ["members", "member", "people", "users", "participants", "subscriptions", "subscribed", "subscriber"],
    permissions: ["rights", "settings", "acl", "can"],
    can_send_message_group: [
      "post",
      "posting",
      "posters",
      "post_policy",
      "stream_post_policy",
      "who_can_post",
      "can_post",
      "can_send",
      "write",
      "writers",
      "senders",
      "who_can_send",
      "post_permission",
      "posting_permission",
    ],
    can_subscribe_group: ["join", "can_join", "who_can_join", "can_subscribe", "who_can_subscribe", "joinable"],
    can_administer_channel_group: [
      "admin",
      "admins",
      "administrators",
      "owner",
      "owners",
      "manager",
      "managers",
      "moderator",
      "moderators",
      "mods",
      "channel_admins",
      "can_administer",
      "can_manage",
      "creator",
    ],
    can_add_subscribers_group: ["invite", "inviters", "can_invite", "can_add", "who_can_add", "can_add_subscribers"],
    can_remove_subscribers_group: ["can_remove", "who_can_remove", "can_remove_subscribers", "kick"],
    can_create_topic_group: ["can_create_topics", "create_topics", "who_can_create_topics"],
    can_delete_any_message_group: ["can_delete_messages", "delete_messages", "can_delete_any_message"],
    can_resolve_topics_group: ["can_resolve_topics", "resolve_topics"],
    topics_policy: ["topics", "topic_policy", "empty_topics"],
    message_retention_days: [
      "retention",
      "retention_days",
      "retention_policy",
      "message_retention",
      "ttl",
      "keep_days",
      "keep",
    ],
    default_push_notifications: ["push", "push_notifications", "notifications", "mobile_notifications"],
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
};

export const channelWords = (): Synonyms => WORDS;
