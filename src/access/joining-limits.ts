/** Settings of the organization that keep people without an account out as long as they are true (zulip-api.md §12.1). */
export const JOINING_LIMITS = [
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
] as const;
