import type { Synonyms } from "../../model/synonyms.ts";
import { INVITATION_WORDS } from "../shared-words.ts";

export const inviteLinkWords = (): Synonyms => ({
  section: ["invitation_links", "multiuse_invites", "reusable_links", "join_links"],
  fields: {
    ...INVITATION_WORDS,
    expires_on: [
      "expires",
      "expires_in",
      "expiry",
      "until",
      "valid_until",
      "invite_expires_in_minutes",
      "send_until",
      "expires_at",
      "valid_for",
      "ttl",
      "days",
    ],
  },
});
