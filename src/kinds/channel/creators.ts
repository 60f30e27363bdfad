import type { Outcome } from "./outcome.ts";
import { isPrivate } from "./privacy.ts";

type PrivacyKind = "web_public" | "private" | "public";

export function privacyKind(outcome: Outcome): PrivacyKind {
  const privacy = String(outcome.after("privacy"));
  return privacy === "web_public" ? "web_public" : isPrivate(privacy) ? "private" : "public";
}

/**
 * Who may create such a channel, or set this privacy: settings of the organization from which no role is exempt (zulip-api.md §3.3, §3.5). A
 * web-public channel is not private, and each request says so, which also needs the right to create public channels.
 */
export function creationSettings(outcome: Outcome): readonly string[] {
  const kind = privacyKind(outcome);
  return [`can_create_${kind}_channel_group`, ...(kind === "web_public" ? ["can_create_public_channel_group"] : [])];
}
