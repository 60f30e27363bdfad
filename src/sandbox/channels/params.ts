import { checkPlan, hasLimitedPlan, isAdmin, isOwner, mayInRealm } from "../access.ts";
import { ApiError, badValue, insufficientPermission, internalError, mustBe } from "../errors.ts";
import { systemGroup } from "../groups.ts";
import { rendered as markdown } from "../messages/markdown.ts";
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
import type { User } from "../rows/accounts.ts";
import type { Channel, Folder } from "../rows/channels.ts";
import { type GroupValue, record } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

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

/** The stored form: null is the realm's value, -1 is forever. @throws ApiError for anything but one of the words or days */
export function retentionDays(sent: string | number): number | null {
  if (sent === "realm_default") return null;
  if (sent === "unlimited") return -1;
  if (typeof sent === "string" || sent <= 0) throw badValue("message_retention_days", sent);
  return sent;
}
/** The range of the database's integers. The server does not check it before the database does. @throws ApiError 500 */
const MAX_INTEGER = 2_147_483_647;
export function checkStorableDays(days: number | null): void {
  if (days !== null && days > MAX_INTEGER) throw internalError();
}

/** @throws ApiError unless the user is an owner and the plan allows it */
export function checkMaySetRetention(state: RealmState, user: User): void {
  if (!isOwner(user)) throw mustBe("owner");
  checkPlan(state);
}

/** @throws ApiError unless the realm allows web-public channels and the user may create them (§3.9) */
export function checkMayMakeWebPublic(state: RealmState, user: User): void {
  const offered = state.server.server_web_public_streams_enabled === true && !hasLimitedPlan(state);
  if (!offered || state.realm.enable_spectator_access !== true)
    throw new ApiError("Web-public channels are not enabled.");
  if (!mayInRealm(state, user, "can_create_web_public_channel_group")) throw insufficientPermission();
}

/** Checks the right to set a topics policy: administrators always have it, others need the realm's group. */
export function checkMaySetTopicsPolicy(state: RealmState, user: User): void {
  if (!isAdmin(user) && !mayInRealm(state, user, "can_set_topics_policy_group", true)) throw insufficientPermission();
}
export function checkMaySetDeletePolicy(state: RealmState, user: User): void {
  if (!isAdmin(user) && !mayInRealm(state, user, "can_set_delete_message_policy_group")) throw insufficientPermission();
}

export function folderById(state: RealmState, id: number): Folder {
  const folder = state.channel_folders[id];
  if (folder === undefined) throw new ApiError("Invalid channel folder ID");
  return folder;
}

/** The group that may post, from the number that older clients send. */
export function postersOf(state: RealmState, policy: 1 | 2 | 3 | 4): number {
  const names = { 1: "role:everyone", 2: "role:administrators", 3: "role:fullmembers", 4: "role:moderators" } as const;
  return systemGroup(state, names[policy]).id;
}

/** Subscribers who join later cannot see older topics, so everybody must be able to create topics (§3.8). */
export function checkProtectedHistory(state: RealmState, historyIsPublic: boolean, mayCreateTopics: GroupValue): void {
  if (historyIsPublic || mayCreateTopics === systemGroup(state, "role:everyone").id) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw new ApiError(`Unsupported parameter combination: ${parameters}`, { extra: { parameters } });
}

/** Descriptions are Markdown, like messages, but mentions in them stay plain text. */
export const rendered = (description: string): string => (description === "" ? "" : markdown(description));

/** Newlines become spaces; surrounding white space stays (§3.11). */
export const oneLine = (description: string): string => description.replaceAll("\n", " ");

export type Privacy = Pick<Channel, "invite_only" | "is_web_public" | "history_public_to_subscribers">;
/** Whether the flags are one of the four policies: web-public, public, private with shared history, private with protected history (§3.8). */
export function isPolicy({ invite_only, is_web_public, history_public_to_subscribers }: Privacy): boolean {
  if (invite_only) return !is_web_public;
  return history_public_to_subscribers;
}
