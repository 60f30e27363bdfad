import { accessIn, namesAccount } from "../../access/of-plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { accountReads, CONTENT_ACCESS_SETTINGS, subscribersOf } from "./access.ts";
import { groupBefore, type Outcome } from "./outcome.ts";
import { isPrivate } from "./privacy.ts";

/**
 * Permission settings that must be written by a separate request before the privacy. PATCH /streams applies privacy first and is not atomic
 * (zulip-api.md §3.5.2). So in one request
 * - protected history would be set before its topic group, and stay without it if the group is refused (§3.8);
 * - a channel would become private, and closed to this account, before the groups that need access to its content (§3.6).
 */
export function settingsBeforePrivacy(outcome: Outcome, context: PlanContext): readonly string[] {
  if (outcome.channel === undefined || !outcome.changes("privacy")) return [];
  const before: string[] = [];
  if (outcome.after("privacy") === "private_protected_history" && outcome.changes("can_create_topic_group")) {
    before.push("can_create_topic_group");
  }
  const changed = CONTENT_ACCESS_SETTINGS.filter((setting) => outcome.changes(setting));
  if (changed.length > 0 && closesToAccount(outcome, context)) before.push(...changed);
  return before;
}

function closesToAccount(outcome: Outcome, context: PlanContext): boolean {
  const opens = !isPrivate(String(outcome.before("privacy"))) && isPrivate(String(outcome.after("privacy")));
  if (!opens || accountReads(outcome, context) !== "yes") return false;
  const me = context.snapshot.account.user_id;
  const isSubscribed = subscribersOf(outcome, context)?.has(me) === true;
  const isInGroup = CONTENT_ACCESS_SETTINGS.some((setting) =>
    namesAccount(groupBefore(outcome, setting), accessIn(context).before, context),
  );
  return !isSubscribed && !isInGroup;
}
