import type { FieldChange } from "../../model/plan.ts";

/** Settings whose `false` lets people in who could not join before. */
const BARRIERS: ReadonlySet<string> = new Set([
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
]);

/** May people join by this change who could not before? */
export function opensJoining({ field, after }: Pick<FieldChange, "field" | "after">): boolean {
  return BARRIERS.has(field) && after === false;
}
