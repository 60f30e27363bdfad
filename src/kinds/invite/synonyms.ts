import type { Synonyms } from "../../model/synonyms.ts";
import { INVITATION_WORDS } from "../invitation-words.ts";

export const synonyms: Synonyms = {
  section: ["invitations", "invitation"],
  entry: ["emails"],
  fields: {
    ...INVITATION_WORDS,
    emails: ["email", "addresses", "address", "users", "people", "to", "invitees", "invitee_emails"],
    expires_in: ["expires", "expiry", "expires_after", "valid_for", "ttl", "days", "invite_expires_in_minutes"],
    notify_referrer_on_join: ["notify"],
    replace: ["resend", "renew"],
  },
};
