import { ApiError } from "../errors.ts";
import {
  bool,
  firstOf,
  groupChange,
  groupValue,
  int,
  json,
  jsonAs,
  nullable,
  oneOf,
  optional,
  string,
  text,
  withDefault,
  word,
} from "../params.ts";
import { CHANNEL_PERMISSIONS } from "../permissions.ts";
import { record } from "../rows/values.ts";

export const MAX_DESCRIPTION_LENGTH = 1024;

export const descriptionText = text({ maxLength: MAX_DESCRIPTION_LENGTH });
/** The retention: days or a word, in JSON (`"unlimited"` with its quotes). */
export const retention = firstOf(jsonAs("json[str]", string()), json(int()));
const TOPICS_POLICIES = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];
/** The newest word was added later than the parameter (§3.13). */
export function checkTopicsPolicyLevel(level: number, policy: TopicsPolicy | undefined): void {
  if (policy === "empty_topic_only" && level < 404) throw new ApiError("Invalid topics_policy");
}
/** The policy in both creating calls: a JSON string; null counts as text, but is not one of the words. */
export const topicsPolicyJson = json((value, path) =>
  oneOf(...TOPICS_POLICIES)(value === null ? value : string()(value, path), path),
);
export const flag = json(bool);
/** The posting policy as a number (below level 333). */
export const postPolicy = json(oneOf(1, 2, 3, 4));
const folderIdOrNull = jsonAs("json[nullable[int]]", nullable(int()));

const at = (setting: keyof typeof CHANNEL_PERMISSIONS) => ({ level: CHANNEL_PERMISSIONS[setting].level });

/** Whether new subscribers get notifications on their phones (zulip-api.md §14.1). */
export const pushAtCreation = withDefault(flag, false, { level: 507 });

const DELETING = ["can_delete_any_message_group", "can_delete_own_message_group"] as const;
const OTHERS = [
  "can_move_messages_out_of_channel_group",
  "can_move_messages_within_channel_group",
  "can_remove_subscribers_group",
  "can_resolve_topics_group",
  "can_send_message_group",
  "can_subscribe_group",
] as const;

/** The eleven group settings at creation, in the order in which POST /channels/create reads them. */
export const groupValueParams = record(
  ["can_add_subscribers_group", "can_create_topic_group", ...DELETING, "can_administer_channel_group", ...OTHERS],
  (name) => optional(groupValue, at(name)),
);
/** In the order of POST /users/me/subscriptions. */
export const bulkGroupValueParams = record(
  ["can_add_subscribers_group", ...DELETING, "can_administer_channel_group", "can_create_topic_group", ...OTHERS],
  (name) => optional(groupValue, at(name)),
);
/** In the order of PATCH. */
const groupChangeParams = record(
  ["can_add_subscribers_group", "can_create_topic_group", "can_administer_channel_group", ...DELETING, ...OTHERS],
  (name) => optional(groupChange, at(name)),
);

/** What PATCH can change. */
export const changeParams = {
  ...groupChangeParams,
  default_push_notifications: optional(flag, { level: 507 }),
  description: optional(descriptionText),
  folder_id: optional(folderIdOrNull, { level: 389 }),
  history_public_to_subscribers: optional(flag),
  is_archived: optional(flag, { level: 388 }),
  is_default_stream: optional(flag),
  is_private: optional(flag),
  is_web_public: optional(flag),
  message_retention_days: optional(retention),
  new_name: optional(text()),
  topics_policy: optional(word(...TOPICS_POLICIES), { level: 392 }),
};
