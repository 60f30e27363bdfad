import type { Synonyms } from "../../model/synonyms.ts";
import { INVITATION_WORDS } from "../shared-words.ts";

export const inviteWords = (): Synonyms => ({
  section: ["invitations", "invitation"],
  entry: ["emails"],
  besides: "send_until",
  fields: {
    ...INVITATION_WORDS,
    emails: ["email", "addresses", "address", "users", "people", "to", "invitees", "invitee_emails"],
    expires_in: ["expires", "expiry", "expires_after", "valid_for", "ttl", "days", "invite_expires_in_minutes"],
    send_until: ["until", "deadline", "send_before", "valid_until", "expires_on", "expires_at"],
    notify_referrer_on_join: ["notify"],
    replace: ["resend", "renew"],
  },
});
