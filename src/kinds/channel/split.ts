import { accessIn, namesAccount } from "../../access/of-plan.ts";
import { isOpeningSetting, OPENING_SETTINGS } from "../../access/rules.ts";
import { type Dependency, partDone, written } from "../../model/dependency.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { Address } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue } from "../../model/realm.ts";
import { accountReads, subscribersAfter, subscribersOf } from "./access.ts";
import { groupAfter, groupBefore, type Outcome } from "./outcome.ts";
import { isPrivate } from "./schema.ts";

/**
 * Permission settings that must be written by a separate request before the rest. PATCH /streams is not atomic: it applies the privacy first, then
 * the settings one after the other (zulip-api.md §3.5.2). So in one request
 * - protected history would be set before its topic group, and stay without it if the group is refused (§3.8);
 * - a channel would become private, and closed to this account, before the groups that need access to its content (§3.6);
 * - the account would lose its access by `can_add_subscribers_group` before `can_subscribe_group`, which needs it, is set.
 */
export function settingsSentFirst(outcome: Outcome, context: PlanContext): readonly string[] {
  if (outcome.channel === undefined) return [];
  const before: string[] = [];
  if (losesAccessHalfway(outcome, context) && !willBeSubscribed(outcome, context)) before.push("can_subscribe_group");
  if (!outcome.changes("privacy")) return before;
  if (outcome.after("privacy") === "private_protected_history" && outcome.changes("can_create_topic_group")) {
    before.push("can_create_topic_group");
  }
  const changed = OPENING_SETTINGS.filter((setting) => outcome.changes(setting));
  if (changed.length > 0 && closesToAccount(outcome, context)) before.push(...changed);
  return before;
}

/**
 * The setting of who administers the channel, if the account gives up that right by it and needs the right for other requests: it is sent after them
 * (docs/internals/decisions/0015-requests-wait-for-states-and-rights.md).
 */
export function settingsSentLast(outcome: Outcome, context: PlanContext): readonly string[] {
  if (outcome.channel === undefined || context.realm.isAdmin || !outcome.changes(ADMINISTERING)) return [];
  const isNeeded = outcome.changes("subscribers") || outcome.after("archived") === true;
  const { after } = accessIn(context);
  const stays = namesAccount(asGroupValue(outcome.after(ADMINISTERING) ?? null), after, context);
  return isNeeded && !stays ? [ADMINISTERING] : [];
}
const ADMINISTERING = "can_administer_channel_group";

/** The settings that are not sent last are written. */
export function settingsDone(outcome: Outcome, context: PlanContext): Dependency {
  const { address } = outcome.change;
  return settingsSentLast(outcome, context).length === 0 ? written(address) : partDone(address, "settings", 1);
}

/** Everybody is subscribed and unsubscribed. */
export const subscribersDone = (address: Address): Dependency => partDone(address, "subscribers", 1);

/**
 * Those of these fields that a separate request can set before or after the others: permission settings, except those that the privacy needs
 * (protected history has one topic group, zulip-api.md §3.8) and those that may decide whether the account reads the channel.
 */
export function settingsAlone(outcome: Outcome, fields: readonly string[], context: PlanContext): readonly string[] {
  const hasPrivacy = outcome.changes("privacy");
  const isBound = (field: string): boolean =>
    (hasPrivacy && field === "can_create_topic_group") ||
    (isOpeningSetting(field) && !readsWhateverIsSet(outcome, context));
  return fields.filter((field) => isRightName(field) && !isBound(field));
}

/** Whether the account reads the channel by itself: the channel is and stays open, or the account is subscribed before and after. */
function readsWhateverIsSet(outcome: Outcome, context: PlanContext): boolean {
  if (![outcome.before("privacy"), outcome.after("privacy")].some((word) => isPrivate(String(word)))) return true;
  const me = context.snapshot.account.user_id;
  return [subscribersOf(outcome, context), subscribersAfter(outcome, context)].every((ids) => ids?.has(me));
}

/**
 * Whether one request that sets both settings which open a private channel is refused in the middle: the account is in the present
 * `can_add_subscribers_group` only, and the server sets that one first.
 */
export function losesAccessHalfway(outcome: Outcome, context: PlanContext): boolean {
  if (![outcome.before("privacy"), outcome.after("privacy")].every((word) => isPrivate(String(word)))) return false;
  if (!OPENING_SETTINGS.every((setting) => outcome.changes(setting))) return false;
  // If nobody knows whether the account is subscribed, the check has a warning.
  if (subscribersOf(outcome, context)?.has(context.snapshot.account.user_id) !== false) return false;
  const { before, after } = accessIn(context);
  const isIn = (value: GroupValue): boolean => [before, after].every((state) => namesAccount(value, state, context));
  return !isIn(groupAfter(outcome, "can_add_subscribers_group")) && !isIn(groupBefore(outcome, "can_subscribe_group"));
}

function willBeSubscribed(outcome: Outcome, context: PlanContext): boolean {
  return (
    outcome.changes("subscribers") && subscribersAfter(outcome, context)?.has(context.snapshot.account.user_id) === true
  );
}

function closesToAccount(outcome: Outcome, context: PlanContext): boolean {
  const opens = !isPrivate(String(outcome.before("privacy"))) && isPrivate(String(outcome.after("privacy")));
  if (!opens || accountReads(outcome, context) !== "yes") return false;
  const me = context.snapshot.account.user_id;
  const isSubscribed = subscribersOf(outcome, context)?.has(me) === true;
  // The plan may take the account out of the group before this request.
  const { before, after } = accessIn(context);
  const isInGroup = OPENING_SETTINGS.some((setting) =>
    [before, after].every((state) => namesAccount(groupBefore(outcome, setting), state, context)),
  );
  return !isSubscribed && !isInGroup;
}
