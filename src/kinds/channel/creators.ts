import type { Outcome } from "./outcome.ts";
import { isPrivate } from "./privacy.ts";

export type PrivacyKind = "web_public" | "private" | "public";

export function privacyKind(outcome: Outcome): PrivacyKind {
  const privacy = String(outcome.after("privacy"));
  return privacy === "web_public" ? "web_public" : isPrivate(privacy) ? "private" : "public";
}

/**
 * Who may make such a channel, or give one that privacy: settings of the organization that no role is exempt from (zulip-api.md §3.3, §3.5).
 * What is web-public is not private, and each request says so, which takes the right to make public channels as well.
 */
export function creationSettings(outcome: Outcome): readonly string[] {
  const kind = privacyKind(outcome);
  return [`can_create_${kind}_channel_group`, ...(kind === "web_public" ? ["can_create_public_channel_group"] : [])];
}
