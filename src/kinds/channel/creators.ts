import type { PlanContext } from "../../model/plan-context.ts";
import type { Outcome } from "./outcome.ts";
import { isPrivate } from "./privacy.ts";

type PrivacyKind = "web_public" | "private" | "public";

export function privacyKind(outcome: Outcome): PrivacyKind {
  const privacy = String(outcome.after("privacy"));
  return privacy === "web_public" ? "web_public" : isPrivate(privacy) ? "private" : "public";
}

/** Fields that only administrators set, and whoever is in a setting of the organization. */
export function policyRights(
  outcome: Outcome,
  { realm }: Pick<PlanContext, "realm">,
): readonly { readonly field: string; readonly setting: string }[] {
  if (realm.isAdmin) return [];
  return [
    ...(outcome.after("topics_policy") === "inherit"
      ? []
      : [{ field: "topics_policy", setting: "can_set_topics_policy_group" }]),
    { field: "can_delete_any_message_group", setting: "can_set_delete_message_policy_group" },
    { field: "can_delete_own_message_group", setting: "can_set_delete_message_policy_group" },
  ];
}

/** Rights of the organization that a request with these fields uses. */
export function rightsUsed(outcome: Outcome, fields: readonly string[], context: PlanContext): readonly string[] {
  const policies = policyRights(outcome, context).filter(({ field }) => fields.includes(field));
  const creates = outcome.change.action === "create" || fields.includes("privacy");
  return [...(creates ? creationSettings(outcome) : []), ...new Set(policies.map(({ setting }) => setting))];
}

/**
 * Who may create such a channel, or set this privacy: settings of the organization from which no role is exempt (zulip-api.md §3.3, §3.5). A
 * web-public channel is not private, and each request says so, which also needs the right to create public channels.
 */
export function creationSettings(outcome: Outcome): readonly string[] {
  const kind = privacyKind(outcome);
  return [`can_create_${kind}_channel_group`, ...(kind === "web_public" ? ["can_create_public_channel_group"] : [])];
}
