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
    private: ["privacy: private_shared_history", "privacy: public"],
    is_private: ["privacy: private_shared_history", "privacy: public"],
    invite_only: ["privacy: private_shared_history", "privacy: public"],
    is_secret: ["privacy: private_shared_history", "privacy: public"],
    secret: ["privacy: private_shared_history", "privacy: public"],
    hidden: ["privacy: private_shared_history", "privacy: public"],
    // What is not public may have its history or not, and what is not on the web may be private.
    public: ["privacy: public", "privacy"],
    is_public: ["privacy: public", "privacy"],
    web_public: ["privacy: web_public", "privacy"],
    is_web_public: ["privacy: web_public", "privacy"],
  },
} as const satisfies Synonyms;
