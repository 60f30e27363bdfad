import type { Synonyms } from "../../model/synonyms.ts";

export const botWords = (): Synonyms => ({
  section: ["bot", "integrations"],
  fields: {
    full_name: ["name", "short_name", "title", "display_name", "bot_name"],
    owner: [
      "bot_owner",
      "owner_id",
      "bot_owner_id",
      "owned_by",
      "manager",
      "managed_by",
      "created_by",
      "creator",
      "user",
    ],
    type: ["bot_type", "kind"],
  },
  values: {
    incoming_webhook: ["webhook", "incoming"],
    outgoing_webhook: ["outgoing"],
  },
});
