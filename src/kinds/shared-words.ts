import type { Synonyms } from "../model/synonyms.ts";

/** Other words for what is left out of a list of people. */
export const EXCEPT_WORDS = ["exclude", "excludes", "excluded", "excluding", "without", "not", "but", "minus"] as const;

/** Other words for the fields of a value that names groups and people. */
export const GROUP_VALUE_WORDS = {
  users: ["members", "people", "emails", "user_ids", "direct_members", "persons"],
  groups: ["roles", "role", "user_groups", "subgroups", "direct_subgroups", "group_ids"],
} as const;

/** Other words that people write for the fields that invitations and invitation links share. */
export const INVITATION_WORDS: NonNullable<Synonyms["fields"]> = {
  invite_as: ["role", "as", "invited_as", "user_role", "type"],
  channels: ["streams", "stream_ids", "channel_ids", "subscriptions", "subscribe"],
  groups: GROUP_VALUE_WORDS.groups,
  include_realm_default_subscriptions: ["default_channels", "defaults", "include_defaults", "default_streams"],
  welcome_message_custom_text: ["message", "text", "welcome", "welcome_message", "custom_text"],
};

const REQUIRED = "topics_policy: disable_empty_topic";
const FREE = "topics_policy: allow_empty_topic";

/** Words with true or false for whether messages need a topic. */
export const TOPICS_POLICY_LINES: NonNullable<Synonyms["lines"]> = {
  mandatory_topics: [REQUIRED, FREE],
  require_topic: [REQUIRED, FREE],
  allow_empty_topics: [FREE, REQUIRED],
};
