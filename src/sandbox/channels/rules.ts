import { isAdmin, isOwner, mayInRealm } from "../access.ts";
import { ApiError, badValue, insufficientPermission, internalError, mustBe } from "../errors.ts";
import { systemGroup } from "../groups.ts";
import { rendered as markdown } from "../messages/markdown.ts";
import { checkPlan, hasLimitedPlan } from "../plan.ts";
import type { User } from "../rows/accounts.ts";
import type { Channel, Folder } from "../rows/channels.ts";
import type { GroupValue } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

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
