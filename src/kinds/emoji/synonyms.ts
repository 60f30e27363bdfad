import type { Synonyms } from "../../model/synonyms.ts";

export const emojiWords = (): Synonyms => ({
  section: ["emojis", "custom_emoji", "realm_emoji"],
  fields: {
    image: ["file", "path", "picture", "src", "url", "source_url", "image_url", "filename", "gif", "emoji"],
  },
});
