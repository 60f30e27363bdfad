import type { Synonyms } from "../../model/synonyms.ts";

export const synonyms: Synonyms = {
  section: ["bot", "integrations"],
  fields: {
    full_name: ["name", "short_name", "title", "display_name"],
    owner: ["bot_owner", "owner_id", "bot_owner_id", "owned_by"],
    type: ["bot_type", "kind"],
  },
  values: {
    incoming_webhook: ["webhook", "incoming"],
    outgoing_webhook: ["outgoing"],
  },
};
