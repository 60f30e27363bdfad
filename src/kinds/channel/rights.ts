import { maySometime, maySometimeBy } from "../../access/of-plan.ts";
import { OPENING_SETTINGS, READER_FIELDS } from "../../access/rules.ts";
import { type Diagnostic, error } from "../../model/diagnostic.ts";
import type { ChannelRight } from "../../model/diagnostics/channels.ts";
import { type Quoted, quote, runningAccount } from "../../model/diagnostics/values.ts";
import { spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";
import { accountReads } from "./access.ts";
import { creationSettings, policyRights, privacyKind, settingsAtCreation } from "./create.ts";
import { groupBefore, type Outcome } from "./outcome.ts";
import { subscriberChange } from "./subscriptions.ts";

/** What the reading account may not do (zulip-api.md §3.6, §15.6): reported while planning, at the line that asks for it. */
export function rightsDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const administers = administratorDiagnostics(outcome, context);
  if (administers.length > 0) return administers;
  return [
    ...creationGroupDiagnostics(outcome, context),
    ...contentDiagnostics(outcome, context),
    ...retentionDiagnostics(outcome, context),
    ...pushDiagnostics(outcome, context),
    ...policyDiagnostics(outcome, context),
    ...subscriptionDiagnostics(outcome, context),
  ];
}

/** Adding and removing others (zulip-api.md §5.1, §5.2); for a channel that the same request creates, neither needs a right. */
function subscriptionDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (outcome.change.action === "create" || context.realm.isAdmin || !outcome.changes("subscribers")) return [];
  const { added, removed } = subscriberChange(outcome.change);
  const me = context.realm.userName(context.snapshot.account.user_id);
  const has = (setting: string): boolean => maySometimeBy(groupBefore(outcome, setting), context);
  const administers = has("can_administer_channel_group");
  const channel = channelName(outcome);
  const diagnostics: Diagnostic[] = [];
  const setting = "can_add_subscribers_group";
  const adds = administers || has(setting) || maySometime(setting, context);
  if (added.some((person) => person !== me) && !adds)
    diagnostics.push(notAllowed(outcome, context, "subscribers", { to: "subscribe-others", channel }));
  if (removed.some((person) => person !== me) && !administers && !has("can_remove_subscribers_group"))
    diagnostics.push(notAllowed(outcome, context, "subscribers", { to: "unsubscribe-others", channel }));
  return diagnostics;
}

function administratorDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const { account } = context.snapshot;
  if (account.role === ROLE.guest) return [notAllowed(outcome, context, undefined, { to: "change-anything" })];
  if (outcome.change.action === "create" || context.realm.isAdmin) return [];
  // Administering a channel is not the only way to change its subscribers.
  if (outcome.change.fields.every(({ field }) => field === "subscribers")) return [];
  const administers = groupBefore(outcome, "can_administer_channel_group");
  if (maySometimeBy(administers, context)) return [];
  return [notAllowed(outcome, context, undefined, { to: "administer", channel: channelName(outcome) })];
}

/** Owners are not exempt (zulip-api.md §3.3, §15.3.20); changing the privacy counts as creating (§3.5). */
function creationGroupDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (outcome.change.action !== "create" && !outcome.changes("privacy")) return [];
  const privacy = privacyKind(outcome).replace("_", "-");
  return creationSettings(outcome)
    .filter((setting) => !maySometime(setting, context))
    .map((setting) => notAllowed(outcome, context, "privacy", { to: "create", privacy, setting }));
}

/** Roles do not open a private channel: content access is a matter of being in it or in its groups (zulip-api.md §3.6). */
function contentDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (outcome.channel === undefined) return [];
  const adds = subscriberChange(outcome.change).added.length > 0;
  const field = READER_FIELDS.find((candidate) => (candidate === "subscribers" ? adds : outcome.changes(candidate)));
  if (field === undefined) return [];
  const access = accountReads(outcome, context);
  // A membership that the plan gives is written first.
  const joins = OPENING_SETTINGS.some((setting) => maySometimeBy(groupBefore(outcome, setting), context));
  if (access === "yes" || (access === "no" && joins)) return [];
  const channel = channelName(outcome);
  const diagnostic = notAllowed(outcome, context, field, { to: "read", channel, field, is_known: access === "no" });
  return [access === "no" ? diagnostic : { ...diagnostic, severity: "warning" }];
}

function retentionDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (!isSent("message_retention_days", outcome, context)) return [];
  const field = "message_retention_days";
  if (!context.realm.isOwner) return [notAllowed(outcome, context, field, { to: "set-as-owner", field })];
  if (context.realm.setting("zulip_plan_is_not_limited") !== false) return [];
  return [error("channels/limited-plan", {}, spanOfField(outcome.change, field))];
}

/** Administrators of the channel are not enough (zulip-api.md §14.1). */
function pushDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const field = "default_push_notifications";
  if (!isSent(field, outcome, context) || context.realm.isAdmin) return [];
  return [notAllowed(outcome, context, field, { to: "set-as-administrator", field })];
}

function policyDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  return policyRights(outcome, context)
    .filter(({ field }) => isSent(field, outcome, context))
    .filter(({ setting }) => !maySometime(setting, context))
    .map(({ field, setting }) => notAllowed(outcome, context, field, { to: "set", field, setting }));
}

function isSent(field: string, outcome: Outcome, context: PlanContext): boolean {
  if (!outcome.changes(field)) return false;
  return outcome.change.action !== "create" || settingsAtCreation(outcome.change, context).includes(field);
}

function notAllowed(outcome: Outcome, context: PlanContext, field: string | undefined, right: ChannelRight) {
  const at = field === undefined ? outcome.change.at : spanOfField(outcome.change, field);
  return error("channels/not-allowed", { account: runningAccount(context.snapshot), right }, at);
}

const channelName = ({ change: { was, name } }: Outcome): Quoted => quote(was ?? name, "channel");
