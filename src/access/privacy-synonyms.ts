import type { Synonyms } from "../model/synonyms.ts";

/** Other words for the privacy of channels, in files and in rules. */
export const PRIVACY_SYNONYMS = {
  fields: {
    privacy: [
      "visibility",
      "type",
      "access",
      "access_level",
      "history_public_to_subscribers",
      "stream_privacy",
      "history",
    ],
  },
  lines: {
    private: "privacy: private_shared_history",
    is_private: "privacy: private_shared_history",
    invite_only: "privacy: private_shared_history",
    is_secret: "privacy: private_shared_history",
    secret: "privacy: private_shared_history",
    hidden: "privacy: private_shared_history",
    public: "privacy: public",
    is_public: "privacy: public",
    web_public: "privacy: web_public",
    is_web_public: "privacy: web_public",
  },
} as const satisfies Synonyms;
