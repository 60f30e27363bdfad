import type { Synonyms } from "../../model/synonyms.ts";

export const synonyms: Synonyms = {
  section: ["emojis", "custom_emoji", "realm_emoji"],
  fields: {
    image: ["file", "path", "picture", "src", "url", "source_url", "image_url", "filename", "gif", "emoji"],
  },
};
