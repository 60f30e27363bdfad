import type { FieldChange } from "../../model/plan.ts";

/** Settings whose value `false` lets people join who could not join before. */
const BARRIERS: ReadonlySet<string> = new Set([
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
]);

/** Whether this change lets people join who could not before. */
export function opensJoining({ field, after }: Pick<FieldChange, "field" | "after">): boolean {
  return BARRIERS.has(field) && after === false;
}
